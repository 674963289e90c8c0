import { hash } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EdgeToken } from './edge-token.ts'
import type { RefusalReason } from './token-refusal.ts'

/** Reason why a token may not be used. */
export interface TokenRejection {
  readonly reason: RefusalReason
  /** The token itself, if it is valid but its scope is not fetched. */
  readonly token: EdgeToken | undefined
  readonly untilMs: number
}

/** Lifetime of a verdict. A token that is created after it was first sent has to wait this long. */
const LIFETIME_MS = 60_000
const MAX_REJECTIONS = 10_000

/** Remembers for a minute which tokens may not be used, so that sending one repeatedly causes no requests. */
export class RejectedTokens {
  readonly #monotonic: MonotonicClock
  readonly #verdicts = new BoundedCache<TokenRejection>({ entries: MAX_REJECTIONS })

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic
  }

  get size(): number {
    return this.#verdicts.size
  }

  /** Returns the verdict of a token; undefined if there is none or it has expired. */
  find(text: string): TokenRejection | undefined {
    const verdict = this.#verdicts.peek(hashToken(text))
    return verdict !== undefined && this.#monotonic() < verdict.untilMs ? verdict : undefined
  }

  reject(text: string, reason: RefusalReason): void {
    this.rejectHash(hashToken(text), reason)
  }

  /** Remembers a refusal for a token of which only the SHA-256 (hex digits) is known. */
  rejectHash(digest: string, reason: RefusalReason): void {
    this.#verdicts.set(digest, { reason, token: undefined, untilMs: this.#monotonic() + LIFETIME_MS })
  }

  /**
   * Remembers a valid token whose scope is not fetched. If the token is already remembered, its expiry does not change.
   */
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
