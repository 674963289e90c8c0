import { expect, test } from 'vitest'
import { createRealScale, createTimeScale, createValueScale } from './scale.ts'

const HOUR = 3_600_000

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 50, 100]],
  [1355, [0, 500, 1000, 1500]],
  [2 ** 53 - 1, [0, 5e15, 1e16]],
])('an axis up to %i has round labels that include it', (most, ticks) => {
  expect(createValueScale(most)).toEqual({ max: ticks.at(-1), ticks })
})

test.each([
  [0, 0, [0, 0.5, 1]],
  [0, 0.03, [0, 0.01, 0.02, 0.03]],
  [0, 1.3, [0, 0.5, 1, 1.5]],
  [-2, 3, [-2, 0, 2, 4]],
  [0, 1355, [0, 500, 1000, 1500]],
])('an axis for any numbers from %d to %d has round labels that include both', (least, most, ticks) => {
  const scale = createRealScale(least, most)
  expect(scale.ticks.every((tick) => Number.isFinite(tick))).toBe(true)
  expect(scale).toEqual({ min: ticks[0], max: ticks.at(-1), ticks })
})

test.each([1, 24, 48, 168, 720, 24 * 400, 24 * 4000])(
  'an axis of %i hours has up to seven labels in its range',
  (hours) => {
    const from = new Date(2026, 2, 20, 10, 30).getTime()
    const to = from + hours * HOUR
    const { ticks, areDays } = createTimeScale(from, to)
    expect(ticks.length).toBeLessThanOrEqual(7)
    expect(ticks.length).toBeGreaterThanOrEqual(hours === 1 ? 1 : 2)
    expect(ticks.every((tick) => tick >= from && tick <= to)).toBe(true)
    expect(ticks.every((tick) => new Date(tick).getMinutes() % (hours === 1 ? 10 : 60) === 0)).toBe(true)
    if (areDays) expect(ticks.every((tick) => new Date(tick).getHours() === 0)).toBe(true)
  },
)
