import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { isSqlite } from './dialect.ts'

const MAX_PAUSE_MS = 600_000

/**
 * Allows a transaction to compute for up to ten minutes between two statements, as a large import may need on a slow
 * machine. PostgreSQL ends all other transactions that send nothing for ten seconds, so that a lost node does not keep
 * holding the writer lock. Must not be used in a server, because other nodes would have to wait for it.
 */
export async function allowLongPauses(tx: Tx): Promise<void> {
  if (!isSqlite(tx)) await sql`set local idle_in_transaction_session_timeout = ${sql.lit(MAX_PAUSE_MS)}`.execute(tx)
}
