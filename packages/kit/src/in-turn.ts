/**
 * The same work, one run after the end of the one before, also where that failed: what was asked for last ends last. Rejects
 * where its own run does.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.catch(() => {}).then(work)
    return last
  }
}
