import type { Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'
import { BATCH_ROWS } from '../retention/batch.ts'

/** One login, or the attempt at one. */
export type LoginRow = Selectable<Schema['login_history']>

/** Most logins that are kept: failures come from anybody who finds the login. */
const MOST_LOGINS = 100_000
/** Most that are listed. */
const MOST_LISTED_LOGINS = 10_000

/** Adds logins; the oldest go where there are too many. */
export async function insertLogins(tx: Tx, rows: readonly Insertable<Schema['login_history']>[]): Promise<void> {
  const added = await tx.insertInto('login_history').values(rows).returning('id').execute()
  const last = Math.max(...added.map(({ id }) => id))
  await tx
    .deleteFrom('login_history')
    .where('id', '<=', last - MOST_LOGINS)
    .execute()
}

/** The last logins, newest first. */
export function lastLogins(reader: Reader): Promise<LoginRow[]> {
  return reader.selectFrom('login_history').selectAll().orderBy('id', 'desc').limit(MOST_LISTED_LOGINS).execute()
}

/** Removes logins from before a time; some of them. */
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
