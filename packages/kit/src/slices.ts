/** How long the event loop is kept from other work at a time, unless one step alone takes longer. */
const SLICE_MS = 1

/** Who waits for a slice: the event loop is one for the whole process, and so is this. */
const waiting: (() => void)[] = []

/**
 * Runs steps to their end, with a pause for other work at the beginning, where another slice may just have ended, and
 * whenever a slice of time is used up. However many run at once, a turn of the event loop has one slice, and they take
 * turns. Rejects with what they throw.
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

/** Runs steps to their end in one go. Throws what they throw. */
export function runAtOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
