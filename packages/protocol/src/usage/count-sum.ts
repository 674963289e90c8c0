/**
 * Adds two counts. The sum is capped at 2^53 − 1, the largest integer that every JSON parser represents exactly. A
 * second argument that is not a positive number is treated as 0.
 */
export function sumCounts(a: number, b: unknown): number {
  const more = typeof b === 'number' && b > 0 ? Math.floor(b) : 0
  return Math.min(a + more, Number.MAX_SAFE_INTEGER)
}
