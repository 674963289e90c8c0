import type { Logger } from '@burgee/kit/log/logger'
import { createSearchIndexer } from '@burgee/server/admin/history/search-indexer'
import type { Database, Reader } from '@burgee/storage/database'
import { MAX_SEARCHED_CONTENTS } from '@burgee/storage/queries/events/content-search'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import { type IndexPass, indexBlock, missingBlocks } from '@burgee/storage/queries/events/search-index'
import {
  BLOCK_EVENTS,
  BlockPostings,
  firstKey,
  MAX_INDEXED_CHARACTERS,
} from '@burgee/storage/queries/events/search-postings'
import { removeEvents } from '@burgee/storage/queries/retention/old-events'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DRIVERS, type Place } from '../drivers.ts'

/** Search index over the contents of events: building, deleting and searching. */
const ALL = { columns: [], hidden: [], withAddress: false, limit: 5, offset: 0 }
const BLOCKS = 5
/** Number of events in the last, incomplete block, and in all blocks together. */
const UNFINISHED = 100
const EVENTS = BLOCKS * BLOCK_EVENTS + UNFINISHED
const AT_ONCE = 1000
/** Number of blocks that a search looks up in one query. */
const FULL_BLOCKS = 64
const AT_LEISURE: IndexPass = { pause: async () => {}, isStopped: () => false }

const CONTENTS: Readonly<Record<number, { readonly data?: unknown; readonly preData?: unknown }>> = {
  3: { data: { email: 'Grace@Example.org' } },
  4: { preData: { values: ['grace@example.org', 'Zürich', 'İzmir', 'say "hi"', 'C:\\temp'] }, data: { id: 4_711_042 } },
  5: { data: { values: [...Array.from({ length: 3000 }, (_, index) => `user-${index}`), 'the last of many values'] } },
  6: { data: { name: 'abc bcd cde' } },
  7: { data: { name: 'abcde fgh' } },
  8: { data: { note: 'hidden in a private project' } },
  9: { data: { flag: '🏴 pirates' } },
  [EVENTS]: { data: { note: 'the newest event' } },
}

describe.each(DRIVERS)('the search index of events on $name', (driver) => {
  let place: Place
  let db: Database
  let statements: string[]
  const names = new EventNames()
  beforeEach(async () => {
    place = await driver.place()
    statements = []
    db = await place.open({ onQuery: (sql) => statements.push(sql) })
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  const fill = (events: number) =>
    db.write(async (tx) => {
      for (let from = 1; from <= events; from += AT_ONCE) {
        const length = Math.min(AT_ONCE, events - from + 1)
        const rows = Array.from({ length }, (_, index) => eventRow(from + index))
        await tx.insertInto('events').values(rows).execute()
      }
    })
  const postings = () => db.reader.selectFrom('event_search_postings').selectAll().execute()
  const find = async (filter: Partial<EventFilter>) => {
    const { events } = await db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, names))
    return events.map(({ id }) => id)
  }
  const build = async (pass = AT_LEISURE, on = db) => {
    const outcomes: string[] = []
    for (const block of await missingBlocks(on.reader)) outcomes.push(await indexBlock(on, block, pass))
    return outcomes
  }

  test('finds texts in all history, and reads no events one by one but those of the last block', async () => {
    await fill(EVENTS)
    expect(EVENTS - MAX_SEARCHED_CONTENTS).toBeGreaterThan(9)
    expect(await find({ text: 'grace@example' })).toEqual([])
    const logged: string[] = []
    const logger = { info: (line: string) => logged.push(line), warn: (line: string) => logged.push(line) }
    const indexer = createSearchIndexer({ db, logger: logger as unknown as Logger })
    await indexer.run()
    expect(logged).toEqual([
      'Indexing the history for searches: up to 10240 events, in the background',
      'Indexed the history for searches',
    ])
    const isOdd = { column: 'project' as const, isWanted: true, values: ['odd'] }
    const notPrivate = { column: 'project' as const, isWanted: false, values: ['private'] }
    const cases: readonly [Partial<EventFilter>, number[]][] = [
      [{ text: 'GRACE@example' }, [4, 3]],
      [{ text: 'grace@example', columns: [isOdd] }, [3]],
      [{ text: 'grace@example', afterId: 3 }, [4]],
      [{ text: 'grace@example', beforeId: 4 }, [3]],
      [{ text: 'grace@example', until: 4 }, [3]],
      [{ text: 'grace@example', offset: 1 }, [3]],
      [{ text: 'ZÜRICH' }, [4]],
      [{ text: 'İZMIR' }, [4]],
      [{ text: 'say "hi' }, [4]],
      [{ text: ':\\temp' }, [4]],
      [{ text: '711042' }, [4]],
      [{ text: '🏴 PIR' }, [9]],
      [{ text: 'last of many values' }, [5]],
      [{ text: 'abcde' }, [7]],
      [{ text: 'hidden in a' }, [8]],
      [{ text: 'hidden in a', columns: [notPrivate] }, []],
      [{ text: 'newest event' }, [EVENTS]],
      [{ text: 'C:' }, []],
      [{ text: 'email' }, []],
      [{ text: 'in no event at all' }, []],
    ]
    const found = new Map<string, number[]>()
    for (const [filter] of cases) found.set(JSON.stringify(filter), await find(filter))
    expect(found).toEqual(new Map(cases.map(([filter, ids]) => [JSON.stringify(filter), ids])))
    statements = []
    await find({ text: 'in no event at all' })
    expect(statements.length).toBeLessThanOrEqual(9)
    expect(MAX_INDEXED_CHARACTERS).toBeLessThan(3000 * 'user-1000'.length)
  })

  test('bounds the work for a text in all events that the conditions exclude', async () => {
    await fill(EVENTS)
    await build()
    statements = []
    expect(await find({ text: 'ordinary', columns: [{ column: 'type', isWanted: true, values: ['x'] }] })).toEqual([])
    expect(statements.length).toBeLessThanOrEqual(9)
    statements = []
    expect(await find({ text: 'ordinary', until: 0 })).toEqual([])
    expect(statements.length).toBeLessThanOrEqual(35)
  })

  test('searches a text in 131,072 candidates, more than a call can take as arguments', async () => {
    const postings = new BlockPostings()
    for (let position = 0; position < BLOCK_EVENTS; position += 1)
      postings.add(position, [{ title: 'gradual rollout' }])
    const rows = postings.rows(0)
    const last = FULL_BLOCKS * BLOCK_EVENTS
    await db.write(async (tx) => {
      for (let block = 0; block < FULL_BLOCKS; block += 1) {
        const own = rows.map((row) => ({ ...row, key: row.key + firstKey(block) }))
        await tx.insertInto('event_search_blocks').values({ block, events: BLOCK_EVENTS }).execute()
        await tx.insertInto('event_search_postings').values(own).execute()
      }
      const newest = { ...eventRow(last), data: JSON.stringify({ title: 'Gradual Rollout' }) }
      if (driver.name === 'postgres') {
        await sql`select setval(pg_get_serial_sequence('events', 'id'), ${last - 2})`.execute(tx)
        await tx.insertInto('events').values([newest, newest]).execute()
      } else {
        const rowsWithIds = [last - 1, last].map((id) => ({ ...newest, id }))
        await tx.insertInto('events').values(rowsWithIds).execute()
      }
    })
    expect(await find({ text: 'gradual rollout' })).toEqual([last, last - 1])
  })

  test('bounds the ids of events without the index once, so that SQLite reads no older ones', async () => {
    await fill(EVENTS)
    statements = []
    expect(await find({ text: 'in no event at all' })).toEqual([])
    const reading = statements.filter((text) => text.includes('"pre_data" from "events"') && text.includes('limit'))
    expect(reading.length).toBeGreaterThan(0)
    for (const text of reading) expect(text).not.toMatch(/"id" [<>]/)
  })

  test('continues after an interruption, reads few events at once, and each block once', async () => {
    await fill(EVENTS)
    let pauses = 0
    const stopping: IndexPass = {
      pause: async () => {
        pauses += 1
      },
      isStopped: () => pauses >= 50,
    }
    const done = (await build(stopping)).filter((outcome) => outcome === 'indexed').length
    expect(done).toBe(2)
    expect(await missingBlocks(db.reader)).toEqual([2, 1, 0])
    await db.close()
    db = await place.open()
    pauses = 0
    expect(await build({ ...stopping, isStopped: () => false })).toEqual(['indexed', 'indexed', 'indexed'])
    expect(pauses).toBeGreaterThanOrEqual((BLOCKS - done) * Math.ceil(BLOCK_EVENTS / 100))
    expect(await find({ text: 'grace@example' })).toEqual([4, 3])
    expect(await missingBlocks(db.reader)).toEqual([])
  })

  test('indexes a block once if two nodes do it at the same time', async () => {
    await fill(BLOCK_EVENTS + UNFINISHED)
    const other = driver.name === 'postgres' ? await place.open() : db
    const both = await Promise.all([indexBlock(db, 0, AT_LEISURE), indexBlock(other, 0, AT_LEISURE)])
    if (other !== db) await other.close()
    expect(both.sort()).toEqual(['indexed', 'present'])
    expect(await find({ text: 'grace@example' })).toEqual([4, 3])
  })

  test('writes nothing for a block whose events are deleted while it is read', async () => {
    await fill(BLOCK_EVENTS + UNFINISHED)
    let isDeleted = false
    const pause = async () => {
      if (!isDeleted) await db.count((tx) => removeEvents(tx, { lastId: 0 }, { before: 5 }))
      isDeleted = true
    }
    expect(await indexBlock(db, 0, { ...AT_LEISURE, pause })).toBe('changed')
    expect(await postings()).toEqual([])
    expect(await indexBlock(db, 0, AT_LEISURE)).toBe('indexed')
    expect(await find({ text: 'grace@example' })).toEqual([])
  })

  test('forgets deleted events, stores no text, and indexes the remaining events again', async () => {
    await fill(BLOCK_EVENTS + UNFINISHED)
    await build()
    expect(JSON.stringify(await postings())).not.toContain('example')
    await db.count((tx) => removeEvents(tx, { lastId: 0 }, { before: 100 }))
    expect(await postings()).toEqual([])
    expect(await find({ text: 'grace@example' })).toEqual([])
    expect(await find({ text: 'ordinary', beforeId: BLOCK_EVENTS })).toHaveLength(5)
    expect(await missingBlocks(db.reader)).toEqual([0])
    expect(await build()).toEqual(['indexed'])
    expect(await find({ text: 'ordinary', beforeId: BLOCK_EVENTS })).toHaveLength(5)
    expect(await find({ text: 'grace@example' })).toEqual([])
  })
})

function eventRow(id: number) {
  const { data = { description: 'ordinary' }, preData = null } = CONTENTS[id] ?? {}
  const evenOrOdd = id % 2 === 0 ? 'even' : 'odd'
  return {
    type: 'feature-updated',
    feature_name: 'f',
    project: id === 8 ? 'private' : evenOrOdd,
    environment: null,
    created_by: 'admin',
    created_by_user_id: 1,
    created_at: id,
    data: JSON.stringify(data),
    pre_data: JSON.stringify(preData),
    tags: '[]',
    reach: null,
    address: null,
  }
}
