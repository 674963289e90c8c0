import { createPatternTest } from './attribute-tests.ts'
import { type Condition, NEVER } from './condition.ts'

/** Token with the same meaning in RE2 and JavaScript: literal, escape, group, quantifier, anchor or class. */
const TOKEN =
  /\\[.*+?^${}()|[\]\\/\-dDwWsSbBntrfv]|[^\\[\](){}.*+?^$|]|\((?:\?:|(?!\?))|\)|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??|[.^$|]|\[\^?(?:[^[\]\\]|\\[.*+?^${}()|[\]\\/\-dDwWsSntrfv])+\]/uy
/**
 * Tokens that RE2 interprets differently for characters beyond the Basic Multilingual Plane, line ends or whitespace.
 */
const NEARLY = /[.]|\\[DWSs]|\[\^|[\u{10000}-\u{10ffff}]/u

/**
 * Creates a test that holds if a field matches at least one of some JavaScript regular expressions. Invalid patterns
 * match nothing. Returns an unknown condition if a pattern has a different meaning in RE2.
 */
export function createJavaScriptPatternTest(field: string, patterns: readonly string[]): Condition {
  const valid = patterns.filter(isValid)
  if (valid.length === 0) return NEVER
  if (!valid.every(isShared)) return { unknown: `${field} is matched by a pattern that RE2 does not support` }
  const condition = createPatternTest(field, valid)
  if (!('test' in condition) || !valid.some((one) => NEARLY.test(one.replaceAll('\\.', '')))) return condition
  return {
    ...condition,
    caveat: `patterns for "${field}" are interpreted by RE2, which counts an emoji as one character and differs in line ends and spaces`,
  }
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

function isShared(pattern: string): boolean {
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < pattern.length) if (!TOKEN.test(pattern)) return false
  return true
}
