/** Maximum number of values, and their maximum total size. */
export interface CacheBounds {
  readonly entries: number
  /** Maximum total size in bytes; unlimited by default. */
  readonly bytes?: number
}

/** Cache with a limited number and total size of values. Evicts the least recently used value first. */
export class BoundedCache<V, K = string> {
  readonly #entries = new Map<K, { readonly value: V; bytes: number }>()
  readonly #bounds: CacheBounds
  /**
   * Iterator over the keys, least recently used first. All evictions share one iterator, because every new iterator of
   * a map first skips the entries that were removed since the map was last rebuilt.
   */
  #evictionOrder: Iterator<K> | undefined
  #removalsSinceEviction = 0
  #bytes = 0

  /** Creates a cache that keeps at least one value, however large. */
  constructor(most: CacheBounds) {
    this.#bounds = most
  }

  /** Number of values. */
  get size(): number {
    return this.#entries.size
  }

  /** Sum of the sizes set by `resize`. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns a value without marking it as used. A cache read only with `peek` evicts in insertion order. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** Returns a value and marks it as the most recently used. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#remove(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Stores a value, replacing an earlier one. Its size counts as 0 until `resize`. */
  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes: 0 })
    this.#shrink()
  }

  /** Sets the size of a value; does nothing if it is no longer stored. */
  resize(key: K, value: V, bytes: number): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    this.#shrink()
  }

  clear(): void {
    this.#entries.clear()
    this.#evictionOrder = undefined
    this.#bytes = 0
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#remove(key)
  }

  /** Removes all values that match the condition. */
  deleteWhere(condition: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) if (condition(value)) this.delete(key)
  }

  values(): V[] {
    return [...this.#entries.values()].map(({ value }) => value)
  }

  #shrink(): void {
    while (this.#entries.size > 1 && !this.#isWithinBounds()) {
      this.#evictionOrder ??= this.#entries.keys()
      const oldest = this.#evictionOrder.next()
      if (oldest.done) this.#evictionOrder = undefined
      else this.delete(oldest.value)
      this.#removalsSinceEviction = 0
    }
  }

  #isWithinBounds(): boolean {
    const { entries, bytes = Number.POSITIVE_INFINITY } = this.#bounds
    return this.#entries.size <= entries && this.#bytes <= bytes
  }

  #remove(key: K): void {
    if (!this.#entries.delete(key)) return
    this.#removalsSinceEviction += 1
    // an unused iterator would retain every internal table that the map has replaced since the iterator was created
    if (this.#removalsSinceEviction > this.#entries.size) this.#evictionOrder = undefined
  }
}
