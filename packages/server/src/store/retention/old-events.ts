import { sql } from 'kysely'
import type { Reader, Tx } from '../database.ts'
import { BATCH_ROWS } from './batch.ts'

/** Setting that says up to which id the log has holes: what was before cannot be told from it. */
const REMOVED_UP_TO = 'eventsRemovedUpTo'

/** The last events stay whatever their age: nodes know where they stand by one of them. */
const NEWEST_KEPT = 100

/** Where a walk through the events is: the last id that it has looked at. */
export interface EventWalk {
  lastId: number
}

/**
 * Removes events from before a time, oldest first, but those that something hangs on: the newest of each reach (a
 * revision must not go back) and of each project, the last ones, and when a flag was first on in an environment, which
 * statistics of its project count from. The walk goes on after the rows that it has seen.
 */
export async function removeEvents(tx: Tx, walk: EventWalk, before: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('id', '>', walk.lastId)
    .where(sql<boolean>`id <= (select max(last.id) - ${sql.lit(NEWEST_KEPT)} from events last)`)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute()
  // a clock that was wrong for a while must not end the walk: only where all of them are young it is over
  const old = rows.filter((row) => Number(row.created_at) < before)
  if (old.length === 0) return false
  // the last of a reach as the greatest of both: for "the greatest id of it" PostgreSQL walks the newest events back until it
  // meets one, which of a reach that is not used any more are all
  await sql`delete from events where id in (${sql.join(old.map(({ id }) => id))})
    and (reach is null or id < (select o.id from events o where o.reach <= events.reach
      order by o.reach desc, o.id desc limit 1))
    and (project is null or id < (select o.id from events o where o.project <= events.project
      order by o.project desc, o.id desc limit 1))
    and not (type = 'feature-environment-enabled'
      and exists (select 1 from features f where f.name = events.feature_name and f.created_at <= events.created_at)
      and not exists (select 1 from events o join features f on f.name = o.feature_name
        where o.feature_name = events.feature_name and o.id < events.id and o.type = events.type
          and o.environment = events.environment and o.created_at >= f.created_at))`.execute(tx)
  await noteRemoved(tx, old.at(-1)?.id ?? 0)
  walk.lastId = rows.at(-1)?.id ?? walk.lastId
  return rows.length === BATCH_ROWS
}

async function noteRemoved(tx: Tx, id: number): Promise<void> {
  const value = String(Math.max(id, await removedUpTo(tx)))
  await tx
    .insertInto('settings')
    .values({ name: REMOVED_UP_TO, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Up to which id there may be no events any more; 0 where all are there. */
export async function removedUpTo(reader: Reader): Promise<number> {
  const row = await reader.selectFrom('settings').select('value').where('name', '=', REMOVED_UP_TO).executeTakeFirst()
  return Number(row?.value ?? 0)
}
