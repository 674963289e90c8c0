import { hash } from 'node:crypto'
import type { Engine } from '@burgee/engine'
import type { Loan } from '@burgee/kit/http/content'
import { runSync } from '@burgee/kit/slices'
import { Arena } from './arena.ts'
import { type JsonEnvelope, TOGGLES_ENVELOPE } from './json-envelope.ts'
import { OutlineWriter, PIECE_NUMBERS, type ReplyOutline } from './reply-outline.ts'
import { formatToggle } from './toggle-json.ts'

const MAX_WASTE_BYTES = 1024 * 1024
/** Amount of work between two pauses, which takes well below a millisecond. */
const STEP = { flags: 250, pieces: 50, bytes: 64 * 1024 }

/** Possible outcomes of flags, either computed by an engine or derived from an engine's outcomes. */
export interface Outcomes extends Pick<Engine, 'names' | 'indexOf'> {
  /**
   * Returns the possible outcomes of a flag. Returns the same object every time until the JSON of the outcomes changes.
   */
  getOutcomes(index: number): { readonly length: number }
  /** Returns the JSON of an outcome. */
  toJson(index: number, outcome: number): string
}

/** Returns the outcomes of an engine's flags, as toggles. */
export function toToggleOutcomes(engine: Pick<Engine, 'names' | 'indexOf' | 'getOutcomes'>): Outcomes {
  return {
    names: engine.names,
    indexOf: (name) => engine.indexOf(name),
    getOutcomes: (index) => engine.getOutcomes(index),
    toJson(index, outcome) {
      const evaluation = engine.getOutcomes(index)[outcome]
      if (evaluation === undefined) throw new Error(`Feature number ${index} has no outcome ${outcome}`)
      return formatToggle(evaluation)
    },
  }
}

/**
 * JSON of every possible outcome of an engine's flags, prepared in advance or created on first use. A response is
 * assembled by concatenating these pieces of JSON.
 */
export class Fragments {
  readonly #engine: Outcomes
  #arena: Arena
  /** Index into `#pieces` of the first outcome of each flag. The entries for the other outcomes of the flag follow. */
  readonly #firsts: Int32Array
  readonly #pieces: Int32Array
  /** Indexes into `#pieces` that make up the list being outlined. */
  readonly #indexes: Int32Array
  readonly #list: OutlineWriter

  /**
   * Total number of bytes in the pieces of this engine. The arena can also contain pieces that belong to other engines.
   */
  #bytes = 0

  /** @param arena memory that holds the pieces, and that other fragments can share */
  constructor(engine: Outcomes, arena = new Arena(), layout = runSync(buildLayout(engine))) {
    this.#engine = engine
    this.#arena = arena
    this.#firsts = layout.firsts
    this.#pieces = new Int32Array(layout.end)
    this.#indexes = new Int32Array(engine.names.length)
    this.#list = new OutlineWriter(engine.names.length)
  }

  /**
   * Builds the fragments of an engine in steps; unchanged outcomes keep the bytes of their JSON. The previous fragments
   * can be used during the build, and also if the new fragments are discarded.
   */
  static *build(engine: Outcomes, previous?: Fragments): Generator<void, Fragments> {
    const layout = yield* buildLayout(engine)
    if (previous === undefined) return new Fragments(engine, new Arena(), layout)
    const fragments = new Fragments(engine, previous.#arena, layout)
    yield
    yield* fragments.#adopt(previous)
    if (previous.#arena.used > 2 * fragments.#bytes + MAX_WASTE_BYTES) yield* fragments.#move(previous)
    return fragments
  }

  /**
   * Creates the missing JSON of outcomes in which a flag is on, in steps, until the pieces reach a total of
   * `mostBytes`. The JSON of any other outcome is created on first use. JSON of outcomes in which a flag is off is
   * never prepared in advance, because few callers request it.
   */
  *prepare(maxBytes: number): Generator<void> {
    let [pieces, madeBytes] = [0, this.#bytes]
    for (const [index, outcome] of listLikelyFirst(this.#engine)) {
      if (this.#bytes >= maxBytes) return
      const place = (this.#firsts[index] as number) + outcome * PIECE_NUMBERS
      if (this.#pieces[place] === 0) this.#make(index, outcome, place)
      pieces += 1
      if (pieces < STEP.pieces && this.#bytes - madeBytes < STEP.bytes) continue
      yield
      pieces = 0
      madeBytes = this.#bytes
    }
  }

  /**
   * Outlines the list for the given outcomes, which `Engine.decideAll` returns. The list contains the flags that are
   * on, or all flags. Equal lists of toggles have the same ETag, whichever engine creates them.
   */
  outline(outcomes: Uint16Array, withOff: boolean): ReplyOutline {
    const count = this.#collectIndexes(outcomes, withOff)
    const outline = this.#list.outline(this.#pieces, this.#indexes, count, TOGGLES_ENVELOPE)
    if (outline !== undefined) return outline
    this.#makeMissing(outcomes, withOff)
    return this.outline(outcomes, withOff)
  }

  /**
   * Outlines a list with one outcome per flag, in the given order. `order` lists the indexes of flags; `outcomes` is
   * indexed by flag.
   */
  outlineInOrder(order: Int32Array, outcomes: ArrayLike<number>, frame: JsonEnvelope): ReplyOutline {
    for (let place = 0; place < order.length; place++) {
      const index = order[place] as number
      this.#indexes[place] = (this.#firsts[index] as number) + (outcomes[index] as number) * PIECE_NUMBERS
    }
    const outline = this.#list.outline(this.#pieces, this.#indexes, order.length, frame)
    if (outline !== undefined) return outline
    this.#makeMissing(outcomes, true)
    return this.outlineInOrder(order, outcomes, frame)
  }

  /** Number of bytes in use in the arena, including pieces that only earlier engines use. */
  get usedBytes(): number {
    return this.#arena.used
  }

  /** Assembles the response for an outline in a slot, which the receiver returns after sending. */
  lend({ spans, count, length, envelope }: Omit<ReplyOutline, 'etag'>): Loan {
    return this.#arena.lend(spans, count, length, envelope)
  }

  /** Assembles the response for an outline in a new Buffer. */
  copy({ spans, count, length, envelope }: Omit<ReplyOutline, 'etag'>): Buffer {
    return this.#arena.copy(spans, count, length, envelope)
  }

  /** Writes the indexes of the pieces in a list to `#indexes`, and returns how many there are. */
  #collectIndexes(outcomes: Uint16Array, withOff: boolean): number {
    const firsts = this.#firsts
    const places = this.#indexes
    const least = withOff ? 0 : 1
    let count = 0
    for (let index = 0; index < firsts.length; index++) {
      const outcome = outcomes[index] as number
      // if an entry does not belong to the list, the next entry overwrites it, which avoids an unpredictable branch
      places[count] = (firsts[index] as number) + outcome * PIECE_NUMBERS
      count += Number(outcome >= least)
    }
    return count
  }

  #makeMissing(outcomes: ArrayLike<number>, withOff: boolean): void {
    for (const [index, first] of this.#firsts.entries()) {
      const outcome = outcomes[index] as number
      const place = first + outcome * PIECE_NUMBERS
      if ((outcome !== 0 || withOff) && this.#pieces[place] === 0) this.#make(index, outcome, place)
    }
  }

  #make(index: number, outcome: number, place: number): void {
    const text = `,${this.#engine.toJson(index, outcome)}`
    const { start, end } = this.#arena.add(text)
    const digest = hash('sha1', text, 'buffer')
    this.#pieces.set([start, end, digest.readInt32LE(0), digest.readInt32LE(4)], place)
    this.#bytes += end - start
  }

  /** Takes over the bytes of unchanged flags. */
  *#adopt(previous: Fragments): Generator<void> {
    for (const [index, name] of this.#engine.names.entries()) {
      if (index % STEP.flags === STEP.flags - 1) yield
      const outcomes = this.#engine.getOutcomes(index)
      const before = previous.#engine.names[index] === name ? index : previous.#engine.indexOf(name)
      if (before < 0 || previous.#engine.getOutcomes(before) !== outcomes) continue
      const from = previous.#firsts[before] as number
      const to = this.#firsts[index] as number
      const end = to + outcomes.length * PIECE_NUMBERS
      this.#pieces.set(previous.#pieces.subarray(from, from + end - to), to)
      for (let at = to; at < end; at += PIECE_NUMBERS) this.#bytes += this.#lengthAt(at)
    }
  }

  /**
   * Moves the pieces of this engine into a new arena; pieces that only other engines use are dropped. The new arena has
   * as much room as all previous pieces needed, or proportionally less if this engine has fewer pieces.
   */
  *#move(previous: Fragments): Generator<void> {
    const from = this.#arena
    const share = Math.min(1, this.#pieces.length / previous.#pieces.length)
    this.#arena = new Arena(Math.ceil(share * previous.#bytes))
    for (let at = 0; at < this.#pieces.length; at += PIECE_NUMBERS) {
      if (at % (STEP.flags * PIECE_NUMBERS) === 0) yield
      const length = this.#lengthAt(at)
      if (length === 0) continue
      const start = this.#arena.copyFrom(from, this.#pieces[at] as number, this.#pieces[at + 1] as number)
      this.#pieces[at] = start
      this.#pieces[at + 1] = start + length
    }
  }

  #lengthAt(at: number): number {
    return (this.#pieces[at + 1] as number) - (this.#pieces[at] as number)
  }
}

interface Layout {
  /** Same property as in {@link Fragments}. */
  readonly firsts: Int32Array
  /** Index that follows the entry of the last outcome. */
  readonly end: number
}

function* buildLayout(engine: Outcomes): Generator<void, Layout> {
  const flags = engine.names.length
  const firsts = new Int32Array(flags)
  let end = 0
  for (let index = 0; index < flags; index++) {
    if (index % STEP.flags === STEP.flags - 1) yield
    firsts[index] = end
    end += engine.getOutcomes(index).length * PIECE_NUMBERS
  }
  return { firsts, end }
}

/**
 * Yields the outcomes in which a flag is on. The likeliest outcome of every flag comes first, so that pieces of
 * adjacent flags are adjacent in memory. All other outcomes in which a flag is on follow.
 */
function* listLikelyFirst(engine: Outcomes): Generator<readonly [flag: number, outcome: number]> {
  const flags = engine.names.length
  for (let index = 0; index < flags; index++) {
    const { length } = engine.getOutcomes(index)
    // if a flag has variants, an outcome that is on almost always includes a variant
    if (length > 1) yield [index, Math.min(2, length - 1)]
  }
  for (let index = 0; index < flags; index++) {
    const { length } = engine.getOutcomes(index)
    if (length > 2) for (let outcome = 1; outcome < length; outcome++) if (outcome !== 2) yield [index, outcome]
  }
}
