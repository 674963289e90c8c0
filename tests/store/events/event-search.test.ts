import type { Database, Reader } from '@burgee/storage/database'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, MAX_COUNTED_EVENTS, searchEvents } from '@burgee/storage/queries/events/event-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'

const EVENTS = 30_000
const AT_ONCE = 1000
const TYPES = ['feature-created', 'feature-environment-enabled', 'segment-updated', 'user-created']
const PROJECTS = [null, 'default', 'Shop_1', 'pay%ments']
const ENVIRONMENTS = [null, 'development', 'production']
const AUTHORS = ['admin', 'Ada@Example.com', 'ci_bot']

interface Row {
  readonly id: number
  readonly type: string
  readonly feature_name: string | null
  readonly project: string | null
  readonly environment: string | null
  readonly created_by: string
  readonly created_at: number
}

const rowOf = (id: number): Row => ({
  id,
  type: TYPES[id % 4] ?? '',
  feature_name: id % 3 === 0 ? null : `Flag-${id % 997}${id === 17 ? '-needle' : ''}`,
  project: PROJECTS[(id >> 3) % 4] ?? null,
  environment: ENVIRONMENTS[(id >> 1) % 3] ?? null,
  created_by: AUTHORS[(id >> 5) % 3] ?? '',
  created_at: 1_000_000 + id,
})
const ROWS = Array.from({ length: EVENTS }, (_, index) => rowOf(index + 1)).reverse()
const ALL = { columns: [], hidden: [], withAddress: false, limit: 5, offset: 0 }

/** Reference implementation of the search, over rows in memory. */
function found(filter: Partial<EventFilter>): Row[] {
  const { text = '', columns = [], from = 0, until = Infinity, afterId = 0, beforeId = Infinity, hidden = [] } = filter
  const holds = (value: string | null) => value?.toLowerCase().includes(text.toLowerCase()) ?? false
  return ROWS.filter(
    (row) =>
      [row.type, row.feature_name, row.project, row.environment, row.created_by].some(holds) &&
      columns.every(({ column, values, isWanted }) => values.includes(row[column] ?? '\0') === isWanted) &&
      row.created_at >= from &&
      row.created_at < until &&
      row.id > afterId &&
      row.id < beforeId &&
      !hidden.some((prefix) => row.type.startsWith(prefix)),
  )
}

describe.each(DRIVERS)('events by their text, on $name', (driver) => {
  let db: Database
  let remove: () => Promise<void>
  let queries = 0
  const names = new EventNames()
  beforeAll(async () => {
    const place = await driver.place()
    remove = place.remove
    db = await place.open({ onQuery: () => (queries += 1) })
    const more = { created_by_user_id: 1, data: 'null', pre_data: 'null', tags: '[]', reach: null, address: null }
    await db.write(async (tx) => {
      for (let from = 1; from <= EVENTS; from += AT_ONCE) {
        const rows = Array.from({ length: AT_ONCE }, (_, index) => rowOf(from + index))
        await tx
          .insertInto('events')
          .values(rows.map(({ id: _id, ...row }) => ({ ...row, ...more })))
          .execute()
      }
    })
  })
  afterAll(async () => {
    await db.close()
    await remove()
  })

  const search = (filter: Partial<EventFilter>) =>
    db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, names))

  test.each<[string, Partial<EventFilter>]>([
    ['a name of one event, far back', { text: 'needle' }],
    ['another case', { text: 'NEEDLE' }],
    ['a part of names of flags', { text: 'lag-99' }],
    ['nothing has it', { text: 'nowhere' }],
    ['a wildcard is a character', { text: 'shop_' }],
    ['another one', { text: 'y%m' }],
    ['a quote is a character', { text: "o'clock" }],
    ['a backslash is a character', { text: '\\' }],
    ['several columns have it', { text: 'e' }],
    ['nearly all have it, before an event', { text: 'e', beforeId: 25_000, limit: 20 }],
    ['nearly all have it, but not so many after an event', { text: 'e', afterId: EVENTS - 9000 }],
    ['nearly all have it, a page further on', { text: 'E', limit: 9, offset: 9995 }],
    ['nearly all have it, but few in a time', { text: 'e', from: 1_000_100, until: 1_000_110 }],
    [
      'nearly all have it, with other conditions',
      { text: 'e', hidden: ['user-'], columns: [{ column: 'project', isWanted: false, values: ['default'] }] },
    ],
    ['an author', { text: 'ada@example' }],
    ['two columns, one of them rarely', { text: 'production' }],
    ['a page further on', { text: 'enabled', limit: 7, offset: 130 }],
    ['a page beyond the last event', { text: 'e', limit: 3, offset: MAX_COUNTED_EVENTS + 8000 }],
    ['a page beyond the end', { text: 'needle', limit: 3, offset: 3 }],
    ['before an event', { text: 'segment', beforeId: 4000 }],
    ['after an event', { text: 'segment', afterId: EVENTS - 30 }],
    ['between two events', { text: 'flag-1', afterId: 100, beforeId: 250, limit: 500 }],
    ['in a time', { text: 'user', from: 1_000_100, until: 1_000_200, limit: 500 }],
    [
      'with another condition',
      { text: 'flag-5', columns: [{ column: 'project', isWanted: true, values: ['Shop_1'] }] },
    ],
    ['without a value', { text: 'flag-5', columns: [{ column: 'project', isWanted: false, values: ['default'] }] }],
    ['without what is hidden', { text: 'created', hidden: ['user-'] }],
  ])('%s', async (_name, filter) => {
    queries = 0
    const { events, total } = await search(filter)
    const expected = found(filter)
    const { limit, offset } = { ...ALL, ...filter }
    expect(events.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id))
    expect(total).toBe(Math.min(expected.length, MAX_COUNTED_EVENTS))
    // queries: the last event, the contents, one lookup and one count of the newest events, the new names, at most
    // three counts, and the page; all in one transaction
    expect(queries).toBeLessThanOrEqual(12)
  })
})
