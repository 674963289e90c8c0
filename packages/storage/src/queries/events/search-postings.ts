import { textsIn } from './event-texts.ts'

/**
 * Number of consecutive event ids in a block of the search index. A block is indexed only when all its events exist, so
 * a search reads at most this many recent events without the index.
 */
export const BLOCK_EVENTS = 2048
/**
 * Number of rows in which the trigrams of one block are stored. Each row contains the trigrams whose hashes have the
 * same lowest bits.
 */
export const BUCKETS = 1024
/**
 * Maximum number of characters of an event for which its trigrams are indexed. Every search reads events with more
 * characters than this.
 */
export const MAX_INDEXED_CHARACTERS = 16_384
/**
 * Maximum number of trigrams of a search text that are looked up. Looking up more trigrams would rule out few
 * additional events.
 */
const MAX_LOOKED_UP_TRIGRAMS = 8

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Value of each digit, indexed by its character code. */
const VALUES = new Uint8Array(128)
for (let value = 0; value < DIGITS.length; value += 1) VALUES[DIGITS.charCodeAt(value)] = value
/** Number of bits that one digit encodes. */
const DIGIT_BITS = 6
/** Number of digits that encode the hash of a trigram, without the bits that select its row. */
const HASH_DIGITS = 4
const BITMAP_DIGITS = Math.ceil(BLOCK_EVENTS / DIGIT_BITS)
/**
 * Maximum number of events that are encoded as a list, which takes two digits per event. For more events, a bitmap is
 * shorter than a list.
 */
const MAX_LISTED = Math.floor((BITMAP_DIGITS - 1) / 2)
/**
 * Reserved hash that belongs to no trigram. Under this hash, the postings contain the events that exceed
 * MAX_INDEXED_CHARACTERS.
 */
const LONG_EVENTS = 0

/** Returns the key of the row that contains the postings of a hash in a block. */
export function postingsKey(block: number, hash: number): number {
  return block * BUCKETS + (hash % BUCKETS)
}

/** Returns the first key of a block. The keys of a block end before the first key of the next block. */
export function firstKey(block: number): number {
  return block * BUCKETS
}

/** Returns the block that contains an event. */
export function getBlock(eventId: number): number {
  return Math.floor(eventId / BLOCK_EVENTS)
}

function hashTrigram(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1)
  hash = Math.imul(hash ^ text.charCodeAt(at + 1), 0x85ebca6b) ^ (hash >>> 15)
  hash = Math.imul(hash ^ text.charCodeAt(at + 2), 0xc2b2ae35) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 16), 0x2c1b3c6d)
  return (hash ^ (hash >>> 15)) >>> 0 || 1
}

/** Collects the trigrams of all events in one block. */
export class BlockPostings {
  /**
   * By trigram: ascending positions of the events in the block that contain the trigram, or a bitmap if it is frequent.
   */
  readonly #events = new Map<number, number[] | Uint8Array>()

  /** Adds an event. Events must be added in the order of their ids. */
  add(eventId: number, contents: readonly unknown[]): void {
    const position = eventId % BLOCK_EVENTS
    let left = MAX_INDEXED_CHARACTERS
    for (const value of contents) {
      for (const text of textsIn(value)) {
        left -= text.length
        if (left < 0) {
          this.#note(LONG_EVENTS, position)
          return
        }
        const compared = text.toLowerCase()
        for (let at = 0; at + 2 < compared.length; at += 1) this.#note(hashTrigram(compared, at), position)
      }
    }
  }

  #note(hash: number, position: number): void {
    const known = this.#events.get(hash)
    if (known === undefined) this.#events.set(hash, [position])
    else if (!Array.isArray(known)) setBit(known, position)
    else if (known.at(-1) !== position) {
      known.push(position)
      if (known.length > MAX_LISTED) this.#events.set(hash, toBitmap(known))
    }
  }

  /** Returns the rows of the block, sorted by key. */
  rows(block: number): { readonly key: number; readonly postings: string }[] {
    const rows = new Map<number, string[]>()
    for (const [hash, events] of this.#events) {
      const key = postingsKey(block, hash)
      const postings = encodeHash(hash) + encodeEvents(events)
      const row = rows.get(key)
      if (row === undefined) rows.set(key, [postings])
      else row.push(postings)
    }
    return [...rows].map(([key, postings]) => ({ key, postings: postings.join(' ') })).sort((a, b) => a.key - b.key)
  }
}

/** Trigram to look up: its hash, and the prefix that precedes its postings in a row. */
interface TrigramLookup {
  readonly hash: number
  readonly prefix: string
}

/** Trigrams of a search text, in the form in which a block is searched for them. */
export class SearchTrigrams {
  readonly #trigrams: readonly TrigramLookup[]

  /** @param text must have at least three characters */
  constructor(text: string) {
    const compared = text.toLowerCase()
    const count = compared.length - 2
    const lookedUp = Math.min(count, MAX_LOOKED_UP_TRIGRAMS)
    const hashes = new Set<number>()
    // selects trigrams spread over the whole text, including the last one
    for (let index = 0; index < lookedUp; index += 1) {
      hashes.add(hashTrigram(compared, count - 1 - Math.floor((index * count) / lookedUp)))
    }
    this.#trigrams = [...hashes].map((hash) => ({ hash, prefix: encodeHash(hash) }))
  }

  /** Returns the keys of the rows of a block that the search must read. */
  keys(block: number): number[] {
    return [
      ...new Set([...this.#trigrams.map(({ hash }) => hash), LONG_EVENTS].map((hash) => postingsKey(block, hash))),
    ]
  }

  /** Returns the ids of the events in a block that may contain the text, newest first. */
  candidates(block: number, rows: ReadonlyMap<number, string>): number[] {
    const events = this.#eventsWithAll(block, rows)
    const long = decode(findPostings(rows.get(postingsKey(block, LONG_EVENTS)), encodeHash(LONG_EVENTS)))
    const found: number[] = []
    for (let at = events.length - 1; at >= 0; at -= 1) {
      const bits = (events[at] ?? 0) | (long[at] ?? 0)
      for (let bit = 7; bits !== 0 && bit >= 0; bit -= 1) {
        if ((bits & (1 << bit)) !== 0) found.push(block * BLOCK_EVENTS + at * 8 + bit)
      }
    }
    return found
  }

  /**
   * Returns a bitmap of the events that contain all trigrams. Starts with the rarest trigram, because few events
   * contain it.
   */
  #eventsWithAll(block: number, rows: ReadonlyMap<number, string>): Uint8Array {
    const postings = this.#trigrams.map(({ hash, prefix }) => findPostings(rows.get(postingsKey(block, hash)), prefix))
    const [rarest, ...others] = postings.sort((a, b) => a.length - b.length)
    const events = decode(rarest ?? '')
    for (const other of others) {
      if (events.every((bits) => bits === 0)) break
      const bits = decode(other)
      for (let at = 0; at < events.length; at += 1) events[at] = (events[at] ?? 0) & (bits[at] ?? 0)
    }
    return events
  }
}

function toBitmap(positions: readonly number[]): Uint8Array {
  const bitmap = new Uint8Array(BLOCK_EVENTS / 8)
  for (const position of positions) setBit(bitmap, position)
  return bitmap
}

function setBit(bitmap: Uint8Array, position: number): void {
  bitmap[position >> 3] = (bitmap[position >> 3] ?? 0) | (1 << (position & 7))
}

function hasBit(bitmap: Uint8Array, position: number): boolean {
  return ((bitmap[position >> 3] ?? 0) & (1 << (position & 7))) !== 0
}

function encodeHash(hash: number): string {
  let [text, left] = ['', Math.floor(hash / BUCKETS)]
  for (let digit = 0; digit < HASH_DIGITS; digit += 1) {
    text += DIGITS[left % DIGITS.length]
    left = Math.floor(left / DIGITS.length)
  }
  return text
}

function encodeEvents(events: readonly number[] | Uint8Array): string {
  if (!(events instanceof Uint8Array)) {
    return events.map((position) => `${DIGITS[position >> DIGIT_BITS]}${DIGITS[position & 63]}`).join('')
  }
  let text = ''
  for (let digit = 0; digit < BITMAP_DIGITS; digit += 1) {
    let value = 0
    for (let bit = 0; bit < DIGIT_BITS; bit += 1) {
      const position = digit * DIGIT_BITS + bit
      if (hasBit(events, position)) value |= 1 << bit
    }
    text += DIGITS[value]
  }
  return text
}

/**
 * Returns the encoded events that contain a trigram, taken from a row of postings. Returns an empty string if the row
 * does not contain the trigram.
 */
function findPostings(row: string | undefined, prefix: string): string {
  if (row === undefined) return ''
  const start = row.startsWith(prefix) ? 0 : row.indexOf(` ${prefix}`) + 1
  if (start === 0 && !row.startsWith(prefix)) return ''
  const end = row.indexOf(' ', start)
  return row.slice(start + HASH_DIGITS, end === -1 ? undefined : end)
}

/** Decodes a list or bitmap of events to a bitmap. */
function decode(encoded: string): Uint8Array {
  const bitmap = new Uint8Array(BLOCK_EVENTS / 8)
  if (encoded.length < BITMAP_DIGITS) {
    for (let at = 0; at + 1 < encoded.length; at += 2) {
      setBit(bitmap, (digitAt(encoded, at) << DIGIT_BITS) | digitAt(encoded, at + 1))
    }
    return bitmap
  }
  // four digits encode three bytes; bytes beyond the end of the bitmap are discarded
  for (let at = 0, byte = 0; at < encoded.length; at += 4, byte += 3) {
    const low = digitAt(encoded, at) | (digitAt(encoded, at + 1) << DIGIT_BITS)
    const high = digitAt(encoded, at + 2) | (digitAt(encoded, at + 3) << DIGIT_BITS)
    const bits = low | (high << (2 * DIGIT_BITS))
    bitmap[byte] = bits
    bitmap[byte + 1] = bits >> 8
    bitmap[byte + 2] = bits >> 16
  }
  return bitmap
}

function digitAt(encoded: string, at: number): number {
  return VALUES[encoded.charCodeAt(at)] ?? 0
}
