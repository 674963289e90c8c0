import { compilePattern } from '@burgee/engine/rules/pattern'
import { parseSemver } from '@burgee/protocol/semver'
import type { Condition } from './condition.ts'

const MOST_VALUE = 1000
const PADDED_VERSION = /^v?(\d+)(?:\.(\d+))?$/

/** The field is one of some texts. */
export function isIn(contextName: string, values: readonly unknown[]): Condition {
  return onTexts(contextName, 'IN', values)
}

/** The field begins with, ends with or contains one of some texts. */
export function isLike(
  contextName: string,
  operator: 'STR_STARTS_WITH' | 'STR_ENDS_WITH' | 'STR_CONTAINS',
  values: readonly unknown[],
): Condition {
  return onTexts(contextName, operator, values)
}

/** The context has the field at all. */
export function isPresent(contextName: string): Condition {
  return { test: { contextName, operator: 'REGEX', value: '^' } }
}

/** The context has the field, and it is not empty: shares can stick to it. */
export function hasText(contextName: string): Condition {
  return { test: { contextName, operator: 'REGEX', value: '[\\s\\S]' } }
}

/** The field is a number that compares so. `isNarrow` as for tests. */
export function isNumber(contextName: string, operator: string, value: unknown, isNarrow = false): Condition {
  const number = typeof value === 'number' ? value : Number.NaN
  if (!Number.isFinite(number)) return { unknown: `${contextName} is compared with what is no number` }
  return { test: { contextName, operator, value: String(number) }, isNarrow }
}

/** The field is a version that compares so; elsewhere versions may be shorter, which are none here. */
export function isVersion(contextName: string, operator: string, value: unknown): Condition {
  const text = String(value)
  const [, major, minor] = PADDED_VERSION.exec(text) ?? []
  const whole = major === undefined ? text.replace(/^v/, '') : `${major}.${minor ?? '0'}.0`
  if (parseSemver(whole) === undefined)
    return { unknown: `${contextName} is compared with "${text}", which is no version` }
  return { test: { contextName, operator, value: whole }, isNarrow: true }
}

/** The field fits one of some patterns. */
export function fits(contextName: string, patterns: readonly unknown[]): Condition {
  const texts = patterns.map(String)
  const joined = texts.length === 1 ? (texts[0] ?? '') : texts.map((one) => `(?:${one})`).join('|')
  if (joined.length > MOST_VALUE || texts.some((one) => compilePattern(one, false) === undefined)) {
    return { unknown: `${contextName} is matched by a pattern that RE2 does not know` }
  }
  return { test: { contextName, operator: 'REGEX', value: joined } }
}

/** Texts are compared as they are, but blanks at their ends are dropped here, and empty ones: such ones cannot be told. */
function onTexts(contextName: string, operator: string, values: readonly unknown[]): Condition {
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const odd = texts.some(
    (text) => text === undefined || text === '' || text !== text.trim() || text.length > MOST_VALUE,
  )
  if (odd) return { unknown: `${contextName} is compared with an empty text, a long one, or blanks at an end` }
  return { test: { contextName, operator, values: texts } }
}
