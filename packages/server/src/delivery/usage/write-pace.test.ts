import { expect, test } from 'vitest'
import { WritePace } from './write-pace.ts'

test.each([
  ['none yet', undefined, 1000],
  ['a short one', 20, 1000],
  ['one of a second', 1000, 4000],
  ['one that takes very long', 60_000, 10_000],
])('from a write to the next: after %s', (_name, tookMs, pauseMs) => {
  const pace = new WritePace()
  if (tookMs !== undefined) pace.recordWrite(tookMs)
  expect(pace.pauseMs).toBe(pauseMs)
  pace.recordWrite(1)
  expect(pace.pauseMs).toBe(1000)
})

test.each([
  ['a short one', 3, 6],
  ['a long one', 400, 100],
])('from a part of a write to the next: after %s', (_name, tookMs, pauseMs) => {
  expect(new WritePace().getInnerPauseMs(tookMs)).toBe(pauseMs)
})
