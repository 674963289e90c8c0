import { getEnvelopedLength, type JsonEnvelope } from './json-envelope.ts'
import { formatListTag } from './list-tag.ts'

/**
 * Factors for the weighted sum of the hashes of pieces. Both factors are odd, so that changing one piece always changes
 * the sum.
 */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]

/**
 * Number of integers stored for each piece: its start and end in an arena, and the two words of its hash. If the start
 * is 0, the piece does not exist yet.
 */
export const PIECE_NUMBERS = 4

/** Outline of a list whose bytes have not been assembled yet. An outline is valid until the next list is outlined. */
export interface ReplyOutline {
  readonly etag: string
  readonly envelope: JsonEnvelope
  /** Length of the assembled response, in bytes. */
  readonly length: number
  /** Start and end of each span of bytes in the arena, beginning at entry 1. */
  readonly spans: Uint32Array
  /** Number of entries of `spans` in use, including entry 0. */
  readonly count: number
}

/**
 * Writer that outlines lists of pieces, including their envelope. Merges pieces that are adjacent in memory into one
 * span. Combines the hashes of all pieces, in their order, into an ETag.
 */
export class OutlineWriter {
  readonly #spans: Uint32Array

  /** @param mostPieces maximum number of pieces in a list */
  constructor(mostPieces: number) {
    this.#spans = new Uint32Array(2 * mostPieces + 1)
  }

  /**
   * Outlines the list that consists of the given pieces. Returns undefined if one of these pieces does not exist yet.
   *
   * @param pieces `PIECE_NUMBERS` integers for each piece
   * @param places for each piece of the list, its index into `pieces`
   * @param count number of entries of `places` in use
   */
  outline(pieces: Int32Array, places: Int32Array, count: number, frame: JsonEnvelope): ReplyOutline | undefined {
    const spans = this.#spans
    let [at, end, bytes, a, b, lowest] = [0, 0, 0, 0, 0, 0]
    // branch-free: the runs of adjacent pieces differ between responses, and a branch misprediction would cost more
    // than the rest of the loop
    for (let index = 0; index < count; index++) {
      const place = places[index] as number
      const start = pieces[place] as number
      // if the piece is adjacent to the previous one, the next iteration overwrites these entries, which extends the
      // span
      spans[at] = end
      spans[at + 1] = start
      at += 2 * Number(start !== end)
      end = pieces[place + 1] as number
      bytes += end - start
      a = (Math.imul(a, FACTOR_A) + (pieces[place + 2] as number)) | 0
      b = (Math.imul(b, FACTOR_B) + (pieces[place + 3] as number)) | 0
      lowest |= start - 1
    }
    // negative if a piece is missing, that is, if its start is 0
    if (lowest < 0) return undefined
    spans[at] = end
    const length = getEnvelopedLength(frame, bytes)
    return {
      etag: formatListTag(length, (a + frame.hashA) | 0, (b + frame.hashB) | 0),
      envelope: frame,
      length,
      spans,
      count: at + 1,
    }
  }
}
