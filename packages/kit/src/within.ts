/** What `within` rejects with where its limit came first. */
export class TookTooLong extends Error {}

/**
 * What `work` answers, or a rejection with TookTooLong where that takes longer than `limitMs`. The work itself goes on, and may hang
 * for ever; neither the limit nor it keeps the process from ending.
 */
export async function within<T>(limitMs: number, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`it took longer than ${limitMs} ms`)), limitMs)
    timer.unref()
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
