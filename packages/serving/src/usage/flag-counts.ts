import { sumCounts } from '@burgee/protocol/usage/count-sum'
import type { NameOwner } from './name-budget.ts'

/** Counts for one flag, as reported: how often it was on and off, and how often each variant was served. */
export interface ToggleCounts {
  readonly yes?: number | undefined
  readonly no?: number | undefined
  readonly variants?: Readonly<Record<string, number>> | ReadonlyMap<string, number> | undefined
}

/** Running totals for one flag. */
export interface FlagSums {
  yes: number
  no: number
  /** Undefined until a variant is added, because an empty map takes more memory than all other totals together. */
  variants: Map<string, number> | undefined
}

/** Totals for one flag, as JSON. */
export interface FlagTotals {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** Reservations of room for buffered names, such as `ReservedNames`. */
export interface NameReservations {
  /** Reserves room for one name. Returns false if there is no room left. */
  reserve(name: string, owner: NameOwner | undefined): boolean
}

/**
 * Counts by flag. Drops counts if there is no room for the name of the flag or of the variant. The time to add counts
 * does not depend on how many evaluations they represent. Names of built-in properties, such as `__proto__`, are
 * allowed.
 */
export class FlagCounts {
  readonly #names: NameReservations
  readonly #flags = new Map<string, FlagSums>()

  /** @param names reservations of names, which the caller releases after `drain` */
  constructor(names: NameReservations) {
    this.#names = names
  }

  /** Number of flags with counts. */
  get size(): number {
    return this.#flags.size
  }

  /**
   * Adds counts; has no effect if all counts are zero.
   *
   * @param owner caller that reports the counts; undefined for existing flags, and for counts that are restored after a
   * failed delivery
   */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    if (isZero(counts)) return
    let sums = this.#flags.get(name)
    if (sums === undefined) {
      if (!this.#names.reserve(name, owner)) return
      sums = { yes: 0, no: 0, variants: undefined }
      this.#flags.set(name, sums)
    }
    addYesNo(sums, counts)
    // most counts have no variants: no function is created for them
    if (hasVariants(counts)) addVariants(sums, counts.variants, (variant) => this.#names.reserve(variant, owner))
  }

  /** Returns all counts and starts from zero. */
  drain(): [name: string, sums: FlagSums][] {
    const taken = [...this.#flags]
    this.#flags.clear()
    return taken
  }
}

/** Returns totals as JSON. */
export function toTotals({ yes, no, variants }: FlagSums): FlagTotals {
  return { yes, no, variants: Object.fromEntries(variants ?? []) }
}

/** Adds counts to totals. Skips variants that were never served. */
export function addCounts(sums: FlagSums, counts: ToggleCounts): void {
  addYesNo(sums, counts)
  addVariants(sums, counts.variants, () => true)
}

function addYesNo(sums: FlagSums, { yes = 0, no = 0 }: ToggleCounts): void {
  sums.yes = sumCounts(sums.yes, yes)
  sums.no = sumCounts(sums.no, no)
}

/** Adds counts of variants; skips a variant that has no total yet if `letIn` returns false for it. */
function addVariants(sums: FlagSums, variants: ToggleCounts['variants'], letIn: (variant: string) => boolean): void {
  for (const [variant, count] of listVariants(variants)) {
    const before = sums.variants?.get(variant)
    if (count === 0 || (before === undefined && !letIn(variant))) continue
    sums.variants ??= new Map()
    sums.variants.set(variant, sumCounts(before ?? 0, count))
  }
}

/**
 * Returns true if a flag was not evaluated at all. Reports contain such counts because some SDKs list every flag that
 * they have ever evaluated.
 */
function isZero(counts: ToggleCounts): boolean {
  const { yes = 0, no = 0, variants } = counts
  if (yes !== 0 || no !== 0) return false
  return !hasVariants(counts) || [...listVariants(variants)].every(([, count]) => count === 0)
}

/** Returns true if counts name at least one variant. Creates no objects, because it is called for each flag. */
function hasVariants({ variants }: ToggleCounts): boolean {
  if (variants === undefined) return false
  if (variants instanceof Map) return variants.size > 0
  for (const _ in variants) return true
  return false
}

function listVariants(variants: ToggleCounts['variants']): Iterable<[string, number]> {
  if (variants === undefined) return []
  return variants instanceof Map ? variants : Object.entries(variants)
}
