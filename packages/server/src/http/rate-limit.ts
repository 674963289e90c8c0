/** Allows a number of events per key and window. */
export interface RateLimit {
  /** Takes one; 0 when it is allowed, else how many milliseconds to wait. */
  take(key: string): number
}

const MOST_KEYS = 10_000

/** A limit with fixed windows that begin with a key's first event. Forgets the oldest keys beyond ten thousand. */
export function createRateLimit(options: {
  readonly most: number
  readonly windowMs: number
  readonly clock: () => number
}): RateLimit {
  const windows = new Map<string, { end: number; taken: number }>()
  return {
    take(key) {
      const now = options.clock()
      const known = windows.get(key)
      if (known === undefined || known.end <= now) {
        windows.delete(key)
        windows.set(key, { end: now + options.windowMs, taken: 1 })
        const oldest = windows.keys().next().value
        if (windows.size > MOST_KEYS && oldest !== undefined) windows.delete(oldest)
        return 0
      }
      known.taken += 1
      return known.taken > options.most ? known.end - now : 0
    },
  }
}
