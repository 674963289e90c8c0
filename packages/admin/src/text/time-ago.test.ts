import { expect, test } from 'vitest'
import { groupedNumber } from './grouped-number.ts'
import { timeAgo } from './time-ago.ts'

const MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, month: 2_592_000_000, year: 31_536_000_000 }
/** Of each unit as many as come before the next one. */
const MOST = { minute: 59, hour: 23, day: 29, month: 12, year: 40 }

test.each(['en', 'de'] as const)('times are written as browsers do in %s', (language) => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, length] of Object.entries(MS) as [keyof typeof MS, number][])
    for (const count of Array.from({ length: MOST[unit] }, (_, index) => index + 1))
      for (const signed of [-count, count]) expect(timeAgo(signed * length, language)).toBe(format.format(signed, unit))
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
])('%d ms from now: %s', (millis, text) => expect(timeAgo(millis, 'en')).toBe(text))

test.each(['en', 'en-AU', 'en-CA', 'en-GB', 'en-IE', 'en-NZ', 'en-US', 'de', 'de-DE'])(
  'whole numbers are written as browsers do in %s',
  (locale) => {
    const format = new Intl.NumberFormat(locale)
    for (const value of [0, 7, 10, 999, 1000, 1001, 9999, 12_345, 999_999, 1_000_000, 1_234_567_890, 2 ** 53 - 1])
      expect(groupedNumber(value, locale)).toBe(format.format(value))
  },
)

test.each([
  [999, 'de-CH', '999'],
  [1000, 'de-CH', undefined],
  [1000, 'en-IN', undefined],
  [-1, 'en', undefined],
  [0.5, 'en', undefined],
  [2 ** 53, 'en', undefined],
  [Number.NaN, 'en', undefined],
])('%d in %s is left to the browser or not: %s', (value, locale, text) =>
  expect(groupedNumber(value, locale)).toBe(text),
)
