import type { Schema } from '@burgee/storage/database'
import { POSTGRES_DDL, SQLITE_DDL } from '@burgee/storage/ddl'
import { SqliteDriver, sqliteDialect } from '@burgee/storage/drivers/sqlite/sqlite-driver'
import { SqliteThread } from '@burgee/storage/drivers/sqlite/sqlite-thread'
import { Leases } from '@burgee/storage/leases'
import { listMigrations } from '@burgee/storage/migrations'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Pool } from 'pg'

const LIMIT_MS = 60_000

/** Creates the tables of an earlier version, up to a migration, in an empty or older database given by file or URL. */
export async function makeOldTables(where: string, last: string): Promise<void> {
  const isPostgres = where.startsWith('postgres:')
  const db = new Kysely<Schema>({ dialect: isPostgres ? postgresDialect(where) : fileDialect(where) })
  const all = listMigrations(isPostgres ? POSTGRES_DDL : SQLITE_DDL, 0)
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => all } }).migrateTo(last)
  await db.destroy()
  if (error !== undefined) throw error
}

function postgresDialect(connectionString: string): Dialect {
  return new PostgresDialect({ pool: new Pool({ connectionString, max: 1 }) })
}

function fileDialect(file: string): Dialect {
  const threads = new Leases({ max: 1, open: () => SqliteThread.open(file, true) })
  return sqliteDialect(new SqliteDriver({ threads, isWriter: true, limitMs: LIMIT_MS }))
}
