import { isObject } from '@burgee/kit/input/is-object'
import type { Semver } from '@burgee/protocol/semver'
import { parseSemver } from '@burgee/protocol/semver'
import {
  createInTest,
  createNumberTest,
  createPresenceTest,
  createTextTest,
  createVersionTest,
  type VersionOperator,
} from '../rules/attribute-tests.ts'
import { ALWAYS, type Condition, NEVER } from '../rules/condition.ts'

type Args = readonly unknown[]
type Compare = (a: number, b: number) => boolean

const MAX_DEPTH = 30
const TIME = '$flagd.timestamp'
const MS_PER_SECOND = 1000
const NUMBERS: Readonly<Record<string, readonly [operator: string, mirrored: string, holds: Compare]>> = {
  '<': ['NUM_LT', '>', (a, b) => a < b],
  '<=': ['NUM_LTE', '>=', (a, b) => a <= b],
  '>': ['NUM_GT', '<', (a, b) => a > b],
  '>=': ['NUM_GTE', '<=', (a, b) => a >= b],
}
const VERSIONS: Readonly<Record<string, readonly VersionOperator[]>> = {
  '=': ['SEMVER_EQ'],
  '!=': ['SEMVER_LT', 'SEMVER_GT'],
  '<': ['SEMVER_LT'],
  '<=': ['SEMVER_LTE'],
  '>': ['SEMVER_GT'],
  '>=': ['SEMVER_GTE'],
  '^': ['MAJOR'],
  '~': ['MINOR'],
}
const TEXTS = { starts_with: 'STR_STARTS_WITH', ends_with: 'STR_ENDS_WITH' } as const
const SHORT_VERSION = /^\d+(\.\d+)?$/
/**
 * For each value (as JSON), a description of the values of other types that flagd's `==` considers equal but Burgee
 * does not.
 */
const LOOSELY_EQUAL: Readonly<Record<string, string>> = {
  false: 'an empty text and everything that reads as 0',
  true: 'everything that reads as 1',
  '0': 'false',
  '1': 'true',
  '"0"': 'false',
  '"1"': 'true',
  null: '0 and false',
}

/**
 * Converts a JsonLogic expression, with flagd's extra operators, to a condition. Returns an unknown condition if the
 * meaning is not certain.
 */
export function toCondition(logic: unknown, depth = 0): Condition {
  if (depth > MAX_DEPTH) return { unknown: 'its rules are nested too deeply' }
  if (logic === true) return ALWAYS
  if (logic === false || logic === null) return NEVER
  const call = parseCall(logic)
  if (call === undefined) return { unknown: 'a rule is not an expression' }
  const { name, args } = call
  if (name === 'and' || name === 'or') return joinConditions(name, isObject(logic) ? logic[name] : undefined, depth)
  if (name === '!') return args.length === 0 ? ALWAYS : { not: toCondition(args[0], depth + 1) }
  return convertComparison(name, args)
}

/** Converts `and` and `or`. In flagd, an operator without arguments returns null, which counts as false. */
function joinConditions(name: 'and' | 'or', args: unknown, depth: number): Condition {
  if (!Array.isArray(args)) return { unknown: `"${name}" has no list` }
  const parts = args.map((arg) => toCondition(arg, depth + 1))
  return name === 'and' && parts.length > 0 ? { all: parts } : { any: parts }
}

/**
 * Returns true if an expression can be null, which is neither true nor false. For flagd, null means the default
 * variant.
 */
export function mayBeNull(logic: unknown): boolean {
  if (logic === null) return true
  const { name = '', args = [] } = parseCall(logic) ?? {}
  if (name === 'and' || name === 'or') return args.length === 0 || args.some(mayBeNull)
  return name in TEXTS || name === 'sem_ver'
}

/**
 * Parses `{"operator": arguments}`; a single argument may be given without a list. Returns undefined for all other
 * values.
 */
export function parseCall(logic: unknown): { readonly name: string; readonly args: Args } | undefined {
  if (!isObject(logic)) return undefined
  const [entry, ...more] = Object.entries(logic)
  if (entry === undefined || more.length > 0) return undefined
  const [name, given] = entry
  return { name, args: Array.isArray(given) ? given : [given] }
}

function convertComparison(name: string, args: Args): Condition {
  const [first, second, third] = args
  const isPair = args.length === 2
  if (isPair && name === '==') return convertEquality(first, second)
  if (isPair && name === '!=') return { not: convertEquality(first, second) }
  if (isPair && name === '===') return convertIdentity(first, second)
  if (isPair && name === '!==') return { not: convertIdentity(first, second) }
  if (isPair && name === 'in') return convertContainment(first, second)
  if (name in NUMBERS && isPair) return convertOrdering(name, first, second)
  if (name in NUMBERS && args.length === 3)
    return { all: [convertOrdering(name, first, second), convertOrdering(name, second, third)] }
  const field = parseField(first)
  if (field === undefined) return { unknown: `"${name}" is applied to a value that is not a field` }
  if (isPair && Object.hasOwn(TEXTS, name)) return convertTextTest(field, TEXTS[name as keyof typeof TEXTS], second)
  if (name === 'sem_ver' && args.length === 3) return convertVersionTest(field, second, third)
  return { unknown: `the operator "${name}" has no counterpart` }
}

/** Returns the Burgee context field for `{"var": name}`. Nested fields and fields with defaults have no counterpart. */
export function parseField(value: unknown): string | undefined {
  const call = parseCall(value)
  const [name, ...more] = call?.args ?? []
  if (call?.name !== 'var' || typeof name !== 'string' || more.length > 0 || name === '') return undefined
  if (name === 'targetingKey') return 'userId'
  return name.includes('.') || name === 'userId' ? undefined : name
}

/** Returns the field and the value of a comparison, in either order of the operands. */
function parseOperands(a: unknown, b: unknown): { readonly field: string; readonly value: unknown } | undefined {
  const [field, value] = parseField(a) === undefined ? [parseField(b), a] : [parseField(a), b]
  return field === undefined ? undefined : { field, value }
}

const NO_FIELD: Condition = {
  unknown: 'the compared value is not a field of the context, or it is "userId", which is the targeting key here',
}

/**
 * Converts a loose equality (`==`). In flagd, a missing field equals null and, if the field is the first operand, also
 * 0 and false.
 */
function convertEquality(a: unknown, b: unknown): Condition {
  const operands = parseOperands(a, b)
  if (operands === undefined) return NO_FIELD
  const { field, value } = operands
  const isFieldFirst = parseField(a) !== undefined
  const missing: Condition = { not: createPresenceTest(field) }
  if (value === null) {
    const present = createPresenceTest(field, 'text')
    return { not: isFieldFirst ? addLooseEquality(present, value) : present }
  }
  const same = addLooseEquality(createEqualityTest(field, value), value)
  if (value !== 0 && value !== false) return same
  // if the value comes first, flagd's engine gives inconsistent results
  return isFieldFirst
    ? { any: [missing, same] }
    : { unknown: `${String(value)} is compared with ${field}: name the field first` }
}

/** Adds a note to a test whose value, in flagd, also equals values of other types. */
function addLooseEquality(condition: Condition, value: unknown): Condition {
  const others = LOOSELY_EQUAL[JSON.stringify(value)]
  if (others === undefined || !('test' in condition)) return condition
  const differs = `"${condition.test.contextName}" is compared with ${JSON.stringify(value)}, which in flagd also equals ${others}: not here`
  return { ...condition, differs }
}

function convertIdentity(a: unknown, b: unknown): Condition {
  const operands = parseOperands(a, b)
  if (operands === undefined) return NO_FIELD
  const { field, value } = operands
  return value === null ? { not: createPresenceTest(field) } : createEqualityTest(field, value)
}

function createEqualityTest(field: string, value: unknown): Condition {
  if (typeof value === 'number') return createNumberTest(field, 'NUM_EQ', value)
  if (typeof value === 'boolean') return createInTest(field, [value], 'truth value')
  return typeof value === 'string'
    ? createInTest(field, [value])
    : { unknown: `${field} is compared with an expression` }
}

/** Converts `in`: a field in a list, or a substring in a field. */
function convertContainment(part: unknown, whole: unknown): Condition {
  const field = parseField(part)
  if (field !== undefined && Array.isArray(whole)) {
    const isKnown = whole.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
    return isKnown
      ? { any: whole.map((one) => createEqualityTest(field, one)) }
      : { unknown: `${field} is searched in a list that contains values other than strings` }
  }
  const holder = parseField(whole)
  if (holder !== undefined && typeof part === 'string') return createTextTest(holder, 'STR_CONTAINS', [part])
  return { unknown: '"in" is applied to a value that is not a field' }
}

/** Converts a prefix or suffix test. A value that is not a string never matches. */
function convertTextTest(field: string, operator: 'STR_STARTS_WITH' | 'STR_ENDS_WITH', value: unknown): Condition {
  if (typeof value === 'string') return createTextTest(field, operator, [value])
  return typeof value === 'object' && value !== null ? { unknown: `${field} is compared with an expression` } : NEVER
}

function convertOrdering(name: string, a: unknown, b: unknown): Condition {
  const [operator = '', mirrored = '', holds] = NUMBERS[name] ?? []
  if (parseCall(b)?.name === 'var' && parseCall(a)?.name !== 'var') return convertOrdering(mirrored, b, a)
  if (parseCall(a)?.args[0] === TIME) return convertTime(name, b)
  const field = parseField(a)
  if (field === undefined) return NO_FIELD
  const compared = createNumberTest(field, operator, b)
  // in flagd, a missing field counts as 0
  return holds?.(0, Number(b)) === true ? { any: [{ not: createPresenceTest(field) }, compared] } : compared
}

/** Converts a time in whole seconds to a date constraint in milliseconds. */
function convertTime(name: string, seconds: unknown): Condition {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds))
    return { unknown: 'the time is compared with a value that is not a time' }
  const isAfter = name.startsWith('>')
  const firstMs = (seconds + (name === '>' || name === '<=' ? 1 : 0)) * MS_PER_SECOND
  const value = new Date(isAfter ? firstMs - 1 : firstMs).toISOString()
  return { test: { contextName: 'currentTime', operator: isAfter ? 'DATE_AFTER' : 'DATE_BEFORE', value } }
}

/** Converts a version comparison. In flagd, a comparison that cannot be parsed is null, which counts as false. */
function convertVersionTest(field: string, operator: unknown, value: unknown): Condition {
  const isConstant = [operator, value].every((one) => typeof one !== 'object' || one === null)
  if (!isConstant) return { unknown: `${field} is compared with a version that is computed` }
  const own = VERSIONS[String(operator)]
  const wanted = parseVersion(value)
  if (own === undefined || wanted === undefined) return NEVER
  return { any: own.map((one) => createVersionTest(field, one, wanted, 'flagd')) }
}

/** Parses a version as flagd does. Accepts a leading `v`, whitespace, and versions of only one or two numbers. */
function parseVersion(value: unknown): Semver | undefined {
  const text = String(value).replace(/^[vV]/, '')
  if (!SHORT_VERSION.test(text)) return parseSemver(text.trim().replace(/^v/, ''))
  return parseSemver(text.includes('.') ? `${text}.0` : `${text}.0.0`)
}
