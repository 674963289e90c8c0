import { type Logger, SILENT } from '@burgee/kit/log/logger'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import type { BurgeeServer } from '@burgee/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServerSource } from '../../bin/src/in-process.ts'

const SCOPE = { environment: 'development', projects: ['*'] }
const READ_MS = 20

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a failing read of the server is retried; the log shows when that starts and stops', async () => {
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
  const source = new ServerSource(server, SCOPE, { logger, monotonic: monotonicClock(Date.now) })
  const accept = vi.fn()
  const failures: string[] = []
  source.start({ accept, confirm: () => {}, fail: ({ message }) => void failures.push(message) })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(reads).toBe(4)
  expect(accept).toHaveBeenCalledExactlyOnceWith({ version: 2, features: [], segments: [] })
  const failed = 'Cannot read the features from the server'
  expect(failures).toEqual([failed, failed, failed])
  expect(lines).toEqual([failed, 'The features are readable again'])
  await source.stop()
})

test('a change waits until it is in use; changes in quick succession are read together', async () => {
  let [reads, changes] = [0, 0]
  let change = async (): Promise<void> => {}
  const server = {
    features: async () => {
      reads += 1
      const name = `state-${changes}`
      await new Promise((end) => setTimeout(end, READ_MS))
      return { document: { version: 2, features: [{ name }] } }
    },
    onChange: (hear: () => Promise<void>) => {
      change = () => {
        changes += 1
        return hear()
      }
      return () => {}
    },
  } as unknown as BurgeeServer
  const accept = vi.fn()
  const source = new ServerSource(server, SCOPE, { logger: SILENT, monotonic: monotonicClock(Date.now) })
  source.start({ accept, confirm: () => {}, fail: () => {} })
  const accepted = () => accept.mock.lastCall?.[0].features[0].name
  await vi.advanceTimersByTimeAsync(1000)
  expect([reads, accepted()]).toEqual([1, 'state-0'])

  const seen: string[] = []
  void change().then(() => seen.push(accepted()))
  await vi.advanceTimersByTimeAsync(READ_MS - 1)
  expect([reads, seen]).toEqual([2, []])
  // these two changes arrive during the read and are in the next batch
  void change().then(() => seen.push(accepted()))
  void change().then(() => seen.push(accepted()))
  await vi.advanceTimersByTimeAsync(1)
  expect([reads, seen]).toEqual([2, ['state-1']])
  await vi.advanceTimersByTimeAsync(2 * READ_MS)
  expect([reads, seen]).toEqual([3, ['state-1', 'state-3', 'state-3']])

  for (let time = 0; time < 1000; time += 10) {
    void change()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads, 'half of the time is left to others').toBeLessThanOrEqual(3 + 1000 / (2 * READ_MS) + 1)
  const waiting = change()
  await source.stop()
  await waiting
  await vi.advanceTimersByTimeAsync(1000)
  const readsAtEnd = reads
  await change()
  expect(reads).toBe(readsAtEnd)
})

test('a change does not wait indefinitely for a server that cannot be read', async () => {
  let change = async (): Promise<void> => {}
  const server = {
    features: async () => {
      throw new Error('away')
    },
    onChange: (hear: () => Promise<void>) => {
      change = hear
      return () => {}
    },
  } as unknown as BurgeeServer
  const source = new ServerSource(server, SCOPE, { logger: SILENT, monotonic: monotonicClock(Date.now) })
  source.start({ accept: () => {}, confirm: () => {}, fail: () => {} })
  await change()
  await source.stop()
})
