/** Returns a time in ISO 8601 with milliseconds; null if there is no time. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
