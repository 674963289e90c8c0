import { chunks } from '@burgee/storage/chunks'
import { listPeopleByIds } from '@burgee/storage/queries/access/people'
import { deleteAllSessions, deleteSessions } from '@burgee/storage/queries/access/sessions'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change } from '../../../core/execute.ts'
import { requireUser, toUserState } from './user-admin.ts'

/**
 * Ends the sessions of one user that have the given hashes. Returns the number of sessions that ended. Creates no event
 * if no session has ended.
 */
export const endSessionsByHash: Change<{ readonly id: number; readonly hashes: readonly string[] }, number> = async (
  tx,
  { id, hashes },
) => {
  const user = await requireUser(tx, id)
  const count = await deleteSessions(tx, id, hashes)
  return { result: count, events: count === 0 ? [] : [toEvent(user, count)], endsAccess: true }
}

/** Ends all sessions of one user. Returns the number of sessions that ended. Throws NotFoundError. */
export const endSessionsOfUser: Change<{ readonly id: number }, number> = async (tx, { id }) => {
  const user = await requireUser(tx, id)
  const count = (await deleteAllSessions(tx, { userId: id })).get(id) ?? 0
  return { result: count, events: count === 0 ? [] : [toEvent(user, count)], endsAccess: true }
}

/**
 * Ends the sessions of all users except the session with the hash `keep`. Returns the number of sessions that ended.
 */
export const endSessionsOfAll: Change<{ readonly keep: string | undefined }, number> = async (tx, { keep }) => {
  const counts = await deleteAllSessions(tx, { keep })
  const events: NewEvent[] = []
  for (const part of chunks([...counts.keys()])) {
    for (const user of await listPeopleByIds(tx, part)) events.push(toEvent(user, counts.get(user.id) ?? 0))
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { result: total, events, endsAccess: true }
}

function toEvent(user: UserRow, sessionsEnded: number): NewEvent {
  const preData = toUserState(user)
  return { type: 'user-updated', data: { ...preData, sessionsEnded }, preData }
}
