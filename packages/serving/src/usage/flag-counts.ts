import { sumCounts } from '@burgee/protocol/usage/count-sum'
import { type NameBudget, type NameOwner, ReservedNames } from './name-budget.ts'

/** Counts of one flag: how often it was on and off, and how often each variant was served. */
export interface ToggleCounts {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

interface Counts {
  yes: number
  no: number
  readonly variants: Map<string, number>
}

interface VariantCount {
  readonly variant: string
  readonly count: number
  readonly owner: NameOwner | undefined
}

/**
 * Counts by flag. Counts are dropped if there is no room for flag or variant names. The cost of adding does not depend
 * on the number of evaluations. Any name is allowed, `__proto__` included.
 */
export class FlagCounts {
  readonly #names: ReservedNames
  readonly #flags = new Map<string, Counts>()

  constructor(room: NameBudget) {
    this.#names = new ReservedNames(room)
  }

  /** Number of counted flags. */
  get size(): number {
    return this.#flags.size
  }

  /**
   * Adds counts; all-zero counts have no effect.
   *
   * @param owner caller that reports them; undefined for existing flags and for counts restored after a failed delivery
   */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    const variants = Object.entries(counts.variants).filter(([, count]) => count > 0)
    if (counts.yes === 0 && counts.no === 0 && variants.length === 0) return
    const flag = this.#flag(name, owner)
    if (flag === undefined) return
    flag.yes = sumCounts(flag.yes, counts.yes)
    flag.no = sumCounts(flag.no, counts.no)
    for (const [variant, count] of variants) this.#addVariant(flag, { variant, count, owner })
  }

  /** Returns all counts and resets. */
  drain(): [name: string, counts: ToggleCounts][] {
    const taken = [...this.#flags].map(([name, { yes, no, variants }]): [string, ToggleCounts] => [
      name,
      { yes, no, variants: Object.fromEntries(variants) },
    ])
    this.#flags.clear()
    this.#names.release()
    return taken
  }

  #flag(name: string, owner: NameOwner | undefined): Counts | undefined {
    const known = this.#flags.get(name)
    if (known !== undefined || !this.#names.reserve(name, owner)) return known
    const fresh: Counts = { yes: 0, no: 0, variants: new Map() }
    this.#flags.set(name, fresh)
    return fresh
  }

  #addVariant(flag: Counts, { variant, count, owner }: VariantCount): void {
    const known = flag.variants.get(variant)
    if (known === undefined && !this.#names.reserve(variant, owner)) return
    flag.variants.set(variant, sumCounts(known ?? 0, count))
  }
}
