import { expect, test } from 'vitest'
import { shutdownTimes } from './shutdown-times.ts'

/** Between SIGTERM and SIGKILL: `docker stop`, and what Kubernetes must be told for a longer delay. */
test.each([
  [0, 10_000],
  [1, 10_000],
  [5, 10_000],
  [6, 11_000],
  [30, 35_000],
])('a delay of %i s ends within %i ms, with time for every part', (delaySeconds, runtimeWaitsMs) => {
  const { delayMs, graceMs, flushMs, freeMs, limitMs } = shutdownTimes(delaySeconds)
  expect(delayMs).toBe(delaySeconds * 1000)
  expect(graceMs + flushMs + freeMs).toBeLessThan(limitMs)
  expect(delayMs + limitMs).toBeLessThan(runtimeWaitsMs)
  expect(Math.min(graceMs, flushMs)).toBeGreaterThanOrEqual(1500)
  expect(freeMs).toBeGreaterThanOrEqual(500)
})
