import { hash } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EdgeToken } from './edge-token.ts'
import type { RefusalReason } from './token-refusal.ts'

/** Rejection of a token, with its reason. */
export interface TokenRejection {
  readonly reason: RefusalReason
  /** The token itself, if it is valid but its scope is not fetched. */
  readonly token: EdgeToken | undefined
  readonly untilMs: number
}

/** Lifetime of a rejection. If a token is sent before it is created, it stays rejected for this long. */
const LIFETIME_MS = 60_000
const MAX_REJECTIONS = 10_000

/**
 * Cache of rejected tokens. Rejections expire after a minute. Sending a rejected token repeatedly causes no requests.
 */
export class RejectedTokens {
  readonly #monotonic: MonotonicClock
  readonly #verdicts = new BoundedCache<TokenRejection>({ entries: MAX_REJECTIONS })

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic
  }

  get size(): number {
    return this.#verdicts.size
  }

  /** Returns the rejection of a token, or undefined if there is none or it has expired. */
  find(text: string): TokenRejection | undefined {
    const verdict = this.#verdicts.peek(hashToken(text))
    return verdict !== undefined && this.#monotonic() < verdict.untilMs ? verdict : undefined
  }

  reject(text: string, reason: RefusalReason): void {
    this.rejectHash(hashToken(text), reason)
  }

  /** Stores the rejection of a token of which only the SHA-256 (in hex digits) is known. */
  rejectHash(digest: string, reason: RefusalReason): void {
    this.#verdicts.set(digest, { reason, token: undefined, untilMs: this.#monotonic() + LIFETIME_MS })
  }

  /** Stores a valid token whose scope is not fetched. If the token is already stored, its expiry does not change. */
  addUncovered(token: EdgeToken): void {
    if (this.find(token.text)?.token !== undefined) return
    const untilMs = this.#monotonic() + LIFETIME_MS
    this.#verdicts.set(hashToken(token.text), { reason: 'not-covered', token, untilMs })
  }

  forget(text: string): void {
    this.#verdicts.delete(hashToken(text))
  }
}

/** Hashes a text, so that keys are short however long the texts are. */
function hashToken(text: string): string {
  return hash('sha256', text)
}
