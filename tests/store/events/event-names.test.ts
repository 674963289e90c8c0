import type { Database } from '@burgee/storage/database'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../support/test-database.ts'
import { DRIVERS, type Place } from '../drivers.ts'

/** Limit that is too low for names to be cached. */
const FEW = 5
/** Number of names from which the cache is no longer extended name by name. */
const MANY = 1001

describe.each(DRIVERS)('names of events, on $name', (driver) => {
  let place: Place
  let db: Database
  let look: TestDatabase
  const texts: string[] = []
  beforeAll(async () => {
    place = await driver.place()
    db = await place.open({ onQuery: (sql) => texts.push(sql) })
    look = await place.look()
  })
  beforeEach(async () => {
    await look.rows('delete from events')
    await add('One', 'Äpfel')
  })
  afterAll(async () => {
    await look.close()
    await db.close()
    await place.remove()
  })

  async function add(...flags: string[]): Promise<void> {
    const more = { created_by_user_id: 1, data: 'null', pre_data: 'null', tags: '[]', reach: null, address: null }
    const values = flags.map((feature_name, index) => ({
      type: 'feature-created',
      created_by: 'ada',
      project: 'default',
      environment: null,
      feature_name,
      created_at: Date.now() + index,
      ...more,
    }))
    await db.write((tx) => tx.insertInto('events').values(values).execute())
  }
  async function flagsHolding(names: EventNames, text: string): Promise<readonly string[]> {
    texts.length = 0
    const found = await db.scan(async (reader) => (await names.lookUp(reader)).findNames(text))
    return found.get('feature_name') ?? []
  }
  const hasReadAll = () => texts.some((sql) => sql.includes('with recursive'))

  test.each<[string, () => Promise<unknown>, boolean, readonly string[]]>([
    ['nothing happens', async () => {}, false, ['One']],
    ['an event comes', () => add('done'), false, ['One', 'done']],
    ['an event comes of a known flag', () => add('One'), false, ['One']],
    [
      'many events come',
      () => add(...Array.from({ length: MANY }, (_, n) => `None-${n % 2}`)),
      true,
      ['None-0', 'None-1', 'One'],
    ],
    ['the database is set back', () => look.rows("delete from events where feature_name = 'Äpfel'"), true, ['One']],
    [
      'it is set back and goes on elsewhere',
      async () => {
        await look.rows('delete from events')
        await add('a stone', 'b', 'c')
      },
      true,
      ['a stone'],
    ],
    ['a life begins', () => db.write((tx) => db.renewEpoch(tx)), true, ['One']],
  ])('%s', async (_name, happen, isReadAnew, expected) => {
    const names = new EventNames()
    expect(await flagsHolding(names, 'one')).toEqual(['One'])
    expect(hasReadAll()).toBe(true)
    await happen()
    expect([...(await flagsHolding(names, 'ONE'))].sort()).toEqual([...expected].sort())
    expect(hasReadAll()).toBe(isReadAnew)
    await flagsHolding(names, 'one')
    expect(hasReadAll()).toBe(false)
  })

  test('a case is none, in any alphabet', async () => {
    expect(await flagsHolding(new EventNames(), 'äPFEL')).toEqual(['Äpfel'])
  })

  test('stay uncached if there are too many', async () => {
    const names = new EventNames({ mostKept: FEW })
    expect(await flagsHolding(names, 'one')).toEqual(['One'])
    await add('none', 'stone')
    for (const _time of ['now', 'and again']) {
      expect([...(await flagsHolding(names, 'one'))].sort()).toEqual(['One', 'none', 'stone'])
    }
    expect(hasReadAll()).toBe(true)
  })

  test('get cached again once most of them have gone', async () => {
    const names = new EventNames({ mostKept: FEW })
    await flagsHolding(names, 'one')
    await add('none', 'stone')
    await flagsHolding(names, 'one')
    await look.rows("delete from events where feature_name in ('One', 'Äpfel')")
    await flagsHolding(names, 'one')
    expect(await flagsHolding(names, 'one')).toHaveLength(2)
    expect(hasReadAll()).toBe(false)
  })
})
