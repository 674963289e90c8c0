import { expect, test } from 'vitest'
import { countPerHour, countPerVariant, sumUsage } from './usage-counts.ts'

/** Sums over several applications stop at the largest exact number. */
test('sums stop at 2^53 − 1', () => {
  const most = Number.MAX_SAFE_INTEGER
  const now = Date.parse('2026-01-01T12:30:00Z')
  const row = { featureName: 'f', environment: 'e', timestamp: '2026-01-01T12:00:00Z', yes: most, no: 1 }
  const rows = ['a', 'b'].map((appName) => ({ ...row, appName, variants: { red: most, blue: 2 } }))
  expect(sumUsage(rows)).toEqual({ yes: most, no: 2 })
  expect(countPerHour(rows, 0, now)).toEqual([{ at: Date.parse(row.timestamp), yes: most, no: 2 }])
  expect(countPerVariant(rows)).toEqual([
    ['red', most],
    ['blue', 4],
  ])
})
