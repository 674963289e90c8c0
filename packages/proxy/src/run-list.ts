import { tagOf } from '@burgee/kit/etag'
import { replyLength } from './arena.ts'

/** Odd, so that one different piece always makes a different sum. */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]
const DIGEST_BYTES = 20

/** Bytes in an arena with two words of their hash. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly a: number
  readonly b: number
  /** How many toggles it holds. */
  readonly toggles: number
}

/** A list of toggles before its bytes are put together. Valid until the next one is drafted. */
export interface Draft {
  readonly etag: string
  /** Of the reply, in bytes. */
  readonly length: number
  /** Start and end of each run of bytes in the arena. */
  readonly runs: Uint32Array
  /** How many entries of `runs` count. */
  readonly count: number
}

/**
 * Pieces one after the other, those that lie side by side as one run, and their hash: that of all toggles in order,
 * however many of them a piece holds.
 */
export class RunList {
  readonly #runs: Uint32Array
  readonly #powersA: Int32Array
  readonly #powersB: Int32Array
  #count = 0
  #end = 0
  #bytes = 0
  #a = 0
  #b = 0

  /** @param mostToggles of a list, and so of a piece */
  constructor(mostToggles: number, mostTogglesOfAPiece: number) {
    this.#runs = new Uint32Array(2 * mostToggles)
    this.#powersA = powersOf(FACTOR_A, mostTogglesOfAPiece)
    this.#powersB = powersOf(FACTOR_B, mostTogglesOfAPiece)
  }

  /** Begins a new list. */
  clear(): void {
    this.#count = 0
    this.#end = 0
    this.#bytes = 0
    this.#a = 0
    this.#b = 0
  }

  /** Adds a piece; see {@link Piece}. */
  add(start: number, end: number, a: number, b: number, toggles: number): void {
    if (start !== this.#end) {
      this.#runs[this.#count] = start
      this.#count += 2
    }
    this.#end = end
    this.#runs[this.#count - 1] = end
    this.#bytes += end - start
    this.#a = (Math.imul(this.#a, this.#powersA[toggles] as number) + a) | 0
    this.#b = (Math.imul(this.#b, this.#powersB[toggles] as number) + b) | 0
  }

  /** The two words of what was added since the list began. */
  get words(): readonly [a: number, b: number] {
    return [this.#a, this.#b]
  }

  /** The list so far. */
  draft(): Draft {
    const length = replyLength(this.#bytes)
    return { etag: tagOf(length, digestOf(this.#a, this.#b)), length, runs: this.#runs, count: this.#count }
  }
}

function powersOf(factor: number, most: number): Int32Array {
  const powers = new Int32Array(most + 1)
  powers[0] = 1
  for (let index = 1; index <= most; index++) powers[index] = Math.imul(powers[index - 1] as number, factor)
  return powers
}

const digest = Buffer.allocUnsafeSlow(DIGEST_BYTES)

/** Spreads two words over the bytes of a tag; other words have other bytes. */
function digestOf(a: number, b: number): string {
  for (let at = 0; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixed(a + at), at)
  for (let at = 4; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixed(b + at), at)
  return digest.toString('base64')
}

/** Each bit of the word decides about each bit of the result, and different words have different results (murmur3). */
function mixed(word: number): number {
  let h = word | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
