import { sumOfCounts } from '@burgee/protocol/usage/count-sum'

/** Counts of one flag: how often it was on, off, and which variants were given. */
export interface ToggleCounts {
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

/** How many names may be kept at once, of how many characters each and together. */
export interface NameBounds {
  readonly names: number
  readonly length: number
  /** Without bound by default. */
  readonly characters?: number
}

/** Names that counts are kept by, in bounds, so that invented names cannot fill the memory; drops are counted. */
export class NameRoom {
  readonly #most: NameBounds
  #names = 0
  #characters = 0
  #dropped = 0

  constructor(most: NameBounds) {
    this.#most = most
  }

  /** How many names had their counts dropped so far. */
  get dropped(): number {
    return this.#dropped
  }

  /** How many names are kept. */
  get names(): number {
    return this.#names
  }

  /** Whether a new name may be kept; one that may not is dropped. */
  take(name: string): boolean {
    const { names, length, characters = Number.POSITIVE_INFINITY } = this.#most
    if (this.#names >= names || name.length > length || this.#characters + name.length > characters) {
      this.#dropped += 1
      return false
    }
    this.#names += 1
    this.#characters += name.length
    return true
  }

  /** So many names, of so many characters together, are kept no longer. */
  free(names: number, characters: number): void {
    this.#names -= names
    this.#characters -= characters
  }

  /** So many names were given up by whoever kept them. */
  drop(names: number): void {
    this.#dropped += names
  }
}

interface Counts {
  yes: number
  no: number
  readonly variants: Map<string, number>
}

/**
 * Counts by flag, as far as there is room for the names of flags and variants. Adding costs the same whatever the count;
 * names are data, whatever they are (`__proto__` too).
 */
export class FlagCounts {
  readonly #room: NameRoom
  readonly #flags = new Map<string, Counts>()
  #names = 0
  #characters = 0

  constructor(room: NameRoom) {
    this.#room = room
  }

  /** How many flags were counted. */
  get size(): number {
    return this.#flags.size
  }

  /** Adds counts; all-zero counts leave no trace. */
  add(name: string, counts: ToggleCounts): void {
    const variants = Object.entries(counts.variants).filter(([, count]) => count > 0)
    if (counts.yes === 0 && counts.no === 0 && variants.length === 0) return
    const flag = this.#flag(name)
    if (flag === undefined) return
    flag.yes = sumOfCounts(flag.yes, counts.yes)
    flag.no = sumOfCounts(flag.no, counts.no)
    for (const [variant, count] of variants) this.#addVariant(flag, variant, count)
  }

  /** Hands over everything and begins anew. */
  take(): [name: string, counts: ToggleCounts][] {
    const taken = [...this.#flags].map(([name, { yes, no, variants }]): [string, ToggleCounts] => [
      name,
      { yes, no, variants: Object.fromEntries(variants) },
    ])
    this.#flags.clear()
    this.#room.free(this.#names, this.#characters)
    this.#names = 0
    this.#characters = 0
    return taken
  }

  #flag(name: string): Counts | undefined {
    const known = this.#flags.get(name)
    if (known !== undefined || !this.#keep(name)) return known
    const fresh: Counts = { yes: 0, no: 0, variants: new Map() }
    this.#flags.set(name, fresh)
    return fresh
  }

  #addVariant(flag: Counts, variant: string, count: number): void {
    const known = flag.variants.get(variant)
    if (known === undefined && !this.#keep(variant)) return
    flag.variants.set(variant, sumOfCounts(known ?? 0, count))
  }

  #keep(name: string): boolean {
    if (!this.#room.take(name)) return false
    this.#names += 1
    this.#characters += name.length
    return true
  }
}
