import { expect, test } from 'vitest'
import { addJitter, getBackoffMs } from './backoff.ts'

test.each([
  { failures: 1, pauseMs: 100 },
  { failures: 2, pauseMs: 200 },
  { failures: 4, pauseMs: 800 },
  { failures: 5, pauseMs: 1000 },
  { failures: 10_000, pauseMs: 1000 },
])('pauses $pauseMs ms after $failures failures in a row', ({ failures, pauseMs }) => {
  expect(getBackoffMs({ firstMs: 100, maxMs: 1000 }, failures)).toBe(pauseMs)
})

test.each([
  { drawn: 0, pauseMs: 900 },
  { drawn: 0.25, pauseMs: 950 },
  { drawn: 0.5, pauseMs: 1000 },
  { drawn: 0.75, pauseMs: 1050 },
])('jitter turns a pause of 1000 ms into $pauseMs ms for $drawn', ({ drawn, pauseMs }) => {
  expect(addJitter(1000, () => drawn)).toBeCloseTo(pauseMs, 9)
})
