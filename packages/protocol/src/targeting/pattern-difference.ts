/** Parts of a pattern that SDKs may read differently: an escape, a character class, a brace with its repetition if it is one. */
const PARTS = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(?:\d+(?:,\d*)?\})?/g
/** Escapes that RE2 reads as a character or a quotation, and Rust as something else or not at all. */
const OTHER_ESCAPE = /^\\[QC0-9<>]/
/** Escapes that match ASCII in RE2 and all of Unicode in Rust. */
const UNICODE_ESCAPE = /\\[dDwWsSbB]/
/** Operations and brackets that Rust has inside character classes, and RE2 reads as characters. */
const CLASS_SYNTAX = /&&|--|~~|\[(?!:\^?\w+:\])/

/**
 * Returns how SDKs read a pattern of RE2 differently: `patternSyntax` where the regular expressions of Rust, which all SDKs
 * but those in Node use, lack its form or give it another meaning; `patternClasses` where they match other characters
 * beyond ASCII. Undefined where they agree.
 */
export function patternDifference(pattern: string): 'patternSyntax' | 'patternClasses' | undefined {
  const parts = pattern.match(PARTS) ?? []
  if (parts.some(isOtherSyntax)) return 'patternSyntax'
  return parts.some((part) => UNICODE_ESCAPE.test(withoutQuotedBackslashes(part))) ? 'patternClasses' : undefined
}

function isOtherSyntax(part: string): boolean {
  if (part.startsWith('\\')) return OTHER_ESCAPE.test(part)
  if (part.startsWith('[')) return CLASS_SYNTAX.test(part.slice(1).replace(/\\[\s\S]/g, ''))
  return part === '{'
}

function withoutQuotedBackslashes(part: string): string {
  return part.replaceAll('\\\\', '')
}
