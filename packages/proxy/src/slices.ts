import { setImmediate } from 'node:timers/promises'

/** How long the event loop is kept from other work at a time, unless one step alone takes longer. */
const SLICE_MS = 4

/** Runs steps to their end, with a pause for other work whenever a slice of time is used up. Rejects with what they throw. */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  let until = performance.now() + SLICE_MS
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
}
