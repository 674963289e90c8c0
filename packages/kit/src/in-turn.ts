/**
 * Returns a function that queues runs of `work`: each starts after the previous one has ended, even if that failed. Its
 * promise rejects if its own run does.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.catch(() => {}).then(work)
    return last
  }
}
