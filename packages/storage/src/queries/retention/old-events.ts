import { sql } from 'kysely'
import type { Reader, Tx } from '../../database.ts'
import { dropBlocks } from '../events/search-index.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

/**
 * Name of the setting that stores the id of the last event up to which events may have been deleted. The history before
 * that event cannot be reconstructed.
 */
const REMOVED_UP_TO = 'eventsRemovedUpTo'

/**
 * Number of newest events that are never deleted. Each node compares one of the newest events with the last event that
 * the node has received.
 */
const MIN_KEPT_EVENTS = 100

/** Position in a pass over the events: the id of the last event that was checked. */
export interface EventCursor {
  lastId: number
}

/**
 * Deletes a batch of events from before a time, oldest first. Returns true if more events may remain. The next call
 * then continues after the rows that this call has checked.
 *
 * Keeps the newest event for each value of `reach`, because a revision must not decrease. Also keeps the newest event
 * of each project and the newest events overall. Project statistics need the event that first enabled each flag in an
 * environment, so these events stay as well.
 */
export async function removeEvents(tx: Tx, walk: EventCursor, before: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('id', '>', walk.lastId)
    .where(sql<boolean>`id <= (select max(last.id) - ${sql.lit(MIN_KEPT_EVENTS)} from events last)`)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute()
  // if the clock was wrong for a while, some old rows look recent; so the pass ends only when all rows of a batch are
  // recent
  const old = rows.filter((row) => Number(row.created_at) < before)
  if (old.length === 0) return false
  // sorts by reach and id in descending order to find the last event of a reach: with `max(id)`, PostgreSQL would scan
  // all events for an unused reach
  const deleted = await sql<{ id: number }>`delete from events where id in (${sql.join(old.map(({ id }) => id))})
    and (reach is null or id < (select o.id from events o where o.reach <= events.reach
      order by o.reach desc, o.id desc limit 1))
    and (project is null or id < (select o.id from events o where o.project <= events.project
      order by o.project desc, o.id desc limit 1))
    and not (type = 'feature-environment-enabled'
      and exists (select 1 from features f where f.name = events.feature_name and f.created_at <= events.created_at)
      and not exists (select 1 from events o join features f on f.name = o.feature_name
        where o.feature_name = events.feature_name and o.id < events.id and o.type = events.type
          and o.environment = events.environment and o.created_at >= f.created_at))
    returning id`.execute(tx)
  await dropBlocks(
    tx,
    deleted.rows.map(({ id }) => id),
  )
  await recordRemoved(tx, old.at(-1)?.id ?? 0)
  walk.lastId = rows.at(-1)?.id ?? walk.lastId
  return rows.length === BATCH_ROWS
}

async function recordRemoved(tx: Tx, id: number): Promise<void> {
  const value = String(Math.max(id, await readRemovedUpTo(tx)))
  await tx
    .insertInto('settings')
    .values({ name: REMOVED_UP_TO, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Returns the id up to which events may have been deleted; 0 if no event was deleted. */
export async function readRemovedUpTo(reader: Reader): Promise<number> {
  const row = await reader.selectFrom('settings').select('value').where('name', '=', REMOVED_UP_TO).executeTakeFirst()
  return Number(row?.value ?? 0)
}
