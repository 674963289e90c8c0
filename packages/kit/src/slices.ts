/** Time for which a slice may block the event loop, unless a single step takes longer. */
const SLICE_MS = 1

/** Runs that wait for their next slice. The whole process shares this queue, because it has only one event loop. */
const queuedRuns: (() => void)[] = []

/**
 * Runs steps to their end in time slices, and yields to other work before each slice. Concurrent runs alternate,
 * because each event loop turn has only one slice. Rejects with the error of a step.
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

/** Runs steps to their end synchronously. Throws the error of a step. */
export function runSync<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
