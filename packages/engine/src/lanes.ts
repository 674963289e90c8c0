import { avalanche, rotateIn, scramble } from './hash.ts'
import type { Request } from './request.ts'
import type { Source } from './sticky.ts'

/** Lanes of one source: one for each position in a 4-byte block at which an id can begin. */
const LANES = 4
const NO_ID = -1

/**
 * The ids of one request, prepared for murmur3: what an id does to a hash depends only on where in a 4-byte block it
 * begins, so the blocks that are all id are scrambled once for each of the four positions, however many flags ask.
 *
 * A lane is a source of ids and one such position: `4 * source + length of the prefix % 4`.
 */
export class Lanes {
  readonly #sources: readonly Source[]
  readonly #sourceEpoch: Int32Array
  readonly #ids: (string | undefined)[]
  readonly #laneEpoch: Int32Array
  /** Length of the id; {@link NO_ID} when there is none. */
  readonly #length: Int32Array
  /** The id's bytes that share the first block with the end of the prefix. */
  readonly #first: Int32Array
  /** Where the scrambled whole blocks begin and end; the beginning is negative when the id fills no block. */
  readonly #from: Int32Array
  readonly #to: Int32Array
  /** The bytes behind the last whole block, scrambled. */
  readonly #last: Int32Array
  #blocks = new Int32Array(256)
  #used = 0
  #epoch = 0

  constructor(sources: readonly Source[]) {
    this.#sources = sources
    this.#sourceEpoch = new Int32Array(sources.length)
    this.#ids = sources.map(() => undefined)
    const lanes = () => new Int32Array(sources.length * LANES)
    this.#laneEpoch = lanes()
    this.#length = lanes()
    this.#first = lanes()
    this.#from = lanes()
    this.#to = lanes()
    this.#last = lanes()
  }

  /** Begins a request. Epochs ascend; 0 is none. */
  begin(epoch: number): void {
    this.#epoch = epoch
    this.#used = 0
  }

  /** Forgets all epochs, so that they may begin anew. */
  forget(): void {
    this.#sourceEpoch.fill(0)
    this.#laneEpoch.fill(0)
  }

  /** The id of a source, looked up once per request. */
  idOf(source: number, request: Request): string | undefined {
    if (this.#sourceEpoch[source] !== this.#epoch) {
      this.#sourceEpoch[source] = this.#epoch
      this.#ids[source] = this.#sources[source]?.id(request)
    }
    return this.#ids[source]
  }

  /** Whether the lane has an id; prepares it. To be asked before `hash`, which relies on it. */
  has(lane: number, request: Request): boolean {
    if (this.#laneEpoch[lane] !== this.#epoch) this.#prepare(lane, request)
    return (this.#length[lane] as number) !== NO_ID
  }

  /** murmur3 of a prefix followed by the lane's id, as a signed integer. */
  hash(lane: number, state: number, tail: number, length: number): number {
    const word = scramble(tail | (this.#first[lane] as number))
    let hash = state ^ word
    const from = this.#from[lane] as number
    if (from >= 0) {
      hash = rotateIn(hash)
      const to = this.#to[lane] as number
      const blocks = this.#blocks
      for (let i = from; i < to; i++) hash = rotateIn(hash ^ (blocks[i] as number))
      hash ^= this.#last[lane] as number
    }
    return avalanche(hash ^ (length + (this.#length[lane] as number)))
  }

  #prepare(lane: number, request: Request): void {
    this.#laneEpoch[lane] = this.#epoch
    const id = this.idOf(lane >> 2, request)
    this.#length[lane] = id === undefined ? NO_ID : id.length
    if (id !== undefined) this.#premix(lane, id)
  }

  #premix(lane: number, id: string): void {
    const head = LANES - (lane & 3)
    this.#first[lane] = wordOf(id, 0, head) << ((lane & 3) << 3)
    this.#from[lane] = id.length < head ? -1 : this.#used
    const wholes = Math.max(0, (id.length - head) >> 2)
    this.#reserve(wholes)
    for (let i = 0; i < wholes; i++) this.#blocks[this.#used++] = scramble(wordOf(id, head + 4 * i, 4))
    this.#to[lane] = this.#used
    this.#last[lane] = scramble(wordOf(id, head + 4 * wholes, 4))
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#blocks.length) return
    const larger = new Int32Array(2 * (this.#used + count))
    larger.set(this.#blocks)
    this.#blocks = larger
  }
}

/** Up to four characters as a word, the low byte of each, the first one lowest. */
function wordOf(text: string, from: number, count: number): number {
  const to = Math.min(from + count, text.length)
  let word = 0
  for (let i = from; i < to; i++) word |= (text.charCodeAt(i) & 0xff) << ((i - from) << 3)
  return word
}
