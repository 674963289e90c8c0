/** Entry of a list, with a stable key. */
export interface Keyed<T> {
  readonly key: string
  readonly value: T
}

/** Adds a key to a value. */
export const withKey = <T>(value: T): Keyed<T> => ({ key: crypto.randomUUID?.() ?? String(Math.random()), value })

/** Replaces the item with this key, or removes the item if `next` is undefined. Returns a new list. */
export function replaceEntry<T>(list: readonly Keyed<T>[], key: string, next: T | undefined): Keyed<T>[] {
  return list.flatMap((one) => (one.key !== key ? [one] : next === undefined ? [] : [{ key, value: next }]))
}
