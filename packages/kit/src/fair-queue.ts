/** Options of `FairQueue`. */
export interface FairQueueOptions {
  /** Maximum number of items across all groups. */
  readonly max: number
}

interface Entry<Item> {
  readonly group: string
  readonly item: Item
}

/**
 * Round-robin queue shared by several groups. A group with many items delays an item of another group by at most one
 * item. If the queue is full, the newest item of the largest group is evicted.
 */
export class FairQueue<Item> {
  readonly #max: number
  readonly #entries = new Map<string, Entry<Item>>()
  /** Keys of the queued items by group, oldest first. The first group is served next. */
  readonly #groups = new Map<string, Set<string>>()

  constructor({ max }: FairQueueOptions) {
    this.#max = max
  }

  get size(): number {
    return this.#entries.size
  }

  /** Returns the number of items of a group. */
  getGroupSize(group: string): number {
    return this.#groups.get(group)?.size ?? 0
  }

  get(key: string): Item | undefined {
    return this.#entries.get(key)?.item
  }

  /**
   * Adds an item under a key that is not in the queue. Returns the item that was evicted to make room, which may be the
   * new item itself.
   */
  add(group: string, key: string, item: Item): Item | undefined {
    this.#entries.set(key, { group, item })
    const keys = this.#groups.get(group) ?? new Set<string>()
    this.#groups.set(group, keys)
    keys.add(key)
    return this.#entries.size > this.#max ? this.#evict() : undefined
  }

  /** Takes up to `count` items, one from each group in turn. */
  take(count: number): Map<string, Item> {
    const taken = new Map<string, Item>()
    while (taken.size < count) {
      const [next] = this.#groups
      if (next === undefined) break
      const [group, keys] = next
      const [key = ''] = keys
      const item = this.#remove(key)
      if (item !== undefined) taken.set(key, item)
      // moves the group to the end
      if (this.#groups.delete(group) && keys.size > 0) this.#groups.set(group, keys)
    }
    return taken
  }

  /** Removes and returns all items. */
  clear(): Item[] {
    const items = [...this.#entries.values()].map(({ item }) => item)
    this.#entries.clear()
    this.#groups.clear()
    return items
  }

  #evict(): Item | undefined {
    let largest = new Set<string>()
    // if several groups are equally large, selects the last of them
    for (const keys of this.#groups.values()) if (keys.size >= largest.size) largest = keys
    return this.#remove([...largest].at(-1) ?? '')
  }

  #remove(key: string): Item | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    const keys = this.#groups.get(entry.group)
    keys?.delete(key)
    if (keys?.size === 0) this.#groups.delete(entry.group)
    return entry.item
  }
}
