import { sumCounts } from '@burgee/protocol/usage/count-sum'
import type { NameOwner } from './name-budget.ts'

/** Counts of one flag, as reported: how often it was on and off, and how often each variant was served. */
export interface ToggleCounts {
  readonly yes?: number | undefined
  readonly no?: number | undefined
  readonly variants?: Readonly<Record<string, number>> | ReadonlyMap<string, number> | undefined
}

/** Running sums of one flag. */
export interface FlagSums {
  yes: number
  no: number
  /** Undefined until a variant is added, because an empty map takes more memory than all other sums together. */
  variants: Map<string, number> | undefined
}

/** Sums of one flag as JSON. */
export interface FlagTotals {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Reservations of names that may be buffered, such as `ReservedNames`. */
export interface NameReservations {
  /** Reserves room for a name. Returns false if there is no room. */
  reserve(name: string, owner: NameOwner | undefined): boolean
}

/**
 * Counts by flag. Drops counts if there is no room for the name of the flag or variant. The cost of adding counts does
 * not depend on the number of evaluations. Names of built-in properties such as `__proto__` are allowed.
 */
export class FlagCounts {
  readonly #names: NameReservations
  readonly #flags = new Map<string, FlagSums>()

  /** @param names reservations, which callers release after `drain` */
  constructor(names: NameReservations) {
    this.#names = names
  }

  /** Number of counted flags. */
  get size(): number {
    return this.#flags.size
  }

  /**
   * Adds counts; all-zero counts have no effect.
   *
   * @param owner caller that reports the counts; undefined for existing flags and for counts restored after a failed
   * delivery
   */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    if (isZero(counts)) return
    let sums = this.#flags.get(name)
    if (sums === undefined) {
      if (!this.#names.reserve(name, owner)) return
      sums = { yes: 0, no: 0, variants: undefined }
      this.#flags.set(name, sums)
    }
    addCounts(sums, counts, (variant) => this.#names.reserve(variant, owner))
  }

  /** Returns all counts and resets. */
  drain(): [name: string, sums: FlagSums][] {
    const taken = [...this.#flags]
    this.#flags.clear()
    return taken
  }
}

/** Returns sums as JSON. */
export function toTotals({ yes, no, variants }: FlagSums): FlagTotals {
  return { yes, no, variants: Object.fromEntries(variants ?? []) }
}

/**
 * Adds counts to sums. Skips variants that were never served. Also skips a variant without an entry in the sums if
 * `letIn` returns false for this variant.
 */
export function addCounts(
  sums: FlagSums,
  { yes = 0, no = 0, variants }: ToggleCounts,
  letIn: (variant: string) => boolean = () => true,
): void {
  sums.yes = sumCounts(sums.yes, yes)
  sums.no = sumCounts(sums.no, no)
  for (const [variant, count] of listVariants(variants)) {
    const before = sums.variants?.get(variant)
    if (count === 0 || (before === undefined && !letIn(variant))) continue
    sums.variants ??= new Map()
    sums.variants.set(variant, sumCounts(before ?? 0, count))
  }
}

/**
 * Returns true if a flag was not evaluated. Such counts occur because some SDKs report every flag that they have ever
 * evaluated.
 */
function isZero({ yes = 0, no = 0, variants }: ToggleCounts): boolean {
  return yes === 0 && no === 0 && [...listVariants(variants)].every(([, count]) => count === 0)
}

function listVariants(variants: ToggleCounts['variants']): Iterable<[string, number]> {
  if (variants === undefined) return []
  return variants instanceof Map ? variants : Object.entries(variants)
}
