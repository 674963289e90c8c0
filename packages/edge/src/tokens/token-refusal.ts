import { hash } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EdgeToken } from './edge-token.ts'

/**
 * Reason for rejecting a token. `missing`: no token was sent. `form`: the token is malformed. `unknown`: the upstream
 * does not know the token. `kind`: tokens of this kind, such as admin tokens, cannot be used at an edge. `not-covered`:
 * no flags are fetched for the scope of the token.
 */
export type RefusalReason = 'missing' | 'form' | 'unknown' | 'kind' | 'not-covered'

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  missing: 'The request has no token',
  form: 'The token is not of the form project:environment.secret',
  unknown: 'The upstream does not know the token',
  kind: 'The token is of the wrong kind',
  'not-covered': 'No start-up token covers the projects and environment of this token',
}

/** Thrown for a token that is known to be unusable. The message does not contain the token. */
export class TokenRefused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(REFUSALS[reason])
    this.name = 'TokenRefused'
    this.reason = reason
  }
}

/**
 * Reason why a token could not be validated. `upstream`: the upstream failed. `busy`: too many tokens are waiting.
 * `starting`: the result depends on start-up tokens that have not been validated yet. `crowded`: too many tokens from
 * the caller's network are waiting. `guessed`: the caller's network has sent too many invalid tokens.
 */
export type UndecidedReason = 'upstream' | 'busy' | 'starting' | 'crowded' | 'guessed'

const UNDECIDED: Readonly<Record<UndecidedReason, string>> = {
  upstream: 'The upstream cannot validate the token at the moment',
  busy: 'Too many unknown tokens are waiting for validation',
  crowded: 'Too many unknown tokens from this network are waiting for validation',
  guessed: 'Too many invalid tokens come from this network',
  starting: 'The start-up tokens are not validated yet',
}

/** Thrown for a token that cannot be validated now. The message does not contain the token. */
export class TokenUndecided extends Error {
  readonly reason: UndecidedReason
  /** HTTP status of the upstream's reply; undefined if there was no reply. */
  readonly status: number | undefined
  constructor(reason: UndecidedReason, status?: number, options?: ErrorOptions) {
    super(UNDECIDED[reason], options)
    this.name = 'TokenUndecided'
    this.reason = reason
    this.status = status
  }
}

/** Rejection of a token, with its reason. */
interface TokenRejection {
  readonly reason: RefusalReason
  /** The rejected token, if it is valid but its scope is not fetched. */
  readonly token: EdgeToken | undefined
  readonly untilMs: number
}

/**
 * Time for which a rejection is stored. If an SDK sends a token before it is created, the token stays rejected for this
 * long.
 */
const LIFETIME_MS = 60_000
const MAX_REJECTIONS = 10_000

/**
 * Cache of rejected tokens. Rejections expire after a minute. Requests with a rejected token cause no requests to the
 * upstream.
 */
export class RejectedTokens {
  readonly #monotonic: MonotonicClock
  readonly #rejections = new BoundedCache<TokenRejection>({ entries: MAX_REJECTIONS })

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic
  }

  get size(): number {
    return this.#rejections.size
  }

  /** Returns the rejection of a token, or undefined if none is stored or it has expired. */
  find(text: string): TokenRejection | undefined {
    const rejection = this.#rejections.peek(hashToken(text))
    return rejection !== undefined && this.#monotonic() < rejection.untilMs ? rejection : undefined
  }

  reject(text: string, reason: RefusalReason): void {
    this.rejectHash(hashToken(text), reason)
  }

  /** Stores the rejection of a token of which only the SHA-256 (in hex digits) is known. */
  rejectHash(digest: string, reason: RefusalReason): void {
    this.#rejections.set(digest, { reason, token: undefined, untilMs: this.#monotonic() + LIFETIME_MS })
  }

  /**
   * Stores that a valid token is rejected because its scope is not fetched. If a rejection of this token is already
   * stored, its expiry does not change.
   */
  addUncovered(token: EdgeToken): void {
    if (this.find(token.text)?.token !== undefined) return
    const untilMs = this.#monotonic() + LIFETIME_MS
    this.#rejections.set(hashToken(token.text), { reason: 'not-covered', token, untilMs })
  }

  forget(text: string): void {
    this.#rejections.delete(hashToken(text))
  }
}

/** Hashes a token's text, so that long texts have short keys. */
function hashToken(text: string): string {
  return hash('sha256', text)
}
