import { hash } from 'node:crypto'
import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EdgeToken } from './edge-token.ts'
import type { RefusalReason } from './token-refusal.ts'

/** What was found out about a token that may not be used. */
export interface TokenVerdict {
  readonly reason: RefusalReason
  /** Where the token itself is good, but nothing is fetched of what it is good for. */
  readonly token: EdgeToken | undefined
  readonly untilMs: number
}

/** As long as a token that was made after it was shown has to wait. */
const LIFETIME_MS = 60_000
const MOST_VERDICTS = 10_000

/** Remembers for a minute which tokens may not be used, so that whoever shows one again and again asks for nothing. */
export class TokenVerdicts {
  readonly #monotonic: MonotonicClock
  readonly #verdicts = new BoundedCache<TokenVerdict>({ entries: MOST_VERDICTS })

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic
  }

  get size(): number {
    return this.#verdicts.size
  }

  /** What is remembered of a token; undefined where that is nothing, or too old. */
  of(text: string): TokenVerdict | undefined {
    const verdict = this.#verdicts.peek(keyOf(text))
    return verdict !== undefined && this.#monotonic() < verdict.untilMs ? verdict : undefined
  }

  refuse(text: string, reason: RefusalReason): void {
    this.refuseHash(keyOf(text), reason)
  }

  /** The same for a token of which only the SHA-256 is known, as hex digits. */
  refuseHash(digest: string, reason: RefusalReason): void {
    this.#verdicts.set(digest, { reason, token: undefined, untilMs: this.#monotonic() + LIFETIME_MS })
  }

  /** Remembers what a good token is for; no longer than since it was asked for. */
  hold(token: EdgeToken): void {
    if (this.of(token.text)?.token !== undefined) return
    const untilMs = this.#monotonic() + LIFETIME_MS
    this.#verdicts.set(keyOf(token.text), { reason: 'not-covered', token, untilMs })
  }

  forget(text: string): void {
    this.#verdicts.delete(keyOf(text))
  }
}

/** However long the texts are that somebody invents, these are short. */
function keyOf(text: string): string {
  return hash('sha256', text)
}
