import { isObject } from '@burgee/serving/document/feature-document'
import { ALWAYS, type Condition, NEVER } from '../rules/condition.ts'
import { fits, isIn, isLike, isNumber, isPresent, isVersion } from '../rules/tests.ts'

type Args = readonly unknown[]

const DEEPEST = 30
const TIME = '$flagd.timestamp'
const MS_PER_SECOND = 1000
const NUMBERS: Readonly<
  Record<string, readonly [operator: string, mirrored: string, holds: (a: number, b: number) => boolean]>
> = {
  '<': ['NUM_LT', '>', (a, b) => a < b],
  '<=': ['NUM_LTE', '>=', (a, b) => a <= b],
  '>': ['NUM_GT', '<', (a, b) => a > b],
  '>=': ['NUM_GTE', '<=', (a, b) => a >= b],
}
const VERSIONS: Readonly<Record<string, string>> = {
  ...{ '=': 'SEMVER_EQ', '<': 'SEMVER_LT', '<=': 'SEMVER_LTE', '>': 'SEMVER_GT', '>=': 'SEMVER_GTE' },
}

/** What an expression of JsonLogic asks of the context, with the operators that flagd adds; nothing is guessed. */
export function conditionOf(logic: unknown, depth = 0): Condition {
  if (depth > DEEPEST) return { unknown: 'its rules are nested too deeply' }
  if (logic === true) return ALWAYS
  if (logic === false || logic === null) return NEVER
  const call = callOf(logic)
  if (call === undefined) return { unknown: 'a rule is no expression' }
  const { name, args } = call
  if (name === 'and') return { all: args.map((arg) => conditionOf(arg, depth + 1)) }
  if (name === 'or') return { any: args.map((arg) => conditionOf(arg, depth + 1)) }
  if (name === '!') return { not: conditionOf(args[0], depth + 1) }
  return comparison(name, args)
}

/** `{"operator": arguments}`; one argument need not be in a list. Undefined for anything else. */
export function callOf(logic: unknown): { readonly name: string; readonly args: Args } | undefined {
  if (!isObject(logic)) return undefined
  const [entry, ...more] = Object.entries(logic)
  if (entry === undefined || more.length > 0) return undefined
  const [name, given] = entry
  return { name, args: Array.isArray(given) ? given : [given] }
}

function comparison(name: string, args: Args): Condition {
  const [first, second, third] = args
  if (name === '==' || name === '===') return equal(first, second)
  if (name === '!=' || name === '!==') return { not: equal(first, second) }
  if (name === 'in') return contained(first, second)
  if (name in NUMBERS)
    return args.length === 3
      ? { all: [ordered(name, first, second), ordered(name, second, third)] }
      : ordered(name, first, second)
  const field = fieldOf(first)
  if (field === undefined) return { unknown: `"${name}" is asked of what is no field` }
  if (name === 'starts_with') return isLike(field, 'STR_STARTS_WITH', [second])
  if (name === 'ends_with') return isLike(field, 'STR_ENDS_WITH', [second])
  if (name === 'sem_ver') return version(field, String(second), third)
  if (name === 'regex_match') return fits(field, [second])
  return { unknown: `the operator "${name}" has no counterpart` }
}

/** The context field of `{"var": name}`, by its name here. Nested ones and ones with defaults have no counterpart. */
export function fieldOf(value: unknown): string | undefined {
  const call = callOf(value)
  const [name, fallback] = call?.args ?? []
  if (call?.name !== 'var' || typeof name !== 'string' || fallback !== undefined || name === '') return undefined
  if (name === 'targetingKey') return 'userId'
  return name.includes('.') ? undefined : name
}

function equal(a: unknown, b: unknown): Condition {
  const [field, value] = fieldOf(a) === undefined ? [fieldOf(b), a] : [fieldOf(a), b]
  if (field === undefined) return { unknown: 'what is compared is no field of the context' }
  if (value === null) return { not: isPresent(field) }
  if (typeof value === 'number') return isNumber(field, 'NUM_EQ', value)
  return typeof value === 'object' ? { unknown: `${field} is compared with an expression` } : isIn(field, [value])
}

/** A field in a list, or a text in a field. */
function contained(part: unknown, whole: unknown): Condition {
  const field = fieldOf(part)
  if (field !== undefined && Array.isArray(whole)) {
    return whole.every((one) => typeof one === 'string')
      ? isIn(field, whole)
      : { unknown: `${field} is looked for in a list of no texts` }
  }
  const holder = fieldOf(whole)
  if (holder !== undefined && typeof part === 'string') return isLike(holder, 'STR_CONTAINS', [part])
  return { unknown: '"in" is asked of what is no field' }
}

function ordered(name: string, a: unknown, b: unknown): Condition {
  const [operator = '', mirrored = '', holds] = NUMBERS[name] ?? []
  if (callOf(b)?.name === 'var' && callOf(a)?.name !== 'var') return ordered(mirrored, b, a)
  if (callOf(a)?.args[0] === TIME) return moment(name, b)
  const field = fieldOf(a)
  if (field === undefined) return { unknown: 'what is compared is no field of the context' }
  // there a field that is missing counts as 0, here it never compares
  return isNumber(field, operator, b, holds?.(0, Number(b)) === true)
}

/** Whole seconds there, milliseconds here. */
function moment(name: string, seconds: unknown): Condition {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds))
    return { unknown: 'the time is compared with what is no time' }
  const isAfter = name.startsWith('>')
  const firstMs = (seconds + (name === '>' || name === '<=' ? 1 : 0)) * MS_PER_SECOND
  const value = new Date(isAfter ? firstMs - 1 : firstMs).toISOString()
  return { test: { contextName: 'currentTime', operator: isAfter ? 'DATE_AFTER' : 'DATE_BEFORE', value } }
}

function version(field: string, operator: string, value: unknown): Condition {
  if (operator === '!=') return { any: ['SEMVER_LT', 'SEMVER_GT'].map((one) => isVersion(field, one, value)) }
  const own = VERSIONS[operator]
  if (own !== undefined) return isVersion(field, own, value)
  const [major, minor] = String(value).replace(/^v/, '').split('.').map(Number)
  if (major === undefined || minor === undefined || !'^~'.includes(operator))
    return { unknown: `sem_ver knows no "${operator}" here` }
  const [from, to] =
    operator === '^' ? [`${major}.0.0-0`, `${major + 1}.0.0-0`] : [`${major}.${minor}.0-0`, `${major}.${minor + 1}.0-0`]
  return { all: [isVersion(field, 'SEMVER_GTE', from), isVersion(field, 'SEMVER_LT', to)] }
}
