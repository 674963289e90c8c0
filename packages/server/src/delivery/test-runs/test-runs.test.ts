import { SILENT } from '@burgee/kit/log/logger'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBroadcast } from '../events/broadcast.ts'
import { TestRuns } from './test-runs.ts'

const ID = 'a'.repeat(24)
const ROW = { id: ID, project: 'p', environment: 'dev', overrides: {}, version: 1, expires_at: 2000 }

/** Replies of the stub database to its queries, in order. A query waits until its reply is there. */
let replies: PromiseWithResolvers<object | undefined>[]
let asked: number
let now: number
let runs: TestRuns
let changed: string[]
let broadcast: ReturnType<typeof createBroadcast>

const replyTo = (query: number) => {
  const reply = replies[query] ?? Promise.withResolvers<object | undefined>()
  replies[query] = reply
  return reply
}
const publish = (type: string, id = ID) => {
  const event = { type, environment: 'dev', data: type === 'test-run-deleted' ? null : { id }, preData: { id } }
  return broadcast.publish([event as unknown as StoredEvent])
}
/** Returns the version of the run that the cache finds. */
const find = async (id = ID) => (await runs.find(id))?.version

beforeEach(() => {
  ;[replies, asked, now, changed] = [[], 0, 1000, []]
  broadcast = createBroadcast(SILENT)
  const query: object = new Proxy({}, { get: (_target, name) => (name === 'executeTakeFirst' ? read : () => query) })
  const read = () => {
    asked += 1
    return replyTo(asked - 1).promise
  }
  runs = new TestRuns({ db: { reader: { selectFrom: () => query } }, broadcast, clock: () => now } as never)
  runs.subscribe((environment) => void changed.push(environment))
})

afterEach(() => runs.close())

describe('a run', () => {
  test('needs one read, also for concurrent callers, until it expires', async () => {
    replyTo(0).resolve(ROW)
    expect(await Promise.all([find(), find()])).toEqual([1, 1])
    expect(await find()).toBe(1)
    expect(runs.peek(ID)?.version).toBe(1)
    expect(asked).toBe(1)
    now = 2000
    expect([await find(), runs.peek(ID), runs.peekLast(ID)]).toEqual([undefined, undefined, undefined])
    expect(asked, 'queries: none for an expired run').toBe(1)
  })

  test('gets a new read after a change, before the listeners are called', async () => {
    replyTo(0).resolve(ROW)
    await find()
    const published = publish('test-run-updated')
    expect([runs.peek(ID), runs.peekLast(ID)?.version, changed]).toEqual([undefined, 1, []])
    replyTo(1).resolve({ ...ROW, version: 2 })
    await published
    expect([runs.peek(ID)?.version, changed]).toEqual([2, [`dev!${ID}`]])
  })

  test('gets a new read if it changes during a read', async () => {
    const finding = find()
    await publish('test-run-updated')
    replyTo(0).resolve(ROW)
    replyTo(1).resolve({ ...ROW, version: 2 })
    expect(await finding).toBe(2)
    expect(runs.peek(ID)?.version).toBe(2)
  })

  test('ends during a read, and cannot be found', async () => {
    const finding = find()
    await publish('test-run-deleted')
    replyTo(0).resolve(ROW)
    replyTo(1).resolve(undefined)
    expect(await finding).toBeUndefined()
    expect(runs.peek(ID)).toBeUndefined()
  })

  test('stays unknown after its end without further queries', async () => {
    replyTo(0).resolve(ROW)
    await find()
    await publish('test-run-deleted')
    replyTo(1).resolve(undefined)
    expect([await find(), await find()]).toEqual([undefined, undefined])
    expect(asked).toBe(2)
  })

  test('gets a new read after a change of projects', async () => {
    replyTo(0).resolve(ROW)
    await find()
    await publish('project-archived')
    replyTo(1).resolve(undefined)
    expect(await find()).toBeUndefined()
  })

  test('keeps its last state if it cannot be read after a change', async () => {
    replyTo(0).resolve(ROW)
    await find()
    replyTo(1).reject(new Error('away'))
    await publish('test-run-updated')
    expect([runs.peek(ID), runs.peekLast(ID)?.version, changed]).toEqual([undefined, 1, [`dev!${ID}`]])
    replyTo(2).resolve({ ...ROW, version: 2 })
    expect(await find()).toBe(2)
  })

  test('gets new reads until the database answers, so that its streams receive a change', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    replyTo(0).resolve(ROW)
    await find()
    replyTo(1).reject(new Error('away'))
    await publish('test-run-updated')
    const second = replyTo(2)
    // the rejection has a handler before the query is sent
    second.promise.catch(() => {})
    second.reject(new Error('still away'))
    await vi.advanceTimersByTimeAsync(1000)
    replyTo(3).resolve({ ...ROW, version: 2 })
    await vi.advanceTimersByTimeAsync(1000)
    expect([asked, runs.peekLast(ID)?.version, changed.length]).toEqual([4, 2, 3])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toBe(4)
  })

  test('gets a new read after a restore of the database, also if it was unknown', async () => {
    replyTo(0).resolve(undefined)
    expect(await find()).toBeUndefined()
    await broadcast.notifyRestored({ epoch: 'e', id: 1 })
    replyTo(1).resolve(ROW)
    expect(await find()).toBe(1)
  })
})

test('a change of a run that this node has not read costs no query, and still notifies the streams', async () => {
  await publish('test-run-updated')
  expect([asked, changed]).toEqual([0, [`dev!${ID}`]])
})
