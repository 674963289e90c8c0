import { BoundedCache } from '@burgee/kit/bounded-cache'
import { compareNatural, compareText } from '@burgee/kit/compare-text'
import type { Segment } from '@burgee/protocol/feature'
import type { CatalogFlag } from './catalog-flag.ts'
import { type FlagOrder, SortedFlags } from './sorted-flags.ts'

/** Orders and finds that are kept: each is a pointer for every flag, or for some. */
const [MOST_ORDERS, MOST_FINDS] = [24, 48]

/** By name, numbers by their value: the order that all others fall back to. */
export const BY_NAME: FlagOrder = (a, b) => compareNatural(a.name, b.name)

const NO_NAMES: readonly string[] = []

/** All flags of the server by name, archived ones too, in whatever orders somebody asks for. */
export class FlagTable {
  readonly #flags: Map<string, CatalogFlag>
  #segments: ReadonlyMap<number, Segment>
  /** Of flags that were asked for. */
  #segmentsJson = new WeakMap<CatalogFlag, string>()
  /** By parent. */
  readonly #children = new Map<string, Set<string>>()
  readonly #orders = new BoundedCache<{ readonly isArchived: boolean; readonly sorted: SortedFlags }>({
    entries: MOST_ORDERS,
  })
  readonly #finds = new BoundedCache<readonly CatalogFlag[]>({ entries: MOST_FINDS })

  constructor(flags: Iterable<CatalogFlag>, segments: readonly Segment[]) {
    this.#flags = new Map()
    this.#segments = byId(segments)
    for (const flag of flags) {
      this.#flags.set(flag.name, flag)
      this.#adopt(flag)
    }
  }

  get size(): number {
    return this.#flags.size
  }

  find(name: string): CatalogFlag | undefined {
    return this.#flags.get(name)
  }

  values(): Iterable<CatalogFlag> {
    return this.#flags.values()
  }

  /** All of the instance. */
  get segments(): readonly Segment[] {
    return [...this.#segments.values()]
  }

  /** Puts flags in place as they are now; undefined for those that are gone. */
  apply(changed: ReadonlyMap<string, CatalogFlag | undefined>, segments: readonly Segment[] | undefined): void {
    if (segments !== undefined) {
      this.#segments = byId(segments)
      this.#segmentsJson = new WeakMap()
    }
    this.#finds.clear()
    for (const [name, after] of changed) {
      const before = this.#flags.get(name)
      if (before !== undefined) this.#disown(before)
      if (after === undefined) this.#flags.delete(name)
      else {
        this.#flags.set(name, after)
        this.#adopt(after)
      }
      for (const { isArchived, sorted } of this.#orders.values()) {
        const own = (flag: CatalogFlag | undefined) => (flag?.isArchived === isArchived ? flag : undefined)
        sorted.replace(own(before), own(after))
      }
    }
  }

  /** Names of the flags that depend on this one, by name. */
  childrenOf(name: string): string[] {
    return [...(this.#children.get(name) ?? [])].sort(compareText)
  }

  isParent(name: string): boolean {
    return this.#children.has(name)
  }

  /** Names of the segments that a flag uses, each once, by name. */
  segmentsOf({ segments }: CatalogFlag): readonly string[] {
    if (segments.length === 0) return NO_NAMES
    const names = segments.flatMap((id) => this.#segments.get(id)?.name ?? [])
    return names.length < 2 ? names : [...new Set(names)].sort(compareText)
  }

  /** The same as a list in JSON: pages of a search need it again and again. */
  segmentsJsonOf(flag: CatalogFlag): string {
    if (flag.segments.length === 0) return '[]'
    const known = this.#segmentsJson.get(flag)
    if (known !== undefined) return known
    const json = JSON.stringify(this.segmentsOf(flag))
    this.#segmentsJson.set(flag, json)
    return json
  }

  /**
   * The archived flags, or the others, in an order, which is kept under `key`. Not to be kept by the caller: changes are
   * made in the same list.
   */
  sorted(isArchived: boolean, key: string, order: FlagOrder): readonly CatalogFlag[] {
    const known = this.#orders.get(`${isArchived} ${key}`)
    if (known !== undefined) return known.sorted.flags
    const own = [...this.#flags.values()].filter((flag) => flag.isArchived === isArchived)
    const sorted = new SortedFlags(own, order)
    this.#orders.set(`${isArchived} ${key}`, { isArchived, sorted })
    return sorted.flags
  }

  /**
   * Some of the flags as they are now, which are kept under `key` until one of them changes: whoever turns the pages of a
   * search does not look through all flags for each. For what does not move with the usage. Not to be kept by the caller.
   */
  some(key: string, find: () => readonly CatalogFlag[]): readonly CatalogFlag[] {
    const known = this.#finds.get(key)
    if (known !== undefined) return known
    const flags = find()
    this.#finds.set(key, flags)
    return flags
  }

  #adopt({ name, parents }: CatalogFlag): void {
    for (const { parent } of parents) {
      const children = this.#children.get(parent) ?? new Set()
      this.#children.set(parent, children.add(name))
    }
  }

  #disown({ name, parents }: CatalogFlag): void {
    for (const { parent } of parents) {
      const children = this.#children.get(parent)
      children?.delete(name)
      if (children?.size === 0) this.#children.delete(parent)
    }
  }
}

function byId(segments: readonly Segment[]): ReadonlyMap<number, Segment> {
  return new Map(segments.map((segment) => [segment.id, segment]))
}
