import { readRemovedUpTo } from '@burgee/storage/queries/retention/old-events'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'
import { makeOldTables } from './old-database.ts'

/** Migration 0034 records up to which id the log lacks events: those before its first event, ignoring later gaps. */
const BEFORE = '0032-callers-and-snoozes'
const ROWS: readonly (readonly [what: string, kept: readonly number[], upTo: number])[] = [
  ['no events', [], 0],
  ['all of them', [1, 2, 3], 0],
  ['none of the first', [4, 5, 6], 3],
  ['numbers that were never used, as PostgreSQL has them', [1, 2, 5, 6, 9], 0],
  ['both', [3, 4, 7], 2],
]

describe.each(DRIVERS)('a log with holes of the version before on $name', (driver) => {
  test.each(ROWS)('%s', async (_what, kept, upTo) => {
    const place = await driver.place()
    await makeOldTables(place.where, BEFORE)
    const look = await place.look()
    await look.rows(`with recursive n(i) as (select 1 union all select i + 1 from n where i < 9)
      insert into events (created_at, type, created_by, created_by_user_id, data, pre_data, tags)
      select i, 'feature-updated', 'author', 1, 'null', 'null', '[]' from n`)
    await look.rows(`delete from events where id not in (${[0, ...kept].join(', ')})`)
    const db = await place.open()
    expect(await readRemovedUpTo(db.reader)).toBe(upTo)
    await db.close()
    await look.close()
    await place.remove()
  })
})
