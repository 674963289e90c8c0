import { expect, test } from 'vitest'
import { monotonicClock } from './monotonic-clock.ts'
import { Throttle } from './throttle.ts'

test('passes one line per kind and minute, with the number of suppressed lines', () => {
  let now = 0
  const throttle = new Throttle(monotonicClock(() => now))
  expect(throttle.pass('a')).toBe('')
  expect([throttle.pass('a'), throttle.pass('a')]).toEqual([undefined, undefined])
  expect(throttle.pass('b')).toBe('')
  now = 59_999
  expect(throttle.pass('a')).toBeUndefined()
  now = 60_000
  expect(throttle.pass('a')).toBe(' (3 more since the last one)')
  now = 120_000
  expect(throttle.pass('a')).toBe('')
})

test('a clock that is set back does not hold lines back', () => {
  let now = 1_000_000
  const throttle = new Throttle(monotonicClock(() => now))
  throttle.pass('a')
  now = 0
  expect(throttle.pass('a')).toBe('')
})

test('invented kinds neither fill the memory nor pass each for itself', () => {
  const throttle = new Throttle(monotonicClock(() => 0))
  const passed = Array.from({ length: 1000 }, (_, index) => throttle.pass(`kind-${index}`))
  expect(passed.filter((text) => text !== undefined)).toHaveLength(101)
})
