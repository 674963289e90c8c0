import { type Logger, SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { UpstreamError } from '@burgee/serving/upstream/upstream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MetricsBucket, type MetricsPayload } from './metrics-bucket.ts'
import { type MetricsSink, Reporter } from './reporter.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a reporter whose bucket is never empty. The upstream accepts requests while `accepts` returns true. */
function run(jitterMs: number, random: number, accepts: () => boolean = () => true, retryAfterMs?: number) {
  const bucket = new MetricsBucket(Date.now)
  const sent: { readonly at: number; readonly payload: MetricsPayload }[] = []
  const began = Date.now()
  const send = async (payload: MetricsPayload) => {
    sent.push({ at: Date.now() - began, payload })
    bucket.count('again', true, true)
    if (!accepts()) throw new UpstreamError(503, '/client/metrics', '', retryAfterMs)
  }
  const reporter = new Reporter({
    bucket,
    sink: { register: async () => {}, send, sendImpact: async () => {} },
    intervalMs: 1000,
    jitterMs,
    random: () => random,
    clock: Date.now,
    monotonic: monotonicClock(Date.now),
    logger: SILENT,
    onFailure: () => {},
  })
  bucket.count('again', true, true)
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

test('waits longer after each rejection, and loses no counts', async () => {
  let isOpen = false
  const sent = run(0, 0, () => isOpen)
  await vi.advanceTimersByTimeAsync(6000)
  expect(sent.map(({ at }) => at)).toEqual([1000, 3000, 6000])
  isOpen = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(sent.map(({ at }) => at)).toEqual([1000, 3000, 6000, 10_000, 11_000])
  expect(sent.map(({ payload }) => payload.toggles.again?.yes)).toEqual([1, 2, 3, 4, 1])
})

/** Creates a reporter with a bucket of these toggles, and collects its log lines and what its upstream accepted. */
function runWith(names: readonly string[], sink: Partial<MetricsSink>) {
  const bucket = new MetricsBucket(Date.now)
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const logger: Logger = { ...SILENT, warn: say, error: say }
  const failures: string[] = []
  const reporter = new Reporter({
    bucket,
    intervalMs: 1000,
    jitterMs: 0,
    random: () => 0,
    clock: Date.now,
    monotonic: monotonicClock(Date.now),
    logger,
    onFailure: (kind) => void failures.push(kind),
    sink: { register: async () => {}, send: async () => {}, sendImpact: async () => {}, ...sink },
  })
  for (const name of names) bucket.count(name, true, true)
  reporter.start()
  return { bucket, lines, reporter, failures }
}

const many = Array.from({ length: 3000 }, (_, index) => `toggle-${index}`)

test('a toggle that the upstream refuses does not hold up the others: it alone is dropped', async () => {
  const taken: string[] = []
  let asked = 0
  const send = async ({ toggles }: MetricsPayload) => {
    asked += 1
    if ('toggle-1234' in toggles) throw new UpstreamError(400, '/client/metrics')
    taken.push(...Object.keys(toggles))
  }
  const { bucket, lines } = runWith(many, { send })
  await vi.advanceTimersByTimeAsync(1000)
  expect(taken.sort()).toEqual(many.filter((name) => name !== 'toggle-1234').sort())
  expect(asked).toBeLessThan(30)
  expect(bucket.dropped).toBe(1)
  expect(lines).toEqual(['The upstream rejects the counts of "toggle-1234"; dropping them'])
})

test('an upstream that rejects everything is retried a bounded number of times, and no count is lost', async () => {
  let asked = 0
  let refuses = true
  const sums = new Map<string, number>()
  const send = async ({ toggles }: MetricsPayload) => {
    asked += 1
    if (refuses) throw new UpstreamError(413, '/client/metrics')
    for (const [name, { yes }] of Object.entries(toggles)) sums.set(name, (sums.get(name) ?? 0) + yes)
  }
  const { bucket, lines } = runWith(many, { send })
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toBeLessThan(30)
  refuses = false
  await vi.advanceTimersByTimeAsync(2000)
  expect([...sums.keys()].sort()).toEqual([...many].sort())
  expect(new Set(sums.values())).toEqual(new Set([1]))
  expect(bucket.dropped).toBe(0)
  expect(lines).toEqual([
    'Cannot deliver metrics to the upstream; keeping them: The upstream answered 413 to /client/metrics',
    'Delivering metrics works again, after 1 failed attempts',
  ])
})

test('the end waits for what is on its way', async () => {
  let answer = (): void => {}
  const send = () =>
    new Promise<void>((resolve) => {
      answer = resolve
    })
  const { reporter } = runWith(['a'], { send })
  await vi.advanceTimersByTimeAsync(1000)
  const stopped = vi.fn()
  void reporter.stop().then(stopped)
  await vi.advanceTimersByTimeAsync(1000)
  expect(stopped).not.toHaveBeenCalled()
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).toHaveBeenCalledOnce()
})

test('a registration that fails is logged when that begins and when it ends, and tried again', async () => {
  let asked = 0
  const register = async () => {
    asked += 1
    if (asked < 4) throw new UpstreamError(403, '/client/register')
  }
  const { lines } = runWith([], { register })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(4)
  expect(lines).toEqual([
    'Cannot register with the upstream: The upstream answered 403 to /client/register',
    'Registered with the upstream, after 3 failed attempts',
  ])
})

test('a registration that the end cuts off is no failure', async () => {
  let fail = (_error: Error): void => {}
  const register = () =>
    new Promise<void>((_resolve, reject) => {
      fail = reject
    })
  const { reporter, lines } = runWith([], { register })
  await reporter.stop()
  fail(new Error('The client is destroyed'))
  await vi.advanceTimersByTimeAsync(10)
  expect(lines).toEqual([])
})

test('asks the upstream again no sooner than it wants', async () => {
  let isOpen = false
  const sent = run(0, 0, () => isOpen, 10_000)
  await vi.advanceTimersByTimeAsync(11_000)
  isOpen = true
  await vi.advanceTimersByTimeAsync(12_000)
  expect(sent.map(({ at }) => at)).toEqual([1000, 11_000, 21_000, 22_000, 23_000])
})

const errors = (value: number) => [
  { name: 'errors', help: '', type: 'counter', samples: [{ labels: { appName: 'shop' }, value }] },
]

test('impact metrics that the upstream does not take are kept, added up and sent with the next report', async () => {
  let isOpen = false
  const taken: number[] = []
  const sendImpact = async (rows: readonly ImpactRow[]) => {
    if (!isOpen) throw new UpstreamError(503, '/client/metrics/bulk')
    taken.push(...rows.flatMap(({ values }) => values))
  }
  const { bucket, lines } = runWith(['a'], { sendImpact })
  bucket.addImpact(errors(2))
  await vi.advanceTimersByTimeAsync(1000)
  bucket.addImpact(errors(3))
  isOpen = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(taken).toEqual([5])
  expect(lines).toHaveLength(2)
})

test.each([404, 400])('impact metrics that an upstream rejects with %d never hold up counts', async (status) => {
  const sent: MetricsPayload[] = []
  const { bucket } = runWith(['a'], {
    send: async (payload) => void sent.push(payload),
    sendImpact: async () => {
      throw new UpstreamError(status, '/client/metrics/bulk')
    },
  })
  for (let round = 0; round < 3; round += 1) {
    bucket.addImpact(errors(1))
    bucket.count('a', true, true)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect(sent).toHaveLength(3)
  expect(bucket.takeImpact()).toHaveLength(status === 404 ? 0 : 1)
})

test('an upstream without an endpoint for impact metrics is asked once an hour, which is no failure', async () => {
  let asked = 0
  const sendImpact = async () => {
    asked += 1
    throw new UpstreamError(404, '/client/metrics/bulk')
  }
  const { bucket, failures, lines } = runWith([], { sendImpact })
  for (let minute = 0; minute < 61; minute += 1) {
    bucket.addImpact(errors(1))
    await vi.advanceTimersByTimeAsync(60_000)
  }
  expect([asked, failures, lines]).toEqual([2, [], []])
  expect(bucket.refusals.list()).toContainEqual([{ reason: 'undelivered' }, 61])
})

test('impact metrics that were not delivered are named at the end', async () => {
  const sendImpact = async () => {
    throw new UpstreamError(503, '/client/metrics/bulk')
  }
  const { bucket, lines, reporter } = runWith([], { sendImpact })
  bucket.addImpact(errors(1))
  await reporter.stop()
  expect(lines.at(-1)).toBe('1 series of impact metrics were not delivered')
})

test('metrics that are only announced are not forwarded, because every key of a proxy is public', () => {
  const { bucket } = runWith([], {})
  bucket.addImpact([{ name: 'idle', help: '', type: 'counter', samples: [] }, ...errors(1)])
  expect(bucket.takeImpact().map(({ name }) => name)).toEqual(['errors'])
})

test('5,000 series of an upstream that is away take the room of 200', () => {
  const { bucket } = runWith([], {})
  const samples = Array.from({ length: 5000 }, (_, id) => ({ labels: { id }, value: 1 }))
  for (let round = 0; round < 3; round += 1) {
    bucket.addImpact([{ name: 'many', help: '', type: 'counter', samples }])
    bucket.restoreImpact(bucket.takeImpact())
  }
  const rows = bucket.takeImpact()
  expect(rows.length).toBeLessThanOrEqual(201)
  expect(rows.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(15_000)
})
