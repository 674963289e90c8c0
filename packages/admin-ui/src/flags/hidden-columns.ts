const STORAGE_KEY = 'burgee-columns'
/** Entry in the columns menu that adds a second line with the description to each row. */
export const TWO_LINES = 'two-lines'
/** Entries that are hidden by default, because names need the space. */
const DEFAULT_HIDDEN: readonly string[] = ['stage', 'createdBy', TWO_LINES]

/** Entry in the columns menu that turns off sorting favorites first. */
export const UNSORTED_FAVORITES = 'unsorted-favorites'

/** Returns the column settings as stored, for `parseHiddenColumns`: the columns that differ from the defaults. */
export const readStoredColumns = (): string => localStorage.getItem(STORAGE_KEY) ?? '[]'

/** Returns the names of the hidden columns, given the stored settings. */
export function parseHiddenColumns(stored: string): ReadonlySet<string> {
  const changed = new Set(parseNames(stored))
  const isHidden = (name: string): boolean => changed.has(name) !== DEFAULT_HIDDEN.includes(name)
  return new Set([...changed, ...DEFAULT_HIDDEN].filter(isHidden))
}

/** Stores that a column is hidden or shown. */
export function storeHiddenColumn(stored: string, name: string, is: boolean): void {
  const next = parseNames(stored).filter((one) => one !== name)
  localStorage.setItem(STORAGE_KEY, JSON.stringify(is === DEFAULT_HIDDEN.includes(name) ? next : [...next, name]))
}

function parseNames(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
