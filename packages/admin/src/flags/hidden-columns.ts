const STORED = 'burgee-columns'
/** Hidden by default, because names need the space. */
const HIDDEN_AT_FIRST: readonly string[] = ['stage', 'createdBy']

/** Entry of the columns menu that does not sort favorites first. */
export const UNSORTED_FAVORITES = 'unsorted-favorites'

/** Returns the stored column settings for `hiddenBy`: columns that differ from the defaults. */
export const storedColumns = (): string => localStorage.getItem(STORED) ?? '[]'

/** Returns the names of hidden columns from the stored settings. */
export function hiddenBy(stored: string): ReadonlySet<string> {
  const changed = new Set(namesIn(stored))
  const isHidden = (name: string): boolean => changed.has(name) !== HIDDEN_AT_FIRST.includes(name)
  return new Set([...changed, ...HIDDEN_AT_FIRST].filter(isHidden))
}

/** Stores that a column is hidden or shown. */
export function storeHidden(stored: string, name: string, is: boolean): void {
  const next = namesIn(stored).filter((one) => one !== name)
  localStorage.setItem(STORED, JSON.stringify(is === HIDDEN_AT_FIRST.includes(name) ? next : [...next, name]))
}

function namesIn(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
