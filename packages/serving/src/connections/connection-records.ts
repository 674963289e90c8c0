import { KEY_WORDS } from './connection-key.ts'

const FIRST_CAPACITY = 256
/** Scope number that marks a slot as free. */
const FREE = -1
/**
 * Initial ratio of index entries to slots, which is also the minimum ratio. The length of the index is a power of two.
 */
const INDEX_FACTOR = 2
const MIN_INDEX_FACTOR = 1.5

/**
 * Connection records in typed arrays, found by key and scope through an open-addressing index. A record stays in the
 * same slot until it is removed. The arrays double in size when they are full.
 */
export class ConnectionRecords {
  keys = new Int32Array(FIRST_CAPACITY * KEY_WORDS)
  scope = new Int32Array(FIRST_CAPACITY).fill(FREE)
  app = new Int32Array(FIRST_CAPACITY)
  sdk = new Int32Array(FIRST_CAPACITY)
  epoch = new Int32Array(FIRST_CAPACITY)
  intervalMs = new Int32Array(FIRST_CAPACITY)
  /** Number of streams that the connection has opened. */
  generation = new Int32Array(FIRST_CAPACITY)
  /** Number of the caller's network. */
  network = new Int32Array(FIRST_CAPACITY)
  /** Number by which the places of the scope are counted. */
  scopeShare = new Int32Array(FIRST_CAPACITY)
  lastSeenMs = new Float64Array(FIRST_CAPACITY)
  held = new Float64Array(FIRST_CAPACITY)
  offered = new Float64Array(FIRST_CAPACITY)
  offeredAtMs = new Float64Array(FIRST_CAPACITY)
  flags = new Uint8Array(FIRST_CAPACITY)
  /** Slot number + 1, indexed by hash; 0 marks an empty entry. */
  #index = new Int32Array(FIRST_CAPACITY * INDEX_FACTOR)
  readonly #free: number[] = []
  readonly #maxCapacity: number
  #used = 0
  #size = 0

  /** @param maxCapacity number of records at which the arrays stop doubling */
  constructor(maxCapacity: number) {
    this.#maxCapacity = maxCapacity
  }

  get size(): number {
    return this.#size
  }

  /** Memory used by the arrays, in bytes. */
  get bytes(): number {
    const { keys, scope, generation } = this
    const arrays = [keys, scope, generation, ...this.#columns()]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#index.byteLength)
  }

  /** Returns the slot that holds a key in a scope, or -1 if there is no such record. */
  find(key: Int32Array, scope: number): number {
    const mask = this.#index.length - 1
    let place = hashKey(key, 0, scope) & mask
    for (;;) {
      const slot = (this.#index[place] ?? 0) - 1
      if (slot < 0) return -1
      if (this.scope[slot] === scope && this.#isKey(slot, key)) return slot
      place = (place + 1) & mask
    }
  }

  /** Adds a record for a key and scope that are not recorded yet; all other columns are set to 0. Returns its slot. */
  add(key: Int32Array, scope: number): number {
    const slot = this.#free.pop() ?? this.#nextSlot()
    this.keys.set(key, slot * KEY_WORDS)
    for (const column of this.#columns()) column[slot] = 0
    this.scope[slot] = scope
    this.#size += 1
    this.#insert(slot)
    return slot
  }

  /** Removes the records for which the predicate returns true. Returns the number of removed records. */
  removeWhere(matches: (slot: number) => boolean): number {
    const before = this.#size
    for (const slot of this.slots()) {
      if (!matches(slot)) continue
      this.scope[slot] = FREE
      this.generation[slot] = (this.generation[slot] ?? 0) + 1
      this.#free.push(slot)
      this.#size -= 1
    }
    if (this.#size < before) this.#reindex(this.#index.length)
    return before - this.#size
  }

  /** Iterates over the slots that contain a record. */
  *slots(): Generator<number> {
    for (let slot = 0; slot < this.#used; slot += 1) if (this.scope[slot] !== FREE) yield slot
  }

  /** Iterates over the values of a column, without free slots. */
  *slotValues(column: Int32Array): Generator<number> {
    for (const slot of this.slots()) yield column[slot] ?? 0
  }

  #columns() {
    const { app, sdk, epoch, intervalMs, network, scopeShare, lastSeenMs, held, offered, offeredAtMs, flags } = this
    return [app, sdk, epoch, intervalMs, network, scopeShare, lastSeenMs, held, offered, offeredAtMs, flags]
  }

  #isKey(slot: number, key: Int32Array): boolean {
    const start = slot * KEY_WORDS
    const { keys } = this
    return (
      keys[start] === key[0] && keys[start + 1] === key[1] && keys[start + 2] === key[2] && keys[start + 3] === key[3]
    )
  }

  #nextSlot(): number {
    if (this.#used === this.scope.length) this.#grow()
    this.#used += 1
    return this.#used - 1
  }

  #insert(slot: number): void {
    const mask = this.#index.length - 1
    let place = hashKey(this.keys, slot * KEY_WORDS, this.scope[slot] ?? 0) & mask
    while (this.#index[place] !== 0) place = (place + 1) & mask
    this.#index[place] = slot + 1
  }

  #reindex(length: number): void {
    this.#index = new Int32Array(length)
    for (const slot of this.slots()) this.#insert(slot)
  }

  #grow(): void {
    const doubled = this.scope.length * 2
    const capacity = this.scope.length < this.#maxCapacity ? Math.min(doubled, this.#maxCapacity) : doubled
    this.keys = growInts(this.keys, capacity * KEY_WORDS)
    const scope = new Int32Array(capacity).fill(FREE)
    scope.set(this.scope)
    this.scope = scope
    this.app = growInts(this.app, capacity)
    this.sdk = growInts(this.sdk, capacity)
    this.epoch = growInts(this.epoch, capacity)
    this.intervalMs = growInts(this.intervalMs, capacity)
    this.generation = growInts(this.generation, capacity)
    this.network = growInts(this.network, capacity)
    this.scopeShare = growInts(this.scopeShare, capacity)
    this.lastSeenMs = growFloats(this.lastSeenMs, capacity)
    this.held = growFloats(this.held, capacity)
    this.offered = growFloats(this.offered, capacity)
    this.offeredAtMs = growFloats(this.offeredAtMs, capacity)
    const flags = new Uint8Array(capacity)
    flags.set(this.flags)
    this.flags = flags
    this.#reindex(this.#index.length < capacity * MIN_INDEX_FACTOR ? this.#index.length * 2 : this.#index.length)
  }
}

function growInts(from: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(length)
  to.set(from)
  return to
}

function growFloats(from: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const to = new Float64Array(length)
  to.set(from)
  return to
}

function hashKey(words: Int32Array, start: number, scope: number): number {
  let hash = Math.imul(scope + 1, 0x9e3779b1)
  for (let word = start; word < start + KEY_WORDS; word += 1) hash = Math.imul(hash ^ (words[word] ?? 0), 0x85ebca77)
  return hash ^ (hash >>> 13)
}
