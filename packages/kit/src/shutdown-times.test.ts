import { expect, test } from 'vitest'
import { getShutdownTimes } from './shutdown-times.ts'

/**
 * Delay in seconds and time between SIGTERM and SIGKILL in milliseconds: default of `docker stop`, or the grace period
 * to set in Kubernetes.
 */
test.each([
  [0, 10_000],
  [1, 10_000],
  [5, 10_000],
  [6, 11_000],
  [30, 35_000],
])('a delay of %i s ends within %i ms, with time for every part', (delaySeconds, runtimeWaitsMs) => {
  const { delayMs, graceMs, flushMs, freeMs, limitMs } = getShutdownTimes(delaySeconds)
  expect(delayMs).toBe(delaySeconds * 1000)
  expect(graceMs + flushMs + freeMs).toBeLessThan(limitMs)
  expect(delayMs + limitMs).toBeLessThan(runtimeWaitsMs)
  expect(Math.min(graceMs, flushMs)).toBeGreaterThanOrEqual(1500)
  expect(freeMs).toBeGreaterThanOrEqual(500)
})
