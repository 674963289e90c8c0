import { type Condition, NEVER } from './condition.ts'
import { fits } from './tests.ts'

/** A token that RE2 and JavaScript read alike: literals, escapes, groups, quantifiers, anchors and classes. */
const TOKEN =
  /\\[.*+?^${}()|[\]\\/\-dDwWsSbBntrfv]|[^\\[\](){}.*+?^$|]|\((?:\?:|(?!\?))|\)|[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??|[.^$|]|\[\^?(?:[^[\]\\]|\\[.*+?^${}()|[\]\\/\-dDwWsSntrfv])+\]/uy
/** What counts characters beyond the Basic Multilingual Plane, line ends or blanks in another way. */
const NEARLY = /[.]|\\[DWSs]|\[\^|[\u{10000}-\u{10ffff}]/u

/**
 * The field fits one of some regular expressions of JavaScript; those that JavaScript cannot read fit nothing. Unknown for
 * patterns that RE2 reads otherwise.
 */
export function fitsJavaScript(field: string, patterns: readonly string[]): Condition {
  const valid = patterns.filter(isValid)
  if (valid.length === 0) return NEVER
  if (!valid.every(isShared)) return { unknown: `${field} is matched by a pattern that RE2 does not know` }
  const condition = fits(field, valid)
  if (!('test' in condition) || !valid.some((one) => NEARLY.test(one.replaceAll('\\.', '')))) return condition
  return {
    ...condition,
    caveat: `patterns for "${field}" are read by RE2: it counts an emoji as one character, and has other line ends and blanks`,
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
