import { removeEvents } from '@burgee/storage/queries/retention/old-events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DRIVERS } from '../drivers.ts'

/**
 * A retention step reads only the rows that it deletes, regardless of the number of events. This also holds if the old
 * events belong to an environment or project without newer events, in a database with planner statistics.
 */
const EVENTS = 30_000
const FLAGS = 3000
const STEPS = 3
/** Maximum number of rows read in a step of 200 events. */
const MOST_READ = 5000

test('removing old events reads no more than their indexes need', async () => {
  const driver = DRIVERS.find(({ name }) => name === 'postgres')
  const place = await driver?.place()
  if (place === undefined) throw new Error('There is no PostgreSQL among the databases')
  const db = await place.open()
  const look = await place.look()
  await look.rows(`insert into features (name, project, type, stale, impression_data, created_at)
    select 'flag-' || i, 'default', 'release', 0, 0, i from generate_series(0, ${FLAGS - 1}) i`)
  await look.rows(`insert into events (created_at, type, created_by, created_by_user_id, project, environment, feature_name,
      data, pre_data, tags, reach, address)
    select i, case when i % 3 = 0 then 'feature-environment-enabled' else 'feature-updated' end, 'ada', 1,
      'project-' || (i * 200 / ${EVENTS}), case when i % 2 = 0 then 'development' else 'production' end,
      'flag-' || (i % ${FLAGS}), 'null', 'null', '[]', case when i < ${EVENTS / 3} then 'retired' when i % 2 = 0 then 'development' else 'production' end, null
    from generate_series(1, ${EVENTS}) i`)
  await look.rows('analyze')
  const walk = { lastId: 0 }
  const reads: number[] = []
  for (let step = 0; step < STEPS; step += 1) {
    await db.count(async (tx) => {
      await removeEvents(tx, walk, { before: EVENTS })
      const counted = sql<{ read: string }>`select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
        from pg_stat_xact_user_tables where relid = 'events'::regclass`
      reads.push(Number((await counted.execute(tx)).rows[0]?.read))
    })
  }
  expect(reads.filter((read) => read > MOST_READ)).toEqual([])
  expect(Number((await look.row('select count(*) as count from events'))?.count)).toBeLessThan(EVENTS)
  await look.close()
  await db.close()
  await place.remove()
})
