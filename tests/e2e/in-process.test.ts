import { type Logger, SILENT } from '@burgee/kit/log/logger'
import type { BurgeeServer } from '@burgee/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServerSource } from '../../bin/src/in-process.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a read of the server that fails is repeated; the log says when that begins and when it ends', async () => {
  let reads = 0
  const features = async () => {
    reads += 1
    if (reads < 4) throw new Error('connection to 192.0.2.1 lost')
    return { document: { version: 2, features: [] } }
  }
  const server = { features, onChange: () => () => {} } as unknown as BurgeeServer
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const logger: Logger = { debug() {}, info() {}, warn: say, error: say, fatal: say }
  const source = new ServerSource(server, { environment: 'development', projects: ['*'] }, logger)
  const accept = vi.fn()
  const failures: string[] = []
  source.start({ accept, confirm: () => {}, fail: ({ message }) => void failures.push(message) })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads).toBe(4)
  expect(accept).toHaveBeenCalledExactlyOnceWith({ version: 2, features: [], segments: [] })
  const failed = 'The features cannot be read from the server'
  expect(failures).toEqual([failed, failed, failed])
  expect(lines).toEqual([failed, 'The features can be read again'])
  await source.stop()
})

test('a change is read at once; while changes follow each other, one state of ten a second', async () => {
  let [reads, changes] = [0, 0]
  let change = () => {}
  const server = {
    features: async () => {
      reads += 1
      return { document: { version: 2, features: [{ name: `state-${changes}` }] } }
    },
    onChange: (hear: () => void) => {
      change = () => {
        changes += 1
        hear()
      }
      return () => {}
    },
  } as unknown as BurgeeServer
  const accept = vi.fn()
  const source = new ServerSource(server, { environment: 'development', projects: ['*'] }, SILENT)
  source.start({ accept, confirm: () => {}, fail: () => {} })
  const accepted = () => accept.mock.lastCall?.[0].features[0].name
  await vi.advanceTimersByTimeAsync(1000)
  expect([reads, accepted()]).toEqual([1, 'state-0'])
  change()
  await vi.advanceTimersByTimeAsync(0)
  expect([reads, accepted()]).toEqual([2, 'state-1'])
  for (let time = 0; time < 100; time += 1) {
    await vi.advanceTimersByTimeAsync(10)
    change()
  }
  expect(reads).toBe(12)
  await vi.advanceTimersByTimeAsync(100)
  expect(accepted()).toBe('state-101')
  await source.stop()
  change()
  await vi.advanceTimersByTimeAsync(1000)
  expect(accepted()).toBe('state-101')
})
