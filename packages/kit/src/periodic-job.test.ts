import { expect, test } from 'vitest'
import { OutageLog } from './log/outage-log.ts'
import { PeriodicJob, type PeriodicJobOptions } from './periodic-job.ts'

/** Creates a job whose timers fire on demand. */
function createJob(options: Partial<PeriodicJobOptions> = {}) {
  const waits: number[] = []
  const lines: string[] = []
  let fire = () => {}
  const outage = new OutageLog({
    begins: (error) => lines.push(String(error)),
    ends: (failures) => lines.push(`works again after ${failures}`),
  })
  const job = new PeriodicJob({
    run: async () => {},
    everyMs: 60,
    outage,
    startTimer: (ms, call) => {
      waits.push(ms)
      fire = call
      return setTimeout(() => {}, 0)
    },
    ...options,
  })
  const next = async () => {
    fire()
    await new Promise(setImmediate)
  }
  return { job, waits, lines, next }
}

test('runs at once or after the first pause, and again after the end of each run', async () => {
  for (const [firstMs, expected] of [
    [0, [60, 60]],
    [5, [5, 60, 60]],
  ] as const) {
    const { job, waits, next } = createJob({ firstMs })
    job.start()
    await new Promise(setImmediate)
    while (waits.length < expected.length) await next()
    expect(waits).toEqual(expected)
  }
})

test('logs when runs begin to fail and when they work again, and goes on', async () => {
  let isAway = true
  const { job, waits, lines, next } = createJob({
    run: async () => {
      if (isAway) throw new Error('away')
    },
  })
  job.start()
  await new Promise(setImmediate)
  await next()
  isAway = false
  await next()
  expect([lines, waits]).toEqual([
    ['Error: away', 'works again after 2'],
    [60, 60, 60],
  ])
})

test('closing waits for the current run and starts no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const steps: string[] = []
  const { job, waits, next } = createJob({
    run: async () => {
      steps.push('begins')
      await promise
      steps.push(`ends, closed: ${job.isClosed}`)
    },
  })
  job.start()
  const closed = job.close().then(() => steps.push('closed'))
  resolve()
  await closed
  await next()
  expect([steps, waits]).toEqual([['begins', 'ends, closed: true', 'closed'], []])
})
