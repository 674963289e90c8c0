import { expect, test } from 'vitest'
import { getBackoffMs } from './backoff.ts'

test.each([
  { failures: 1, pauseMs: 100 },
  { failures: 2, pauseMs: 200 },
  { failures: 4, pauseMs: 800 },
  { failures: 5, pauseMs: 1000 },
  { failures: 10_000, pauseMs: 1000 },
])('pauses $pauseMs ms after $failures failures in a row', ({ failures, pauseMs }) => {
  expect(getBackoffMs({ firstMs: 100, maxMs: 1000 }, failures)).toBe(pauseMs)
})
