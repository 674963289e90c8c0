/** Maximum number of values, and their maximum total size. */
export interface CacheBounds {
  readonly entries: number
  /** Maximum total size in bytes; unlimited by default. */
  readonly bytes?: number
}

interface Entry<V> {
  readonly value: V
  bytes: number
  isUsed: boolean
}

/**
 * Cache that limits both the number and the total size of its values. Evicts the oldest value that has not been used
 * since it was stored. A value that has been used is spared once, and then counts as unused. A read only sets a mark,
 * so it is as fast as a read of a map.
 */
export class BoundedCache<V, K = string> {
  readonly #entries = new Map<K, Entry<V>>()
  readonly #maxEntries: number
  readonly #maxBytes: number
  /**
   * Iterator over the keys in the order of eviction. All evictions share one iterator, because a new map iterator must
   * first skip every entry removed since the map's internal table was last rebuilt.
   */
  #evictionOrder: Iterator<K> | undefined
  #removalsSinceEviction = 0
  #bytes = 0

  /** Creates a cache. The cache always keeps at least one value, even if the value is larger than the limit. */
  constructor({ entries, bytes = Number.POSITIVE_INFINITY }: CacheBounds) {
    this.#maxEntries = entries
    this.#maxBytes = bytes
  }

  /** Number of values. */
  get size(): number {
    return this.#entries.size
  }

  /** Total size of all cached values. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns a value without marking it as used. A cache that is read only with `peek` evicts values in insertion order.
   */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Returns a value and marks it as used. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /**
   * Stores a value, replacing any earlier value of the key. If necessary, evicts other values, but never the value just
   * stored.
   */
  set(key: K, value: V, bytes = 0): void {
    this.delete(key)
    while (this.#entries.size > 0 && !this.#hasRoom(1, bytes)) this.#evictNext()
    this.#entries.set(key, { value, bytes, isUsed: false })
    this.#bytes += bytes
  }

  /** Updates the size of a value; does nothing if the value is no longer cached. */
  resize(key: K, value: V, bytes: number): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    while (this.#entries.size > 1 && !this.#hasRoom(0, 0)) this.#evictNext()
  }

  clear(): void {
    this.#entries.clear()
    this.#evictionOrder = undefined
    this.#bytes = 0
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#bytes -= entry.bytes
    this.#remove(key)
  }

  /** Removes all values that match the condition. */
  deleteWhere(condition: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) if (condition(value)) this.delete(key)
  }

  values(): V[] {
    return [...this.#entries.values()].map(({ value }) => value)
  }

  #hasRoom(entries: number, bytes: number): boolean {
    return this.#entries.size + entries <= this.#maxEntries && this.#bytes + bytes <= this.#maxBytes
  }

  /** Evicts the value that is next in order, or moves it to the end if it has been used. */
  #evictNext(): void {
    this.#evictionOrder ??= this.#entries.keys()
    const { done, value: key } = this.#evictionOrder.next()
    const entry = done ? undefined : this.#entries.get(key)
    if (entry === undefined) this.#evictionOrder = undefined
    else if (entry.isUsed) this.#spare(key, entry)
    else this.delete(key)
    this.#removalsSinceEviction = 0
  }

  #spare(key: K, entry: Entry<V>): void {
    entry.isUsed = false
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  #remove(key: K): void {
    this.#entries.delete(key)
    this.#removalsSinceEviction += 1
    // an iterator that is never advanced would retain every internal table that the map has replaced since then
    if (this.#removalsSinceEviction > this.#entries.size) this.#evictionOrder = undefined
  }
}
