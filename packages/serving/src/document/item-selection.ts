/** Flag or segment that was rejected because it is malformed or duplicated. */
export interface RejectedItem {
  /** Name for messages, for example `flag "a"` or `segment 7`. */
  readonly what: string
  readonly why: string
  /** True if the previous version remains in use; false if there is no previous version. */
  readonly keepsPrevious: boolean
}

/** Rules for selecting items from a list. */
export interface SelectionRules<T> {
  /** Returns the key of an item, or undefined if it has none. */
  readonly getKey: (item: T) => unknown
  /** Returns the reason why an item is malformed; undefined if it is well-formed. */
  readonly findFlaw: (item: T) => string | undefined
  /** Returns the item that was last accepted under this key. */
  readonly findPrevious: (key: unknown) => T | undefined
  /** Called for every rejected item; the key is undefined for items without a key. */
  readonly reject: (key: unknown, why: string, kept: T | undefined) => void
}

/** Number of items processed between two pauses. */
const SLICE = 500

/**
 * Selects one item for each key, in the order in which the keys first occur. A key that occurs more than once is
 * ambiguous. For an ambiguous key or a malformed item, selects the last accepted item with the same key, if such an
 * item exists.
 */
export function* selectItems<T>(items: readonly T[], rules: SelectionRules<T>): Generator<void, readonly T[]> {
  const counts = new Map<unknown, number>()
  for (const item of items) {
    const key = rules.getKey(item)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  yield
  const picked: T[] = []
  let at = 0
  for (const item of items) {
    const key = rules.getKey(item)
    const count = counts.get(key)
    if (count !== undefined) {
      counts.delete(key)
      const one = selectItem(item, key, count, rules)
      if (one !== undefined) picked.push(one)
    }
    at += 1
    if (at % SLICE === 0) yield
  }
  return picked
}

function selectItem<T>(item: T, key: unknown, count: number, rules: SelectionRules<T>): T | undefined {
  const why = key !== undefined && count > 1 ? `occurs ${count} times` : rules.findFlaw(item)
  if (why === undefined) return item
  const kept = key === undefined ? undefined : rules.findPrevious(key)
  rules.reject(key, why, kept)
  return kept
}
