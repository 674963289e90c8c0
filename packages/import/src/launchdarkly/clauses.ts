import { isObject } from '@burgee/kit/input/is-object'
import { parseSemver, type Semver } from '@burgee/protocol/semver'
import {
  createInTest,
  createNumberTest,
  createPresenceTest,
  createTextTest,
  createVersionTest,
} from '../rules/attribute-tests.ts'
import { ALWAYS, type Condition, NEVER } from '../rules/condition.ts'
import { createJavaScriptPatternTest } from '../rules/javascript-patterns.ts'
import { findUnreadKey } from './known-keys.ts'

type Json = Readonly<Record<string, unknown>>

/** Finds a segment's condition by the segment's key; undefined if there is no such segment. */
export type FindSegment = (key: string) => Condition | undefined

const TEXTS = { startsWith: 'STR_STARTS_WITH', endsWith: 'STR_ENDS_WITH', contains: 'STR_CONTAINS' } as const
const NUMBERS: Readonly<Record<string, string>> = {
  lessThan: 'NUM_LT',
  lessThanOrEqual: 'NUM_LTE',
  greaterThan: 'NUM_GT',
  greaterThanOrEqual: 'NUM_GTE',
}
const VERSIONS = {
  semVerEqual: 'SEMVER_EQ',
  semVerLessThan: 'SEMVER_LT',
  semVerGreaterThan: 'SEMVER_GT',
} as const
const NUMBERS_OF_VERSION = /^\d+(\.\d+)?(\.\d+)?/
/** Attribute that counts as false in contexts that lack it. */
const ANONYMOUS = 'anonymous'

/** Converts a list of clauses. All clauses in the list must hold. */
export function convertClauses(clauses: unknown, findSegment: FindSegment): Condition {
  if (!Array.isArray(clauses)) return { unknown: 'a rule has no list of clauses' }
  return { all: clauses.map((clause) => convertClause(clause, findSegment)) }
}

/** Converts a clause. A clause about an attribute that the context lacks never holds, even if the clause is negated. */
function convertClause(clause: unknown, findSegment: FindSegment): Condition {
  if (!isObject(clause)) return { unknown: 'a clause is not an object' }
  const unread = findUnreadKey('clause', clause)
  if (unread !== undefined) return unread
  const { op, values } = clause
  const isNegated = Boolean(clause.negate)
  if (!Array.isArray(values)) return { unknown: 'a clause has no list of values' }
  if (op === 'segmentMatch') {
    const within: Condition = { any: values.map((key) => findSegment(String(key)) ?? NEVER) }
    return isNegated ? { not: within } : within
  }
  const field = parseAttribute(clause)
  if (typeof field !== 'string') return field
  const holds = convertComparison(field, String(op), values)
  return isNegated ? { all: [createAttributePresenceTest(field), { not: holds }] } : holds
}

function createAttributePresenceTest(field: string): Condition {
  return field === 'userId' || field === ANONYMOUS ? ALWAYS : createPresenceTest(field)
}

/** Converts a comparison. A value matches nothing if the operator does not support the value's type. */
function convertComparison(field: string, op: string, values: readonly unknown[]): Condition {
  if (op === 'in') return convertEquality(field, values)
  // `anonymous` is always true or false
  if (field === ANONYMOUS) return NEVER
  const texts = values.filter((value) => typeof value === 'string')
  if (op === 'matches') return createJavaScriptPatternTest(field, texts)
  if (Object.hasOwn(TEXTS, op)) return createTextTest(field, TEXTS[op as keyof typeof TEXTS], texts)
  const number = NUMBERS[op]
  if (number !== undefined) {
    const numbers = values.filter((value) => typeof value === 'number')
    return { any: numbers.map((value) => createNumberTest(field, number, value)) }
  }
  if (Object.hasOwn(VERSIONS, op)) {
    const operator = VERSIONS[op as keyof typeof VERSIONS]
    const versions = texts.map(parseVersion).filter((version) => version !== undefined)
    return { any: versions.map((version) => createVersionTest(field, operator, version, 'launchdarkly')) }
  }
  if (op === 'before' || op === 'after')
    return { unknown: `${field} is a date: here, dates can be compared only with the current time` }
  return { unknown: `the operator "${op}" has no counterpart` }
}

/**
 * Parses a version as LaunchDarkly does. Rejects a leading `v`. Trailing numbers are optional, even before a
 * prerelease.
 */
function parseVersion(text: string): Semver | undefined {
  if (text.startsWith('v')) return undefined
  const strict = parseSemver(text.trim().replace(/^v/, ''))
  const [found, minor, patch] = NUMBERS_OF_VERSION.exec(text) ?? []
  if (strict !== undefined || found === undefined) return strict
  const missing = `${minor === undefined ? '.0' : ''}${patch === undefined ? '.0' : ''}`
  return parseSemver(`${found}${missing}${text.slice(found.length)}`.trim())
}

/** Converts an equality. Each value of the clause matches only attributes of the same type as the value. */
function convertEquality(field: string, values: readonly unknown[]): Condition {
  const truths = values.filter((value) => typeof value === 'boolean')
  const isTrue = createInTest(field, truths, 'truth value')
  if (field === ANONYMOUS)
    return truths.includes(false) ? { any: [{ not: createPresenceTest(field) }, isTrue] } : isTrue
  const texts = values.filter((value) => typeof value === 'string')
  const numbers = values.filter((value) => typeof value === 'number')
  return {
    any: [createInTest(field, texts), isTrue, ...numbers.map((value) => createNumberTest(field, 'NUM_EQ', value))],
  }
}

/**
 * Returns the context field of an attribute. If the attribute cannot be converted, returns a condition of kind
 * `unknown` with the reason. If the clause has no context kind, the attribute is a literal name and not a reference.
 */
export function parseAttribute({ attribute, contextKind }: Json): string | Condition {
  if (contextKind !== undefined && contextKind !== null && contextKind !== 'user') {
    return { unknown: `it uses contexts of the kind "${contextKind}"` }
  }
  if (typeof attribute !== 'string' || attribute === '') return { unknown: 'a clause has no attribute' }
  const isReference = contextKind === 'user' && attribute.startsWith('/')
  const name = isReference ? attribute.slice(1) : attribute
  if (isReference && (name === '' || /[/~]/.test(name))) return { unknown: `${attribute} is a part of an attribute` }
  if (name === 'key') return 'userId'
  if (name === 'userId') return { unknown: 'it uses an attribute "userId", which is the key of a context here' }
  return name === 'kind' || name === '_meta' ? { unknown: `it uses "${name}" of a context` } : name
}

/** Converts a segment: all included users, and users who match a rule and are not excluded. */
export function toSegmentCondition(segment: Json, findSegment: FindSegment): Condition {
  const { included, excluded, rules, unbounded, includedContexts, excludedContexts } = segment
  if (unbounded === true) return { unknown: 'its segment is a big segment, whose members are stored elsewhere' }
  if (hasMembers(includedContexts) || hasMembers(excludedContexts)) {
    return { unknown: 'its segment lists contexts of another kind' }
  }
  const unread = findUnreadKey('segment', segment)
  if (unread !== undefined) return unread
  const listed = toTexts(included)
  const kept = toTexts(excluded)
  const byRule = toList(rules).map((rule): Condition => {
    if (!isObject(rule)) return { unknown: 'a rule of its segment is not an object' }
    const unreadInRule = findUnreadKey('rule of a segment', rule)
    if (unreadInRule !== undefined) return unreadInRule
    if (rule.weight !== undefined && rule.weight !== null) return { unknown: 'its segment contains a percentage' }
    return convertClauses(rule.clauses, findSegment)
  })
  const notKept: Condition[] = kept.length === 0 ? [] : [{ not: createInTest('userId', kept) }]
  return {
    any: [
      ...(listed.length === 0 ? [] : [createInTest('userId', listed)]),
      ...(byRule.length === 0 ? [] : [{ all: [...notKept, { any: byRule }] }]),
    ],
  }
}

/** Returns the objects of a list; empty if the value is not a list. */
export function toObjects(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function toList(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

/** Returns the strings of a list of keys. Omits entries of other types, because they match no one. */
function toTexts(list: unknown): string[] {
  return toList(list).filter((one) => typeof one === 'string')
}

function hasMembers(list: unknown): boolean {
  return toObjects(list).some(({ values }) => Array.isArray(values) && values.length > 0)
}
