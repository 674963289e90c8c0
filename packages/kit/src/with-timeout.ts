/** Thrown by `withTimeout` if the time limit is exceeded. */
export class TimeoutError extends Error {}

/**
 * Returns the result of `work`, or rejects with TimeoutError after `limitMs`. The work itself is not stopped; it may
 * continue indefinitely. The timer does not keep the process alive.
 */
export async function withTimeout<T>(limitMs: number, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`it took longer than ${limitMs} ms`)), limitMs)
    timer.unref()
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
