import { BoundedCache } from '@burgee/kit/bounded-cache'
import { compareNatural, compareText } from '@burgee/kit/compare-text'
import type { Segment } from '@burgee/protocol/feature'
import type { CatalogFlag } from './catalog-flag.ts'
import { type FlagOrder, SortedFlags } from './sorted-flags.ts'

/**
 * Maximum numbers of cached sorted lists and of cached selections. Each cached list or selection is an array of
 * references to flags.
 */
const [MOST_ORDERS, MOST_FINDS] = [24, 48]

/**
 * Sorts by name; numbers within names are compared by value. All other sort orders fall back to this one for flags that
 * are otherwise equal.
 */
export const BY_NAME: FlagOrder = (a, b) => compareNatural(a.name, b.name)

const NO_NAMES: readonly string[] = []

/** All flags of the server, including archived flags. Finds a flag by its name, and returns the flags in any order. */
export class FlagTable {
  readonly #flags: Map<string, CatalogFlag>
  #segments: ReadonlyMap<number, Segment>
  /** `more` is inserted after the environments; it must start with a comma. */
  #segmentsJson = new WeakMap<CatalogFlag, string>()
  /** Names of child flags, keyed by the name of the parent. */
  readonly #children = new Map<string, Set<string>>()
  readonly #orders = new BoundedCache<{ readonly isArchived: boolean; readonly sorted: SortedFlags }>({
    entries: MOST_ORDERS,
  })
  readonly #finds = new BoundedCache<readonly CatalogFlag[]>({ entries: MOST_FINDS })

  constructor(flags: Iterable<CatalogFlag>, segments: readonly Segment[]) {
    this.#flags = new Map()
    this.#segments = indexById(segments)
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

  /** All segments of the server. */
  get segments(): readonly Segment[] {
    return [...this.#segments.values()]
  }

  /** Replaces changed flags; undefined removes a flag. */
  apply(changed: ReadonlyMap<string, CatalogFlag | undefined>, segments: readonly Segment[] | undefined): void {
    if (segments !== undefined) {
      this.#segments = indexById(segments)
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

  /** Returns the names of the flags that depend on the given flag, sorted. */
  listChildren(name: string): string[] {
    return [...(this.#children.get(name) ?? [])].sort(compareText)
  }

  isParent(name: string): boolean {
    return this.#children.has(name)
  }

  /** Returns the distinct names of the segments that a flag uses, sorted. */
  listSegmentNames({ segments }: CatalogFlag): readonly string[] {
    if (segments.length === 0) return NO_NAMES
    const names = segments.flatMap((id) => this.#segments.get(id)?.name ?? [])
    return names.length < 2 ? names : [...new Set(names)].sort(compareText)
  }

  /**
   * Returns the segments that a flag uses as JSON properties: their names, and their ids with names. The result is
   * cached, because search pages need it repeatedly.
   */
  formatSegments(flag: CatalogFlag): string {
    if (flag.segments.length === 0) return '"segments":[],"usedSegments":[]'
    const known = this.#segmentsJson.get(flag)
    if (known !== undefined) return known
    const used = flag.segments
      .toSorted((a, b) => a - b)
      .flatMap((id) => {
        const segment = this.#segments.get(id)
        return segment === undefined ? [] : [{ id, name: segment.name }]
      })
    const names = JSON.stringify(this.listSegmentNames(flag))
    const json = `"segments":${names},"usedSegments":${JSON.stringify(used)}`
    this.#segmentsJson.set(flag, json)
    return json
  }

  /**
   * Returns the archived flags, or the flags that are not archived, as a sorted list that is cached under `key`.
   * Callers must not keep the array, because later changes modify the array in place.
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
   * Returns a selection of flags. The selection is cached under `key` until a flag changes, so that paging through a
   * search does not filter all flags again. The selection must not depend on usage data. Callers must not keep the
   * returned array.
   */
  select(key: string, find: () => readonly CatalogFlag[]): readonly CatalogFlag[] {
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

function indexById(segments: readonly Segment[]): ReadonlyMap<number, Segment> {
  return new Map(segments.map((segment) => [segment.id, segment]))
}
