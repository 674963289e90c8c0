const STORED = 'burgee-columns'
/** They are seen by who asks for them: names need the room. */
const HIDDEN_AT_FIRST: readonly string[] = ['stage', 'createdBy']

/** What else can be chosen with the columns: flags that the person likes stand where the order has them. */
export const UNSORTED_FAVORITES = 'unsorted-favorites'

/** What this browser keeps of columns, for `hiddenBy`: those that differ from the first. */
export const storedColumns = (): string => localStorage.getItem(STORED) ?? '[]'

/** Names of columns that the person wants not to see, as kept. */
export function hiddenBy(stored: string): ReadonlySet<string> {
  const changed = new Set(namesIn(stored))
  const isHidden = (name: string): boolean => changed.has(name) !== HIDDEN_AT_FIRST.includes(name)
  return new Set([...changed, ...HIDDEN_AT_FIRST].filter(isHidden))
}

/** Keeps that a column is to be hidden, or seen. */
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
