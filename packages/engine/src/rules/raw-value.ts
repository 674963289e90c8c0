/** Unvalidated object of an external document. Check each property before use. */
export type Raw = Readonly<Record<string, unknown>>

/** Returns true for objects, including arrays; false for null and all other values. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null
}

/**
 * Converts a value to a string like JavaScript's `String`: 5 is "5", true is "true", [1, 2] is "1,2".
 *
 * @returns undefined for null, undefined, symbols and objects that cannot be converted. Never throws.
 */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined || typeof value === 'symbol') return undefined
  try {
    return String(value)
  } catch {
    return undefined // for example, an object whose `toString` is not a function
  }
}

/**
 * Converts a value like JavaScript's `Number` ("" and null are 0, "0x10" is 16). Returns NaN for values for which
 * `Number` would throw.
 */
export function toNumber(value: unknown): number {
  try {
    return Number(value)
  } catch {
    return Number.NaN
  }
}

/**
 * Converts a value to milliseconds since 1970 like JavaScript's `Date`: a date without a time is UTC, a number is
 * milliseconds, null is 0. Returns NaN if the value is not a date. Never throws.
 */
export function toTime(value: unknown): number {
  try {
    return new Date(value as string).getTime()
  } catch {
    return Number.NaN
  }
}

/** Splits a comma-separated list. Removes whitespace around commas, but not at the start and end of the whole list. */
export function splitList(list: string): string[] {
  return list.split(/\s*,\s*/)
}

/**
 * Returns a name or group from a document as a string. For a missing name or group, returns the string "undefined",
 * like the Unleash Node SDK.
 */
export function toFieldName(name: unknown): string {
  return toText(name) ?? String(name === null ? null : undefined)
}
