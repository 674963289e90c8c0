/** How many values may be kept, and how large they may be together. */
export interface CacheBounds {
  readonly entries: number
  /** Without bound by default. */
  readonly bytes?: number
}

/** Values by key, of a bounded number and size: what was not used for longest goes first. */
export class BoundedCache<V, K = string> {
  readonly #entries = new Map<K, { readonly value: V; bytes: number }>()
  readonly #most: CacheBounds
  #bytes = 0

  /** The last one that is left stays, however large it is. */
  constructor(most: CacheBounds) {
    this.#most = most
  }

  /** How many values there are. */
  get size(): number {
    return this.#entries.size
  }

  /** Sum of the sizes that are known. */
  get bytes(): number {
    return this.#bytes
  }

  /** The value of a key, which goes when it would have gone: with this alone the one that was put in first goes first. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value
  }

  /** The value of a key, which is the last to go then. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Puts a value, in the place of the one before; its size counts once `resize` says it. */
  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, { value, bytes: 0 })
    this.#shrink()
  }

  /** Says how large a value is now; nothing happens where it is gone. */
  resize(key: K, value: V, bytes: number): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    this.#shrink()
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  /** Removes what a condition holds for. */
  deleteWhere(condition: (value: V) => boolean): void {
    for (const [key, { value }] of this.#entries) if (condition(value)) this.delete(key)
  }

  values(): V[] {
    return [...this.#entries.values()].map(({ value }) => value)
  }

  #shrink(): void {
    for (const key of this.#entries.keys()) {
      const isSmall =
        this.#entries.size <= this.#most.entries && this.#bytes <= (this.#most.bytes ?? Number.POSITIVE_INFINITY)
      if (isSmall || this.#entries.size <= 1) return
      this.delete(key)
    }
  }
}
