import { createSearchIndexer } from '@burgee/server/admin/history/search-indexer'
import type { Database, Reader, Tx } from '@burgee/storage/database'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import { BLOCK_EVENTS } from '@burgee/storage/queries/events/search-postings'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS, type Place } from '../drivers.ts'

/**
 * A search in the whole history reads few events, however many there are: the rows that PostgreSQL reads are counted,
 * and on SQLite, every old event fails to be read.
 */
const BLOCKS = 15
/** Number of events that the search index does not contain yet, and number of all events. */
const UNINDEXED = 100
const EVENTS = BLOCKS * BLOCK_EVENTS + UNINDEXED
const AT_ONCE = 1000
/** Maximum number of events that a search for a rare text may read: the newest ones, and its matches. */
const MAX_READ = 1500
const ALL = { columns: [], hidden: [], withAddress: false, limit: 50, offset: 0 }
/** Ids of old events that contain a rare text in each part that a search covers. */
const RARE = { data: 7, before: 4001, type: 8002, flag: 12_003, project: 20_004, author: 25_005 }
const SILENT = { info() {}, warn() {}, error() {}, debug() {}, fatal() {} }

const SEARCHES: readonly (readonly [what: string, filter: Partial<EventFilter>, ids: readonly number[]])[] = [
  ['a value of the new state', { text: 'grace@example' }, [RARE.data]],
  ['a value of the former state', { text: 'Hopper Street' }, [RARE.before]],
  ['a flag', { text: 'rare-flag' }, [RARE.flag]],
  ['a project', { text: 'rare-project' }, [RARE.project]],
  ['an author', { text: 'rare-author' }, [RARE.author]],
  ['a type', { text: 'context-field-cr' }, [RARE.type]],
  ['a text that no event contains', { text: 'in no event at all' }, []],
  ['the events of a user', { columns: [{ column: 'created_by', isWanted: true, values: ['77'] }] }, [RARE.author]],
]

describe.each(DRIVERS)('the history on $name', ({ name, place: createPlace }) => {
  let place: Place
  let db: Database
  let look: TestDatabase
  const names = new EventNames()
  beforeAll(async () => {
    place = await createPlace()
    db = await place.open({})
    for (let from = 1; from <= EVENTS; from += AT_ONCE)
      await db.write((tx) =>
        tx
          .insertInto('events')
          .values(Array.from({ length: Math.min(AT_ONCE, EVENTS - from + 1) }, (_none, index) => rowOf(from + index)))
          .execute(),
      )
    await createSearchIndexer({ db, logger: SILENT }).run()
    look = await place.look()
    await look.rows(name === 'sqlite' ? 'analyze' : 'vacuum analyze events')
    if (name === 'sqlite') await failOnOldEvents(look)
    // the names of events are cached after the first search
    await db.scan((reader) => searchEvents(reader, { ...ALL, text: 'first' }, names))
  })
  afterAll(async () => {
    await look.close()
    await db.close()
    await place.remove()
  })

  test.each(SEARCHES)('a search for %s reads few events', async (_what, filter, ids) => {
    const { events, read } = await db.scan(async (reader) => {
      const before = await countRead(reader, name)
      const { events } = await searchEvents(reader, { ...ALL, ...filter }, names)
      return { events, read: (await countRead(reader, name)) - before }
    })
    expect(events.map(({ id }) => id)).toEqual(ids)
    expect(read).toBeLessThanOrEqual(MAX_READ)
  })
})

/**
 * Replaces the table by a view on which reading the contents of an old event is an error, because SQLite does not count
 * the rows that a statement reads.
 */
async function failOnOldEvents(look: TestDatabase): Promise<void> {
  const columns = (await look.rows("select name from pragma_table_info('events')")).map(({ name }) => String(name))
  const rare = Object.values(RARE).join(', ')
  const guarded = columns.map((column) =>
    ['data', 'pre_data', 'tags'].includes(column)
      ? `case when id <= ${EVENTS - MAX_READ} and id not in (${rare}) then json('read') else ${column} end as ${column}`
      : column,
  )
  await look.rows('alter table events rename to stored_events')
  await look.rows(`create view events as select ${guarded.join(', ')} from stored_events`)
  await expect(look.rows('select data from events where id = 1')).rejects.toThrow('malformed JSON')
}

/** Returns the number of events that the transaction of a reader has read so far, where the database counts them. */
async function countRead(reader: Reader, driver: string): Promise<number> {
  if (driver === 'sqlite') return 0
  const { rows } = await sql<{ read: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_xact_user_tables where relname = 'events'`.execute(reader as Tx)
  return Number(rows[0]?.read ?? 0)
}

function rowOf(id: number) {
  return {
    created_at: 1_000_000 + id,
    type: id === RARE.type ? 'context-field-created' : 'feature-updated',
    created_by: id === RARE.author ? 'rare-author' : 'admin',
    created_by_user_id: id === RARE.author ? 77 : 1,
    project: id === RARE.project ? 'rare-project' : 'default',
    environment: 'development',
    feature_name: id === RARE.flag ? 'rare-flag' : `flag-${id % 97}`,
    data: JSON.stringify(id === RARE.data ? { email: 'Grace@Example.org' } : { description: 'ordinary' }),
    pre_data: JSON.stringify(id === RARE.before ? { address: '1 Hopper Street' } : null),
    tags: '[]',
    reach: null,
    address: null,
  }
}
