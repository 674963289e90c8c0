/** An object of a document from elsewhere. Each of its parts still has to be checked. */
export type Raw = Readonly<Record<string, unknown>>

/** True for objects, also lists; false for null and everything else. */
export function isRaw(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null
}

/**
 * The text of a value, as JavaScript's `String` writes it: 5 is "5", true is "true", [1, 2] is "1,2".
 *
 * @returns undefined for null, undefined, symbols and for objects that cannot be turned into text. Throws nothing.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === null || value === undefined || typeof value === 'symbol') return undefined
  try {
    return String(value)
  } catch {
    return undefined // e.g. an object whose own `toString` is no function
  }
}

/** JavaScript's `Number` of a value ("" and null are 0, "0x10" is 16); NaN where that would throw. */
export function numberOf(value: unknown): number {
  try {
    return Number(value)
  } catch {
    return Number.NaN
  }
}

/**
 * When a value is, in milliseconds since 1970, as JavaScript's `Date` reads it: a date alone is UTC, a number is
 * milliseconds, null is 0. NaN for anything that is no date. Throws nothing.
 */
export function timeOf(value: unknown): number {
  try {
    return new Date(value as string).getTime()
  } catch {
    return Number.NaN
  }
}

/** Items of a comma-separated list. Blanks around commas vanish, blanks at the two ends of the list stay. */
export function splitList(list: string): string[] {
  return list.split(/\s*,\s*/)
}

/** Text of a name or group in a document; a missing one reads "undefined", as in the SDK of the service. */
export function fieldName(name: unknown): string {
  return textOf(name) ?? String(name === null ? null : undefined)
}
