import { getEnvelopedLength, type JsonEnvelope } from './json-envelope.ts'
import { formatListTag } from './list-tag.ts'

/**
 * Factors for summing the hashes of pieces. Both factors are odd, so that a change of one piece always changes the sum.
 */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]

/**
 * Number of integers stored per piece: start and end in an arena, then two words of its hash. A start of 0 means that
 * the piece does not exist yet.
 */
export const PIECE_NUMBERS = 4

/** Outline of a list whose bytes are not assembled yet. Valid until the next list is outlined. */
export interface ReplyOutline {
  readonly etag: string
  readonly envelope: JsonEnvelope
  /** Length of the response, in bytes. */
  readonly length: number
  /** Start and end of each span of bytes in the arena, from entry 1 on. */
  readonly spans: Uint32Array
  /** Number of used entries of `spans`, entry 0 included. */
  readonly count: number
}

/**
 * Writer of outlines for lists of pieces in envelopes. Merges adjacent pieces into one span. Combines all hashes in
 * order into an ETag.
 */
export class OutlineWriter {
  readonly #spans: Uint32Array

  /** @param mostPieces maximum number of pieces of a list */
  constructor(mostPieces: number) {
    this.#spans = new Uint32Array(2 * mostPieces + 1)
  }

  /**
   * Outlines the list of the given pieces. Returns undefined if one of the pieces does not exist yet.
   *
   * @param pieces `PIECE_NUMBERS` integers per piece
   * @param places index into `pieces` of each piece of the list
   * @param count number of used entries of `places`
   */
  outline(pieces: Int32Array, places: Int32Array, count: number, frame: JsonEnvelope): ReplyOutline | undefined {
    const spans = this.#spans
    let [at, end, bytes, a, b, lowest] = [0, 0, 0, 0, 0, 0]
    // branch-free: each response has different runs of adjacent pieces, and a branch misprediction would cost more than
    // the rest of the loop
    for (let index = 0; index < count; index++) {
      const place = places[index] as number
      const start = pieces[place] as number
      // if a piece is adjacent to the previous piece, the next iteration overwrites these entries, which extends the
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
    // negative if the start of a piece is 0, that is, if the piece is missing
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
