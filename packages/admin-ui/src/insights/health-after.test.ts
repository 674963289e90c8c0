import { expect, test } from 'vitest'
import { calculateHealth, calculateHealthAfter } from './health-after.ts'

test.each([
  [{ active: 0, stale: 0, overdue: 0 }, 100, 100, 100],
  [{ active: 3, stale: 0, overdue: 0 }, 100, 100, 100],
  [{ active: 2, stale: 1, overdue: 1 }, 50, 67, 67],
  [{ active: 1, stale: 3, overdue: 0 }, 25, 100, 25],
  [{ active: 0, stale: 1, overdue: 1 }, 0, 0, 0],
])('%j is %d %%, %d %% without stale ones, %d %% without those that are too old', (counts, now, stale, overdue) => {
  expect(calculateHealth(counts)).toBe(now)
  expect(calculateHealthAfter(counts)).toEqual({ withoutStale: stale, withoutOverdue: overdue })
})
