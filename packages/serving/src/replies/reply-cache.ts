/** A value that may be cached. */
export interface CacheableValue {
  /** Size in bytes. It may grow while the value is cached; report the growth with `ReplyCache.updateSize`. */
  readonly sizeBytes: number
}

interface Entry<T extends CacheableValue> {
  readonly value: T
  bytes: number
  isUsed: boolean
}

/** Overhead of an entry besides its value and key. */
const ENTRY_BYTES = 200
const MAX_SEEN_KEYS = 8192

/**
 * Cache of values with a maximum total size. Evicts values that were not used recently. Callers should store a value
 * only if `markSeen` has returned true for its key, so that keys that occur only once evict nothing.
 */
export class ReplyCache<T extends CacheableValue> {
  readonly #maxBytes: number
  readonly #entries = new Map<string, Entry<T>>()
  /** Hashes of recently seen keys. */
  #seenHashes: Int32Array | undefined
  #bytes = 0

  constructor(mostBytes: number) {
    this.#maxBytes = mostBytes
  }

  /** Bytes in use, including keys. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of values. */
  get size(): number {
    return this.#entries.size
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** Returns true if the key was seen recently, and marks it as seen. */
  markSeen(key: string): boolean {
    this.#seenHashes ??= new Int32Array(MAX_SEEN_KEYS)
    const hash = hashKey(key)
    const place = hash & (MAX_SEEN_KEYS - 1)
    if (this.#seenHashes[place] === hash) return true
    this.#seenHashes[place] = hash
    return false
  }

  /** Stores a value if there is room. Returns true if it was stored. */
  store(key: string, value: T): boolean {
    const bytes = ENTRY_BYTES + 2 * key.length + value.sizeBytes
    if (bytes > this.#maxBytes) return false
    this.#remove(key)
    this.#entries.set(key, { value, bytes, isUsed: false })
    this.#bytes += bytes
    this.#shrink()
    return this.#entries.has(key)
  }

  /** Updates the size of a stored value after it has grown. */
  updateSize(key: string, value: T): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    const bytes = ENTRY_BYTES + 2 * key.length + value.sizeBytes
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    this.#shrink()
  }

  #shrink(): void {
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#entries.entries().next().value
      if (oldest === undefined) return
      const [key, entry] = oldest
      this.#entries.delete(key)
      if (entry.isUsed && entry.bytes <= this.#maxBytes) {
        entry.isUsed = false
        this.#entries.set(key, entry)
      } else this.#bytes -= entry.bytes
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

/** Returns the FNV-1a hash of the UTF-16 units of a key, never 0. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash | 0 || 1
}
