/**
 * Parts of a pattern that SDKs may parse differently: an escape, a character class, or a brace, with its repetition if
 * it is one.
 */
const PARTS = /\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{(?:\d+(?:,\d*)?\})?/g
/** Escapes that are a character or a quotation in RE2, but something else or invalid in Rust. */
const OTHER_ESCAPE = /^\\[QC0-9<>]/
/** Escapes that match ASCII in RE2 and all of Unicode in Rust. */
const UNICODE_ESCAPE = /\\[dDwWsSbB]/
/** Operators and brackets in character classes that are syntax in Rust and plain characters in RE2. */
const CLASS_SYNTAX = /&&|--|~~|\[(?!:\^?\w+:\])/

/**
 * Returns how SDKs parse an RE2 pattern differently; undefined if they agree. All SDKs but those in Node use Rust's
 * regular expressions. `patternSyntax`: Rust lacks the syntax or gives it another meaning. `patternClasses`: Rust
 * matches other characters beyond ASCII.
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
