import type { Database, Reader } from '@burgee/storage/database'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS } from '../drivers.ts'

/** Combined filters of events use their indexes. Checks the query plans instead of measuring times. */
const EVENTS = 30_000
const AT_ONCE = 1000
const TYPES = Array.from({ length: 20 }, (_none, index) => `type-${index}`)
const ENVIRONMENTS = Array.from({ length: 10 }, (_none, index) => `environment-${index}`)
const ALL = { columns: [], hidden: [], withAddress: false, limit: 5, offset: 0 }

describe.each(DRIVERS)('combined filters of events, on $name', ({ name, place: createPlace }) => {
  const texts: string[] = []
  let db: Database
  let look: TestDatabase
  let remove: () => Promise<void>
  beforeAll(async () => {
    const place = await createPlace()
    db = await place.open({ onQuery: (text) => texts.push(text) })
    look = await place.look()
    remove = place.remove
    for (let from = 1; from <= EVENTS; from += AT_ONCE)
      await db.write((tx) =>
        tx
          .insertInto('events')
          .values(Array.from({ length: AT_ONCE }, (_n, i) => rowOf(from + i)))
          .execute(),
      )
    await look.rows(name === 'sqlite' ? 'analyze' : 'vacuum analyze events')
  })
  afterAll(async () => {
    await look.close()
    await db.close()
    await remove()
  })

  /**
   * Returns the ids that a search finds, and the query plans of its statements. `values` are the values of the filter.
   */
  async function run(filter: Partial<EventFilter>, values: readonly (string | number)[]) {
    texts.length = 0
    const { events } = await db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, new EventNames()))
    const statements = texts.filter((text) => text.startsWith('select') && text.includes('"events"'))
    const plans: string[] = []
    for (const text of statements) plans.push(await explain(text, values))
    return { ids: events.map(({ id }) => id), plans }
  }

  /** Returns the query plan of a statement whose first placeholders get `values`, and all others a number. */
  async function explain(text: string, values: readonly (string | number)[]): Promise<string> {
    let index = 0
    const literal = text.replaceAll(/\?|\$\d+/g, () => {
      const value = values[index] ?? EVENTS
      index += 1
      return typeof value === 'number' ? String(value) : `'${value}'`
    })
    return JSON.stringify(await look.rows(`${name === 'sqlite' ? 'explain query plan' : 'explain'} ${literal}`))
  }

  test('a time range in the past is read by its index, also for the first page', async () => {
    const { ids, plans } = await run({ from: 1_000_100, until: 1_000_200 }, [1_000_100, 1_000_200])
    expect(ids).toEqual([199, 198, 197, 196, 195])
    expect(plans.length).toBeGreaterThanOrEqual(2)
    expect(plans.slice(0, 2).map((plan) => plan.includes('events_by_time'))).toEqual([true, true])
  })

  test('an environment with a type is counted by an index that covers both', async () => {
    const environment = { column: 'environment', isWanted: true, values: ['environment-3'] } as const
    const type = { column: 'type', isWanted: true, values: ['type-3'] } as const
    const { plans } = await run({ columns: [environment, type] }, ['environment-3', 'type-3'])
    expect(plans[0]).toContain('events_by_environment_and_type')
  })
})

function rowOf(id: number) {
  return {
    created_at: 1_000_000 + id,
    type: TYPES[id % TYPES.length] ?? '',
    created_by: 'admin',
    created_by_user_id: 1,
    project: 'default',
    environment: ENVIRONMENTS[(id >> 3) % ENVIRONMENTS.length] ?? '',
    feature_name: `flag-${id % 997}`,
    data: 'null',
    pre_data: 'null',
    tags: '[]',
    reach: null,
    address: null,
  }
}
