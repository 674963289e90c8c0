/**
 * Adds two counts. Caps the sum at 2^53 − 1, the largest integer that every JSON parser can represent. A second
 * argument that is not a positive number counts as 0.
 */
export function sumCounts(a: number, b: unknown): number {
  const more = typeof b === 'number' && b > 0 ? Math.floor(b) : 0
  return Math.min(a + more, Number.MAX_SAFE_INTEGER)
}
