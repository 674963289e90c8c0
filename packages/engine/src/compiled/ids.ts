import { avalanche, rotateIn, scramble } from '../rules/hash.ts'
import type { Request } from '../rules/request.ts'
import type { Source } from '../rules/stickiness.ts'

/** Positions in a 4-byte block at which an id can begin: each source has as many lanes. */
const POSITIONS = 4
const NO_EPOCH = 0
const PERCENT = 100

/**
 * The id of one source, prepared for murmur3 behind prefixes that end at one position of a 4-byte block: the blocks
 * that are all id are scrambled once per request, however many flags ask.
 */
export class Lane {
  epoch = NO_EPOCH
  /** Whether the request has the id; nothing else counts without it. */
  hasId = false
  #length = 0
  /** The id's bytes that share a block with the end of the prefix. */
  #first = 0
  /** How many whole blocks are all id; -1 when the id does not even fill up the first one. */
  #count = 0
  #blocks = new Int32Array(16)
  /** The bytes behind the last whole block, scrambled. */
  #last = 0

  /** murmur3 of a prefix followed by the id, as a signed integer. */
  hash(state: number, tail: number, length: number): number {
    let hash = state ^ scramble(tail | this.#first)
    const count = this.#count
    if (count >= 0) {
      const blocks = this.#blocks
      hash = rotateIn(hash)
      for (let i = 0; i < count; i++) hash = rotateIn(hash ^ (blocks[i] as number))
      hash ^= this.#last
    }
    return avalanche(hash ^ (length + this.#length))
  }

  /** Takes an id behind a prefix that ends at a position. */
  prepare(id: string, position: number): void {
    const head = POSITIONS - position
    const count = id.length < head ? -1 : (id.length - head) >> 2
    this.#length = id.length
    this.#first = wordOf(id, 0, head) << (position << 3)
    this.#count = count
    if (count > this.#blocks.length) this.#blocks = new Int32Array(2 * count)
    for (let i = 0; i < count; i++) this.#blocks[i] = scramble(wordOf(id, head + 4 * i, 4))
    this.#last = count < 0 ? 0 : scramble(wordOf(id, head + 4 * count, 4))
  }
}

/** The ids of one request. Lane `4 * source + length of the prefix % 4` is that source's at that position. */
export class Lanes {
  readonly #sources: readonly Source[]
  readonly #epochs: number[]
  readonly #ids: (string | undefined)[]
  readonly #lanes: readonly Lane[]
  #epoch = NO_EPOCH

  constructor(sources: readonly Source[]) {
    this.#sources = sources
    this.#epochs = sources.map(() => NO_EPOCH)
    this.#ids = sources.map(() => undefined)
    this.#lanes = Array.from({ length: sources.length * POSITIONS }, () => new Lane())
  }

  /** Begins a request. Epochs ascend; 0 is none. */
  begin(epoch: number): void {
    this.#epoch = epoch
  }

  /** Forgets all epochs, so that they may begin anew. */
  forget(): void {
    this.#epochs.fill(NO_EPOCH)
    for (const lane of this.#lanes) lane.epoch = NO_EPOCH
  }

  /** The id of a source, looked up once per request. */
  idOf(source: number, request: Request): string | undefined {
    if (this.#epochs[source] !== this.#epoch) {
      this.#epochs[source] = this.#epoch
      this.#ids[source] = this.#sources[source]?.id(request)
    }
    return this.#ids[source]
  }

  /** A lane, ready for this request. */
  at(index: number, request: Request): Lane {
    const lane = this.#lanes[index] as Lane
    if (lane.epoch !== this.#epoch) {
      lane.epoch = this.#epoch
      const id = this.idOf(index >> 2, request)
      lane.hasId = id !== undefined
      if (id !== undefined) lane.prepare(id, index & 3)
    }
    return lane
  }

  /** Chance in place of a bucket 0..99, for a lane without an id; 100, which no percentage reaches, if it may not draw. */
  drawPercent(index: number, { world }: Request): number {
    return this.#sources[index >> 2]?.drawsWithoutId ? Math.floor(world.random() * PERCENT) : PERCENT
  }
}

/** Chance in place of a hash. */
export function drawHash({ world }: Request): number {
  return Math.floor(world.random() * 2 ** 32) | 0
}

/** Up to four characters as a word, the low byte of each, the first one lowest. */
function wordOf(text: string, from: number, count: number): number {
  const to = Math.min(from + count, text.length)
  let word = 0
  for (let i = from; i < to; i++) word |= (text.charCodeAt(i) & 0xff) << ((i - from) << 3)
  return word
}
