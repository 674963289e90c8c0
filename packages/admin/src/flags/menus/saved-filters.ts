import { type FlagSearch, readFlagSearch } from '../search-params.ts'

const STORED = 'burgee-filters'
const MOST = 20

/** Named filters and order of a list. */
export interface SavedFilter {
  readonly name: string
  readonly search: FlagSearch
}

/** Returns the filters saved in this browser, sorted by name. Ignores invalid entries. */
export function savedFilters(): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(readFilter).slice(0, MOST) : []
  } catch {
    return []
  }
}

function readFilter(given: unknown): SavedFilter[] {
  const { name, search } = (given ?? {}) as { name?: unknown; search?: unknown }
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return []
  return [{ name, search: readFlagSearch(search as Record<string, unknown>) }]
}

/** Saves filters and replaces those of the same name. If there are too many, drops the last one by name. */
export function saveFilter(filter: SavedFilter): void {
  const others = savedFilters().filter(({ name }) => name !== filter.name)
  store([...others.slice(0, MOST - 1), filter].sort((a, b) => a.name.localeCompare(b.name)))
}

/** Removes saved filters. */
export const removeFilter = (name: string): void => store(savedFilters().filter((one) => one.name !== name))

const store = (filters: readonly SavedFilter[]): void => localStorage.setItem(STORED, JSON.stringify(filters))

/** Returns true if both have the same filters and order. */
export const isSame = (one: FlagSearch, other: FlagSearch): boolean => textOf(one) === textOf(other)

const textOf = ({ create: _, ...search }: FlagSearch): string =>
  JSON.stringify(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)))
