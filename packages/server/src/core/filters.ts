import { invalid } from '@burgee/kit/input/refusals'

/** Search condition, such as `IS:a`, `IS_ANY_OF:a,b`, `IS_NOT:a` or `IS_NONE_OF:a,b`. */
export interface Filter {
  /** True if matching items are included, false if they are excluded. */
  readonly isWanted: boolean
  /** True if an item must match all values, false if one matching value is enough. */
  readonly isForAll: boolean
  readonly values: readonly string[]
}

type FilterKind = Omit<Filter, 'values'>

const ANY: FilterKind = { isWanted: true, isForAll: false }
const NONE: FilterKind = { isWanted: false, isForAll: false }
const ALL: FilterKind = { isWanted: true, isForAll: true }
const NOT_ALL: FilterKind = { isWanted: false, isForAll: true }

const KINDS: ReadonlyMap<string, FilterKind> = new Map([
  ['IS', ANY],
  ['IS_ANY_OF', ANY],
  ['IS_NOT', NONE],
  ['IS_NONE_OF', NONE],
  ['INCLUDE', ANY],
  ['INCLUDE_ANY_OF', ANY],
  ['INCLUDE_ALL_OF', ALL],
  ['DO_NOT_INCLUDE', NONE],
  ['EXCLUDE_IF_ANY_OF', NONE],
  ['EXCLUDE_ALL', NOT_ALL],
])

/** Parses a condition; returns undefined if there is none. Throws a ValidationError that names the parameter. */
export function parseFilter(text: string | undefined, parameter: string): Filter | undefined {
  if (text === undefined) return undefined
  const colon = text.indexOf(':')
  const kind = KINDS.get(text.slice(0, colon))
  const values = text
    .slice(colon + 1)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  if (colon < 0 || kind === undefined || values.length === 0) {
    throw invalid(`"${parameter}" must look like IS:<value> or IS_ANY_OF:<value>,<value>`, `query/${parameter}`)
  }
  return { ...kind, values }
}

/** Returns true if an item with the given values meets the condition, or if there is no condition. */
export function matchesFilter(filter: Filter | undefined, own: readonly string[]): boolean {
  if (filter === undefined) return true
  const has = (value: string) => own.includes(value)
  const isMet = filter.isForAll ? filter.values.every(has) : filter.values.some(has)
  return isMet === filter.isWanted
}

/** Returns a predicate for items with a single value. With many items, the predicate is faster than `matchesFilter`. */
export function createMatcher({ isWanted, isForAll, values }: Filter): (own: string) => boolean {
  const wanted = new Set(values)
  const has = isForAll && wanted.size > 1 ? () => false : (own: string) => wanted.has(own)
  return (own) => has(own) === isWanted
}

/** Parses a date or a date with time into milliseconds. Throws a ValidationError that names the parameter. */
export function parseTime(text: string, parameter: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw invalid(`"${parameter}" must be a date`, `query/${parameter}`)
  return time
}
