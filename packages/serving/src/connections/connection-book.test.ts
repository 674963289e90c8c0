import type { Caller } from '@burgee/kit/http/route'
import { describe, expect, test } from 'vitest'
import { ConnectionBook } from './connection-book.ts'

const SCOPE = { environment: 'production', projects: ['default'] }
const EPOCH = 'e1'
const at = (id: number, epoch = EPOCH) => ({ id, epoch })

function caller(id: string | undefined, headers: Record<string, string> = {}): Caller {
  const named = id === undefined ? {} : { 'unleash-connection-id': id }
  return {
    method: 'GET',
    url: '/api/client/features',
    headers: { 'unleash-appname': 'shop', 'unleash-interval': '15000', ...named, ...headers },
    params: {},
    remoteAddress: '10.0.0.1',
    id: 'r',
  }
}

/** Returns a UUID with a number in its last part. */
const uuid = (number: number) => `0f8fad5b-d9cb-469f-a165-${number.toString(16).padStart(12, '0')}`

function createBook(maxConnections?: number) {
  const time = { now: 1_000_000 }
  const steps: { from: number; to: number; atMs: number }[] = []
  const book = new ConnectionBook({
    clock: () => time.now,
    onHeld: ({ from, to, atMs }) => steps.push({ from, to, atMs }),
    ...(maxConnections === undefined ? {} : { maxConnections }),
  })
  return { book, time, steps }
}

describe('a poll', () => {
  test('offers a revision, and the next poll confirms it with the time of the offer', () => {
    const { book, time, steps } = createBook()
    book.recordSent(SCOPE, caller(uuid(1)), { held: at(5), offered: at(7) })
    expect([...book.list()]).toMatchObject([{ id: uuid(1), appName: 'shop', held: 5, offered: 7, isAbout: false }])
    time.now += 15_000
    book.recordUnchanged(SCOPE, caller(uuid(1)), at(7))
    expect([...book.list()]).toMatchObject([{ held: 7, offered: 7, lastSeenMs: time.now }])
    expect(steps).toEqual([
      { from: 0, to: 5, atMs: 1_000_000 },
      { from: 5, to: 7, atMs: 1_000_000 },
    ])
  })

  test('announces its interval again with every poll', () => {
    const { book } = createBook()
    book.recordUnchanged(SCOPE, caller(uuid(1)), at(5))
    book.recordUnchanged(SCOPE, caller(uuid(1), { 'unleash-interval': '60000' }), at(5))
    expect([...book.list()]).toMatchObject([{ intervalMs: 60_000 }])
  })

  test('has a hash that is equal in every book, and unequal for another id or scope', () => {
    const other = { ...SCOPE, projects: ['other'] }
    const [one, two] = [createBook().book, createBook().book]
    two.recordUnchanged(other, caller(uuid(9)), at(1))
    for (const book of [one, two]) {
      for (let number = 1; number <= 5000; number += 1) book.recordUnchanged(SCOPE, caller(uuid(number)), at(5))
      book.recordUnchanged(other, caller(uuid(1)), at(5))
    }
    const hashes = new Set([...one.list()].map(({ hash }) => hash))
    expect(hashes.size).toBe(5001)
    expect([...two.list()].filter(({ hash }) => hashes.has(hash))).toHaveLength(5001)
    expect(Math.max(...hashes)).toBeLessThan(2 ** 48)
  })

  test('starts again at no revision if it has no tag', () => {
    const { book } = createBook()
    book.recordUnchanged(SCOPE, caller(uuid(1)), at(5))
    book.recordSent(SCOPE, caller(uuid(1)), { held: undefined, offered: at(5) })
    expect([...book.list()]).toMatchObject([{ held: 0, offered: 5 }])
  })

  test('holds no revision of this epoch if its tag is of another epoch', () => {
    const { book } = createBook()
    book.recordSent(SCOPE, caller(uuid(1)), { held: at(9, 'e0'), offered: at(5) })
    expect([...book.list()]).toMatchObject([{ held: 0, offered: 5, epoch: EPOCH }])
  })

  test('counts as another connection if its scope differs', () => {
    const { book } = createBook()
    book.recordUnchanged(SCOPE, caller(uuid(1)), at(5))
    book.recordUnchanged({ ...SCOPE, projects: ['*'] }, caller(uuid(1)), at(5))
    expect(book.size).toBe(2)
  })

  test('identifies a process without connection id by application, instance and address', () => {
    const { book } = createBook()
    for (const instance of ['a', 'b', 'a']) {
      book.recordUnchanged(SCOPE, caller(undefined, { 'unleash-instanceid': instance }), at(5))
    }
    expect([...book.list()].map(({ isAbout }) => isAbout)).toEqual([true, true])
  })

  test('leaves no record without any name', () => {
    const { book } = createBook()
    book.recordUnchanged(SCOPE, { ...caller(undefined), headers: {} }, at(5))
    expect([book.size, book.unrecorded]).toEqual([0, 0])
  })

  test.each(['x', 'UPPER-CASE', '0f8fad5b-d9cb-469f-a165-00000000000g', 'a'.repeat(5000)])(
    'accepts the id %s',
    (id) => {
      const { book } = createBook()
      book.recordUnchanged(SCOPE, caller(id), at(5))
      book.recordUnchanged(SCOPE, caller(id), at(6))
      expect([...book.list()]).toMatchObject([{ held: 6, isAbout: false }])
    },
  )
})

describe('a connection', () => {
  test('expires after three missed intervals', () => {
    const { book, time } = createBook()
    book.recordUnchanged(SCOPE, caller(uuid(1)), at(5))
    time.now += 60_000
    expect([...book.list()]).toHaveLength(1)
    time.now += 1
    expect([...book.list()]).toHaveLength(0)
    expect(book.sweep()).toBe(1)
    expect(book.size).toBe(0)
  })

  test('stays findable after others were removed and the arrays have grown', () => {
    const { book, time } = createBook()
    for (let id = 0; id < 1000; id += 1) book.recordUnchanged(SCOPE, caller(uuid(id)), at(5))
    time.now += 50_000
    for (let id = 0; id < 1000; id += 2) book.recordUnchanged(SCOPE, caller(uuid(id)), at(6))
    time.now += 20_000
    expect(book.sweep()).toBe(500)
    for (let id = 0; id < 1000; id += 1) book.recordUnchanged(SCOPE, caller(uuid(id)), at(7))
    expect(new Set([...book.list()].map(({ id }) => id)).size).toBe(1000)
    expect(book.size).toBe(1000)
  })

  test('counts without a record beyond the limit, until another one expires', () => {
    const { book, time } = createBook(2)
    for (const id of [1, 2, 3]) book.recordUnchanged(SCOPE, caller(uuid(id)), at(5))
    expect([book.size, book.unrecorded, book.isIncomplete]).toEqual([2, 1, true])
    time.now += 61_000
    expect(book.isIncomplete).toBe(false)
    book.recordUnchanged(SCOPE, caller(uuid(3)), at(5))
    expect([...book.list()].map(({ id }) => id)).toEqual([uuid(3)])
  })
})

describe('a stream', () => {
  test('never expires while it is open, and expires like a poll after it has ended', () => {
    const { book, time } = createBook()
    const stream = book.openStream(SCOPE, caller(uuid(1), { 'unleash-interval': 'undefined' }))
    stream?.recordSent(at(5))
    time.now += 3_600_000
    expect([...book.list()]).toMatchObject([{ kind: 'stream', held: 5 }])
    stream?.close()
    time.now += 60_000
    expect([...book.list()]).toMatchObject([{ kind: 'poll', held: 5 }])
    time.now += 1
    expect([...book.list()]).toEqual([])
  })

  test('changes nothing any more once the same process has a newer one', () => {
    const { book } = createBook()
    const first = book.openStream(SCOPE, caller(uuid(1)))
    const second = book.openStream(SCOPE, caller(uuid(1)))
    second?.recordSent(at(6))
    first?.recordSent(at(5))
    first?.close()
    expect([...book.list()]).toMatchObject([{ kind: 'stream', held: 6 }])
  })
})

/** Records a poll with a token of a project, from an address. */
const pollFrom = (book: ConnectionBook, id: number, { remoteAddress = '10.0.0.1', project = 'default' }) =>
  book.recordUnchanged(
    { environment: 'production', projects: [project] },
    { ...caller(uuid(id)), remoteAddress },
    at(5),
  )

describe('the share of a caller', () => {
  test('leaves places for other networks and tokens if one network invents connections', () => {
    const { book, time } = createBook(1000)
    for (let id = 0; id < 5000; id += 1) {
      pollFrom(book, id, { remoteAddress: `2001:db8::${id.toString(16)}`, project: `p${id % 10}` })
    }
    expect([book.size, book.isIncomplete]).toEqual([900, true])
    for (let id = 0; id < 50; id += 1) pollFrom(book, 10_000 + id, { remoteAddress: `10.0.1.${id}` })
    expect(book.size).toBe(950)
    time.now += 61_000
    pollFrom(book, 20_000, { remoteAddress: '10.0.2.1' })
    for (let id = 0; id < 800; id += 1) pollFrom(book, 30_000 + id, { remoteAddress: '2001:db8::1' })
    expect(book.size).toBe(801)
  })

  test('leaves places for other tokens if one token is used from many networks', () => {
    const { book } = createBook(1000)
    for (let id = 0; id < 5000; id += 1) {
      pollFrom(book, id, { remoteAddress: `10.${id >> 8}.${id & 255}.1`, project: 'public' })
    }
    expect(book.size).toBe(900)
    for (let id = 0; id < 50; id += 1) pollFrom(book, 10_000 + id, { remoteAddress: '10.99.0.1' })
    expect(book.size).toBe(950)
  })
})

test('20,000 connections take at most 120 bytes each', () => {
  const { book } = createBook()
  for (let id = 0; id < 20_000; id += 1) {
    pollFrom(book, id, { remoteAddress: `10.${id >> 8}.${id & 255}.1`, project: `p${id % 100}` })
  }
  expect(book.size).toBeGreaterThan(19_900)
  expect(book.bytes / book.size).toBeLessThanOrEqual(120)
})
