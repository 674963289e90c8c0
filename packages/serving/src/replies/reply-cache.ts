import { BoundedCache } from '@burgee/kit/bounded-cache'

/** Value that can be cached. */
export interface CacheableValue {
  /**
   * Size in bytes. The size may grow while the value is in the cache; the owner must report this growth with
   * `ReplyCache.updateSize`.
   */
  readonly sizeBytes: number
}

/** Memory that an entry needs in addition to its value and key. */
const ENTRY_BYTES = 200
const MAX_SEEN_KEYS = 8192

/**
 * Bounded cache whose limit includes the bytes of keys, and which remembers which keys were requested. Callers should
 * store a value only if `markSeen` has returned true for its key, so that keys requested only once evict nothing.
 */
export class ReplyCache<T extends CacheableValue> extends BoundedCache<T> {
  readonly #maxBytes: number
  /** Hashes of keys that were requested recently. */
  #seenHashes: Int32Array | undefined

  constructor(maxBytes: number) {
    super({ entries: Number.POSITIVE_INFINITY, bytes: maxBytes })
    this.#maxBytes = maxBytes
  }

  /** Returns true if the key was already requested recently, and marks it as requested. */
  markSeen(key: string): boolean {
    this.#seenHashes ??= new Int32Array(MAX_SEEN_KEYS)
    const hash = hashKey(key)
    const slot = hash & (MAX_SEEN_KEYS - 1)
    if (this.#seenHashes[slot] === hash) return true
    this.#seenHashes[slot] = hash
    return false
  }

  /** Stores a value. Returns false, and stores nothing, if the value is larger than the whole cache. */
  store(key: string, value: T): boolean {
    const bytes = getEntryBytes(key, value)
    if (bytes > this.#maxBytes) return false
    this.set(key, value, bytes)
    return true
  }

  /**
   * Updates the size of a stored value after it has grown. Removes the value if it is now larger than the whole cache.
   */
  updateSize(key: string, value: T): void {
    const bytes = getEntryBytes(key, value)
    if (bytes <= this.#maxBytes) this.resize(key, value, bytes)
    else if (this.peek(key) === value) this.delete(key)
  }
}

function getEntryBytes(key: string, { sizeBytes }: CacheableValue): number {
  return ENTRY_BYTES + 2 * key.length + sizeBytes
}

/** Returns the FNV-1a hash of the UTF-16 code units of a key; the result is never 0. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash | 0 || 1
}
