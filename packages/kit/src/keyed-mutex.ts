/**
 * Returns a function that runs work with the same key sequentially, and work with different keys concurrently. Work
 * starts even if earlier work with the same key has failed. A key is forgotten once all work with this key has ended.
 */
export function createKeyedMutex<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const last = new Map<K, Promise<void>>()
  return (key, work) => {
    const own = (last.get(key) ?? Promise.resolve()).then(work)
    const end = own.then(
      () => {},
      () => {},
    )
    last.set(key, end)
    void end.then(() => {
      if (last.get(key) === end) last.delete(key)
    })
    return own
  }
}
