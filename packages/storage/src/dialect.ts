import { type Kysely, SqliteAdapter } from 'kysely'
import type { Reader, Schema } from './database.ts'

/** Returns true if a handle belongs to SQLite. Used where SQL differs between SQLite and PostgreSQL. */
export function isSqlite(handle: Reader): boolean {
  return (handle as Kysely<Schema>).getExecutor().adapter instanceof SqliteAdapter
}
