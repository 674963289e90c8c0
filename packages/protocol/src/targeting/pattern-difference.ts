/**
 * Pattern for the parts of a regular expression that SDKs may parse differently: an escape, a character class, or an
 * opening brace (including the repetition that it begins, if any).
 */
const PARTS = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(?:\d+(?:,\d*)?\})?/g
/** Escapes that RE2 reads as a character or as a quotation, but that Rust rejects or reads differently. */
const OTHER_ESCAPE = /^\\[QC0-9<>]/
/** Escapes that match only ASCII characters in RE2 but all of Unicode in Rust. */
const UNICODE_ESCAPE = /\\[dDwWsSbB]/
/** Operators and brackets within character classes that Rust reads as syntax but RE2 reads as plain characters. */
const CLASS_SYNTAX = /&&|--|~~|\[(?!:\^?\w+:\])/

/**
 * Returns how SDKs differ in parsing an RE2 pattern; undefined if they all agree. All SDKs except the Node SDKs use
 * Rust's regular expressions. `patternSyntax`: Rust does not have the syntax, or gives it another meaning.
 * `patternClasses`: Rust matches different characters outside ASCII.
 */
export function findPatternDifference(pattern: string): 'patternSyntax' | 'patternClasses' | undefined {
  const parts = pattern.match(PARTS) ?? []
  if (parts.some(isOtherSyntax)) return 'patternSyntax'
  return parts.some((part) => UNICODE_ESCAPE.test(removeQuotedBackslashes(part))) ? 'patternClasses' : undefined
}

function isOtherSyntax(part: string): boolean {
  if (part.startsWith('\\')) return OTHER_ESCAPE.test(part)
  if (part.startsWith('[')) return CLASS_SYNTAX.test(part.slice(1).replace(/\\[\s\S]/g, ''))
  return part === '{'
}

function removeQuotedBackslashes(part: string): string {
  return part.replaceAll('\\\\', '')
}
