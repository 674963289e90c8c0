import { expect, test } from 'vitest'
import { formatGroupedNumber } from './grouped-number.ts'

test.each(['en', 'en-AU', 'en-CA', 'en-GB', 'en-IE', 'en-NZ', 'en-US', 'de', 'de-DE'])(
  'whole numbers are written as browsers do in %s',
  (locale) => {
    const format = new Intl.NumberFormat(locale)
    for (const value of [0, 7, 10, 999, 1000, 1001, 9999, 12_345, 999_999, 1_000_000, 1_234_567_890, 2 ** 53 - 1])
      expect(formatGroupedNumber(value, locale)).toBe(format.format(value))
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
  expect(formatGroupedNumber(value, locale)).toBe(text),
)
