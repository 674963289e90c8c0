/** Something of a list, with what tells it from its neighbours. */
export interface Keyed<T> {
  readonly key: string
  readonly value: T
}

/** Gives a thing a key. */
export const keyed = <T>(value: T): Keyed<T> => ({ key: crypto.randomUUID?.() ?? String(Math.random()), value })

/** The list with one thing changed, or taken out. */
export function changed<T>(list: readonly Keyed<T>[], key: string, next: T | undefined): Keyed<T>[] {
  return list.flatMap((one) => (one.key !== key ? [one] : next === undefined ? [] : [{ key, value: next }]))
}
