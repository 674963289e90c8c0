/**
 * Returns a function that queues runs of `work`. Each run starts after the previous run has ended, even if the previous
 * run failed. Each call returns a promise that rejects only if the run queued by this call fails.
 */
export function serialize(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.catch(() => {}).then(work)
    return last
  }
}
