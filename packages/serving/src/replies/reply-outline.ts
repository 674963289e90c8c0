import { tagOf } from '@burgee/kit/http/etag'
import { replyLength } from './arena.ts'

/** Odd, so that one different piece always makes a different sum. */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]
const DIGEST_BYTES = 20

/** Numbers kept per piece: where its bytes start (0: not made yet) and end in an arena, two words of their hash. */
export const PIECE_NUMBERS = 4

/** A list of toggles before its bytes are put together. Valid until the next one is drafted. */
export interface Draft {
  readonly etag: string
  /** Of the reply, in bytes. */
  readonly length: number
  /** Start and end of each run of bytes in the arena, from entry 1 on. */
  readonly runs: Uint32Array
  /** How many entries of `runs` count, entry 0 included. */
  readonly count: number
}

/** Pieces one after the other, those that lie side by side as one run, and the hash of all in order. */
export class RunList {
  readonly #runs: Uint32Array

  /** @param mostPieces of a list */
  constructor(mostPieces: number) {
    this.#runs = new Uint32Array(2 * mostPieces + 1)
  }

  /**
   * The list of these pieces; undefined when one of them is not made yet.
   *
   * @param pieces numbers of many pieces, `PIECE_NUMBERS` of each
   * @param places where those of the list begin in `pieces`
   * @param count how many entries of `places` count
   */
  draft(pieces: Int32Array, places: Int32Array, count: number): Draft | undefined {
    const runs = this.#runs
    let [at, end, bytes, a, b, lowest] = [0, 0, 0, 0, 0, 0]
    // without branches: which pieces meet is different in every reply, and a wrong guess costs more than the rest
    for (let index = 0; index < count; index++) {
      const place = places[index] as number
      const start = pieces[place] as number
      // a piece right behind the one before adds to its run: what is written here is written over then
      runs[at] = end
      runs[at + 1] = start
      at += 2 * Number(start !== end)
      end = pieces[place + 1] as number
      bytes += end - start
      a = (Math.imul(a, FACTOR_A) + (pieces[place + 2] as number)) | 0
      b = (Math.imul(b, FACTOR_B) + (pieces[place + 3] as number)) | 0
      lowest |= start - 1
    }
    // negative if one of them starts at 0
    if (lowest < 0) return undefined
    runs[at] = end
    const length = replyLength(bytes)
    return { etag: tagOf(length, digestOf(a, b)), length, runs, count: at + 1 }
  }
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
