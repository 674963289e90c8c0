import { ON } from '../rules/feature.ts'
import { CHOICE, END, EVERY_REQUEST, HASH_SIZE, NO_OUTCOME, STRATEGY } from './encode-flag.ts'
import { Integers } from './integers.ts'
import { IS_LISTED } from './registry.ts'

/** Integers per flag in {@link Rows.rollouts}: the flag; state, tail and length of its hash prefix; the percentage. */
export const ROLLOUT_SIZE = 5
/** Integers per row of {@link Rows.listed} and {@link Rows.tested}: the flag and the condition. */
export const CONDITION_SIZE = 2
/**
 * Integers per flag in {@link Rows.variants}, before its slices: flag; state, tail and length of its hash prefix;
 * total; count.
 */
export const VARIANTS_SIZE = 6

/**
 * Flags that have a common shape, grouped by the work that decides them. A flag of a common shape has at most one
 * percentage or one condition, and optionally variants. The flags of a group are adjacent, so that one short loop can
 * decide them.
 */
export interface Rows {
  /** Flags that a percentage turns on. For each prepared id: its number, the number of flags, and the flags. */
  readonly rollouts: Int32Array
  /** Flags that are on if a condition is true that is looked up in a dictionary. */
  readonly listed: Int32Array
  /** Flags that are on if a condition is true that is not looked up in a dictionary. */
  readonly tested: Int32Array
  /** Variants for flags that are on. */
  readonly variants: Int32Array
}

/** Collects {@link Rows}. */
export class RowsWriter {
  /** Indexed by the number of the prepared id. */
  readonly #rollouts: Integers[] = []
  readonly #listed = new Integers()
  readonly #tested = new Integers()
  /** Indexed by the number of the prepared id. */
  readonly #variants: Integers[] = []

  /**
   * Adds a flag if it has a common shape. Returns true if the flag is on for every request, undefined if the flag has
   * no common shape.
   */
  add(flag: number, code: readonly number[]): boolean | undefined {
    const count = code[1 + STRATEGY.count] as number
    const at = 1 + STRATEGY.refs + count
    const isRollout = code[at] !== EVERY_REQUEST
    const choice = at + 1 + (isRollout ? HASH_SIZE : 0)
    const own = code[0] as number
    if (choice + 2 !== own || code[choice] !== CHOICE.none || code[choice + 1] !== END) return undefined
    if (count > 1 || (count === 1 && isRollout) || !this.#addVariants(flag, code, own)) return undefined
    if (isRollout) this.#addRollout(flag, code, at)
    else if (count === 1) this.#addCondition(flag, code[1 + STRATEGY.refs] as number)
    return count === 0 && !isRollout
  }

  /** Returns the rows added so far. */
  rows(): Rows {
    const rollouts = new Integers()
    this.#rollouts.forEach((row, id) => {
      rollouts.add(id)
      rollouts.add(row.length / ROLLOUT_SIZE)
      rollouts.addAll(row.toArray())
    })
    const variants = new Integers()
    this.#variants.forEach((row, id) => {
      variants.add(id)
      variants.add(variants.length + 1 + row.length)
      variants.addAll(row.toArray())
    })
    return {
      rollouts: rollouts.toArray(),
      variants: variants.toArray(),
      listed: this.#listed.toArray(),
      tested: this.#tested.toArray(),
    }
  }

  #addRollout(flag: number, code: readonly number[], at: number): void {
    const row = getRow(this.#rollouts, code[at + 1] as number)
    row.add(flag)
    row.addAll(code, at + 2, at + 1 + HASH_SIZE)
    row.add(code[at] as number)
  }

  #addCondition(flag: number, ref: number): void {
    const rows = (ref & IS_LISTED) === 0 ? this.#tested : this.#listed
    rows.add(flag)
    rows.add(ref)
  }

  /** Returns false if the variants do not fit into a row. */
  #addVariants(flag: number, code: readonly number[], own: number): boolean {
    if (code[own] === CHOICE.none) return true
    if (code[own] !== CHOICE.sliced) return false
    const row = getRow(this.#variants, code[own + 1] as number)
    const slices = own + 3 + HASH_SIZE
    row.add(flag)
    row.addAll(code, own + 2, slices)
    for (let i = slices; i < code.length; i += 2) {
      row.add(code[i] as number)
      row.add(code[i + 1] === NO_OUTCOME ? ON : (code[i + 1] as number))
    }
    return true
  }
}

function getRow(byId: Integers[], id: number): Integers {
  byId[id] ??= new Integers()
  return byId[id]
}
