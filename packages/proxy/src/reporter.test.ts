import { SILENT } from '@burgee/kit/logger'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MetricsBucket, type MetricsPayload } from './metrics.ts'
import { Reporter } from './reporter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A reporter whose bucket is never empty; its upstream accepts while `accepts` says so. */
function run(jitterMs: number, random: number, accepts: () => boolean = () => true) {
  const bucket = new MetricsBucket(Date.now)
  const sent: { readonly at: number; readonly payload: MetricsPayload }[] = []
  const began = Date.now()
  const send = async (payload: MetricsPayload) => {
    sent.push({ at: Date.now() - began, payload })
    bucket.count('again', true)
    if (!accepts()) throw new Error('not now')
  }
  const reporter = new Reporter({
    bucket,
    sink: { register: async () => {}, send },
    intervalMs: 1000,
    jitterMs,
    random: () => random,
    clock: Date.now,
    logger: SILENT,
    onFailure: () => {},
  })
  bucket.count('again', true)
  reporter.start()
  return sent
}

test.each([
  [0, 0.9, [1000, 2000, 3000]],
  [200, 1, [1200, 2400, 3600]],
  [200, 0, [800, 1600, 2400]],
  [200, 0.5, [1000, 2000, 3000]],
  [5000, 0, [1, 2, 3]],
])('jitter of %d ms, drawn %d: sends after %j ms', async (jitterMs, random, expected) => {
  const sent = run(jitterMs, random)
  await vi.advanceTimersByTimeAsync(3600)
  expect(sent.slice(0, 3).map(({ at }) => at)).toEqual(expected)
})

test('waits longer after each refusal, and loses nothing', async () => {
  let isOpen = false
  const sent = run(0, 0, () => isOpen)
  await vi.advanceTimersByTimeAsync(6000)
  expect(sent.map(({ at }) => at)).toEqual([1000, 3000, 6000])
  isOpen = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent.map(({ at }) => at)).toEqual([1000, 3000, 6000, 10_000, 11_000])
  expect(sent.map(({ payload }) => payload.toggles.again?.yes)).toEqual([1, 2, 3, 4, 1])
})
