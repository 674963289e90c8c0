import { type Address, parseAddress } from '@burgee/protocol/address'
import { isInRange, isSameAddress } from './cidr.ts'
import { type Compilation, NEVER, type Test } from './compilation.ts'
import { compilePattern, PatternSearch } from './pattern.ts'
import { type ConstraintRules, parseVersion } from './profile.ts'
import { isRaw, type Raw, toFieldName, toText } from './raw-value.ts'
import { compareSemver } from './semver.ts'

/** Constraint whose operand has been parsed. */
export interface CompiledConstraint {
  readonly definition: Raw
  /** Test that takes `inverted` into account. */
  readonly test: Test
  /** Undefined for a constraint that never holds, even when inverted. */
  readonly subject: Subject | undefined
}

/** The part of a constraint that does not depend on `inverted`. */
export interface Subject {
  /** Test without regard to `inverted` and to the NOT in NOT_IN. */
  readonly test: Test
  readonly isNegated: boolean
  /** Context field that the constraint tests; undefined if the constraint compares the time. */
  readonly field?: number
  /** Instant that the current time is compared with, in milliseconds. */
  readonly instant?: number
  /** Values of IN or NOT_IN: `test` is true if the context field equals one of them. */
  readonly list?: readonly string[]
  /** Cache key, which is equal for constraints whose tests are equal. Undefined if the key would be long. */
  readonly key?: string
}

/** Tests the value of a context field. `actual` is undefined if the context lacks the field. */
type Match = (actual: string | undefined) => boolean

/**
 * Parses the operand of a constraint once, before any evaluation. Returns undefined if the operand is malformed; the
 * constraint then never holds, even if inverted.
 */
type Operator = (constraint: Raw, compilation: Compilation) => Match | undefined

const NO_MATCH: Match = () => false
const MAX_KEY_LENGTH = 1000

/**
 * Maximum length of a list whose strings go into the dictionary that several conditions share. A longer list has its
 * own set instead.
 */
export const MAX_LISTED_LENGTH = 64

const MAX_KEY_VALUES = 50

/**
 * Tests by operator, for operators that compare the context field. List operators are in `LIST_OPERATORS`. Source:
 * client-specification 09, 11, 13, 14, 21, 22.
 */
const FIELD_OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['STR_STARTS_WITH', compileAnyOf((actual, wanted) => actual.startsWith(wanted))],
  ['STR_ENDS_WITH', compileAnyOf((actual, wanted) => actual.endsWith(wanted))],
  ['STR_CONTAINS', compileAnyOf((actual, wanted) => actual.includes(wanted))],
  ['NUM_EQ', compileNumeric((actual, wanted, { isEqual }) => isEqual(actual, wanted))],
  ['NUM_GT', compileNumeric((actual, wanted) => actual > wanted)],
  ['NUM_GTE', compileNumeric((actual, wanted) => actual >= wanted)],
  ['NUM_LT', compileNumeric((actual, wanted) => actual < wanted)],
  ['NUM_LTE', compileNumeric((actual, wanted) => actual <= wanted)],
  ['SEMVER_EQ', compileSemver((order) => order === 0)],
  ['SEMVER_GT', compileSemver((order) => order > 0)],
  ['SEMVER_GTE', compileSemver((order) => order >= 0)],
  ['SEMVER_LT', compileSemver((order) => order < 0)],
  ['SEMVER_LTE', compileSemver((order) => order <= 0)],
  ['IN_CIDR', compileInCidr],
])

/** List operators. The value is true if the field must differ from all strings in the list. */
const LIST_OPERATORS: ReadonlyMap<string, boolean> = new Map([
  ['IN', false],
  ['NOT_IN', true],
])

/**
 * Tests by operator, for operators that compare the time of the context, regardless of `contextName`. Source:
 * client-specification 13.
 */
const TIME_OPERATORS: ReadonlyMap<string, (now: number, wanted: number) => boolean> = new Map([
  ['DATE_AFTER', (now: number, wanted: number) => now > wanted],
  ['DATE_BEFORE', (now: number, wanted: number) => now < wanted],
])

/**
 * Compiles one constraint. A constraint that is malformed or has an unknown operator causes a warning and never holds,
 * even if inverted. A missing context value, or one that cannot be parsed, does not match, so the inverted constraint
 * holds. Never throws.
 */
function compileConstraint(constraint: unknown, compilation: Compilation): CompiledConstraint {
  if (!isRaw(constraint)) {
    compilation.warn('a constraint is not an object')
    return { definition: {}, test: NEVER, subject: undefined }
  }
  const subject = compileSubject(constraint, compilation)
  if (!subject) {
    compilation.warn(`constraint with operator ${toText(constraint.operator) ?? 'of no name'} cannot be evaluated`)
    return { definition: constraint, test: NEVER, subject }
  }
  const { test, isNegated } = subject
  return { definition: constraint, test: (request) => test(request) !== isNegated, subject }
}

/**
 * Compiles a list of constraints. Null, undefined and other falsy values count as an empty list.
 *
 * @returns undefined if `list` is not a list; a strategy or segment with such constraints never holds. Never throws.
 */
export function compileConstraints(list: unknown, compilation: Compilation): CompiledConstraint[] | undefined {
  if (!list) return []
  if (Array.isArray(list)) return list.map((constraint) => compileConstraint(constraint, compilation))
  compilation.warn('constraints are not a list')
  return undefined
}

function compileSubject(constraint: Raw, compilation: Compilation): Subject | undefined {
  const operator = constraint.operator as string
  const isNegated = Boolean(constraint.inverted)
  const rules = compilation.profile.constraints
  const field = () => compilation.fields.getNumber(toFieldName(constraint.contextName))
  const isInOrder = TIME_OPERATORS.get(operator)
  if (isInOrder) {
    const instant = rules.instant(constraint.value)
    if (instant === undefined) return undefined
    if (!rules.comparesFieldWithDate || constraint.contextName === 'currentTime')
      return { test: (request) => isInOrder(request.now(), instant), isNegated, instant }
    const match: Match = (actual) => isInOrder(rules.instant(actual) ?? Number.NaN, instant)
    return createFieldSubject(match, field(), isNegated)
  }
  const isNone = LIST_OPERATORS.get(operator)
  if (isNone !== undefined) {
    const list = parseValues(constraint, rules)
    return list && createListSubject(list, field(), isNone !== isNegated)
  }
  const { key } = toCacheKey(constraint, rules)
  if (operator === 'REGEX') {
    // the constraint and its negation share no result, because both are false if the search is skipped
    const own = key === undefined ? {} : { key: `${isNegated} ${key}` }
    return { test: compileRegex(constraint, compilation, field()), isNegated: false, field: field(), ...own }
  }
  const match = FIELD_OPERATORS.get(operator)?.(constraint, compilation)
  return match && { ...createFieldSubject(match, field(), isNegated), ...(key === undefined ? {} : { key }) }
}

function createListSubject(list: readonly string[], field: number, isNegated: boolean): Subject {
  let texts: ReadonlySet<string | undefined> | undefined = list.length > MAX_LISTED_LENGTH ? new Set(list) : undefined
  const match = (actual: string | undefined) => {
    texts ??= new Set(list)
    return texts.has(actual)
  }
  return { ...createFieldSubject(match, field, isNegated), list }
}

function createFieldSubject(match: Match, field: number, isNegated: boolean): Subject {
  return { test: (request) => match(request.field(field)), isNegated, field }
}

/**
 * Returns the cache key of a constraint. The key is built from strings only, because JSON.stringify returns the same
 * string for some distinct values.
 */
function toCacheKey(constraint: Raw, rules: ConstraintRules): Pick<Subject, 'key'> {
  const { contextName, operator, value, caseInsensitive } = constraint
  if (value !== undefined && typeof value !== 'string') return {}
  const values = parseValues(constraint, rules) ?? []
  if (values.length > MAX_KEY_VALUES) return {}
  const key = JSON.stringify([toFieldName(contextName), operator, values, value, Boolean(caseInsensitive)])
  return key.length > MAX_KEY_LENGTH ? {} : { key }
}

/** Returns the values, prepared by the rules of the profile; undefined if they are not a list of strings. */
function parseValues(constraint: Raw, { trimsValues }: ConstraintRules): string[] | undefined {
  const values: unknown = constraint.values
  if (!Array.isArray(values)) return trimsValues ? undefined : []
  const given = trimsValues ? values.filter(Boolean) : values
  if (!given.every((value) => typeof value === 'string')) return undefined
  return trimsValues ? given.map((value) => value.trim()) : given
}

/** Returns the values of an operator other than IN and NOT_IN; undefined if they are invalid. */
function parseRequiredValues(constraint: Raw, rules: ConstraintRules): string[] | undefined {
  const values = parseValues(constraint, rules)
  return rules.needsValues && values?.length === 0 ? undefined : values
}

function compileAnyOf(matches: (actual: string, wanted: string) => boolean): Operator {
  return (constraint, { profile }) => {
    const fold = constraint.caseInsensitive ? (text: string) => text.toLowerCase() : (text: string) => text
    const wanted = parseRequiredValues(constraint, profile.constraints)?.map(fold)
    if (!wanted) return undefined
    return (actual) => {
      if (actual === undefined) return false
      const folded = fold(actual)
      return wanted.some((value) => matches(folded, value))
    }
  }
}

function compileNumeric(compare: (actual: number, wanted: number, rules: ConstraintRules) => boolean): Operator {
  return (constraint, { profile }) => {
    const rules = profile.constraints
    const wanted = rules.number(constraint.value)
    if (wanted === undefined) return undefined
    // comparisons with NaN are false
    return (actual) => actual !== undefined && compare(rules.actualNumber(actual), wanted, rules)
  }
}

function compileSemver(isInOrder: (order: number) => boolean): Operator {
  return ({ value }, { profile }) => {
    const rules = profile.constraints
    const wanted = typeof value === 'string' ? parseVersion(value, rules) : undefined
    if (!wanted) return rules.needsVersion ? undefined : NO_MATCH
    return (actual) => {
      if (actual === undefined || actual.startsWith('v')) return false
      const version = parseVersion(actual, rules)
      return version !== undefined && isInOrder(compareSemver(version, wanted))
    }
  }
}

/**
 * Compiles a pattern with RE2, so that a pattern from an upstream cannot run indefinitely. The client-specification
 * tests RE2 as well. Callers choose the searched text, so the work of searches is limited too. If a search is skipped,
 * the constraint does not hold, even if inverted: no caller can turn a flag on with a long text.
 */
function compileRegex(constraint: Raw, { patterns, profile }: Compilation, field: number): Test {
  const { caseInsensitive } = constraint
  const isNegated = Boolean(constraint.inverted)
  const value = typeof constraint.value === 'string' ? constraint.value : profile.constraints.defaultPattern
  const key = `${caseInsensitive ? 'i' : ''}/${value}`
  if (value !== undefined && !patterns.has(key)) patterns.set(key, compileSearch(value, Boolean(caseInsensitive)))
  const search = value === undefined ? undefined : patterns.get(key)
  if (search === undefined) return () => isNegated
  return (request) => {
    const text = request.field(field)
    const isFound = text !== undefined && search.find(text, request.searches)
    return isFound !== undefined && isFound !== isNegated
  }
}

function compileSearch(value: string, isCaseInsensitive: boolean): PatternSearch | undefined {
  const pattern = compilePattern(value, isCaseInsensitive)
  return pattern && new PatternSearch(pattern)
}

function compileInCidr(constraint: Raw, { profile }: Compilation): Match | undefined {
  const { callerAddress } = profile.constraints
  const ranges = parseRequiredValues(constraint, profile.constraints)
    ?.map(parseAddress)
    .filter((range): range is Address => range !== undefined)
  if (!ranges) return undefined
  return (actual) => {
    const address = actual === undefined ? undefined : callerAddress(actual)
    return address !== undefined && ranges.some((range) => isSameAddress(address, range) || isInRange(address, range))
  }
}
