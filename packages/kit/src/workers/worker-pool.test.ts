import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SILENT } from '../log/logger.ts'
import { monotonicClock } from '../monotonic-clock.ts'
import { WorkerPool, type WorkerProcess } from './worker-pool.ts'

/** A process controlled by the test. */
class ToldProcess implements WorkerProcess {
  readonly channel = { send: () => {}, listen: () => {} }
  readonly open: Promise<void>
  readonly ended: Promise<string>
  readonly heard: string[] = []
  #open = () => {}
  #end = (_how: string) => {}

  constructor() {
    this.open = new Promise((resolve) => {
      this.#open = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  opens = () => this.#open()
  ends = () => this.#end('SIGKILL')
  stop = () => void this.heard.push('stop')
  kill = () => {
    this.heard.push('kill')
    this.ends()
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const turn = () => vi.advanceTimersByTimeAsync(0)

function crewOf(count: number) {
  const forked: ToldProcess[] = []
  const fork = () => {
    const process = new ToldProcess()
    forked.push(process)
    return process
  }
  return {
    forked,
    pool: new WorkerPool({
      count,
      fork,
      join: () => () => {},
      logger: SILENT,
      monotonic: monotonicClock(() => 0),
      stopLimitMs: 5000,
    }),
  }
}

/** Starts a pool and lets all of its workers open. */
async function started(count: number) {
  const { pool, forked } = crewOf(count)
  const starting = pool.start()
  for (let index = 0; index < count; index++) {
    await turn()
    forked[index]?.opens()
  }
  await starting
  return { pool, forked }
}

test('a worker that ends is replaced', async () => {
  const { pool, forked } = await started(2)
  forked[1]?.ends()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([forked.length, pool.size, pool.replacements]).toEqual([3, 2, 1])
})

test('one that ends while others still start is replaced as well', async () => {
  const { pool, forked } = crewOf(3)
  const starting = pool.start()
  forked[0]?.opens()
  await turn()
  forked[0]?.ends()
  await turn()
  for (const process of forked) process.opens()
  await starting
  await vi.advanceTimersByTimeAsync(60_000)
  expect([forked.length, pool.size, pool.replacements]).toEqual([4, 3, 1])
})

test('closing asks each worker to stop, and kills those that do not react', async () => {
  const { pool, forked } = await started(3)
  const closing = pool.close()
  forked[0]?.ends()
  forked[1]?.ends()
  await vi.advanceTimersByTimeAsync(60_000)
  await closing
  expect(forked.map(({ heard }) => heard)).toEqual([['stop'], ['stop'], ['stop', 'kill']])
  expect([pool.size, pool.replacements]).toEqual([0, 0])
})

test('workers that stop in time are not killed', async () => {
  const { pool, forked } = await started(2)
  const closing = pool.close()
  for (const process of forked) process.ends()
  await closing
  await vi.advanceTimersByTimeAsync(60_000)
  expect(forked.map(({ heard }) => heard)).toEqual([['stop'], ['stop']])
})
