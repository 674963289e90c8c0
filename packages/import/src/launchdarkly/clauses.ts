import { isObject } from '@burgee/serving/document/feature-document'
import { type Condition, NEVER } from '../rules/condition.ts'
import { fits, isIn, isLike, isNumber, isPresent, isVersion } from '../rules/tests.ts'

type Json = Readonly<Record<string, unknown>>

/** What a segment means, by its key; undefined where there is none of that name. */
export type FindSegment = (key: string) => Condition | undefined

const TEXTS = { startsWith: 'STR_STARTS_WITH', endsWith: 'STR_ENDS_WITH', contains: 'STR_CONTAINS' } as const
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ lessThan: 'NUM_LT', lessThanOrEqual: 'NUM_LTE', greaterThan: 'NUM_GT', greaterThanOrEqual: 'NUM_GTE' },
}
const VERSIONS: Readonly<Record<string, string>> = {
  ...{ semVerEqual: 'SEMVER_EQ', semVerLessThan: 'SEMVER_LT', semVerGreaterThan: 'SEMVER_GT' },
}

/** A list of clauses, all of which must hold. */
export function clausesOf(clauses: unknown, findSegment: FindSegment): Condition {
  return { all: objectsOf(clauses).map((clause) => clauseOf(clause, findSegment)) }
}

/** A clause about a missing attribute never holds, negated or not. */
function clauseOf(clause: Json, findSegment: FindSegment): Condition {
  const { op, values, negate } = clause
  const list: readonly unknown[] = Array.isArray(values) ? values : []
  if (op === 'segmentMatch') {
    const within: Condition = { any: list.map((key) => findSegment(String(key)) ?? NEVER) }
    return negate === true ? { not: within } : within
  }
  const field = attributeOf(clause)
  if (typeof field !== 'string') return field
  const holds = comparison(field, String(op), list)
  return negate === true ? { all: [isPresent(field), { not: holds }] } : holds
}

function comparison(field: string, op: string, values: readonly unknown[]): Condition {
  if (values.length === 0) return NEVER
  if (op === 'in') return equal(field, values)
  if (op === 'matches') return fits(field, values)
  const text = TEXTS[op as keyof typeof TEXTS]
  if (text !== undefined) return isLike(field, text, values)
  const number = NUMBERS[op]
  if (number !== undefined) return { any: values.map((value) => isNumber(field, number, value)) }
  const version = VERSIONS[op]
  if (version !== undefined) return { any: values.map((value) => versionTest(field, version, value)) }
  if (op === 'before' || op === 'after')
    return { unknown: `${field} is a date: here dates are compared with the time alone` }
  return { unknown: `the operator "${op}" has no counterpart` }
}

const STRICT_VERSION = '^\\d\\S*$'

/** There a version is a text without a leading "v"; a clause with anything else matches nobody. */
function versionTest(field: string, operator: string, value: unknown): Condition {
  if (typeof value !== 'string' || value.startsWith('v')) return NEVER
  // here contexts may spell versions with a "v" or blanks
  return { all: [isVersion(field, operator, value), fits(field, [STRICT_VERSION])] }
}

/** Numbers are compared as numbers. */
function equal(field: string, values: readonly unknown[]): Condition {
  const numbers = values.filter((value) => typeof value === 'number')
  const texts = values.filter((value) => typeof value !== 'number')
  const asNumbers = numbers.map((value) => isNumber(field, 'NUM_EQ', value))
  return { any: [...(texts.length > 0 ? [isIn(field, texts)] : []), ...asNumbers] }
}

/** The context field of an attribute, or why there is none. */
export function attributeOf({ attribute, contextKind }: Json): string | Condition {
  if (contextKind !== undefined && contextKind !== '' && contextKind !== 'user') {
    return { unknown: `it looks at contexts of the kind "${contextKind}"` }
  }
  if (typeof attribute !== 'string' || attribute === '') return { unknown: 'a clause names no attribute' }
  if (attribute === 'key') return 'userId'
  const name = attribute.startsWith('/') ? attribute.slice(1) : attribute
  if (attribute.startsWith('/') && /[/~]/.test(name)) return { unknown: `${attribute} is a part of an attribute` }
  return name === 'kind' ? { unknown: 'it looks at the kind of a context' } : name
}

/** Segments as conditions: those listed, and those whom a rule lets in and no list keeps out. */
export function segmentCondition(segment: Json, findSegment: FindSegment): Condition {
  const { included, excluded, rules, unbounded, includedContexts, excludedContexts } = segment
  if (unbounded === true) return { unknown: 'its segment is a big one, whose members are kept elsewhere' }
  if (hasMembers(includedContexts) || hasMembers(excludedContexts)) {
    return { unknown: 'its segment lists contexts of another kind' }
  }
  const listed = textsOf(included)
  const kept = textsOf(excluded)
  const byRule = objectsOf(rules).map((rule): Condition => {
    if (rule.weight !== undefined && rule.weight !== null) return { unknown: 'its segment takes a percentage' }
    return clausesOf(rule.clauses, findSegment)
  })
  const notKept: Condition[] = kept.length === 0 ? [] : [{ not: isIn('userId', kept) }]
  return {
    any: [
      ...(listed.length === 0 ? [] : [isIn('userId', listed)]),
      ...(byRule.length === 0 ? [] : [{ all: [...notKept, { any: byRule }] }]),
    ],
  }
}

/** The objects of a list; nothing where it is none. */
export function objectsOf(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}

function hasMembers(list: unknown): boolean {
  return objectsOf(list).some(({ values }) => Array.isArray(values) && values.length > 0)
}
