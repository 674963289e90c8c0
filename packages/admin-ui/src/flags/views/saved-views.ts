import { type FlagSearch, parseFlagSearch } from '../search-params.ts'

const STORAGE_KEY = 'burgee-filters'
const MAX_FILTERS = 20

/** Named filters and order of a list. */
export interface SavedFilter {
  readonly name: string
  readonly search: FlagSearch
}

/** Returns the filters saved in this browser, sorted by name. Ignores invalid entries. */
export function readSavedFilters(): SavedFilter[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(parseFilter).slice(0, MAX_FILTERS) : []
  } catch {
    return []
  }
}

function parseFilter(given: unknown): SavedFilter[] {
  const { name, search } = (given ?? {}) as { name?: unknown; search?: unknown }
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return []
  return [{ name, search: parseFlagSearch(search as Record<string, unknown>) }]
}

/** Saves filters and replaces saved filters of the same name. If there are too many, drops the last ones by name. */
export function saveFilter(filter: SavedFilter): void {
  const others = readSavedFilters().filter(({ name }) => name !== filter.name)
  storeFilters([...others.slice(0, MAX_FILTERS - 1), filter].sort((a, b) => a.name.localeCompare(b.name)))
}

/** Removes saved filters. */
export const removeFilter = (name: string): void => storeFilters(readSavedFilters().filter((one) => one.name !== name))

const storeFilters = (filters: readonly SavedFilter[]): void =>
  localStorage.setItem(STORAGE_KEY, JSON.stringify(filters))

/** Returns true if both have the same filters and order. */
export const isSame = (one: FlagSearch, other: FlagSearch): boolean => toKey(one) === toKey(other)

const toKey = ({ create: _, ...search }: FlagSearch): string =>
  JSON.stringify(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)))
