import { avalanche, rotateIn, scramble } from '../rules/hash.ts'
import type { Request } from '../rules/request.ts'
import type { Stickiness } from '../rules/stickiness.ts'

/**
 * Number of positions within a 4-byte block at which an id can start. Each stickiness has one prepared id per position.
 */
const POSITIONS = 4
const NO_EPOCH = 0
const PERCENT = 100

/**
 * Sticky id, prepared for hashing with murmur3. The hash covers a prefix followed by the id. The same preparation
 * serves prefixes of different lengths that end at the same position within a 4-byte block. Blocks that consist only of
 * bytes of the id are scrambled once per request, for all flags together.
 */
export class PreparedId {
  epoch = NO_EPOCH
  /** True if the request contains the id. If false, the other fields are meaningless. */
  isThere = false
  #length = 0
  /** Bytes of the id that share a block with the end of the prefix. */
  #first = 0
  /** Number of whole blocks after the first block; -1 if the id does not even fill the first block. */
  #count = 0
  #blocks = new Int32Array(16)
  /** Scrambled bytes that follow the last whole block. */
  #last = 0

  /** Returns the murmur3 hash of a prefix followed by the id, as a signed integer. */
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

  /** Prepares an id for prefixes that end at a given position within a block. */
  prepare(id: string, position: number): void {
    const head = POSITIONS - position
    const count = id.length < head ? -1 : (id.length - head) >> 2
    this.#length = id.length
    this.#first = packWord(id, 0, head) << (position << 3)
    this.#count = count
    if (count > this.#blocks.length) this.#blocks = new Int32Array(2 * count)
    for (let i = 0; i < count; i++) this.#blocks[i] = scramble(packWord(id, head + 4 * i, 4))
    this.#last = count < 0 ? 0 : scramble(packWord(id, head + 4 * count, 4))
  }
}

/**
 * Sticky ids of the current request, for rollouts and variants. At index `4 * stickiness + position` is the id prepared
 * for that stickiness (by its number in the registry) and for prefixes whose length modulo 4 is `position`.
 */
export class RequestIds {
  readonly #stickiness: readonly Stickiness[]
  readonly #hashedText: (text: string) => string
  readonly #epochs: number[]
  readonly #ids: (string | undefined)[]
  readonly #prepared: readonly PreparedId[]
  #epoch = NO_EPOCH

  /** @param hashedText returns a string whose characters' low bytes are the bytes to hash */
  constructor(stickiness: readonly Stickiness[], hashedText: (text: string) => string) {
    this.#stickiness = stickiness
    this.#hashedText = hashedText
    this.#epochs = stickiness.map(() => NO_EPOCH)
    this.#ids = stickiness.map(() => undefined)
    this.#prepared = Array.from({ length: stickiness.length * POSITIONS }, () => new PreparedId())
  }

  /** Begins a request. Epochs ascend; 0 means that nothing is cached. */
  begin(epoch: number): void {
    this.#epoch = epoch
  }

  /** Clears all epochs, so that their numbers can start again. */
  forget(): void {
    this.#epochs.fill(NO_EPOCH)
    for (const id of this.#prepared) id.epoch = NO_EPOCH
  }

  /** Returns the sticky id that this request has for a stickiness. The id is looked up once per request. */
  getId(stickiness: number, request: Request): string | undefined {
    if (this.#epochs[stickiness] !== this.#epoch) {
      this.#epochs[stickiness] = this.#epoch
      this.#ids[stickiness] = this.#stickiness[stickiness]?.id(request)
    }
    return this.#ids[stickiness]
  }

  /** Returns the prepared id with this number, computed for this request. */
  at(number: number, request: Request): PreparedId {
    const prepared = this.#prepared[number] as PreparedId
    if (prepared.epoch !== this.#epoch) {
      prepared.epoch = this.#epoch
      const id = this.getId(number >> 2, request)
      prepared.isThere = id !== undefined
      if (id !== undefined) prepared.prepare(this.#hashedText(id), number & 3)
    }
    return prepared
  }

  /** Returns true if a request that lacks this id gets a random result. */
  draws(number: number): boolean {
    return this.#stickiness[number >> 2]?.drawsWithoutId === true
  }

  /**
   * Draws a bucket 0..99 for a request without this id. Returns 100, which is outside every percentage, if the
   * stickiness does not allow a random result.
   */
  drawPercent(number: number, request: Request): number {
    return this.#stickiness[number >> 2]?.drawsWithoutId ? Math.floor(request.random() * PERCENT) : PERCENT
  }
}

/**
 * Returns the hash of an id as a signed integer. From index `at` + 1, `code` contains three numbers that describe the
 * hash prefix: its state, tail and length.
 */
export function hashAt(id: PreparedId, code: Int32Array, at: number): number {
  return id.hash(code[at + 1] as number, code[at + 2] as number, code[at + 3] as number)
}

/** Draws a random hash. */
export function drawHash(request: Request): number {
  return Math.floor(request.random() * 2 ** 32) | 0
}

/** Packs the low bytes of up to four characters into a word, with the first character in the lowest byte. */
function packWord(text: string, from: number, count: number): number {
  const to = Math.min(from + count, text.length)
  let word = 0
  for (let i = from; i < to; i++) word |= (text.charCodeAt(i) & 0xff) << ((i - from) << 3)
  return word
}
