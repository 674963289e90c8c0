import { SqliteAdapter } from 'kysely'
import type { Tx } from './database.ts'

/** Returns true for a transaction of the embedded database, for SQL that differs between the two. */
export function isSqlite(tx: Tx): boolean {
  return tx.getExecutor().adapter instanceof SqliteAdapter
}
