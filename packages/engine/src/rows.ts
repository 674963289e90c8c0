import { ON } from './feature.ts'
import { CHOICE, END, EVERYBODY, HASH_SIZE, WAY } from './plan.ts'
import { IS_LISTED } from './registry.ts'

/** Integers of one flag in {@link Rows.rollouts}: flag, state, tail and length of its prefix, percentage. */
export const ROLLOUT_SIZE = 5
/** Integers of one row of {@link Rows.listed} and {@link Rows.tested}: flag, condition. */
export const CONDITION_SIZE = 2
/** Integers of one flag in {@link Rows.variants} before its slices: flag, state, tail, length, total, count. */
export const VARIANTS_SIZE = 6

/**
 * Flags of the common shapes, by what there is to do: one percentage or one condition or neither, then perhaps the
 * flag's own variants. Everything of a kind stands together, so that each kind is one short loop.
 */
export interface Rows {
  /** Flags on for a percentage, by lane: lane, count, and as many flags. */
  readonly rollouts: Int32Array
  /** Flags on for those whom a listed condition holds for. */
  readonly listed: Int32Array
  /** Flags on for those whom any other condition holds for. */
  readonly tested: Int32Array
  /** What flags that are on by then give, by lane: lane, where it ends, flags with pairs of a limit and an outcome. */
  readonly variants: Int32Array
}

/** Collects {@link Rows}. */
export class RowsWriter {
  /** By lane. */
  readonly #rollouts: number[][] = []
  readonly #listed: number[] = []
  readonly #tested: number[] = []
  /** By lane. */
  readonly #variants: number[][] = []

  /** Takes a flag of a common shape, and tells whether it is one that is on for everybody; undefined for other shapes. */
  add(flag: number, code: readonly number[]): boolean | undefined {
    const count = code[1 + WAY.count] as number
    const at = 1 + WAY.refs + count
    const isRollout = code[at] !== EVERYBODY
    const choice = at + 1 + (isRollout ? HASH_SIZE : 0)
    const own = code[0] as number
    if (choice + 2 !== own || code[choice] !== CHOICE.none || code[choice + 1] !== END) return undefined
    if (count > 1 || (count === 1 && isRollout) || !this.#addVariants(flag, code, own)) return undefined
    if (isRollout) add(this.#rollouts, code[at + 1] as number, flag, ...code.slice(at + 2, choice), code[at] as number)
    else if (count === 1) this.#addCondition(flag, code[1 + WAY.refs] as number)
    return count === 0 && !isRollout
  }

  /** The rows so far. */
  rows(): Rows {
    const rollouts = this.#rollouts.flatMap((row, lane) => [lane, row.length / ROLLOUT_SIZE, ...row])
    const variants: number[] = []
    this.#variants.forEach((row, lane) => {
      variants.push(lane, variants.length + 2 + row.length)
      for (const integer of row) variants.push(integer)
    })
    return {
      rollouts: Int32Array.from(rollouts),
      listed: Int32Array.from(this.#listed),
      tested: Int32Array.from(this.#tested),
      variants: Int32Array.from(variants),
    }
  }

  #addCondition(flag: number, ref: number): void {
    const rows = (ref & IS_LISTED) === 0 ? this.#tested : this.#listed
    rows.push(flag, ref)
  }

  /** False for variants that no row can tell. */
  #addVariants(flag: number, code: readonly number[], own: number): boolean {
    if (code[own] === CHOICE.none) return true
    if (code[own] !== CHOICE.sliced) return false
    const slices = code.slice(own + 3 + HASH_SIZE).map((value, i) => (i % 2 === 1 && value < 0 ? ON : value))
    add(this.#variants, code[own + 1] as number, flag, ...code.slice(own + 2, own + 3 + HASH_SIZE), ...slices)
    return true
  }
}

function add(byLane: number[][], lane: number, ...integers: number[]): void {
  byLane[lane] ??= []
  const row = byLane[lane]
  for (const integer of integers) row.push(integer)
}
