import { sumOfCounts } from '@burgee/protocol/usage/count-sum'
import { KeptNames, type NameOwner, type NameRoom } from './name-room.ts'

/** Counts of one flag: how often it was on, off, and which variants were given. */
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
 * Counts by flag, as far as there is room for the names of flags and variants. Adding costs the same whatever the count;
 * names are data, whatever they are (`__proto__` too).
 */
export class FlagCounts {
  readonly #names: KeptNames
  readonly #flags = new Map<string, Counts>()

  constructor(room: NameRoom) {
    this.#names = new KeptNames(room)
  }

  /** How many flags were counted. */
  get size(): number {
    return this.#flags.size
  }

  /**
   * Adds counts; all-zero counts leave no trace.
   *
   * @param owner whoever reports them; undefined for flags that exist, and for counts that return
   */
  add(name: string, counts: ToggleCounts, owner?: NameOwner): void {
    const variants = Object.entries(counts.variants).filter(([, count]) => count > 0)
    if (counts.yes === 0 && counts.no === 0 && variants.length === 0) return
    const flag = this.#flag(name, owner)
    if (flag === undefined) return
    flag.yes = sumOfCounts(flag.yes, counts.yes)
    flag.no = sumOfCounts(flag.no, counts.no)
    for (const [variant, count] of variants) this.#addVariant(flag, { variant, count, owner })
  }

  /** Hands over everything and begins anew. */
  take(): [name: string, counts: ToggleCounts][] {
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
    if (known !== undefined || !this.#names.keep(name, owner)) return known
    const fresh: Counts = { yes: 0, no: 0, variants: new Map() }
    this.#flags.set(name, fresh)
    return fresh
  }

  #addVariant(flag: Counts, { variant, count, owner }: VariantCount): void {
    const known = flag.variants.get(variant)
    if (known === undefined && !this.#names.keep(variant, owner)) return
    flag.variants.set(variant, sumOfCounts(known ?? 0, count))
  }
}
