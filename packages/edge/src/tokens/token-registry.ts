import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenChanges } from '@burgee/protocol/token-changes'
import type { SnapshotToken } from '../storage/edge-storage.ts'
import type { EdgeUpstream, ValidatedToken } from '../upstream/upstream-interface.ts'
import type { EdgeToken, EdgeTokens, TokenListener, TokenRequester } from './edge-token.ts'
import type { FetchingSet } from './fetching-set.ts'
import { RevalidationJob } from './revalidation-job.ts'
import { isDecidedUpstream, TokenDecisions } from './token-decisions.ts'
import { TokenLog } from './token-log.ts'
import { TokenRefused, TokenUndecided } from './token-refusal.ts'
import { readTokenForm } from './token-syntax.ts'
import { getUpstreamStatus, TokenValidator, toValidationResults, type ValidationResult } from './token-validator.ts'

/** Dependencies of a token registry. */
export interface TokenRegistryDeps {
  readonly upstream: Pick<EdgeUpstream, 'validate'>
  /** Backend tokens from the options. The edge fetches flags with them as soon as it starts. */
  readonly startTokens: readonly string[]
  /** Frontend tokens that are trusted without validation, in the format of `readPretrusted`. */
  readonly pretrustedTokens: readonly string[]
  /**
   * True to fetch flags with tokens that SDKs send, as well as with start-up tokens. If false, the scopes of the
   * start-up tokens must include the scopes of all other tokens.
   */
  readonly isDynamic: boolean
  readonly revalidationIntervalMs: number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  readonly logger: Logger
  /** Maximum number of invalid tokens per minute and network; 100 by default. */
  readonly guessLimitPerMinute?: number
  /** Maximum number of known tokens; 100,000 by default. */
  readonly max?: number
}

const MAX_TOKENS = 100_000
/** Default maximum number of invalid tokens, the same as on the server. */
const DEFAULT_GUESS_LIMIT = 100

/**
 * Registry of valid tokens. Start-up tokens are validated repeatedly until they are found to be valid. Tokens that SDKs
 * send are validated once, and then again at each interval, together with all other tokens. Pretrusted tokens are never
 * validated. A token is removed only after a well-formed reply from the upstream that does not list it as valid. Failed
 * or malformed replies have no effect. The constructor throws for a malformed token.
 */
export class TokenRegistry implements EdgeTokens {
  readonly #decisions: TokenDecisions
  readonly #validator: TokenValidator
  readonly #startValidation: RevalidationJob
  readonly #revalidation: RevalidationJob
  /** Job that validates tokens which the upstream reports as changed. */
  readonly #changeValidation: RevalidationJob
  readonly #changed = new Set<string>()
  /** Tokens that are being validated because the upstream rejected a fetch with them. */
  readonly #rejectedFetches = new Set<string>()
  readonly #log: TokenLog
  #isClosed = false

  constructor(deps: TokenRegistryDeps) {
    this.#log = new TokenLog(deps.logger)
    const { random } = deps
    this.#decisions = new TokenDecisions({ ...deps, log: this.#log, max: deps.max ?? MAX_TOKENS })
    this.#validator = new TokenValidator({
      ...deps,
      guessLimitPerMinute: deps.guessLimitPerMinute ?? DEFAULT_GUESS_LIMIT,
    })
    const shared = { random, onFailure: (error: unknown) => this.#log.logFailure(error) }
    this.#startValidation = new RevalidationJob({
      ...shared,
      intervalMs: undefined,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#decisions.start.listUnknown(),
      isOver: () => this.#decisions.start.listUnknown().length === 0,
    })
    this.#revalidation = new RevalidationJob({
      ...shared,
      intervalMs: deps.revalidationIntervalMs,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#decisions.listValidated().map(({ text }) => text),
      isOver: () => true,
    })
    this.#changeValidation = new RevalidationJob({
      ...shared,
      intervalMs: undefined,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#takeChanged(),
      isOver: () => true,
    })
  }

  /** Tokens that flags are fetched with. */
  get fetching(): FetchingSet {
    return this.#decisions.fetching
  }

  /** Starts validating tokens. */
  start(): void {
    if (this.#decisions.start.listUnknown().length > 0) this.#startValidation.wake()
    this.#revalidation.wait()
  }

  find(text: string): EdgeToken | undefined {
    return this.#decisions.tokens.use(text)
  }

  async admit(text: string, requester: TokenRequester): Promise<EdgeToken> {
    const known = this.find(text)
    if (known !== undefined) return known
    if (text === '') throw new TokenRefused('missing')
    if (readTokenForm(text) === undefined) throw new TokenRefused('form')
    const uncovered = this.#decisions.findUncovered(text)
    if (uncovered !== undefined) return this.#decisions.addIfCovered(uncovered)
    const result = await this.#validate(text, requester)
    // the token may have been revoked while it was being validated
    this.#decisions.findUncovered(text)
    const token = this.#readSentToken(text, result, requester)
    // a concurrent request may have already added the token
    return this.#decisions.tokens.get(text) ?? this.#decisions.addIfCovered(token)
  }

  findById(id: string): EdgeToken | undefined {
    return this.#decisions.tokens.findById(id)
  }

  all(): readonly EdgeToken[] {
    return this.#decisions.tokens.all()
  }

  subscribe(listener: TokenListener): () => void {
    return this.#decisions.tokens.subscribe(listener)
  }

  /** Number of SDK tokens for which a reply from the upstream is pending. */
  get pendingCount(): number {
    return this.#validator.pendingCount
  }

  /** Number of rejected tokens that are stored. */
  get rejectedCount(): number {
    return this.#decisions.rejected.size
  }

  /** Adds tokens that an earlier process stored, and starts to validate them at once. */
  restore(stored: readonly SnapshotToken[]): void {
    this.#decisions.restore(stored)
    this.#revalidation.wake()
  }

  /**
   * Handles the upstream's rejection (401 or 403) of a fetch. Validates the fetch's token at once, because an
   * intermediary may have sent the rejection. If the token is invalid, removes it and stops fetching with it.
   */
  async handleRejectedFetch(text: string): Promise<void> {
    if (this.#rejectedFetches.has(text) || this.#decisions.tokens.get(text) === undefined) return
    this.#rejectedFetches.add(text)
    try {
      this.#applyResults([text], await this.#validator.validateAll([text]))
    } catch (error) {
      if (this.#isClosed) return
      if (getUpstreamStatus(error) !== 404) return this.#log.logFailure(error)
      if (this.#decisions.start.has(text)) this.#decisions.withdrawn.add(text)
      this.#applyResults([text], new Map())
    } finally {
      this.#rejectedFetches.delete(text)
    }
  }

  /**
   * Applies token changes that the upstream has announced. A revoked token is removed at once and rejected for a
   * minute, even if another upstream node still reports it as valid. A changed token is validated again; with `all`,
   * every token is validated again.
   */
  applyChanges({ revoked, changed, all }: TokenChanges): void {
    for (const digest of revoked) this.#revoke(digest)
    for (const digest of changed) {
      const token = this.#decisions.tokens.findByHash(digest)
      if (token !== undefined && isDecidedUpstream(token)) this.#changed.add(token.text)
    }
    if (this.#changed.size > 0) this.#changeValidation.wake()
    if (all) this.#revalidation.wake()
  }

  close(): void {
    this.#isClosed = true
    this.#changeValidation.stop()
    this.#startValidation.stop()
    this.#revalidation.stop()
    this.#validator.close()
  }

  #revoke(digest: string): void {
    this.#decisions.rejected.rejectHash(digest, 'unknown')
    this.#validator.revoke(digest)
    const token = this.#decisions.tokens.findByHash(digest)
    if (token === undefined || !isDecidedUpstream(token)) return
    this.#decisions.updateFetching(() => {
      this.#decisions.start.markInvalid(token.text)
      this.#decisions.tokens.remove(token.text, 'refused')
    })
    if (token.origin !== 'start') return
    this.#log.logStartToken(token.text, 'was revoked by the upstream, and is validated again')
    this.#startValidation.retry()
  }

  #takeChanged(): string[] {
    const texts = [...this.#changed]
    this.#changed.clear()
    return texts
  }

  #applyResults(texts: readonly string[], results: ReadonlyMap<string, ValidatedToken>): void {
    const missing = this.#decisions.start.listUnknown().length
    this.#decisions.applyResults(texts, results)
    if (this.#decisions.start.listUnknown().length > missing) this.#startValidation.wake()
  }

  async #validate(text: string, requester: TokenRequester): Promise<ValidationResult> {
    try {
      return await this.#validator.validate(text, requester)
    } catch (error) {
      if (!(error instanceof TokenUndecided) || error.status !== 404) throw error
      this.#log.logMissingEndpoint(error)
      return undefined
    }
  }

  /**
   * Converts a validation result to a token that an SDK sent. Throws TokenRefused for an invalid token, or
   * TokenUndecided if the network has sent too many invalid tokens.
   */
  #readSentToken(text: string, result: ValidationResult, { network }: TokenRequester): EdgeToken {
    try {
      return this.#decisions.readResult(text, result)
    } catch (error) {
      if (this.#validator.recordGuess(network)) throw new TokenUndecided('guessed', 429, { cause: error })
      throw error
    }
  }

  async #revalidate(texts: readonly string[]): Promise<void> {
    try {
      this.#applyResults(texts, await this.#validator.validateAll(texts))
      this.#log.logSuccess()
    } catch (error) {
      if (getUpstreamStatus(error) !== 404) throw error
      this.#log.logMissingEndpoint(error)
      const unknown = texts.filter((text) => this.#decisions.tokens.get(text) === undefined)
      this.#applyResults(unknown, toValidationResults(unknown.filter((text) => !this.#decisions.withdrawn.has(text))))
    }
  }
}
