import { SqliteAdapter } from 'kysely'
import type { Tx } from './database.ts'

/** Whether a transaction is one of the embedded database, for the few texts that the two write differently. */
export function isSqlite(tx: Tx): boolean {
  return tx.getExecutor().adapter instanceof SqliteAdapter
}
