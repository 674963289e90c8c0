import type { Database, Reader } from '@burgee/storage/database'
import { MAX_SEARCHED_CONTENTS } from '@burgee/storage/queries/events/content-search'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'

/** Search for text in `data` and `preData` of events, not only in their names. */
const OLDER = 50
const EVENTS = MAX_SEARCHED_CONTENTS + OLDER
const AT_ONCE = 1000
const ALL = { columns: [], hidden: [], withAddress: false, limit: 5, offset: 0 }
const LAST = EVENTS

/** Contents of some events, by id. All other events have the same contents. */
const CONTENTS: Readonly<Record<number, { readonly data?: unknown; readonly preData?: unknown }>> = {
  3: { data: { note: 'beyond the newest' } },
  [LAST - 9]: { data: { email: 'Grace@Example.org' } },
  [LAST - 8]: { preData: { segments: [{ constraints: [{ values: ['Zürich', 'say "hi"'] }] }] } },
  [LAST - 7]: { data: { tag: { value: 'C:\\temp' } } },
  [LAST - 6]: { data: { id: 4_711_042 } },
  [LAST - 5]: { data: 'a plain text' },
  [LAST - 4]: { data: ['grace@example.org'], preData: { email: 'grace@example.org' } },
}

describe.each(DRIVERS)('events by what they hold, on $name', (driver) => {
  let db: Database
  let remove: () => Promise<void>
  let queries = 0
  const names = new EventNames()
  beforeAll(async () => {
    const place = await driver.place()
    remove = place.remove
    db = await place.open({ onQuery: () => (queries += 1) })
    const rowOf = (id: number) => {
      const { data = { stale: false }, preData = null } = CONTENTS[id] ?? {}
      return {
        type: id === LAST - 4 ? 'user-updated' : 'feature-updated',
        feature_name: 'f',
        project: id % 2 === 0 ? 'even' : 'odd',
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
    await db.write(async (tx) => {
      for (let from = 1; from <= EVENTS; from += AT_ONCE) {
        const length = Math.min(AT_ONCE, EVENTS - from + 1)
        const rows = Array.from({ length }, (_, index) => rowOf(from + index))
        await tx.insertInto('events').values(rows).execute()
      }
    })
  })
  afterAll(async () => {
    await db.close()
    await remove()
  })

  const search = (filter: Partial<EventFilter>) =>
    db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, names))
  const inProject = (project: string) => [{ column: 'project' as const, isWanted: true, values: [project] }]

  test.each<[string, Partial<EventFilter>, number[]]>([
    ['an address in both and in lists, in another case', { text: 'GRACE@example' }, [LAST - 4, LAST - 9]],
    ['only what may be seen', { text: 'grace@example', hidden: ['user-'] }, [LAST - 9]],
    [
      'only in a project',
      { text: 'grace@example', columns: inProject('odd') },
      [LAST - 9].filter((id) => id % 2 === 1),
    ],
    ['only before an event', { text: 'grace@example', beforeId: LAST - 5 }, [LAST - 9]],
    ['a letter beyond ASCII, in another case', { text: 'ZÜRICH' }, [LAST - 8]],
    ['a quote', { text: 'say "hi' }, [LAST - 8]],
    ['a backslash', { text: ':\\temp' }, [LAST - 7]],
    ['a number', { text: '711042' }, [LAST - 6]],
    ['a text that is all of it', { text: 'plain' }, [LAST - 5]],
    ['no name of a property', { text: 'constraints' }, []],
    ['no more than the newest', { text: 'beyond the newest' }, []],
    ['those of a time, however old', { text: 'beyond the newest', until: 1000 }, [3]],
    ['no text of two letters', { text: 'C:' }, []],
    ['a page further on', { text: 'grace@example', offset: 1 }, [LAST - 9]],
  ])('finds %s', async (_what, filter, ids) => {
    queries = 0
    const { events, total } = await search(filter)
    expect(events.map(({ id }) => id)).toEqual(ids)
    expect(total).toBe(ids.length + (filter.offset ?? 0))
    expect(queries).toBeLessThanOrEqual(12)
  })

  test('finds no name of a property that all events have, and looks at each event once', async () => {
    queries = 0
    expect(await search({ text: 'stale' })).toEqual({ events: [], total: 0 })
    expect(queries).toBeLessThanOrEqual(12 + MAX_SEARCHED_CONTENTS / 500)
  })
})
