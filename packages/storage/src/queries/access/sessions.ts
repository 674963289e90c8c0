import type { Reader, Tx } from '../../database.ts'

/** Session of a user. Times are in milliseconds since 1970. */
export interface SessionRow {
  /** SHA-256 of the session id. */
  readonly hash: string
  readonly created_at: number
  readonly used_at: number
  readonly expires_at: number
}

/** Current time, and the idle time after which a session ends. */
export interface SessionTimes {
  readonly now: number
  readonly idleMs: number
}

/** Lists the open sessions of a user, most recently used first. */
export function listSessions(reader: Reader, userId: number, { now, idleMs }: SessionTimes): Promise<SessionRow[]> {
  return reader
    .selectFrom('sessions')
    .select(['hash', 'created_at', 'used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('used_at', '>', now - idleMs)
    .orderBy('used_at', 'desc')
    .orderBy('hash')
    .execute()
}

/** Deletes the sessions of a user with the given hashes. Returns the number of deleted sessions.  */
export async function deleteSessions(tx: Tx, userId: number, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0
  const deleted = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('hash', 'in', [...hashes])
    .returning('hash')
    .execute()
  return deleted.length
}

/**
 * Deletes all sessions of a user, or of several users, except `keep`. Without `userId`, deletes the sessions of all
 * users. Returns the number of deleted sessions per user.
 */
export async function deleteAllSessions(
  tx: Tx,
  { userId, keep }: { readonly userId?: number | readonly number[] | undefined; readonly keep?: string | undefined },
): Promise<ReadonlyMap<number, number>> {
  let query = tx.deleteFrom('sessions').returning('user_id')
  if (userId !== undefined) query = query.where('user_id', 'in', typeof userId === 'number' ? [userId] : userId)
  if (keep !== undefined) query = query.where('hash', '!=', keep)
  const deleted = await query.execute()
  return new Map([...Map.groupBy(deleted, (row) => row.user_id)].map(([id, rows]) => [id, rows.length]))
}
