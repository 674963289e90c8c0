/**
 * Pattern for the parts of a regular expression that some SDKs parse differently: an escape, a character class, or an
 * opening brace (with its repetition, if it begins one).
 */
const PARTS = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(?:\d+(?:,\d*)?\})?/g
/** Escapes that RE2 reads as a character or as a quotation, and that Rust reads differently or rejects. */
const OTHER_ESCAPE = /^\\[QC0-9<>]/
/** Escapes that match ASCII in RE2 and all of Unicode in Rust. */
const UNICODE_ESCAPE = /\\[dDwWsSbB]/
/** Operators and brackets in character classes that Rust reads as syntax and that RE2 reads as plain characters. */
const CLASS_SYNTAX = /&&|--|~~|\[(?!:\^?\w+:\])/

/**
 * Returns the kind of difference in how SDKs parse an RE2 pattern; undefined if they agree. All SDKs except the Node
 * SDKs use Rust's regular expressions. `patternSyntax`: Rust lacks the syntax or gives it another meaning.
 * `patternClasses`: Rust matches other characters beyond ASCII.
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
