/** Maximum time for which a slice blocks the event loop, unless a single step takes longer. */
const SLICE_MS = 1

/**
 * Runs that are waiting for their next slice. All runs in the process share this queue, because the process has only
 * one event loop.
 */
const queuedRuns: (() => void)[] = []

/**
 * Runs all steps in time slices, and yields to other work before each slice. Concurrent runs alternate, because each
 * turn of the event loop has only one slice. Rejects with the error that a step throws.
 */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await waitForTurn()
    const until = performance.now() + SLICE_MS
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (performance.now() < until)
  }
}

function waitForTurn(): Promise<void> {
  return new Promise((begin) => {
    if (queuedRuns.push(begin) === 1) setImmediate(startFirst)
  })
}

function startFirst(): void {
  const begin = queuedRuns.shift()
  if (queuedRuns.length > 0) setImmediate(startFirst)
  begin?.()
}

/** Runs all steps synchronously. Throws the error that a step throws. */
export function runSync<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
