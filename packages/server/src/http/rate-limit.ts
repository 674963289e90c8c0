import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Network } from '@burgee/kit/http/network'
import { type Caller, type First, Reply } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

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
  readonly clock: () => number
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
    const { most, windowMs, clock } = this.#options
    const now = clock()
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

/** Takes one per request, of the caller's network, before anything of the request is read. */
export function limited(limit: RateLimit, networkOf: (caller: Caller) => Network): First {
  return (caller) => {
    const taken = limit.take(networkOf(caller))
    return taken.waitMs > 0 ? tooMany(taken) : taken.headers
  }
}

/** Text, as the established server answers. Source: wire protocol "rate limits". */
export function tooMany(taken: Taken): Reply {
  return tooManyReply(tooManyProblem(taken))
}

function tooManyProblem({ waitMs, headers }: Taken): Problem {
  const wait = String(Math.ceil(waitMs / 1000))
  return new Problem('RateLimitError', 'Too many requests, please try again later.', {
    headers: { ...headers, 'retry-after': wait },
  })
}

/** How that failure reads. */
export function tooManyReply({ status, message, headers }: Problem): Reply {
  return new Reply(status, message, { ...headers, 'content-type': 'text/plain; charset=utf-8' })
}

/** A failure for a wrong secret: what it would be, and what is left, or that there were too many. */
export function refusedGuess(problem: Problem, taken: Taken): Problem {
  return taken.waitMs > 0 ? tooManyProblem(taken) : withLeft(problem, taken)
}

/** A failure that says as well what is left of a limit. */
export function withLeft(problem: Problem, { headers }: Taken): Problem {
  const { name, message, details, extra, cause = problem } = problem
  return new Problem(name, message, {
    ...{ cause, extra, headers: { ...problem.headers, ...headers } },
    ...(details === undefined ? {} : { details }),
  })
}
