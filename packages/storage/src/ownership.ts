import { type Kysely, sql } from 'kysely'
import type { Schema } from './database.ts'
import type { Ddl } from './ddl.ts'
import {
  FIRST_MIGRATIONS,
  findTooOld,
  LAST_COMMIT_BEFORE_SQUASH,
  MIGRATIONS_BEFORE_SQUASH,
} from './migrations/before-squash.ts'
import { VERSION } from './version.ts'

/**
 * Thrown if the database belongs to another program or to another version of this program. Nothing has changed. The
 * message describes what to do.
 */
export class OwnershipError extends Error {
  override readonly name = 'OwnershipError'
}

/**
 * Thrown if the tables belong to an older version of this program. The next time a server starts, it migrates these
 * tables.
 */
export class TablesOutdated extends OwnershipError {}

/** Content that this program created in a database. */
export interface OwnedTables {
  /** Schema that contains the tables; undefined if the database has no schemas. */
  readonly schema: string | undefined
  /** Executed migrations. */
  readonly executed: readonly string[]
}

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']
/** Names of tables of an Unleash server, the most distinctive ones first. Observed on 5.12.8. */
const UNLEASH_TABLES = ['migrations', 'features', 'feature_strategies', 'strategies', 'client_metrics_env']
const MAX_LISTED_NAMES = 8

/**
 * Returns the names of all migrations of this program, in order, for a database that has executed the given migrations.
 */
type ListNames = (executed: readonly string[]) => readonly string[]

/**
 * Checks, before anything is written, that a database is either empty or was created by this program or an older
 * version of it. Throws OwnershipError if the database belongs to another program or a newer version, or if it is too
 * old for this program.
 */
export async function requireOwnership(db: Kysely<Schema>, ddl: Ddl, listNames: ListNames): Promise<OwnedTables> {
  const schema = await readSchema(db, ddl)
  // read the table names before the rows: all tables, with their rows, appear in a single transaction
  const { rows } = await ddl.relations.execute(db)
  const names = rows.map(({ name }) => name)
  const executed = names.includes('kysely_migration') ? await listExecutedMigrations(db) : []
  if (FIRST_MIGRATIONS.some((name) => executed.includes(name))) {
    rejectOtherVersions(executed, listNames(executed))
    return { schema, executed }
  }
  const foreign = executed.length > 0 ? names : names.filter((name) => !MIGRATION_TABLES.includes(name))
  if (foreign.length > 0) throw new OwnershipError(describeForeignTables(foreign))
  return { schema, executed }
}

/** Throws OwnershipError unless the tables exactly match this version of the program. */
export function requireCurrent({ executed }: OwnedTables, known: readonly string[]): void {
  if (executed.length === 0) throw new OwnershipError('The database has no Burgee tables: no server has run on it yet')
  const missing = known.filter((name) => !executed.includes(name))
  if (missing.length === 0) return
  throw new TablesOutdated(
    `The database was written by an older Burgee, without ${missing.join(', ')}: start the server of this version (${VERSION}) on it first`,
  )
}

async function readSchema(db: Kysely<Schema>, { schema }: Ddl): Promise<string | undefined> {
  if (schema === undefined) return undefined
  const { rows } = await schema.execute(db)
  const name = rows[0]?.name
  if (name === undefined || name === null) {
    throw new OwnershipError(
      'The search_path of the database user contains no existing schema: create the schema, or set the search_path',
    )
  }
  return name
}

async function listExecutedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Throws OwnershipError in two cases: the database has executed migrations that are unknown to this program, or the
 * database lacks migrations whose statements this program no longer contains.
 */
export function rejectOtherVersions(executed: readonly string[], known: readonly string[]): void {
  const newer = executed.filter((name) => !known.includes(name))
  if (newer.length > 0) throw createNewerError(newer, known)
  const last = findTooOld(executed)
  if (last !== undefined) throw createTooOldError(last)
}

function createNewerError(newer: readonly string[], known: readonly string[]): OwnershipError {
  return new OwnershipError(
    `The database was written by a newer Burgee: it has ${newer.join(', ')}, and this version (${VERSION}) knows the tables up to ${known.at(-1)}. Nothing was changed; start a Burgee of that version or a newer one, or restore the backup from before the upgrade`,
  )
}

function createTooOldError(last: string): OwnershipError {
  return new OwnershipError(
    `The database is too old for this version (${VERSION}): it was written before the first release and has the tables up to ${last}. Nothing was changed; start the server of commit ${LAST_COMMIT_BEFORE_SQUASH} on it once, which brings it to ${MIGRATIONS_BEFORE_SQUASH.at(-1)}, and then this version`,
  )
}

function describeForeignTables(names: readonly string[]): string {
  const [first, second, third] = UNLEASH_TABLES
  const isUnleash = [first, second, third].every((name) => name !== undefined && names.includes(name))
  if (!isUnleash) {
    return `The database holds something else: ${formatNames(names)}. Nothing was changed; give Burgee an empty database, or a schema of its own at the beginning of the search_path`
  }
  const telling = UNLEASH_TABLES.filter((name) => names.includes(name))
  const others = names.filter((name) => !telling.includes(name))
  return `The database belongs to an Unleash server (${formatNames([...telling, ...others])}), which Burgee never writes to. Nothing was changed; give Burgee an empty database, and bring everything over with: burgee import --from-unleash-database <address of this database>`
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED_NAMES).join(', ')
  return names.length > MAX_LISTED_NAMES ? `${shown} and ${names.length - MAX_LISTED_NAMES} more` : shown
}
