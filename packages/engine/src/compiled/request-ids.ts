import { avalanche, rotateIn, scramble } from '../rules/hash.ts'
import type { Request } from '../rules/request.ts'
import type { Stickiness } from '../rules/stickiness.ts'

/** Positions in a 4-byte block at which an id can begin; each stickiness has a prepared id for each. */
const POSITIONS = 4
const NO_EPOCH = 0
const PERCENT = 100

/**
 * An id, prepared for murmur3 behind prefixes that end at one position of a 4-byte block: the blocks that are all id are
 * scrambled once per request, however many flags ask.
 */
export class PreparedId {
  epoch = NO_EPOCH
  /** Whether the request has the id; nothing else counts without it. */
  isThere = false
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

/**
 * The ids that rollouts and variants of one request stick to. The prepared id of number `4 * stickiness + position` is
 * that of a stickiness (by its number in the registry) behind prefixes whose length has the remainder `position`.
 */
export class RequestIds {
  readonly #stickiness: readonly Stickiness[]
  readonly #hashedText: (text: string) => string
  readonly #epochs: number[]
  readonly #ids: (string | undefined)[]
  readonly #prepared: readonly PreparedId[]
  #epoch = NO_EPOCH

  /** @param hashedText returns a text whose low bytes are the bytes to hash */
  constructor(stickiness: readonly Stickiness[], hashedText: (text: string) => string) {
    this.#stickiness = stickiness
    this.#hashedText = hashedText
    this.#epochs = stickiness.map(() => NO_EPOCH)
    this.#ids = stickiness.map(() => undefined)
    this.#prepared = Array.from({ length: stickiness.length * POSITIONS }, () => new PreparedId())
  }

  /** Begins a request. Epochs ascend; 0 is none. */
  begin(epoch: number): void {
    this.#epoch = epoch
  }

  /** Forgets all epochs, so that they may begin anew. */
  forget(): void {
    this.#epochs.fill(NO_EPOCH)
    for (const id of this.#prepared) id.epoch = NO_EPOCH
  }

  /** The id that a stickiness takes from the request, looked up once. */
  idOf(stickiness: number, request: Request): string | undefined {
    if (this.#epochs[stickiness] !== this.#epoch) {
      this.#epochs[stickiness] = this.#epoch
      this.#ids[stickiness] = this.#stickiness[stickiness]?.id(request)
    }
    return this.#ids[stickiness]
  }

  /** A prepared id, by number, ready for this request. */
  at(number: number, request: Request): PreparedId {
    const prepared = this.#prepared[number] as PreparedId
    if (prepared.epoch !== this.#epoch) {
      prepared.epoch = this.#epoch
      const id = this.idOf(number >> 2, request)
      prepared.isThere = id !== undefined
      if (id !== undefined) prepared.prepare(this.#hashedText(id), number & 3)
    }
    return prepared
  }

  /** Whether chance decides where a request has no id of this number. */
  draws(number: number): boolean {
    return this.#stickiness[number >> 2]?.drawsWithoutId === true
  }

  /**
   * Chance in place of a bucket 0..99, where the request has no id of this number; 100, which no percentage reaches, if
   * its stickiness may not draw.
   */
  drawPercent(number: number, request: Request): number {
    return this.#stickiness[number >> 2]?.drawsWithoutId ? Math.floor(request.random() * PERCENT) : PERCENT
  }
}

/** The hash, as a signed integer, that `code` says behind `at` how to begin: state, tail and length of its prefix. */
export function hashAt(id: PreparedId, code: Int32Array, at: number): number {
  return id.hash(code[at + 1] as number, code[at + 2] as number, code[at + 3] as number)
}

/** Chance in place of a hash. */
export function drawHash(request: Request): number {
  return Math.floor(request.random() * 2 ** 32) | 0
}

/** Up to four characters as a word, the low byte of each, the first one lowest. */
function wordOf(text: string, from: number, count: number): number {
  const to = Math.min(from + count, text.length)
  let word = 0
  for (let i = from; i < to; i++) word |= (text.charCodeAt(i) & 0xff) << ((i - from) << 3)
  return word
}
