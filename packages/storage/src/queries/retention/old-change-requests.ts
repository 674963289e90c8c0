import type { Tx } from '../../database.ts'

/**
 * Maximum number of change requests per batch. The number is small, because a change request can have hundreds of
 * changes and comments, which are deleted with it.
 */
const BATCH = 20
const DECIDED = ['Applied', 'Rejected', 'Cancelled'] as const

/** Position in a pass over closed change requests: the id of the last change request that was examined. */
export interface RequestCursor {
  lastId: number
}

/**
 * Deletes a batch of change requests that were applied, rejected or cancelled before a time, oldest first, including
 * their changes, reviews and comments. Returns true if more change requests may remain.
 */
export async function removeChangeRequests(tx: Tx, walk: RequestCursor, before: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('change_requests')
    .select(['id', 'state', 'state_times', 'created_at'])
    .where('id', '>', walk.lastId)
    .where('state', 'in', DECIDED)
    .where('created_at', '<', before)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  const old = rows.filter(({ state, state_times, created_at }) => (state_times[state] ?? Number(created_at)) < before)
  const ids = old.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('change_requests').where('id', 'in', ids).execute()
  walk.lastId = rows.at(-1)?.id ?? walk.lastId
  return rows.length === BATCH
}
