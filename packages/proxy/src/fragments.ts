import { hash } from 'node:crypto'
import type { Engine } from '@burgee/engine'
import { Arena } from './arena.ts'
import { type Draft, type Piece, RunList } from './run-list.ts'
import { toggleJson } from './toggle-json.ts'

/** Numbers kept per outcome: start and end of its bytes (0: not made yet), two words of their hash. */
const STRIDE = 4
/** Flags whose outcomes are looked up together: their bytes are one copy. */
const BLOCK_FLAGS = 8
/** For the bytes of blocks; beyond it flags are copied one by one. */
const MOST_BLOCK_BYTES = 2 * 1024 * 1024
/** With more, combinations are too many to come again before the bound is reached. */
const MOST_FLAGS_IN_BLOCKS = 1500
const MOST_WASTE_BYTES = 1024 * 1024

/** What Fragments need to know of an engine. */
export type Outcomes = Pick<Engine, 'names' | 'indexOf' | 'outcomesOf'>

/**
 * The JSON of every outcome of an engine's flags, made when it is first needed, so that a reply is a concatenation; and
 * of every combination of outcomes that eight neighbours had, so that it is one of few pieces. Outcomes that the engine
 * before had as well keep their bytes.
 */
export class Fragments {
  readonly #engine: Outcomes
  readonly #arena: Arena
  /** By flag: where the numbers of its outcome 0 stand in `#places`. */
  readonly #firsts: Int32Array
  readonly #places: Int32Array
  /** By flag: what one step of its outcome adds to the number of a combination. */
  readonly #weights: Float64Array
  readonly #blocks: readonly Map<number, Piece>[]
  readonly #list: RunList
  readonly #parts: RunList
  #blockBytes = 0

  constructor(engine: Outcomes, previous?: Fragments) {
    this.#engine = engine
    const flags = engine.names.length
    this.#firsts = new Int32Array(flags)
    this.#weights = new Float64Array(flags)
    let end = 0
    let weight = 1
    for (let index = 0; index < flags; index++) {
      const outcomes = engine.outcomesOf(index).length
      if (index % BLOCK_FLAGS === 0) weight = 1
      this.#firsts[index] = end
      this.#weights[index] = weight
      weight *= outcomes
      end += outcomes * STRIDE
    }
    this.#places = new Int32Array(end)
    this.#blocks = Array.from({ length: Math.ceil(flags / BLOCK_FLAGS) }, () => new Map())
    this.#list = new RunList(flags, BLOCK_FLAGS)
    this.#parts = new RunList(BLOCK_FLAGS, 1)
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
    const flags = this.#firsts.length
    const list = this.#list
    list.clear()
    if (withOff || flags > MOST_FLAGS_IN_BLOCKS) this.#addEach(list, outcomes, 0, flags, withOff)
    else for (let block = 0; block < this.#blocks.length; block++) this.#addBlock(block, outcomes)
    return list.draft()
  }

  /** Bytes that are taken, also by outcomes that only engines before had. */
  get usedBytes(): number {
    return this.#arena.used
  }

  /** Writes the reply of a draft to the beginning of a Buffer. */
  assemble({ runs, count, length }: Omit<Draft, 'etag'>, target: Buffer): void {
    this.#arena.assemble(runs, count, length, target)
  }

  #addBlock(block: number, outcomes: Uint16Array): void {
    const weights = this.#weights
    const from = block * BLOCK_FLAGS
    const to = Math.min(from + BLOCK_FLAGS, weights.length)
    let combination = 0
    for (let index = from; index < to; index++) combination += (outcomes[index] as number) * (weights[index] as number)
    if (combination === 0) return
    const known = this.#blocks[block]?.get(combination) ?? this.#makeBlock(block, combination, outcomes)
    if (known === undefined) this.#addEach(this.#list, outcomes, from, to, false)
    else this.#list.add(known.start, known.end, known.a, known.b, known.toggles)
  }

  #addEach(list: RunList, outcomes: Uint16Array, from: number, to: number, withOff: boolean): number {
    const places = this.#places
    let added = 0
    for (let index = from; index < to; index++) {
      const outcome = outcomes[index] as number
      if (outcome === 0 && !withOff) continue
      const at = (this.#firsts[index] as number) + outcome * STRIDE
      if (places[at] === 0) this.#make(index, outcome, at)
      list.add(places[at] as number, places[at + 1] as number, places[at + 2] as number, places[at + 3] as number, 1)
      added += 1
    }
    return added
  }

  /** Puts the bytes of a combination side by side. Undefined when there are too many, or their number is not exact. */
  #makeBlock(block: number, combination: number, outcomes: Uint16Array): Piece | undefined {
    if (this.#blockBytes >= MOST_BLOCK_BYTES || combination > Number.MAX_SAFE_INTEGER) return undefined
    const from = block * BLOCK_FLAGS
    this.#parts.clear()
    const toggles = this.#addEach(
      this.#parts,
      outcomes,
      from,
      Math.min(from + BLOCK_FLAGS, this.#weights.length),
      false,
    )
    const [a, b] = this.#parts.words
    const { runs, count } = this.#parts.draft()
    const { start, end } = this.#arena.join(runs, count)
    const piece = { start, end, a, b, toggles }
    this.#blocks[block]?.set(combination, piece)
    this.#blockBytes += end - start
    return piece
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
