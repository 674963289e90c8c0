import { SqliteAdapter } from 'kysely'
import type { Tx } from './database.ts'

/** Returns true for a transaction of SQLite. Used where SQL differs between SQLite and PostgreSQL. */
export function isSqlite(tx: Tx): boolean {
  return tx.getExecutor().adapter instanceof SqliteAdapter
}
