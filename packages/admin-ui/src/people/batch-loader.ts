interface QueuedCall<V> {
  readonly id: number
  readonly resolve: (value: V | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function that loads one value by id. Calls in the same tick share one request with at most `maxIds`
 * distinct ids.
 */
export function createBatchLoader<V>(
  load: (ids: readonly number[]) => Promise<ReadonlyMap<number, V>>,
  maxIds: number,
): (id: number) => Promise<V | undefined> {
  let queue: QueuedCall<V>[] = []
  const flush = (): void => {
    const batch = queue
    queue = []
    const ids = [...new Set(batch.map(({ id }) => id))]
    for (let at = 0; at < ids.length; at += maxIds) {
      const part = ids.slice(at, at + maxIds)
      const own = batch.filter(({ id }) => part.includes(id))
      load(part).then(
        (values) => {
          for (const { id, resolve } of own) resolve(values.get(id))
        },
        (error: unknown) => {
          for (const { reject } of own) reject(error)
        },
      )
    }
  }
  return (id) =>
    new Promise((resolve, reject) => {
      if (queue.length === 0) queueMicrotask(flush)
      queue.push({ id, resolve, reject })
    })
}
