import { RE2JS } from 're2js'

/**
 * Compiles a regular expression in RE2 syntax, which runs in linear time and has no look-around. Returns undefined if
 * the pattern is invalid. Source: client-specification 21.
 */
export function compilePattern(value: string, caseInsensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(value, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
  } catch {
    return undefined
  }
}
