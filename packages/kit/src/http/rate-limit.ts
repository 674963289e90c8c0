import { BoundedCache } from '../bounded-cache.ts'
import type { MonotonicClock } from '../monotonic-clock.ts'
import type { Network } from './network.ts'

/** What is left of a limit after one more. */
export interface Taken {
  /** 0 when it is allowed, else how many milliseconds to wait. */
  readonly waitMs: number
  readonly remaining: number
  /** `RateLimit-*` headers that say the same. Source: wire protocol "rate limits" */
  readonly headers: Readonly<Record<string, string>>
}

const MOST_KEYS = 10_000

declare const LIMIT_KEY: unique symbol

/** What a limit counts by. An address as it is cannot be one: whoever has an IPv6 address has many. */
export type LimitKey = Network | (string & { readonly [LIMIT_KEY]: true })

/** Returns the key of an account or address of mail, also as seen from one network. */
export function limitKey(name: string, from?: Network): LimitKey {
  return (from === undefined ? name : `${from} ${name}`) as LimitKey
}

/** How many events a key may have within a window, and how long that is. */
export interface RateLimitOptions {
  readonly most: number
  readonly windowMs: number
  readonly monotonic: MonotonicClock
}

/**
 * Allows a number of events per key and window; windows are of fixed length and begin with a key's first event. Forgets
 * the oldest windows beyond ten thousand.
 */
export class RateLimit {
  readonly #options: RateLimitOptions
  readonly #windows = new BoundedCache<{ readonly end: number; taken: number }>({ entries: MOST_KEYS })

  constructor(options: RateLimitOptions) {
    this.#options = options
  }

  /** Notes an event of a key and says what is left. */
  take(key: LimitKey): Taken {
    const { most, windowMs, monotonic } = this.#options
    const now = monotonic()
    const window = this.#windowOf(key, now)
    window.taken += 1
    const leftMs = window.end - now
    const remaining = Math.max(0, most - window.taken)
    const headers = {
      'ratelimit-policy': `${most};w=${Math.ceil(windowMs / 1000)}`,
      'ratelimit-limit': String(most),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(Math.ceil(leftMs / 1000)),
    }
    return { waitMs: window.taken > most ? leftMs : 0, remaining, headers }
  }

  /** Whether the next event of a key would be one too many. */
  isExhausted(key: LimitKey): boolean {
    const { most, monotonic } = this.#options
    const window = this.#windows.peek(key)
    return window !== undefined && window.end > monotonic() && window.taken >= most
  }

  #windowOf(key: string, now: number) {
    const known = this.#windows.peek(key)
    if (known !== undefined && known.end > now) return known
    const fresh = { end: now + this.#options.windowMs, taken: 0 }
    this.#windows.set(key, fresh)
    return fresh
  }
}

/** The stricter of several. */
export function strictest(first: Taken, ...more: readonly Taken[]): Taken {
  return more.reduce(
    (a, b) => (b.waitMs > a.waitMs || (b.waitMs === a.waitMs && b.remaining < a.remaining) ? b : a),
    first,
  )
}
