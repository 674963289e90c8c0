import { setImmediate } from 'node:timers/promises'

/** How long the event loop is kept from other work at a time, unless one step alone takes longer. */
const SLICE_MS = 2

/**
 * Runs steps to their end, with a pause for other work at the beginning, where another slice may just have ended, and
 * whenever a slice of time is used up. Rejects with what they throw.
 */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await setImmediate()
    const until = performance.now() + SLICE_MS
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (performance.now() < until)
  }
}

/** Runs steps to their end in one go. Throws what they throw. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
