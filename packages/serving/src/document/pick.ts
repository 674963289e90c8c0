/** A flag or segment that was rejected because it is unreadable or duplicated. */
export interface NotTaken {
  /** Display name, for example `flag "a"` or `segment 7`. */
  readonly what: string
  readonly why: string
  /** True if the previous version stays in use; false if there was none. */
  readonly isKept: boolean
}

/** Rules for selecting items from a list. */
export interface PickRules<T> {
  /** Returns the key of an item, or undefined if it has none. */
  readonly keyOf: (item: T) => unknown
  /** Returns why an item cannot be read, or undefined if it can. */
  readonly flawOf: (item: T) => string | undefined
  /** Returns the last accepted item with this key. */
  readonly before: (key: unknown) => T | undefined
  /** Called for every rejected item; the key is undefined for an item without one. */
  readonly refuse: (key: unknown, why: string, kept: T | undefined) => void
}

/** Number of items processed between two pauses. */
const SLICE = 500

/**
 * Selects one item per key, in order of first occurrence. If a key occurs more than once, it is unclear which item is
 * intended. In that case, and if an item cannot be read, the last accepted item with that key is used, if there is one.
 */
export function* pick<T>(items: readonly T[], rules: PickRules<T>): Generator<void, readonly T[]> {
  const counts = new Map<unknown, number>()
  for (const item of items) {
    const key = rules.keyOf(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  yield
  const picked: T[] = []
  let at = 0
  for (const item of items) {
    const key = rules.keyOf(item)
    const count = counts.get(key)
    if (count !== undefined) {
      counts.delete(key)
      const one = pickOne(item, key, count, rules)
      if (one !== undefined) picked.push(one)
    }
    at += 1
    if (at % SLICE === 0) yield
  }
  return picked
}

function pickOne<T>(item: T, key: unknown, count: number, rules: PickRules<T>): T | undefined {
  const why = key !== undefined && count > 1 ? `comes ${count} times` : rules.flawOf(item)
  if (why === undefined) return item
  const kept = key === undefined ? undefined : rules.before(key)
  rules.refuse(key, why, kept)
  return kept
}
