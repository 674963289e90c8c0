import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTimer } from './timer.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [-5, 1],
  [20, 20],
  [2_147_483_647, 2_147_483_647],
  [21_474_836_470, 2_147_483_647],
])('after %d ms calls after %d ms', async (asked, waited) => {
  const call = vi.fn()
  startTimer(asked, call)
  await vi.advanceTimersByTimeAsync(waited - 1)
  expect(call).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(call).toHaveBeenCalledOnce()
})
