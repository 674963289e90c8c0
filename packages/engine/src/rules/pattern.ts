import { RE2JS } from 're2js'

/**
 * A regular expression in RE2 syntax, which cannot run for ever and knows no look-around; undefined when it is none.
 * Source: client-specification 21.
 */
export function compilePattern(value: string, caseInsensitive: boolean): RE2JS | undefined {
  try {
    return RE2JS.compile(value, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
  } catch {
    return undefined
  }
}
