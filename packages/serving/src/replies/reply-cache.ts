import { BoundedCache } from '@burgee/kit/bounded-cache'

/** A value that may be cached. */
export interface CacheableValue {
  /** Size in bytes. The size may grow while the value is cached; report the growth with `ReplyCache.updateSize`. */
  readonly sizeBytes: number
}

/** Overhead of an entry besides its value and key. */
const ENTRY_BYTES = 200
const MAX_SEEN_KEYS = 8192

/**
 * Bounded cache that also counts the bytes of keys, and remembers which keys were requested. Callers should store a
 * value only if `markSeen` has returned true for its key, so that keys that occur only once evict nothing.
 */
export class ReplyCache<T extends CacheableValue> extends BoundedCache<T> {
  readonly #maxBytes: number
  /** Hashes of recently seen keys. */
  #seenHashes: Int32Array | undefined

  constructor(maxBytes: number) {
    super({ entries: Number.POSITIVE_INFINITY, bytes: maxBytes })
    this.#maxBytes = maxBytes
  }

  /** Returns true if the key was seen recently, and marks it as seen. */
  markSeen(key: string): boolean {
    this.#seenHashes ??= new Int32Array(MAX_SEEN_KEYS)
    const hash = hashKey(key)
    const slot = hash & (MAX_SEEN_KEYS - 1)
    if (this.#seenHashes[slot] === hash) return true
    this.#seenHashes[slot] = hash
    return false
  }

  /** Stores a value. Returns false if it is larger than the whole cache. */
  store(key: string, value: T): boolean {
    const bytes = getEntryBytes(key, value)
    if (bytes > this.#maxBytes) return false
    this.set(key, value, bytes)
    return true
  }

  /** Updates the size of a stored value after it has grown. Removes a value that is now larger than the whole cache. */
  updateSize(key: string, value: T): void {
    const bytes = getEntryBytes(key, value)
    if (bytes <= this.#maxBytes) this.resize(key, value, bytes)
    else if (this.peek(key) === value) this.delete(key)
  }
}

function getEntryBytes(key: string, { sizeBytes }: CacheableValue): number {
  return ENTRY_BYTES + 2 * key.length + sizeBytes
}

/** Returns the FNV-1a hash of the UTF-16 units of a key, never 0. */
function hashKey(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash | 0 || 1
}
