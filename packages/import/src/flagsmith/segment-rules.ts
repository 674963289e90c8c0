import { isObject } from '@burgee/kit/input/is-object'
import {
  createInTest,
  createNonEmptyTest,
  createNumberTest,
  createPresenceTest,
  createSemverTest,
  createTextTest,
  type VersionOperator,
} from '../rules/attribute-tests.ts'
import { ALWAYS, type Condition, NEVER } from '../rules/condition.ts'
import { createJavaScriptPatternTest } from '../rules/javascript-patterns.ts'

type Json = Readonly<Record<string, unknown>>

const NUMBERS: Readonly<Record<string, readonly [number: string, version: VersionOperator]>> = {
  GREATER_THAN: ['NUM_GT', 'SEMVER_GT'],
  GREATER_THAN_INCLUSIVE: ['NUM_GTE', 'SEMVER_GTE'],
  LESS_THAN: ['NUM_LT', 'SEMVER_LT'],
  LESS_THAN_INCLUSIVE: ['NUM_LTE', 'SEMVER_LTE'],
}
const VERSION = /:semver$/
/**
 * Operators that are converted only for strings, because they do not compare versions or because some Flagsmith engines
 * do not support them for versions.
 */
const TEXT_OPERATORS = ['NOT_EQUAL', 'CONTAINS', 'NOT_CONTAINS']
const IDENTIFIER = '$.identity.identifier'
const MAX_DEPTH = 20
const RULE_KEYS = ['id', 'type', 'rules', 'conditions', 'version_of']
const CONDITION_KEYS = ['id', 'operator', 'value', 'property', 'property_', 'description', 'created_with_segment']

/** Converts a segment, which matches identities that meet all of its rules. A segment without rules matches no one. */
export function toSegmentCondition({ rules }: Json): Condition {
  if (!Array.isArray(rules)) return { unknown: 'its segment has no list of rules' }
  const own: readonly unknown[] = rules
  return own.length === 0
    ? NEVER
    : { all: [createNonEmptyTest('userId'), ...own.map((rule) => toRuleCondition(rule, 0))] }
}

function toRuleCondition(rule: unknown, depth: number): Condition {
  if (depth > MAX_DEPTH) return { unknown: 'the rules of its segment are nested too deeply' }
  if (!isObject(rule)) return { unknown: 'a rule of its segment is not an object' }
  const unread = findUnreadKey(rule, RULE_KEYS)
  if (unread !== undefined) return { unknown: `a rule of its segment has "${unread}", which is not supported` }
  const { type, conditions, rules } = rule
  if (![conditions ?? [], rules ?? []].every(Array.isArray)) return { unknown: 'a rule of its segment has no lists' }
  const own = toList(conditions).map(toTraitCondition)
  const nested = toList(rules).map((one) => toRuleCondition(one, depth + 1))
  if (nested.length > 0 && type !== 'ALL')
    return {
      unknown: `a rule of its segment holds rules and is of the type "${type}", which engines of Flagsmith interpret differently`,
    }
  return { all: [own.length === 0 ? ALWAYS : joinConditions(String(type), own), ...nested] }
}

function joinConditions(type: string, conditions: readonly Condition[]): Condition {
  if (type === 'ALL') return { all: conditions }
  if (type === 'ANY') return { any: conditions }
  if (type === 'NONE') return { not: { any: conditions } }
  return { unknown: `a rule of its segment is of the type "${type}"` }
}

/** Converts a condition on a trait. A missing trait meets only IS_NOT_SET. */
function toTraitCondition(condition: unknown): Condition {
  if (!isObject(condition)) return { unknown: 'a condition of its segment is not an object' }
  const unread = findUnreadKey(condition, CONDITION_KEYS)
  if (unread !== undefined) return { unknown: `a condition of its segment has "${unread}", which is not supported` }
  const { operator, value, property, property_: written } = condition
  const name = String(written ?? property ?? '')
  const field = name === IDENTIFIER ? 'userId' : name
  const text = value === null || value === undefined ? '' : String(value)
  if (operator === 'PERCENTAGE_SPLIT') return { unknown: 'its segment contains a percentage' }
  if (VERSION.test(text) && TEXT_OPERATORS.includes(String(operator)))
    return { unknown: `${String(operator)} with a version is interpreted differently by engines of Flagsmith` }
  if (field === '' || field.startsWith('$.')) return { unknown: `its segment uses "${name}"` }
  switch (operator) {
    case 'IS_SET':
      return createPresenceTest(field)
    case 'IS_NOT_SET':
      return { not: createPresenceTest(field) }
    case 'EQUAL':
      return convertEquality(field, text)
    case 'NOT_EQUAL':
      return { all: [createPresenceTest(field), { not: convertEquality(field, text) }] }
    case 'CONTAINS':
      return createTextTest(field, 'STR_CONTAINS', [text])
    case 'NOT_CONTAINS':
      return { all: [createPresenceTest(field), { not: createTextTest(field, 'STR_CONTAINS', [text]) }] }
    case 'IN':
      return createInTest(field, parseList(value, text))
    case 'REGEX':
      return convertPattern(field, text)
    default:
      return convertComparison(field, String(operator), text)
  }
}

function convertEquality(field: string, text: string): Condition {
  if (VERSION.test(text)) return createSemverTest(field, 'SEMVER_EQ', text.replace(VERSION, ''))
  // Flagsmith accepts booleans in both spellings
  if (/^(true|false)$/i.test(text))
    return toNarrow(createInTest(field, [...new Set([text, text.toLowerCase()])], 'truth value'))
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number)
    ? { any: [createInTest(field, [text]), createNumberTest(field, 'NUM_EQ', number)] }
    : createInTest(field, [text])
}

function convertComparison(field: string, operator: string, text: string): Condition {
  const [number, version] = NUMBERS[operator] ?? []
  if (number === undefined || version === undefined) return { unknown: `the operator "${operator}" has no counterpart` }
  if (VERSION.test(text)) return createSemverTest(field, version, text.replace(VERSION, ''))
  const wanted = Number.parseFloat(text)
  return createNumberTest(field, number, Number(text) === wanted ? wanted : Number.NaN)
}

/** Parses comma-separated strings, or a JSON list of strings. */
function parseList(value: unknown, text: string): string[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string')
  try {
    const list: unknown = JSON.parse(text)
    if (Array.isArray(list)) return list.filter((one) => typeof one === 'string')
  } catch {
    // not JSON
  }
  return text.split(',')
}

/**
 * Converts a pattern. One Flagsmith engine matches a pattern only at the start of a string; another engine matches it
 * at any position.
 */
function convertPattern(field: string, pattern: string): Condition {
  if (pattern === '') return NEVER
  const condition = toNarrow(createJavaScriptPatternTest(field, [`^(?:${pattern})`]))
  if (pattern.startsWith('^') || !('test' in condition)) return condition
  return {
    ...condition,
    differs: `the pattern for "${field}" is matched from the start of the string, which not all engines of Flagsmith do`,
  }
}

function toNarrow(condition: Condition): Condition {
  return 'test' in condition ? { ...condition, isNarrow: true } : condition
}

/**
 * Returns a key that the import does not know, or undefined if it knows all keys. An unknown key could restrict the
 * audience.
 */
export function findUnreadKey(json: Json, known: readonly string[]): string | undefined {
  return Object.keys(json).find((name) => !known.includes(name))
}

function toList(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

/** Returns the objects of a list; empty if the value is not a list. */
export function toObjects(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
