import { BoundedCache } from '../bounded-cache.ts'
import type { MonotonicClock } from '../monotonic-clock.ts'
import type { Network } from './client-network.ts'

/** Result of counting one event against a rate limit. */
export interface RateLimitResult {
  /** Milliseconds to wait; 0 if the event is allowed. */
  readonly waitMs: number
  readonly remaining: number
  /** `RateLimit-*` headers that express the same result. Source: wire protocol "rate limits" */
  readonly headers: Readonly<Record<string, string>>
}

const MAX_KEYS = 10_000

declare const LIMIT_KEY: unique symbol

/**
 * Key under which a rate limit counts events. The type excludes plain addresses, because an IPv6 client has many of
 * them.
 */
export type LimitKey = Network | (string & { readonly [LIMIT_KEY]: true })

/** Returns the key for an account or e-mail address. With `from`, the key also depends on that network. */
export function buildLimitKey(name: string, from?: Network): LimitKey {
  return (from === undefined ? name : `${from} ${name}`) as LimitKey
}

/** Maximum number of events per key and window, and the length of the window. */
export interface RateLimitOptions {
  readonly max: number
  readonly windowMs: number
  readonly monotonic: MonotonicClock
}

/**
 * Rate limiter with fixed windows. The window of a key starts at its first event. Stores at most ten thousand windows;
 * drops the oldest ones first.
 */
export class RateLimit {
  readonly #options: RateLimitOptions
  readonly #windows = new BoundedCache<{ readonly end: number; taken: number }>({ entries: MAX_KEYS })

  constructor(options: RateLimitOptions) {
    this.#options = options
  }

  /** Counts an event for a key and returns the result. */
  take(key: LimitKey): RateLimitResult {
    const { max: most, windowMs, monotonic } = this.#options
    const now = monotonic()
    const window = this.#getWindow(key, now)
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

  /** Returns true if another event for a key would exceed the limit. Counts nothing. */
  isExhausted(key: LimitKey): boolean {
    const { max: most, monotonic } = this.#options
    const window = this.#windows.peek(key)
    return window !== undefined && window.end > monotonic() && window.taken >= most
  }

  #getWindow(key: string, now: number) {
    const known = this.#windows.peek(key)
    if (known !== undefined && known.end > now) return known
    const fresh = { end: now + this.#options.windowMs, taken: 0 }
    this.#windows.set(key, fresh)
    return fresh
  }
}

/**
 * Returns the result with the longest wait time. If all results are allowed, returns the one with the fewest remaining
 * events.
 */
export function getStrictest(first: RateLimitResult, ...more: readonly RateLimitResult[]): RateLimitResult {
  return more.reduce(
    (a, b) => (b.waitMs > a.waitMs || (b.waitMs === a.waitMs && b.remaining < a.remaining) ? b : a),
    first,
  )
}
