/**
 * Does one thing after the other for each key (a person, say), whether or not the one before succeeds; what has another key
 * waits for none of it. Keys are forgotten once nothing of theirs is left.
 */
export function oneAtATime<K>(): <T>(key: K, work: () => Promise<T>) => Promise<T> {
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
