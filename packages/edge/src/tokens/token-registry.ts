import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenChanges } from '@burgee/protocol/token-changes'
import type { SnapshotToken } from '../storage/edge-storage.ts'
import type { EdgeUpstream, ValidatedToken } from '../upstream/upstream-interface.ts'
import type { EdgeToken, EdgeTokens, TokenListener, TokenRequester } from './edge-token.ts'
import { covers } from './fetch-scopes.ts'
import { FetchingSet } from './fetching-set.ts'
import { RevalidationJob } from './revalidation-job.ts'
import { StartTokens } from './start-tokens.ts'
import { TokenLog } from './token-log.ts'
import { RejectedTokens, TokenRefused, TokenUndecided } from './token-refusal.ts'
import { createEdgeToken, TokenStore } from './token-store.ts'
import { readPretrusted, readTokenForm, shortenToken } from './token-syntax.ts'
import {
  ANY_ENVIRONMENT,
  getScopeWidth,
  getUpstreamStatus,
  isSameToken,
  TokenValidator,
  toEdgeToken,
  toValidationResults,
  type ValidationResult,
} from './token-validator.ts'

/** Dependencies of a token registry. */
export interface TokenRegistryDeps {
  readonly upstream: Pick<EdgeUpstream, 'validate'>
  /** Backend tokens to fetch flags with. */
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
  /** Invalid tokens per minute and network; 100 by default. */
  readonly guessLimitPerMinute?: number
  /** Maximum number of known tokens; 100,000 by default. */
  readonly max?: number
}

const MAX_TOKENS = 100_000
/** Default limit of invalid tokens, the same as on the server. */
const DEFAULT_GUESS_LIMIT = 100

/**
 * Registry of valid tokens. Start-up tokens are validated repeatedly until they are found to be valid. Tokens that SDKs
 * send are validated once, and later again together with all other tokens at each interval. Pretrusted tokens are never
 * validated. A token is removed only after a well-formed reply of the upstream that does not list the token as valid.
 * Failed or malformed replies have no effect. The constructor throws for a malformed token.
 */
export class TokenRegistry implements EdgeTokens {
  /** Tokens with which flags are fetched. */
  readonly fetching: FetchingSet
  readonly #deps: TokenRegistryDeps
  readonly #tokens: TokenStore
  readonly #start: StartTokens
  readonly #rejected: RejectedTokens
  readonly #validator: TokenValidator
  readonly #startValidation: RevalidationJob
  readonly #revalidation: RevalidationJob
  /** Job that validates tokens which the upstream reports as changed. */
  readonly #changeValidation: RevalidationJob
  readonly #changed = new Set<string>()
  /** Start-up tokens that the upstream rejected in a fetch. Used only while the upstream has no `/edge/validate`. */
  readonly #withdrawn = new Set<string>()
  /** Tokens being validated because a fetch with them was rejected. */
  readonly #rejectedFetches = new Set<string>()
  readonly #log: TokenLog
  #isClosed = false

  constructor(deps: TokenRegistryDeps) {
    this.#deps = deps
    this.#log = new TokenLog(deps.logger)
    const { random, isDynamic } = deps
    this.#tokens = new TokenStore(deps.max ?? MAX_TOKENS)
    this.#start = new StartTokens(deps.startTokens)
    this.#rejected = new RejectedTokens(deps.monotonic)
    this.#validator = new TokenValidator({
      ...deps,
      guessLimitPerMinute: deps.guessLimitPerMinute ?? DEFAULT_GUESS_LIMIT,
    })
    this.fetching = new FetchingSet({ tokens: this.#tokens, isDynamic, isSettled: () => this.#start.isSettled })
    const shared = { random, onFailure: (error: unknown) => this.#log.logFailure(error) }
    this.#startValidation = new RevalidationJob({
      ...shared,
      intervalMs: undefined,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#start.listUnknown(),
      isOver: () => this.#start.listUnknown().length === 0,
    })
    this.#revalidation = new RevalidationJob({
      ...shared,
      intervalMs: deps.revalidationIntervalMs,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#listValidated().map(({ text }) => text),
      isOver: () => true,
    })
    this.#changeValidation = new RevalidationJob({
      ...shared,
      intervalMs: undefined,
      validate: (texts) => this.#revalidate(texts),
      texts: () => this.#takeChanged(),
      isOver: () => true,
    })
    for (const text of deps.pretrustedTokens) this.#addPretrusted(text)
  }

  /** Starts validating tokens. */
  start(): void {
    if (this.#start.listUnknown().length > 0) this.#startValidation.wake()
    this.#revalidation.wait()
  }

  find(text: string): EdgeToken | undefined {
    return this.#tokens.use(text)
  }

  async admit(text: string, requester: TokenRequester): Promise<EdgeToken> {
    const known = this.find(text)
    if (known !== undefined) return known
    if (text === '') throw new TokenRefused('missing')
    if (readTokenForm(text) === undefined) throw new TokenRefused('form')
    const uncovered = this.#findUncovered(text)
    if (uncovered !== undefined) return this.#addIfCovered(uncovered)
    const result = await this.#validate(text, requester)
    // the token may have been revoked in the meantime
    this.#findUncovered(text)
    const token = this.#readSentToken(text, result, requester)
    // a concurrent request may have added the token already
    return this.#tokens.get(text) ?? this.#addIfCovered(token)
  }

  findById(id: string): EdgeToken | undefined {
    return this.#tokens.findById(id)
  }

  all(): readonly EdgeToken[] {
    return this.#tokens.all()
  }

  subscribe(listener: TokenListener): () => void {
    return this.#tokens.subscribe(listener)
  }

  /** Number of SDK tokens that wait for a reply of the upstream. */
  get pendingCount(): number {
    return this.#validator.pendingCount
  }

  /** Number of stored rejections of tokens. */
  get rejectedCount(): number {
    return this.#rejected.size
  }

  /**
   * Adds tokens that an earlier process stored, and starts to validate them at once. Restored tokens stay until the
   * upstream rejects them. Results that the upstream has already returned take precedence.
   */
  restore(stored: readonly SnapshotToken[]): void {
    const rank = ({ token, type }: SnapshotToken) => (this.#start.has(token) ? 0 : type === 'backend' ? 1 : 2)
    for (const { token: text, type, environment, projects } of [...stored].sort((a, b) => rank(a) - rank(b))) {
      const isDecided = this.#tokens.get(text) !== undefined || this.#rejected.find(text) !== undefined
      if (isDecided || readTokenForm(text) === undefined || environment === ANY_ENVIRONMENT) continue
      const token = createEdgeToken({ text, kind: type, environment, projects, origin: this.#getOrigin(text) })
      if (this.#isCovered(token)) this.#add(token)
    }
    this.#revalidation.wake()
  }

  /**
   * Handles a fetch that the upstream rejected with 401 or 403. Validates the token at once, because an intermediary
   * may have sent the rejection. If the token is invalid, removes it and stops fetching with it.
   */
  async handleRejectedFetch(text: string): Promise<void> {
    if (this.#rejectedFetches.has(text) || this.#tokens.get(text) === undefined) return
    this.#rejectedFetches.add(text)
    try {
      this.#applyResults([text], await this.#validator.validateAll([text]))
    } catch (error) {
      if (this.#isClosed) return
      if (getUpstreamStatus(error) !== 404) return this.#log.logFailure(error)
      if (this.#start.has(text)) this.#withdrawn.add(text)
      this.#applyResults([text], new Map())
    } finally {
      this.#rejectedFetches.delete(text)
    }
  }

  /**
   * Applies token changes from the upstream. A revoked token is removed at once and rejected for a minute, even if
   * another upstream node still reports it as valid. A changed token is validated again; `all` validates every token
   * again.
   */
  applyChanges({ revoked, changed, all }: TokenChanges): void {
    for (const digest of revoked) this.#revoke(digest)
    for (const digest of changed) {
      const token = this.#tokens.findByHash(digest)
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
    this.#rejected.rejectHash(digest, 'unknown')
    this.#validator.revoke(digest)
    const token = this.#tokens.findByHash(digest)
    if (token === undefined || !isDecidedUpstream(token)) return
    this.#updateFetching(() => {
      this.#start.markInvalid(token.text)
      this.#tokens.remove(token.text, 'refused')
    })
    if (token.origin !== 'start') return
    this.#log.logStartToken(token.text, 'was revoked by the upstream, and is asked for again')
    this.#startValidation.retry()
  }

  #takeChanged(): string[] {
    const texts = [...this.#changed]
    this.#changed.clear()
    return texts
  }

  /**
   * Returns a token that was stored as valid although its scope was not fetched, or undefined if nothing is stored
   * about the token. Throws TokenRefused if a rejection of the token is stored.
   */
  #findUncovered(text: string): EdgeToken | undefined {
    const rejection = this.#rejected.find(text)
    if (rejection !== undefined && rejection.token === undefined) throw new TokenRefused(rejection.reason)
    return rejection?.token
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
      return this.#readResult(text, result)
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
      const unknown = texts.filter((text) => this.#tokens.get(text) === undefined)
      this.#applyResults(unknown, toValidationResults(unknown.filter((text) => !this.#withdrawn.has(text))))
    }
  }

  #applyResults(texts: readonly string[], results: ReadonlyMap<string, ValidatedToken>): void {
    const missing = this.#start.listUnknown().length
    const byWidth = [...texts].sort((a, b) => getScopeWidth(results.get(b)) - getScopeWidth(results.get(a)))
    this.#updateFetching(() => {
      for (const text of byWidth) this.#applyResult(text, results.get(text))
    })
    if (this.#start.listUnknown().length > missing) this.#startValidation.wake()
  }

  #applyResult(text: string, result: ValidationResult): void {
    const before = this.#tokens.get(text)
    // an unreadable result does not mean that the token is invalid
    if (before !== undefined && result?.type === 'other') return
    try {
      const token = this.#readResult(text, result)
      if (before === undefined || !isSameToken(before, token)) this.#addIfCovered(token)
    } catch (error) {
      if (!(error instanceof TokenRefused || error instanceof TokenUndecided)) throw error
      this.#tokens.remove(text, 'refused')
    }
  }

  /** Runs `change`, then removes the tokens whose scope is no longer fetched. */
  #updateFetching(change: () => void): void {
    const fetching = this.fetching.current()
    change()
    if (this.fetching.current() !== fetching) this.#removeUncovered()
    this.fetching.noteSettled()
  }

  /** Converts a validation result to a token. Throws TokenRefused and stores the rejection if the token is invalid. */
  #readResult(text: string, result: ValidationResult): EdgeToken {
    try {
      return toEdgeToken(text, result, this.#getOrigin(text))
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      this.#rejected.reject(text, error.reason)
      this.#start.markInvalid(text)
      if (this.#start.has(text)) this.#log.logStartToken(text, `is not used: ${error.message}`)
      throw error
    }
  }

  /**
   * Adds a valid token. Throws TokenRefused if its scope is not fetched, and TokenUndecided if its scope may still be
   * fetched later.
   */
  #addIfCovered(token: EdgeToken): EdgeToken {
    if (this.#isCovered(token)) return this.#add(token)
    this.#rejected.addUncovered(token)
    if (this.#start.isPending(token.environment)) throw new TokenUndecided('starting')
    throw new TokenRefused('not-covered')
  }

  #add(token: EdgeToken): EdgeToken {
    if (token.origin === 'start' && token.kind === 'frontend')
      this.#log.logStartToken(token.text, 'is for front ends: nothing is fetched with it')
    this.#rejected.forget(token.text)
    this.#start.markValid(token.text)
    this.#withdrawn.delete(token.text)
    this.#tokens.add(token)
    this.fetching.noteSettled()
    return token
  }

  #isCovered(token: EdgeToken): boolean {
    if (token.origin !== 'upstream') return true
    const fetching = this.fetching.current()
    if (token.kind === 'frontend') return fetching.some(({ environment }) => environment === token.environment)
    return this.#deps.isDynamic || covers(fetching, token)
  }

  #removeUncovered(): void {
    for (const token of this.#listValidated()) if (!this.#isCovered(token)) this.#tokens.remove(token.text, 'dropped')
  }

  #getOrigin(text: string): 'start' | 'upstream' {
    return this.#start.has(text) ? 'start' : 'upstream'
  }

  /** Returns the known tokens that the upstream validates. */
  #listValidated(): EdgeToken[] {
    return this.all().filter(isDecidedUpstream)
  }

  #addPretrusted(text: string): void {
    const pretrusted = readPretrusted(text)
    if (pretrusted === undefined)
      throw new Error(
        `PRETRUSTED_TOKENS: ${shortenToken(text)} is neither a token of one environment nor token@environment`,
      )
    // a start-up token may fetch flags, a pretrusted token may not
    if (!this.#start.has(pretrusted.text))
      this.#tokens.add(createEdgeToken({ ...pretrusted, kind: 'frontend', origin: 'pretrusted' }))
  }
}

function isDecidedUpstream({ origin }: EdgeToken): boolean {
  return origin === 'start' || origin === 'upstream'
}
