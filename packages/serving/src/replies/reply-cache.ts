/** Something that may be kept. */
export interface Kept {
  /** Bytes that it holds; may grow while it is kept, which `ReplyCache.grew` has to hear of. */
  readonly heldBytes: number
}

interface Entry<T extends Kept> {
  readonly value: T
  bytes: number
  isUsed: boolean
}

/** What an entry costs besides its value and key. */
const ENTRY_BYTES = 200
const MOST_SEEN = 8192

/**
 * Keeps values up to a number of bytes; the one that was not used for longest goes first. When only those are kept whose
 * key `see` has seen before, keys that come once drive out nothing.
 */
export class ReplyCache<T extends Kept> {
  readonly #mostBytes: number
  readonly #entries = new Map<string, Entry<T>>()
  /** Hashes of keys that were seen lately. */
  #seen: Int32Array | undefined
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Bytes in use, keys included. */
  get bytes(): number {
    return this.#bytes
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** Whether the key was seen lately; from now on it was. */
  see(key: string): boolean {
    this.#seen ??= new Int32Array(MOST_SEEN)
    const hash = hashOf(key)
    const place = hash & (MOST_SEEN - 1)
    if (this.#seen[place] === hash) return true
    this.#seen[place] = hash
    return false
  }

  /** Keeps the value if there is room for it; answers whether it did. */
  keep(key: string, value: T): boolean {
    const bytes = ENTRY_BYTES + 2 * key.length + value.heldBytes
    if (bytes > this.#mostBytes) return false
    this.#remove(key)
    this.#entries.set(key, { value, bytes, isUsed: false })
    this.#bytes += bytes
    this.#shrink()
    return this.#entries.has(key)
  }

  /** Hears that a kept value holds more bytes now. */
  grew(key: string, value: T): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    const bytes = ENTRY_BYTES + 2 * key.length + value.heldBytes
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    this.#shrink()
  }

  #shrink(): void {
    while (this.#bytes > this.#mostBytes) {
      const oldest = this.#entries.entries().next().value
      if (oldest === undefined) return
      const [key, entry] = oldest
      this.#entries.delete(key)
      if (entry.isUsed && entry.bytes <= this.#mostBytes) {
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

/** FNV-1a over UTF-16 units, never 0. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash | 0 || 1
}
