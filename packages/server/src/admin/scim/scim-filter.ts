import { scimInvalid } from './scim-problem.ts'

const FILTER = /^\s*([\w.]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i

/**
 * Parses a filter into an attribute (in lower case) and a value. Throws ValidationError for all forms except `x eq
 * "y"`.
 */
export function parseFilter(text: string): { attribute: string; value: string } {
  const [, attribute, quoted] = FILTER.exec(text) ?? []
  const value = quoted === undefined ? undefined : parseQuoted(quoted)
  if (attribute !== undefined && value !== undefined) return { attribute: attribute.toLowerCase(), value }
  throw scimInvalid('invalidFilter', 'Only filters of the form `attribute eq "value"` are supported.')
}

/** Parses a JSON string; returns undefined for escapes and control characters that JSON does not allow. */
export function parseQuoted(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}
