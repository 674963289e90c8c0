import type { Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import { BATCH_ROWS } from '../retention/deletion-batch.ts'

/** Login attempt, successful or failed. */
export type LoginRow = Selectable<Schema['login_history']>

/**
 * Maximum number of stored login attempts. A limit is needed because anyone who can reach the login page can cause
 * failed attempts.
 */
const MAX_STORED_LOGINS = 100_000
/** Maximum number of login attempts in a list. */
const MAX_LISTED_LOGINS = 10_000

/** Inserts login attempts. Deletes the oldest login attempts beyond the maximum. */
export async function insertLogins(tx: Tx, rows: readonly Insertable<Schema['login_history']>[]): Promise<void> {
  const added = await tx.insertInto('login_history').values(rows).returning('id').execute()
  const last = Math.max(...added.map(({ id }) => id))
  await tx
    .deleteFrom('login_history')
    .where('id', '<=', last - MAX_STORED_LOGINS)
    .execute()
}

/** Lists the latest login attempts, newest first. */
export function listLastLogins(reader: Reader): Promise<LoginRow[]> {
  return reader.selectFrom('login_history').selectAll().orderBy('id', 'desc').limit(MAX_LISTED_LOGINS).execute()
}

/** Deletes a batch of login attempts that are older than a time. Returns false once no such attempts are left. */
export async function removeLogins(tx: Tx, before: number): Promise<boolean> {
  const gone = await tx
    .deleteFrom('login_history')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('login_history').select('id').where('created_at', '<', before).limit(BATCH_ROWS),
    )
    .returning('id')
    .execute()
  return gone.length > 0
}
