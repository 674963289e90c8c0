import type { Tx } from '../database.ts'

/** Each may hold hundreds of changes and comments, which go with it. */
const BATCH = 20
const DECIDED = ['Applied', 'Rejected', 'Cancelled'] as const

/** Where a walk through decided change requests is: the last id that it has looked at. */
export interface RequestWalk {
  lastId: number
}

/** Removes change requests that were applied, rejected or cancelled before a time, oldest first, with all they hold. */
export async function removeChangeRequests(tx: Tx, walk: RequestWalk, before: number): Promise<boolean> {
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
