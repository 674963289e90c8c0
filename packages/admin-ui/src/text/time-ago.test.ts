import { expect, test } from 'vitest'
import { formatTimeAgo } from './time-ago.ts'

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 2_592_000_000, year: 31_536_000_000 }
/** Largest count of each unit before the next larger unit is used. */
const MOST = { minute: 59, hour: 23, day: 29, month: 12, year: 40 }

test.each(['en', 'de'] as const)('times are written as browsers do in %s', (language) => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, length] of Object.entries(MS) as [keyof typeof MS, number][])
    for (const count of Array.from({ length: MOST[unit] }, (_, index) => index + 1))
      for (const signed of [-count, count])
        expect(formatTimeAgo(signed * length, language)).toBe(format.format(signed, unit))
})

test.each([
  [-59_999, undefined],
  [0, undefined],
  [59_999, undefined],
  [-60_000, '1 minute ago'],
  [-89_999, '1 minute ago'],
  [-90_001, '2 minutes ago'],
  [-3_599_999, '60 minutes ago'],
  [5_400_001, 'in 2 hours'],
  [-86_399_999, '24 hours ago'],
  [-86_400_000, 'yesterday'],
  [-2_591_999_999, '30 days ago'],
  [-31_535_999_999, '12 months ago'],
  [63_072_000_000, 'in 2 years'],
])('%d ms from now: %s', (millis, text) => expect(formatTimeAgo(millis, 'en')).toBe(text))
