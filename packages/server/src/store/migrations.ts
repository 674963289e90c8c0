import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schema } from './database.ts'
import type { Ddl } from './ddl.ts'
import { start } from './migrations/0001-start.ts'
import { admin } from './migrations/0002-admin.ts'
import { resetTokens } from './migrations/0003-reset-tokens.ts'
import { lives } from './migrations/0004-lives.ts'

/** Migrations in order; a number once released is never changed. */
function migrations(ddl: Ddl, now: number): Record<string, Migration> {
  return {
    '0001-start': start(ddl, now),
    '0002-admin': admin(ddl, now),
    '0003-reset-tokens': resetTokens(ddl),
    '0004-lives': lives(),
  }
}

/**
 * Brings the tables up to date, all or nothing; harmless when they are. Racing processes wait for each other.
 * Throws when a migration fails or when the tables are newer than this program.
 */
export async function migrate(db: Kysely<Schema>, ddl: Ddl, now: number): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(ddl, now) } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const reason = error instanceof Error ? error.message : String(error)
  throw new Error(`The tables could not be brought up to date: ${reason}`, { cause: error })
}
