import { type FlagSearch, parseFlagSearch } from '../search-params.ts'

const STORAGE_KEY = 'burgee-filters'
const MAX_VIEWS = 20

/** Filters and sort order of a list, saved under a name. */
export interface SavedView {
  readonly name: string
  readonly search: FlagSearch
}

/** Returns the views saved in this browser, sorted by name. Ignores invalid entries. */
export function readSavedViews(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.flatMap(parseView).slice(0, MAX_VIEWS) : []
  } catch {
    return []
  }
}

function parseView(given: unknown): SavedView[] {
  const { name, search } = (given ?? {}) as { name?: unknown; search?: unknown }
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return []
  return [{ name, search: parseFlagSearch(search as Record<string, unknown>) }]
}

/**
 * Saves a view, replacing an existing view of the same name. If there are too many views, drops the views that come
 * last by name.
 */
export function saveView(view: SavedView): void {
  const others = readSavedViews().filter(({ name }) => name !== view.name)
  storeViews([...others.slice(0, MAX_VIEWS - 1), view].sort((a, b) => a.name.localeCompare(b.name)))
}

/** Removes a saved view. */
export const removeView = (name: string): void => storeViews(readSavedViews().filter((one) => one.name !== name))

const storeViews = (views: readonly SavedView[]): void => localStorage.setItem(STORAGE_KEY, JSON.stringify(views))

/** Returns true if both searches have the same filters and the same sort order. */
export const isSame = (one: FlagSearch, other: FlagSearch): boolean => toKey(one) === toKey(other)

const toKey = ({ create: _, ...search }: FlagSearch): string =>
  JSON.stringify(Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1)))
