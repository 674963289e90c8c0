import { invalid } from '@burgee/kit/input/refusals'

/** A condition of a search as the wire writes it: `IS:a`, `IS_ANY_OF:a,b`, `IS_NOT:a`, `IS_NONE_OF:a,b`. */
export interface Filter {
  /** Whether a flag or event with any of the values is kept, or one with none of them. */
  readonly isWanted: boolean
  /** All of the values are asked for, not any of them. */
  readonly isForAll: boolean
  readonly values: readonly string[]
}

type Kind = Omit<Filter, 'values'>

const ANY: Kind = { isWanted: true, isForAll: false }
const NONE: Kind = { isWanted: false, isForAll: false }
const ALL: Kind = { isWanted: true, isForAll: true }
const NOT_ALL: Kind = { isWanted: false, isForAll: true }

const KINDS: ReadonlyMap<string, Kind> = new Map([
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

/** Reads a condition; undefined where there is none. Throws ValidationError naming the parameter. */
export function filterOf(text: string | undefined, parameter: string): Filter | undefined {
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

/** Whether what has these values meets the condition; without one everything does. */
export function meets(filter: Filter | undefined, own: readonly string[]): boolean {
  if (filter === undefined) return true
  const has = (value: string) => own.includes(value)
  const isMet = filter.isForAll ? filter.values.every(has) : filter.values.some(has)
  return isMet === filter.isWanted
}

/** Whether what has one value meets the condition, for many that are asked about. */
export function oneMeets({ isWanted, isForAll, values }: Filter): (own: string) => boolean {
  const wanted = new Set(values)
  const has = isForAll && wanted.size > 1 ? () => false : (own: string) => wanted.has(own)
  return (own) => has(own) === isWanted
}

/** A date or date and time, in milliseconds. Throws ValidationError naming the parameter. */
export function timeOf(text: string, parameter: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw invalid(`"${parameter}" must be a date`, `query/${parameter}`)
  return time
}
