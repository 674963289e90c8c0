import { expect, test } from 'vitest'
import { listDailyCounts, sumDays } from './daily-counts.ts'

test('lists the last days up to today, with zeros for days without events', () => {
  const known = [
    { date: '2026-02-26', count: 9 },
    { date: '2026-02-28', count: 2 },
    { date: '2026-03-01', count: 3 },
  ]
  const days = listDailyCounts(known, new Date('2026-03-01T23:30:00Z'), 3)
  expect(days).toEqual([
    { date: '2026-02-27', count: 0 },
    { date: '2026-02-28', count: 2 },
    { date: '2026-03-01', count: 3 },
  ])
  expect(sumDays(days)).toBe(5)
})
