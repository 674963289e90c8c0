const COUNT = 100

/**
 * Range of buckets in the same state: included before and after an edit, added or removed by it, or excluded before and
 * after.
 */
export interface BucketRange {
  readonly kind: 'in' | 'added' | 'removed' | 'out'
  readonly first: number
  readonly last: number
}

/**
 * Returns the ranges of buckets 1 to 100, in order, when a percentage changes. A user is included if the user's bucket
 * number is at most the percentage.
 */
export function getBucketRanges(before: number, after: number): BucketRange[] {
  const [from, to] = [before, after].map((one) => Math.min(COUNT, Math.max(0, Math.floor(one || 0)))) as [
    number,
    number,
  ]
  const ranges: BucketRange[] = [
    { kind: 'in', first: 1, last: Math.min(from, to) },
    { kind: to > from ? 'added' : 'removed', first: Math.min(from, to) + 1, last: Math.max(from, to) },
    { kind: 'out', first: Math.max(from, to) + 1, last: COUNT },
  ]
  return ranges.filter(({ first, last }) => first <= last)
}
