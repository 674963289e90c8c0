import type { CatalogFlag } from './catalog-flag.ts'

/** Compares two flags; never 0 for flags with different names. */
export type FlagOrder = (a: CatalogFlag, b: CatalogFlag) => number

/** Sorted array of flags that stays sorted across changes. */
export class SortedFlags {
  readonly #order: FlagOrder
  readonly #flags: CatalogFlag[]

  constructor(flags: Iterable<CatalogFlag>, order: FlagOrder) {
    this.#order = order
    this.#flags = [...flags].sort(order)
  }

  /** Sorted flags. Callers must not keep the array, because later changes modify the array in place. */
  get flags(): readonly CatalogFlag[] {
    return this.#flags
  }

  /** Removes `before`, and inserts `after` at the position where it sorts. Either value can be undefined. */
  replace(before: CatalogFlag | undefined, after: CatalogFlag | undefined): void {
    if (before !== undefined) this.#flags.splice(this.#findIndex(before), 1)
    if (after !== undefined) this.#flags.splice(this.#findIndex(after), 0, after)
  }

  /** Returns the index of the first flag that does not sort before the given flag. */
  #findIndex(flag: CatalogFlag): number {
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
