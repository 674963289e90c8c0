import { hash } from 'node:crypto'
import type { Engine } from '@burgee/engine'
import type { Loan } from '@burgee/kit/content'
import { Arena } from './arena.ts'
import { type Draft, PIECE_NUMBERS, RunList } from './run-list.ts'
import { toggleJson } from './toggle-json.ts'

const MOST_WASTE_BYTES = 1024 * 1024

/** What Fragments need to know of an engine. */
export type Outcomes = Pick<Engine, 'names' | 'indexOf' | 'outcomesOf'>

/**
 * The JSON of every outcome of an engine's flags, made when it is first needed, so that a reply is a concatenation.
 * Outcomes that the engine before had as well keep their bytes.
 */
export class Fragments {
  readonly #engine: Outcomes
  readonly #arena: Arena
  /** By flag: where the numbers of its outcome 0 stand in `#pieces`; those of the others follow. */
  readonly #firsts: Int32Array
  readonly #pieces: Int32Array
  /** Where the numbers stand of what is drafted. */
  readonly #places: Int32Array
  readonly #list: RunList

  constructor(engine: Outcomes, previous?: Fragments) {
    this.#engine = engine
    const flags = engine.names.length
    this.#firsts = new Int32Array(flags)
    let end = 0
    for (let index = 0; index < flags; index++) {
      this.#firsts[index] = end
      end += engine.outcomesOf(index).length * PIECE_NUMBERS
    }
    this.#pieces = new Int32Array(end)
    this.#places = new Int32Array(flags)
    this.#list = new RunList(flags)
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
    const count = this.#place(outcomes, withOff)
    const draft = this.#list.draft(this.#pieces, this.#places, count)
    if (draft !== undefined) return draft
    this.#makeMissing(outcomes, withOff)
    return this.draft(outcomes, withOff)
  }

  /** Bytes that are taken, also by outcomes that only engines before had. */
  get usedBytes(): number {
    return this.#arena.used
  }

  /** The reply of a draft, lent. */
  lend({ runs, count, length }: Omit<Draft, 'etag'>): Loan {
    return this.#arena.lend(runs, count, length)
  }

  /** The reply of a draft, in a Buffer of its own. */
  copy({ runs, count, length }: Omit<Draft, 'etag'>): Buffer {
    return this.#arena.copy(runs, count, length)
  }

  /** Notes where the pieces of a list stand; answers how many they are. */
  #place(outcomes: Uint16Array, withOff: boolean): number {
    const firsts = this.#firsts
    const places = this.#places
    const least = withOff ? 0 : 1
    let count = 0
    for (let index = 0; index < firsts.length; index++) {
      const outcome = outcomes[index] as number
      // written over by the next one if it does not count: no branch that would be guessed wrong
      places[count] = (firsts[index] as number) + outcome * PIECE_NUMBERS
      count += Number(outcome >= least)
    }
    return count
  }

  #makeMissing(outcomes: Uint16Array, withOff: boolean): void {
    for (const [index, first] of this.#firsts.entries()) {
      const outcome = outcomes[index] as number
      const place = first + outcome * PIECE_NUMBERS
      if ((outcome !== 0 || withOff) && this.#pieces[place] === 0) this.#make(index, outcome, place)
    }
  }

  #make(index: number, outcome: number, place: number): void {
    const evaluation = this.#engine.outcomesOf(index)[outcome]
    if (evaluation === undefined) throw new Error(`Feature number ${index} has no outcome ${outcome}`)
    const text = `,${toggleJson(evaluation)}`
    const { start, end } = this.#arena.add(text)
    const digest = hash('sha1', text, 'buffer')
    this.#pieces.set([start, end, digest.readInt32LE(0), digest.readInt32LE(4)], place)
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
      this.#pieces.set(previous.#pieces.subarray(from, from + outcomes.length * PIECE_NUMBERS), to)
      for (let at = to; at < to + outcomes.length * PIECE_NUMBERS; at += PIECE_NUMBERS) bytes += this.#lengthAt(at)
    }
    return bytes
  }

  #move(from: Arena): void {
    for (let at = 0; at < this.#pieces.length; at += PIECE_NUMBERS) {
      const length = this.#lengthAt(at)
      if (length === 0) continue
      const start = this.#arena.take(from, this.#pieces[at] as number, this.#pieces[at + 1] as number)
      this.#pieces[at] = start
      this.#pieces[at + 1] = start + length
    }
  }

  #lengthAt(at: number): number {
    return (this.#pieces[at + 1] as number) - (this.#pieces[at] as number)
  }
}
