import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { SnapshotToken } from '../storage/edge-storage.ts'
import type { ValidatedToken } from '../upstream/upstream-interface.ts'
import type { EdgeToken } from './edge-token.ts'
import { covers } from './fetch-scopes.ts'
import { FetchingSet } from './fetching-set.ts'
import { StartTokens } from './start-tokens.ts'
import type { TokenLog } from './token-log.ts'
import { RejectedTokens, TokenRefused, TokenUndecided } from './token-refusal.ts'
import { createEdgeToken, TokenStore } from './token-store.ts'
import { readPretrusted, readTokenForm, shortenToken } from './token-syntax.ts'
import { ANY_ENVIRONMENT, getScopeWidth, isSameToken, toEdgeToken, type ValidationResult } from './token-validator.ts'

/** Dependencies of `TokenDecisions`. */
export interface TokenDecisionsDeps {
  readonly startTokens: readonly string[]
  readonly pretrustedTokens: readonly string[]
  readonly isDynamic: boolean
  readonly monotonic: MonotonicClock
  readonly log: TokenLog
  readonly max: number
}

/**
 * Stores valid and rejected tokens, and decides from the upstream's results to which of the two a token belongs. A
 * token is valid only if flags are fetched for its scope. The constructor throws for a malformed token.
 */
export class TokenDecisions {
  /** Tokens that flags are fetched with. */
  readonly fetching: FetchingSet
  readonly tokens: TokenStore
  readonly start: StartTokens
  readonly rejected: RejectedTokens
  /**
   * Start-up tokens that the upstream rejected when flags were fetched with them. Used only while the upstream has no
   * `/edge/validate`.
   */
  readonly withdrawn = new Set<string>()
  readonly #isDynamic: boolean
  readonly #log: TokenLog

  constructor({ startTokens, pretrustedTokens, isDynamic, monotonic, log, max }: TokenDecisionsDeps) {
    this.#isDynamic = isDynamic
    this.#log = log
    this.tokens = new TokenStore(max)
    this.start = new StartTokens(startTokens)
    this.rejected = new RejectedTokens(monotonic)
    this.fetching = new FetchingSet({ tokens: this.tokens, isDynamic, isSettled: () => this.start.isSettled })
    for (const text of pretrustedTokens) this.#addPretrusted(text)
  }

  /**
   * Returns a token that the upstream considers valid but whose scope is not fetched, or undefined if nothing is stored
   * about the token. Throws TokenRefused if a rejection of this token is stored.
   */
  findUncovered(text: string): EdgeToken | undefined {
    const rejection = this.rejected.find(text)
    if (rejection !== undefined && rejection.token === undefined) throw new TokenRefused(rejection.reason)
    return rejection?.token
  }

  /**
   * Adds tokens that an earlier process stored. Restored tokens stay until the upstream rejects them. Results that the
   * upstream has already returned for a token take precedence.
   */
  restore(stored: readonly SnapshotToken[]): void {
    const rank = ({ token, type }: SnapshotToken) => (this.start.has(token) ? 0 : type === 'backend' ? 1 : 2)
    for (const { token: text, type, environment, projects } of [...stored].sort((a, b) => rank(a) - rank(b))) {
      const isDecided = this.tokens.get(text) !== undefined || this.rejected.find(text) !== undefined
      if (isDecided || readTokenForm(text) === undefined || environment === ANY_ENVIRONMENT) continue
      const token = createEdgeToken({ text, kind: type, environment, projects, origin: this.#getOrigin(text) })
      if (this.#isCovered(token)) this.#add(token)
    }
  }

  /** Applies the results of a validation, starting with the tokens that have the widest scopes. */
  applyResults(texts: readonly string[], results: ReadonlyMap<string, ValidatedToken>): void {
    const byWidth = [...texts].sort((a, b) => getScopeWidth(results.get(b)) - getScopeWidth(results.get(a)))
    this.updateFetching(() => {
      for (const text of byWidth) this.#applyResult(text, results.get(text))
    })
  }

  #applyResult(text: string, result: ValidationResult): void {
    const before = this.tokens.get(text)
    // a malformed result does not mean that the token is invalid
    if (before !== undefined && result?.type === 'other') return
    try {
      const token = this.readResult(text, result)
      if (before === undefined || !isSameToken(before, token)) this.addIfCovered(token)
    } catch (error) {
      if (!(error instanceof TokenRefused || error instanceof TokenUndecided)) throw error
      this.tokens.remove(text, 'refused')
    }
  }

  /** Runs `change`, then removes the tokens whose scope is no longer fetched. */
  updateFetching(change: () => void): void {
    const fetching = this.fetching.current()
    change()
    if (this.fetching.current() !== fetching) this.#removeUncovered()
    this.fetching.noteSettled()
  }

  /** Converts a validation result to a token. Throws TokenRefused and stores the rejection if the token is invalid. */
  readResult(text: string, result: ValidationResult): EdgeToken {
    try {
      return toEdgeToken(text, result, this.#getOrigin(text))
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      this.rejected.reject(text, error.reason)
      this.start.markInvalid(text)
      if (this.start.has(text)) this.#log.logStartToken(text, `is not used: ${error.message}`)
      throw error
    }
  }

  /**
   * Adds a valid token. Throws TokenRefused if the token's scope is not fetched, or TokenUndecided if its scope may be
   * fetched later.
   */
  addIfCovered(token: EdgeToken): EdgeToken {
    if (this.#isCovered(token)) return this.#add(token)
    this.rejected.addUncovered(token)
    if (this.start.isPending(token.environment)) throw new TokenUndecided('starting')
    throw new TokenRefused('not-covered')
  }

  #add(token: EdgeToken): EdgeToken {
    if (token.origin === 'start' && token.kind === 'frontend')
      this.#log.logStartToken(token.text, 'is for front ends: nothing is fetched with it')
    this.rejected.forget(token.text)
    this.start.markValid(token.text)
    this.withdrawn.delete(token.text)
    this.tokens.add(token)
    this.fetching.noteSettled()
    return token
  }

  #isCovered(token: EdgeToken): boolean {
    if (token.origin !== 'upstream') return true
    const fetching = this.fetching.current()
    if (token.kind === 'frontend') return fetching.some(({ environment }) => environment === token.environment)
    return this.#isDynamic || covers(fetching, token)
  }

  /** Returns the known tokens that are validated by the upstream. */
  listValidated(): EdgeToken[] {
    return this.tokens.all().filter(isDecidedUpstream)
  }

  #removeUncovered(): void {
    for (const token of this.listValidated()) if (!this.#isCovered(token)) this.tokens.remove(token.text, 'dropped')
  }

  #getOrigin(text: string): 'start' | 'upstream' {
    return this.start.has(text) ? 'start' : 'upstream'
  }

  #addPretrusted(text: string): void {
    const pretrusted = readPretrusted(text)
    if (pretrusted === undefined)
      throw new Error(
        `PRETRUSTED_TOKENS: ${shortenToken(text)} is neither a token of one environment nor token@environment`,
      )
    // a start-up token may be used to fetch flags, a pretrusted token may not
    if (!this.start.has(pretrusted.text))
      this.tokens.add(createEdgeToken({ ...pretrusted, kind: 'frontend', origin: 'pretrusted' }))
  }
}

/** Returns true for a token that is validated by the upstream. */
export function isDecidedUpstream({ origin }: EdgeToken): boolean {
  return origin === 'start' || origin === 'upstream'
}
