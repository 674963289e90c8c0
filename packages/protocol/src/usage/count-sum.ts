/**
 * The sum of two counts, a whole number of at most 2^53 − 1: the largest that every JSON reader can hold. What is no number
 * counts as 0.
 */
export function sumOfCounts(a: number, b: unknown): number {
  const more = typeof b === 'number' && b > 0 ? Math.floor(b) : 0
  return Math.min(a + more, Number.MAX_SAFE_INTEGER)
}
