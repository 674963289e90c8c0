/** Context of a person for testing flags. */
export type TestContext = Readonly<Record<string, string>>

/** Context saved under a name. */
export interface SavedPerson {
  readonly name: string
  readonly context: TestContext
}

/** Maximum number of people saved for each user of this browser. */
export const MAX_PEOPLE = 20
/** Maximum length of a person's name. */
export const MAX_NAME_LENGTH = 60
/** Maximum length of a stored value. Longer values are left out. */
const MAX_VALUE_LENGTH = 1000
/** Maximum number of fields stored for a person. */
const MAX_FIELDS = 50

/** Returns the browser's storage key for the people that a user has saved. */
const toStorageKey = (user: number | undefined): string => `burgee-people:${user ?? 0}`

/** Returns the people that a user has saved in this browser, sorted by name. Ignores invalid entries. */
export function readPeople(user: number | undefined): SavedPerson[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toStorageKey(user)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isPerson).slice(0, MAX_PEOPLE) : []
  } catch {
    return []
  }
}

function isPerson(one: unknown): one is SavedPerson {
  if (typeof one !== 'object' || one === null) return false
  const { name, context } = one as Partial<SavedPerson>
  if (typeof name !== 'string' || typeof context !== 'object' || context === null) return false
  return Object.values(context).every((value) => typeof value === 'string')
}

/**
 * Returns the list of people with a context saved under the given name. If there is already a person with this name,
 * the context is replaced. Returns undefined if the list is full.
 */
export function savePerson(
  people: readonly SavedPerson[],
  name: string,
  context: TestContext,
): SavedPerson[] | undefined {
  const others = people.filter((one) => one.name !== name)
  if (others.length >= MAX_PEOPLE) return undefined
  const fields = Object.entries(context).filter(([, value]) => value !== '' && value.length <= MAX_VALUE_LENGTH)
  const person = { name, context: Object.fromEntries(fields.slice(0, MAX_FIELDS)) }
  return [...others, person].sort((a, b) => a.name.localeCompare(b.name))
}

/** Stores the saved people of a user in this browser. */
export function storePeople(user: number | undefined, people: readonly SavedPerson[]): void {
  localStorage.setItem(toStorageKey(user), JSON.stringify(people))
}
