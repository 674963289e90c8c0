/** Time for which a slice may block the event loop, unless a single step takes longer. */
const SLICE_MS = 1

/** Runs that wait for a slice. Shared by the whole process, like the event loop. */
const waiting: (() => void)[] = []

/**
 * Runs steps to their end in time slices, yielding to other work before each slice. Concurrent runs alternate: each
 * event loop turn has only one slice. Rejects with the error of a step.
 */
export async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    await nextTurn()
    const until = performance.now() + SLICE_MS
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (performance.now() < until)
  }
}

function nextTurn(): Promise<void> {
  return new Promise((begin) => {
    if (waiting.push(begin) === 1) setImmediate(beginFirst)
  })
}

function beginFirst(): void {
  const begin = waiting.shift()
  if (waiting.length > 0) setImmediate(beginFirst)
  begin?.()
}

/** Runs steps to their end synchronously. Throws the error of a step. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
