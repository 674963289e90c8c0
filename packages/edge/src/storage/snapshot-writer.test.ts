import { type Logger, SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EdgeSnapshot } from './edge-storage.ts'
import { SnapshotWriter } from './snapshot-writer.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const NOTHING: EdgeSnapshot = { tokens: [], documents: new Map() }

function start(kept?: EdgeSnapshot) {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const logger: Logger = { ...SILENT, warn: say, error: say }
  const saves: number[] = []
  const storage = {
    loads: 0,
    failing: false,
    work: async () => {},
    load: async () => {
      storage.loads += 1
      if (storage.failing) throw new Error('away')
      return kept
    },
    save: async () => {
      saves.push(Date.now())
      await storage.work()
      if (storage.failing) throw new Error('away')
    },
    closed: 0,
    close: async () => {
      storage.closed += 1
    },
  }
  const keeping = new SnapshotWriter({
    storage,
    takeSnapshot: () => NOTHING,
    random: () => 0.5,
    logger,
    monotonic: PROCESS_CLOCK,
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { keeping, storage, saves, lines, pass }
}

test('changes are batched: the first is saved at once, the next a minute later, urgent ones within a second', async () => {
  const { keeping, saves, pass } = start()
  await keeping.load(() => {})
  for (let at = 0; at < 90; at += 1) {
    keeping.markChanged()
    await pass(1000)
  }
  expect(saves).toEqual([1000, 61_000])
  keeping.markChanged('soon')
  keeping.markChanged('soon')
  await pass(1000)
  expect(saves).toEqual([1000, 61_000, 91_000])
  await pass(600_000)
  expect(saves.length).toBe(3)
})

test('one write at a time, and of those that wait only the newest', async () => {
  const { keeping, storage, saves, pass } = start()
  await keeping.load(() => {})
  storage.work = () => new Promise((resolve) => setTimeout(resolve, 5000))
  keeping.markChanged()
  await pass(1000)
  for (let at = 0; at < 4; at += 1) {
    keeping.markChanged('soon')
    await pass(1000)
  }
  expect(saves.length).toBe(1)
  await pass(200_000)
  expect(saves.length).toBe(2)
})

test('a failing storage is logged when it starts and stops failing, and is retried', async () => {
  const { keeping, storage, saves, lines, pass } = start()
  await keeping.load(() => {})
  storage.failing = true
  keeping.markChanged()
  await pass(200_000)
  expect([saves.length, lines]).toEqual([4, [expect.stringContaining('away')]])
  storage.failing = false
  await pass(60_000)
  expect([saves.length, lines.length, lines[1]]).toEqual([5, 2, 'Snapshot writes recovered'])
})

test('a load that fails at start is retried, and nothing is saved before it succeeds', async () => {
  const { keeping, storage, saves, lines, pass } = start(NOTHING)
  storage.failing = true
  const used: EdgeSnapshot[] = []
  await keeping.load((kept) => void used.push(kept))
  keeping.markChanged('soon')
  await pass(20_000)
  expect([used.length, saves.length, lines.length]).toEqual([0, 0, 1])
  expect(storage.loads).toBeGreaterThan(3)
  storage.failing = false
  await pass(20_000)
  expect([used.length, saves.length, lines[1]]).toEqual([1, 1, 'Snapshot reads recovered'])
})

test('closing saves pending changes and waits for a hanging storage no longer than the limit', async () => {
  const { keeping, storage, saves, pass } = start()
  await keeping.load(() => {})
  keeping.markChanged()
  await keeping.close(1000)
  expect([saves.length, storage.closed]).toEqual([1, 1])
  const hanging = start()
  await hanging.keeping.load(() => {})
  hanging.storage.work = () => new Promise(() => {})
  hanging.keeping.markChanged()
  const closing = hanging.keeping.close(1000)
  await pass(1000)
  await closing
  expect(hanging.storage.closed).toBe(1)
})
