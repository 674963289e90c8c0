import type { CatalogFlag } from './catalog-flag.ts'

/** Which of two flags comes first; never 0 for two flags of other names. */
export type FlagOrder = (a: CatalogFlag, b: CatalogFlag) => number

/** Flags in one order, kept in it while one or another changes. */
export class SortedFlags {
  readonly #order: FlagOrder
  readonly #flags: CatalogFlag[]

  constructor(flags: Iterable<CatalogFlag>, order: FlagOrder) {
    this.#order = order
    this.#flags = [...flags].sort(order)
  }

  /** Not to be kept: changes are made in the same list. */
  get flags(): readonly CatalogFlag[] {
    return this.#flags
  }

  /** Puts a flag into the place of the one it was before; either may be undefined. */
  replace(before: CatalogFlag | undefined, after: CatalogFlag | undefined): void {
    if (before !== undefined) this.#flags.splice(this.#placeOf(before), 1)
    if (after !== undefined) this.#flags.splice(this.#placeOf(after), 0, after)
  }

  /** The first place whose flag does not come before this one. */
  #placeOf(flag: CatalogFlag): number {
    let [low, high] = [0, this.#flags.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#flags[middle]
      if (other !== undefined && this.#order(other, flag) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
