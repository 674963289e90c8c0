import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const DATE = 'Fri, 27 Nov 2026 12:00:00 GMT'

test.each<[string, string | undefined, string | undefined, number | undefined]>([
  ['no header', undefined, DATE, undefined],
  ['seconds', '120', undefined, 120_000],
  ['blanks around', ' 7 ', undefined, 7000],
  ['zero', '0', undefined, 0],
  ['a date', 'Fri, 27 Nov 2026 12:00:30 GMT', DATE, 30_000],
  ['a date in the form of RFC 850', 'Friday, 27-Nov-26 12:01:00 GMT', DATE, 60_000],
  ['a date in the form of asctime', 'Fri Nov 27 12:00:05 2026', DATE, 5000],
  ['a date that has passed', 'Fri, 27 Nov 2026 11:00:00 GMT', DATE, 0],
  ['a date in a reply without one', 'Fri, 27 Nov 2026 12:00:30 GMT', undefined, undefined],
  ['a date in a reply with an unreadable one', 'Fri, 27 Nov 2026 12:00:30 GMT', 'today', undefined],
  ['a negative number', '-1', DATE, undefined],
  ['a fraction', '1.5', DATE, undefined],
  ['an exponent', '1e3', DATE, undefined],
  ['a number beyond bounds', '9999999999', DATE, undefined],
  ['a word', 'soon', DATE, undefined],
  ['nothing', '', DATE, undefined],
  ['two values', '1, 2', DATE, undefined],
  ['a date that does not exist', 'Fri, 99 Nov 2026 12:00:30 GMT', DATE, undefined],
])('reads %s', (_name, retryAfter, date, expected) => {
  const headers = new Headers()
  if (retryAfter !== undefined) headers.set('retry-after', retryAfter)
  if (date !== undefined) headers.set('date', date)
  expect(parseRetryAfter(headers)).toBe(expected)
})
