/** A flag or a segment that was not taken as it came. */
export interface NotTaken {
  /** As people call it: `flag "a"`, `segment 7`. */
  readonly what: string
  readonly why: string
  /** The one before stays in its place; else there is none. */
  readonly isKept: boolean
}

/** What decides about the items of one list. */
export interface PickRules<T> {
  /** Undefined for what cannot be told from others. */
  readonly keyOf: (item: T) => unknown
  /** Why an item cannot be read; undefined when it can. */
  readonly flawOf: (item: T) => string | undefined
  /** The item of this key that was taken last time. */
  readonly before: (key: unknown) => T | undefined
  /** Hears of every key that is not taken as it came; undefined for an item without one. */
  readonly refuse: (key: unknown, why: string, kept: T | undefined) => void
}

/** How many items are looked at between two pauses. */
const SLICE = 500

/**
 * The items that count, each key once, in the order in which keys first come. When a key comes more than once, nobody can
 * say which item is meant: then, and where an item cannot be read, the item that was taken before counts, if there is one.
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
