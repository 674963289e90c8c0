import { SILENT } from '@burgee/kit/log/logger'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Crew, type WorkerProcess } from './worker-pool.ts'

/** A process whose life is told to it. */
class ToldProcess implements WorkerProcess {
  readonly channel = { send: () => {}, listen: () => {} }
  readonly listening: Promise<number>
  readonly ended: Promise<string>
  readonly heard: string[] = []
  #listen = (_port: number) => {}
  #end = (_how: string) => {}

  constructor() {
    this.listening = new Promise((resolve) => {
      this.#listen = resolve
    })
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  listens = () => this.#listen(4242)
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
  return { forked, crew: new Crew({ count, fork, join: () => () => {}, logger: SILENT, clock: () => 0 }) }
}

/** A crew of which all listen. */
async function started(count: number) {
  const { crew, forked } = crewOf(count)
  const starting = crew.start()
  for (let index = 0; index < count; index++) {
    await turn()
    forked[index]?.listens()
  }
  expect(await starting).toBe(4242)
  return { crew, forked }
}

test('a worker that ends is replaced', async () => {
  const { crew, forked } = await started(2)
  forked[1]?.ends()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([forked.length, crew.size, crew.replacements]).toEqual([3, 2, 1])
})

test('one that ends while others still start is replaced as well', async () => {
  const { crew, forked } = crewOf(3)
  const starting = crew.start()
  forked[0]?.listens()
  await turn()
  forked[0]?.ends()
  await turn()
  for (const process of forked) process.listens()
  await starting
  await vi.advanceTimersByTimeAsync(60_000)
  expect([forked.length, crew.size, crew.replacements]).toEqual([4, 3, 1])
})

test('the end asks each, and kills who does not hear', async () => {
  const { crew, forked } = await started(3)
  const closing = crew.close()
  forked[0]?.ends()
  forked[1]?.ends()
  await vi.advanceTimersByTimeAsync(60_000)
  await closing
  expect(forked.map(({ heard }) => heard)).toEqual([['stop'], ['stop'], ['stop', 'kill']])
  expect([crew.size, crew.replacements]).toEqual([0, 0])
})

test('nobody is killed who ends in time', async () => {
  const { crew, forked } = await started(2)
  const closing = crew.close()
  for (const process of forked) process.ends()
  await closing
  await vi.advanceTimersByTimeAsync(60_000)
  expect(forked.map(({ heard }) => heard)).toEqual([['stop'], ['stop']])
})
