import { sql } from 'kysely'
import type { Tx } from './database.ts'
import { isSqlite } from './dialect.ts'

const MAX_PAUSE_MS = 600_000

/**
 * Lets a transaction compute for up to ten minutes between two statements, as a large import does on a slow machine.
 * PostgreSQL ends other transactions that send nothing for ten seconds, so that a lost node does not keep the writer
 * lock. Must not be used in a server for which other nodes wait.
 */
export async function allowLongPauses(tx: Tx): Promise<void> {
  if (!isSqlite(tx)) await sql`set local idle_in_transaction_session_timeout = ${sql.lit(MAX_PAUSE_MS)}`.execute(tx)
}
