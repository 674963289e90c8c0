import { type Frame, framedLength } from './frame.ts'
import { listTag } from './list-tag.ts'

/** Factors of the sums over hashes of pieces; odd, so that one different piece always makes a different sum. */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]

/** Numbers kept per piece: where its bytes start (0: not made yet) and end in an arena, two words of their hash. */
export const PIECE_NUMBERS = 4

/** A list before its bytes are put together. Valid until the next list is outlined. */
export interface ReplyOutline {
  readonly etag: string
  readonly frame: Frame
  /** Of the reply, in bytes. */
  readonly length: number
  /** Start and end of each span of bytes in the arena, from entry 1 on. */
  readonly spans: Uint32Array
  /** How many entries of `spans` count, entry 0 included. */
  readonly count: number
}

/** Outlines lists of pieces in frames: pieces that lie side by side become one span, the hashes of all in order a tag. */
export class OutlineWriter {
  readonly #spans: Uint32Array

  /** @param mostPieces of a list */
  constructor(mostPieces: number) {
    this.#spans = new Uint32Array(2 * mostPieces + 1)
  }

  /**
   * The list of these pieces; undefined when one of them is not made yet.
   *
   * @param pieces numbers of many pieces, `PIECE_NUMBERS` of each
   * @param places where those of the list begin in `pieces`
   * @param count how many entries of `places` count
   */
  outline(pieces: Int32Array, places: Int32Array, count: number, frame: Frame): ReplyOutline | undefined {
    const spans = this.#spans
    let [at, end, bytes, a, b, lowest] = [0, 0, 0, 0, 0, 0]
    // without branches: which pieces meet is different in every reply, and a wrong guess costs more than the rest
    for (let index = 0; index < count; index++) {
      const place = places[index] as number
      const start = pieces[place] as number
      // a piece right behind the one before adds to its span: what is written here is written over then
      spans[at] = end
      spans[at + 1] = start
      at += 2 * Number(start !== end)
      end = pieces[place + 1] as number
      bytes += end - start
      a = (Math.imul(a, FACTOR_A) + (pieces[place + 2] as number)) | 0
      b = (Math.imul(b, FACTOR_B) + (pieces[place + 3] as number)) | 0
      lowest |= start - 1
    }
    // negative if one of them starts at 0
    if (lowest < 0) return undefined
    spans[at] = end
    const length = framedLength(frame, bytes)
    return { etag: listTag(length, (a + frame.a) | 0, (b + frame.b) | 0), frame, length, spans, count: at + 1 }
  }
}
