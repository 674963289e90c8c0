import { type FlagSearch, readFlagSearch } from '../search-params.ts'

const STORED = 'burgee-filters'
const MOST = 20

/** Filters and order of a list, under a name. */
export interface SavedFilter {
  readonly name: string
  readonly search: FlagSearch
}

/** The filters that were saved in this browser, by name; what is not understood is left out. */
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

/** Saves filters, in place of those of the same name; of too many the one that comes last by name goes. */
export function saveFilter(filter: SavedFilter): void {
  const others = savedFilters().filter(({ name }) => name !== filter.name)
  store([...others.slice(0, MOST - 1), filter].sort((a, b) => a.name.localeCompare(b.name)))
}

/** Forgets saved filters. */
export const removeFilter = (name: string): void => store(savedFilters().filter((one) => one.name !== name))

const store = (filters: readonly SavedFilter[]): void => localStorage.setItem(STORED, JSON.stringify(filters))

/** Whether a list is filtered and sorted as these are. */
export const isSame = (one: FlagSearch, other: FlagSearch): boolean => textOf(one) === textOf(other)

const textOf = ({ create: _, ...search }: FlagSearch): string =>
  JSON.stringify(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)))
