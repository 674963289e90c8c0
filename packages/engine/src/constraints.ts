import { RE2JS } from 're2js'
import { type Address, isInRange, isSameAddress, parseAddress } from './cidr.ts'
import { NEVER, type Scope, type Test } from './scope.ts'
import { compareSemver, parseSemver, type Semver } from './semver.ts'
import { fieldName, isRaw, numberOf, type Raw, textOf, timeOf } from './text.ts'

/** A constraint, its operand parsed. `test` already includes `inverted`. */
export interface CompiledConstraint {
  readonly definition: Raw
  readonly test: Test
}

/** Decides for the text of a context field; undefined when the field is missing. */
type Match = (actual: string | undefined) => boolean

/** Parses the operand once. Undefined when it is malformed: such a constraint never holds, not even inverted. */
type Operator = (constraint: Raw) => Match | undefined

const NO_MATCH: Match = () => false

/**
 * Tests by operator, for the operators that look at their context field.
 * Source: client-specification 09, 11, 13, 14, 21, 22.
 */
const FIELD_OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['IN', (constraint) => membership(constraint)],
  [
    'NOT_IN',
    (constraint) => {
      const isIn = membership(constraint)
      return isIn && ((actual) => !isIn(actual))
    },
  ],
  ['STR_STARTS_WITH', anyOf((actual, wanted) => actual.startsWith(wanted))],
  ['STR_ENDS_WITH', anyOf((actual, wanted) => actual.endsWith(wanted))],
  ['STR_CONTAINS', anyOf((actual, wanted) => actual.includes(wanted))],
  ['NUM_EQ', numeric((actual, wanted) => actual === wanted)],
  ['NUM_GT', numeric((actual, wanted) => actual > wanted)],
  ['NUM_GTE', numeric((actual, wanted) => actual >= wanted)],
  ['NUM_LT', numeric((actual, wanted) => actual < wanted)],
  ['NUM_LTE', numeric((actual, wanted) => actual <= wanted)],
  ['SEMVER_EQ', semantic((order) => order === 0)],
  ['SEMVER_GT', semantic((order) => order > 0)],
  ['SEMVER_GTE', semantic((order) => order >= 0)],
  ['SEMVER_LT', semantic((order) => order < 0)],
  ['SEMVER_LTE', semantic((order) => order <= 0)],
  ['REGEX', regex],
  ['IN_CIDR', inCidr],
])

/**
 * Tests by operator, for the operators that look at the context's time, whatever their `contextName` says.
 * Source: client-specification 13.
 */
const TIME_OPERATORS: ReadonlyMap<string, (now: number, wanted: number) => boolean> = new Map([
  ['DATE_AFTER', (now: number, wanted: number) => now > wanted],
  ['DATE_BEFORE', (now: number, wanted: number) => now < wanted],
])

/**
 * Compiles one constraint. A malformed constraint or an unknown operator never holds, also when inverted, and is
 * warned about; a missing or unreadable context value does not match, so inverted it holds. Throws nothing.
 */
function compileConstraint(constraint: unknown, scope: Scope): CompiledConstraint {
  if (!isRaw(constraint)) {
    scope.warn('a constraint is no object')
    return { definition: {}, test: NEVER }
  }
  return { definition: constraint, test: testOf(constraint, scope) }
}

/**
 * Compiles a list of constraints; null, undefined and other falsy values are an empty list.
 *
 * @returns undefined when it is no list: whatever it belongs to never holds. Throws nothing.
 */
export function compileConstraints(list: unknown, scope: Scope): CompiledConstraint[] | undefined {
  if (!list) return []
  if (Array.isArray(list)) return list.map((constraint) => compileConstraint(constraint, scope))
  scope.warn('constraints are no list')
  return undefined
}

function testOf(constraint: Raw, scope: Scope): Test {
  const operator = constraint.operator as string
  const inverted = Boolean(constraint.inverted)
  const isInOrder = TIME_OPERATORS.get(operator)
  if (isInOrder) {
    const wanted = timeOf(constraint.value)
    return (request) => isInOrder(request.now(), wanted) !== inverted
  }
  const match = FIELD_OPERATORS.get(operator)?.(constraint)
  if (!match) {
    scope.warn(`constraint with operator ${textOf(operator) ?? 'of no name'} cannot be evaluated`)
    return NEVER
  }
  const slot = scope.slots.of(fieldName(constraint.contextName))
  return (request) => match(request.field(slot)) !== inverted
}

/** Values without empty ones, trimmed; undefined when they are no list of texts. */
function valuesOf(constraint: Raw): string[] | undefined {
  const values: unknown = constraint.values
  if (!Array.isArray(values)) return undefined
  const given = values.filter(Boolean)
  return given.every((value) => typeof value === 'string') ? given.map((value) => value.trim()) : undefined
}

function membership(constraint: Raw): Match | undefined {
  const values = valuesOf(constraint)
  if (!values) return undefined
  const wanted = new Set<string | undefined>(values)
  return (actual) => wanted.has(actual)
}

function anyOf(matches: (actual: string, wanted: string) => boolean): Operator {
  return (constraint) => {
    const fold = constraint.caseInsensitive ? (text: string) => text.toLowerCase() : (text: string) => text
    const wanted = valuesOf(constraint)?.map(fold)
    if (!wanted) return undefined
    return (actual) => {
      if (actual === undefined) return false
      const folded = fold(actual)
      return wanted.some((value) => matches(folded, value))
    }
  }
}

function numeric(compare: (actual: number, wanted: number) => boolean): Operator {
  return (constraint) => {
    const wanted = numberOf(constraint.value)
    return (actual) => actual !== undefined && compare(Number(actual), wanted) // NaN compares false with everything
  }
}

function semantic(isInOrder: (order: number) => boolean): Operator {
  return (constraint) => {
    const wanted = versionOf(constraint.value)
    if (!wanted) return NO_MATCH
    return (actual) => {
      if (actual === undefined || actual.startsWith('v')) return false
      const version = parseSemver(actual)
      return version !== undefined && isInOrder(compareSemver(version, wanted))
    }
  }
}

function versionOf(value: unknown): Semver | undefined {
  return typeof value === 'string' ? parseSemver(value) : undefined
}

/** RE2 only: a pattern of an upstream must not be able to run for ever, and RE2 is what the specification tests. */
function regex(constraint: Raw): Match | undefined {
  const { value, caseInsensitive } = constraint
  if (typeof value !== 'string') return NO_MATCH
  try {
    const pattern = RE2JS.compile(value, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
    return (actual) => actual !== undefined && pattern.matcher(actual).find()
  } catch {
    return NO_MATCH
  }
}

function inCidr(constraint: Raw): Match | undefined {
  const ranges = valuesOf(constraint)
    ?.map(parseAddress)
    .filter((range): range is Address => range !== undefined)
  if (!ranges) return undefined
  return (actual) => {
    const address = actual === undefined ? undefined : parseAddress(actual)
    return address !== undefined && ranges.some((range) => isSameAddress(address, range) || isInRange(address, range))
  }
}
