import { expect, test } from 'vitest'
import { getBucketRanges } from './rollout-buckets.ts'

test.each([
  [25, 25, ['in 1-25', 'out 26-100']],
  [25, 50, ['in 1-25', 'added 26-50', 'out 51-100']],
  [50, 5, ['in 1-5', 'removed 6-50', 'out 51-100']],
  [0, 1, ['added 1-1', 'out 2-100']],
  [100, 100, ['in 1-100']],
  [0, 0, ['out 1-100']],
  [Number.NaN, 7.9, ['added 1-7', 'out 8-100']],
])('from %d to %d percent, the buckets are %j', (before, after, ranges) => {
  expect(getBucketRanges(before, after).map(({ kind, first, last }) => `${kind} ${first}-${last}`)).toEqual(ranges)
})
