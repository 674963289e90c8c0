import { hash } from 'node:crypto'
import type { Engine } from '@burgee/engine'
import { tagOf } from '@burgee/kit/etag'
import { Arena, replyLength } from './arena.ts'
import { toggleJson } from './toggle-json.ts'

/** Numbers kept per outcome: start and end of its bytes (0: not made yet), two words of their hash. */
const STRIDE = 4
/** Odd, so that one different piece always makes a different sum. */
const [FACTOR_A, FACTOR_B] = [0x01000193, 0x5bd1e995]
const MOST_WASTE_BYTES = 1024 * 1024
const DIGEST_BYTES = 20

/** What Fragments need to know of an engine. */
export type Outcomes = Pick<Engine, 'names' | 'indexOf' | 'outcomesOf'>

/** A list of toggles before its bytes are put together. Valid until the next one is drafted. */
export interface Draft {
  readonly etag: string
  /** Of the reply, in bytes. */
  readonly length: number
  /** Start and end of each run of pieces in the arena. */
  readonly runs: Uint32Array
  /** How many entries of `runs` count. */
  readonly count: number
}

/**
 * The JSON of every outcome of an engine's flags, made when it is first needed, so that a reply is a concatenation.
 * Outcomes that the engine before had as well keep their bytes.
 */
export class Fragments {
  readonly #engine: Outcomes
  readonly #arena: Arena
  /** By flag: where the numbers of its outcome 0 stand in `#places`. */
  readonly #firsts: Int32Array
  readonly #places: Int32Array
  readonly #runs: Uint32Array

  constructor(engine: Outcomes, previous?: Fragments) {
    this.#engine = engine
    const { names } = engine
    this.#firsts = new Int32Array(names.length)
    let end = 0
    for (let index = 0; index < names.length; index++) {
      this.#firsts[index] = end
      end += engine.outcomesOf(index).length * STRIDE
    }
    this.#places = new Int32Array(end)
    this.#runs = new Uint32Array(2 * names.length)
    const usedBytes = previous === undefined ? 0 : this.#adopt(previous)
    const isWasteful = previous !== undefined && previous.#arena.used > 2 * usedBytes + MOST_WASTE_BYTES
    this.#arena = previous === undefined || isWasteful ? new Arena() : previous.#arena
    if (isWasteful) this.#move(previous.#arena)
  }

  /**
   * The list for these outcomes (`Engine.decideAll`): of the flags that are on, or of all. Same toggles, same tag,
   * whatever engine they came from.
   */
  draft(outcomes: Uint16Array, withOff: boolean): Draft {
    const firsts = this.#firsts
    const places = this.#places
    const runs = this.#runs
    let count = 0
    let runEnd = 0
    let bytes = 0
    let a = 0
    let b = 0
    for (let index = 0; index < firsts.length; index++) {
      const outcome = outcomes[index] as number
      if (outcome === 0 && !withOff) continue
      const at = (firsts[index] as number) + outcome * STRIDE
      if (places[at] === 0) this.#make(index, outcome, at)
      const start = places[at] as number
      const end = places[at + 1] as number
      if (start !== runEnd) {
        runs[count] = start
        count += 2
      }
      runEnd = end
      runs[count - 1] = end
      bytes += end - start
      a = (Math.imul(a, FACTOR_A) + (places[at + 2] as number)) | 0
      b = (Math.imul(b, FACTOR_B) + (places[at + 3] as number)) | 0
    }
    const length = replyLength(bytes)
    return { etag: tagOf(length, digestOf(a, b)), length, runs, count }
  }

  /** Bytes that are taken, also by outcomes that only engines before had. */
  get usedBytes(): number {
    return this.#arena.used
  }

  /** Writes the reply of a draft to the beginning of a Buffer. */
  assemble({ runs, count, length }: Omit<Draft, 'etag'>, target: Buffer): void {
    this.#arena.assemble(runs, count, length, target)
  }

  #make(index: number, outcome: number, at: number): void {
    const evaluation = this.#engine.outcomesOf(index)[outcome]
    if (evaluation === undefined) throw new Error(`Feature number ${index} has no outcome ${outcome}`)
    const text = `,${toggleJson(evaluation)}`
    const { start, end } = this.#arena.add(text)
    const digest = hash('sha1', text, 'buffer')
    this.#places[at] = start
    this.#places[at + 1] = end
    this.#places[at + 2] = digest.readInt32LE(0)
    this.#places[at + 3] = digest.readInt32LE(4)
  }

  /** Takes over where the bytes of unchanged flags lie; answers how many bytes they are. */
  #adopt(previous: Fragments): number {
    let bytes = 0
    for (const [index, name] of this.#engine.names.entries()) {
      const before = previous.#engine.indexOf(name)
      const outcomes = this.#engine.outcomesOf(index)
      if (before < 0 || previous.#engine.outcomesOf(before) !== outcomes) continue
      const from = previous.#firsts[before] as number
      const to = this.#firsts[index] as number
      this.#places.set(previous.#places.subarray(from, from + outcomes.length * STRIDE), to)
      for (let at = to; at < to + outcomes.length * STRIDE; at += STRIDE) bytes += this.#lengthAt(at)
    }
    return bytes
  }

  #move(from: Arena): void {
    for (let at = 0; at < this.#places.length; at += STRIDE) {
      const length = this.#lengthAt(at)
      if (length === 0) continue
      const start = this.#arena.take(from, this.#places[at] as number, this.#places[at + 1] as number)
      this.#places[at] = start
      this.#places[at + 1] = start + length
    }
  }

  #lengthAt(at: number): number {
    return (this.#places[at + 1] as number) - (this.#places[at] as number)
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
