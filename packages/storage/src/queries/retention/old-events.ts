import { sql } from 'kysely'
import type { Reader, Tx } from '../../database.ts'
import { findSetting, storeSetting } from '../access/users.ts'
import { dropBlocks } from '../events/search-index.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

/**
 * Name of the setting that stores the id of the last event up to which events may have been deleted. History up to and
 * including that event cannot be reconstructed.
 */
const REMOVED_UP_TO = 'eventsRemovedUpTo'

/**
 * Number of newest events that are never deleted. Each node compares one of the newest events with the last event that
 * it has received.
 */
const MIN_KEPT_EVENTS = 100

/** Position in a pass over the events: the id of the last event that was examined. */
export interface EventCursor {
  lastId: number
}

/** Range of events to delete. */
export interface EventRange {
  /** Time in milliseconds since 1970; only older events are deleted. */
  readonly before: number
  /** Id of the last event that may be deleted; all of them if missing. */
  readonly upTo?: number | undefined
}

/**
 * Deletes a batch of events that are older than a time, oldest first. Returns true if more events may remain. If events
 * remain, the next call continues after the rows that this call has examined.
 *
 * Keeps the newest event for each value of `reach`, because the revision of a document must not decrease. Also keeps
 * the newest event of each project, and the newest events overall. The event that first enabled each flag in an
 * environment also remains, because project statistics need it.
 */
export async function removeEvents(tx: Tx, walk: EventCursor, { before, upTo }: EventRange): Promise<boolean> {
  const rows = await tx
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('id', '>', walk.lastId)
    .where(sql<boolean>`id <= (select max(last.id) - ${sql.lit(MIN_KEPT_EVENTS)} from events last)`)
    .$if(upTo !== undefined, (query) => query.where('id', '<=', upTo as number))
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute()
  // while the clock was wrong, old rows may have been stored with recent times, so the pass ends only at a batch in
  // which all rows are recent
  const old = rows.filter((row) => Number(row.created_at) < before)
  if (old.length === 0) return false
  // finds the last event of a reach by sorting by reach and id in descending order, because PostgreSQL would answer
  // `max(id)` for an unused reach by scanning all events
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
  await storeSetting(tx, REMOVED_UP_TO, String(Math.max(id, await readRemovedUpTo(tx))))
}

/** Returns the id up to which events may have been deleted; 0 if no event was deleted. */
export async function readRemovedUpTo(reader: Reader): Promise<number> {
  return Number((await findSetting(reader, REMOVED_UP_TO)) ?? 0)
}
