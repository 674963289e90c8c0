import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Labels } from '@burgee/kit/series/series'

/** Default maximum number of label combinations at each level of detail. */
export const DEFAULT_FLAG_SERIES_LIMIT = 2000
/** Label value that replaces names when the limit is reached. */
export const OTHER_LABEL = 'other'
/** Label value that replaces every name of a private project. */
export const PRIVATE_LABEL = '(private)'
/** Idle time after which a label combination can be replaced by a new one. */
const IDLE_MS = 3_600_000

/** Names for which a value was counted, as they were at that time. An empty string stands for no name. */
export interface CountedFlag {
  readonly flag: string
  readonly project: string
  readonly environment: string
}

/**
 * Visibility of the names for which a value was counted. `unknown`: no lookup has succeeded yet. `gone`: the flag is
 * archived, deleted or no longer in the project, or its project or environment is deleted.
 */
export type Visibility = 'public' | 'private' | 'unknown' | 'gone'

/** Limits on names in labels. */
export interface NameBounds {
  /** Labels whose values are names. */
  readonly names: readonly string[]
  /**
   * Labels whose names are replaced by `other`, for each level of detail. When the limit of a level is reached, the
   * next level is used.
   */
  readonly levels: readonly (readonly string[])[]
  /** Maximum number of label combinations at each level. The last level has no names and no limit. */
  readonly limit: number
  readonly monotonic: MonotonicClock
}

interface Row extends CountedFlag {
  readonly labels: Labels
  amount: number
  countedAtMs: number
}

/**
 * Counter whose labels name flags, projects, environments and applications. The counter determines which names are
 * private or deleted when it is read. As a result, a project that becomes private also hides names that were counted
 * earlier.
 */
export class NamedCounter {
  readonly #bounds: NameBounds
  /**
   * Rows by level of detail; the first level has all names. Rows are ordered by the time at which they were last
   * increased.
   */
  readonly #levels: readonly Map<string, Row>[]

  constructor(bounds: NameBounds) {
    this.#bounds = bounds
    this.#levels = [[], ...bounds.levels].map(() => new Map())
  }

  /**
   * Adds an amount to the counter with the given labels. If the limit of a level is reached, uses the next level, which
   * has fewer names in its labels.
   */
  add(amount: number, labels: Labels, counted: CountedFlag): void {
    for (const [level, rows] of this.#levels.entries()) {
      const named = this.#nameFor(level, labels, counted)
      const key = JSON.stringify([named.project, ...Object.values(named.labels)])
      const row = rows.get(key) ?? named
      if (row === named && !this.#makeRoom(level, rows)) continue
      row.amount += amount
      row.countedAtMs = this.#bounds.monotonic()
      rows.delete(key)
      rows.set(key, row)
      return
    }
  }

  #nameFor(level: number, labels: Labels, counted: CountedFlag): Row {
    const replaced = this.#bounds.levels[level - 1] ?? []
    const keep = (label: string, name: string) => (this.#isLast(level) || replaced.includes(label) ? '' : name)
    return {
      flag: keep('toggle', counted.flag),
      project: keep('project', counted.project),
      environment: keep('environment', counted.environment),
      labels: replaced.length === 0 ? labels : replaceNames(labels, replaced, OTHER_LABEL),
      amount: 0,
      countedAtMs: 0,
    }
  }

  /** Returns true if there is room for another row. If necessary, first removes a row that has long been idle. */
  #makeRoom(level: number, rows: Map<string, Row>): boolean {
    const { limit, monotonic } = this.#bounds
    if (this.#isLast(level) || rows.size < limit) return true
    const [oldest] = rows
    if (oldest === undefined || oldest[1].countedAtMs > monotonic() - IDLE_MS) return false
    return rows.delete(oldest[0])
  }

  #isLast(level: number): boolean {
    return level === this.#levels.length - 1
  }

  /** Returns the names of the counted flags. */
  flags(): string[] {
    return [...new Set(this.#rows().map(({ flag }) => flag))].filter((flag) => flag !== '')
  }

  /**
   * Returns the counted values by labels. Values for private projects are added up without names. Values whose
   * visibility is unknown are omitted, and values for deleted names are removed.
   */
  read(visibilityOf: (counted: CountedFlag) => Visibility): (readonly [Labels, number])[] {
    this.#forget((row) => visibilityOf(row) === 'gone')
    const sums = new Map<string, [Labels, number]>()
    for (const row of this.#rows()) {
      const visibility = visibilityOf(row)
      if (visibility === 'unknown') continue
      const isPrivate = visibility === 'private'
      const labels = isPrivate ? replaceNames(row.labels, this.#bounds.names, PRIVATE_LABEL) : row.labels
      const key = JSON.stringify(labels)
      sums.set(key, [labels, (sums.get(key)?.[1] ?? 0) + row.amount])
    }
    return [...sums.values()]
  }

  #forget(isGone: (row: Row) => boolean): void {
    for (const rows of this.#levels) {
      for (const [key, row] of rows) if (isGone(row)) rows.delete(key)
    }
  }

  #rows(): Row[] {
    return this.#levels.flatMap((rows) => [...rows.values()])
  }
}

function replaceNames(labels: Labels, names: readonly string[], by: string): Labels {
  return { ...labels, ...Object.fromEntries(names.map((name) => [name, by])) }
}
