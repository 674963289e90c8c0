/**
 * Returns a function that queues runs of `work`. Each run starts after the previous run has ended, even if the previous
 * run failed. The returned promise rejects only if the run that it stands for fails.
 */
export function serialize(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.catch(() => {}).then(work)
    return last
  }
}
