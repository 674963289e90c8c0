import { compilePattern } from '@burgee/engine/rules/pattern'
import { parseSemver, type Semver } from '@burgee/protocol/semver'
import { type AttributeType, type Condition, NEVER } from './condition.ts'
import { buildVersionPattern, type VersionRelation, type VersionSpelling } from './version-spellings.ts'

const MAX_VALUE = 1000

/** Creates a test that holds if a field has one of some values. With an empty list, the test never holds. */
export function createInTest(contextName: string, values: readonly unknown[], type: AttributeType = 'text'): Condition {
  return values.length === 0 ? NEVER : createValueTest(contextName, 'IN', values, type)
}

/** Creates a test that holds if a field begins with, ends with or contains one of several strings. */
export function createTextTest(
  contextName: string,
  operator: 'STR_STARTS_WITH' | 'STR_ENDS_WITH' | 'STR_CONTAINS',
  values: readonly unknown[],
): Condition {
  return values.length === 0 ? NEVER : createValueTest(contextName, operator, values, 'text')
}

/** Creates a test that holds if a field is present. If `type` is given, the attribute must also have this type. */
export function createPresenceTest(contextName: string, type?: AttributeType): Condition {
  return { test: { contextName, operator: 'REGEX', value: '^' }, ...(type === undefined ? {} : { type }) }
}

/** Creates a test that holds if a field is present and not empty. A field used for stickiness must pass this test. */
export function createNonEmptyTest(contextName: string): Condition {
  return { test: { contextName, operator: 'REGEX', value: '[\\s\\S]' } }
}

/** Creates a numeric comparison of a field. */
export function createNumberTest(contextName: string, operator: string, value: unknown): Condition {
  const number = typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(number)) return { unknown: `${contextName} is compared with a value that is not a number` }
  return { test: { contextName, operator, value: String(number) }, type: 'number' }
}

/**
 * Version operators: the operators of constraints, and two operators that compare only the first number or the first
 * two numbers.
 */
export type VersionOperator = keyof typeof RELATIONS

const RELATIONS = {
  SEMVER_EQ: ['equal'],
  SEMVER_LT: ['less'],
  SEMVER_LTE: ['less', 'equal'],
  SEMVER_GT: ['greater'],
  SEMVER_GTE: ['greater', 'equal'],
  MAJOR: ['major'],
  MINOR: ['minor'],
} as const satisfies Record<string, readonly VersionRelation[]>

/**
 * Creates a version comparison of a field. Accepts versions in semver 2.0 and in every other notation that the source
 * accepts.
 */
export function createVersionTest(
  contextName: string,
  operator: VersionOperator,
  version: Semver,
  spelling: VersionSpelling,
): Condition {
  const patterns = RELATIONS[operator].map((relation) => buildVersionPattern(relation, version, spelling))
  const value = patterns.filter((pattern) => pattern !== undefined).join('|')
  if (value.length > MAX_VALUE) return { unknown: `${contextName} is compared with a version of long numbers` }
  const strict = createStrictSemverTest(contextName, operator, version)
  if (value === '') return strict
  const isPartial = version.prerelease.length > 0 && /[LG]T/.test(operator)
  const differs = `prereleases of "${contextName}" in other spellings than semver 2.0 are not compared with a prerelease`
  const spelled: Condition = {
    test: { contextName, operator: 'REGEX', value },
    type: 'text',
    ...(isPartial ? { isNarrow: true, differs } : {}),
  }
  return { any: [strict, spelled] }
}

/**
 * Creates a version comparison of a field. Accepts only semver 2.0. Versions in other notations never match, although
 * some sources accept them.
 */
export function createSemverTest(contextName: string, operator: VersionOperator, value: string): Condition {
  const version = parseSemver(value.trim().replace(/^v/, ''))
  if (version === undefined) return { unknown: `${contextName} is compared with "${value}", which is not a version` }
  const caveat = `"${contextName}" is compared as a version of semver 2.0: other spellings never match here`
  const strict = createStrictSemverTest(contextName, operator, version)
  return 'test' in strict ? { ...strict, isNarrow: true, caveat } : strict
}

function createStrictSemverTest(
  contextName: string,
  operator: VersionOperator,
  { numbers, prerelease }: Semver,
): Condition {
  const [major, minor] = numbers
  const test = (name: string, value: string): Condition => ({
    test: { contextName, operator: name, value },
    type: 'text',
  })
  const within = (from: string, to: string): Condition => ({ all: [test('SEMVER_GTE', from), test('SEMVER_LT', to)] })
  if (operator === 'MAJOR') return within(`${major}.0.0-0`, `${major + 1}.0.0-0`)
  if (operator === 'MINOR') return within(`${major}.${minor}.0-0`, `${major}.${minor + 1}.0-0`)
  return test(operator, [numbers.join('.'), ...(prerelease.length === 0 ? [] : [prerelease.join('.')])].join('-'))
}

/** Creates a test that holds if a field matches one of some patterns. */
export function createPatternTest(contextName: string, patterns: readonly string[]): Condition {
  const joined = patterns.length === 1 ? (patterns[0] ?? '') : patterns.map((one) => `(?:${one})`).join('|')
  if (joined.length > MAX_VALUE || patterns.some((one) => compilePattern(one, false) === undefined)) {
    return { unknown: `${contextName} is matched by a pattern that RE2 does not support` }
  }
  return { test: { contextName, operator: 'REGEX', value: joined }, type: 'text' }
}

/**
 * Creates a test that compares a field with strings. Returns an unknown condition for strings that are empty, too long,
 * or padded with whitespace. Burgee would change such strings, because it trims constraint values and drops empty ones.
 */
function createValueTest(
  contextName: string,
  operator: string,
  values: readonly unknown[],
  type: AttributeType,
): Condition {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const odd = texts.some((text) => text === undefined || text === '' || text !== text.trim() || text.length > MAX_VALUE)
  if (odd)
    return {
      unknown: `${contextName} is compared with a string that is empty, too long, or has spaces at its start or end`,
    }
  return { test: { contextName, operator, values: texts }, type }
}
