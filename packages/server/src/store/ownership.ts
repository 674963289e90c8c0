import { type Kysely, sql } from 'kysely'
import { VERSION } from '../version.ts'
import type { Schema } from './database.ts'
import type { Ddl } from './ddl.ts'

/** The database is not ours, or not of this version; nothing was changed. One sentence says what to do. */
export class OwnershipError extends Error {
  override readonly name = 'OwnershipError'
}

/** The tables are ours and older than this program: the next start of a server brings them up to date. */
export class TablesOutdated extends OwnershipError {}

/** What a database holds, as far as it is ours. */
export interface Holdings {
  /** Where the tables are or will be; undefined where a database has no schemas. */
  readonly schema: string | undefined
  /** Migrations that have run. */
  readonly executed: readonly string[]
}

const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock']
/** Tables of an Unleash server, the most telling first. Observed on 5.12.8. */
const UNLEASH_TABLES = ['migrations', 'features', 'feature_strategies', 'strategies', 'client_metrics_env']
const MOST_NAMES = 8

/**
 * Looks whose a database is before anything is written: empty, or made by this program or an older one. `known` are the
 * migrations of this program, in order. Throws OwnershipError for what belongs to something else, or to a newer one.
 */
export async function requireOwn(db: Kysely<Schema>, ddl: Ddl, known: readonly string[]): Promise<Holdings> {
  const schema = await schemaOf(db, ddl)
  // names before rows: all tables come in one transaction, so with them come the rows
  const { rows } = await ddl.relations.execute(db)
  const names = rows.map(({ name }) => name)
  const executed = names.includes('kysely_migration') ? await executedMigrations(db) : []
  const [first = ''] = known
  if (executed.includes(first)) {
    refuseNewer(executed, known)
    return { schema, executed }
  }
  const foreign = executed.length > 0 ? names : names.filter((name) => !MIGRATION_TABLES.includes(name))
  if (foreign.length > 0) throw new OwnershipError(foreignText(foreign))
  return { schema, executed }
}

/** Throws OwnershipError where the tables are not exactly those of this program: it then is not to touch them. */
export function requireCurrent({ executed }: Holdings, known: readonly string[]): void {
  if (executed.length === 0)
    throw new OwnershipError('The database holds no tables of Burgee: no server has run on it yet')
  const missing = known.filter((name) => !executed.includes(name))
  if (missing.length === 0) return
  throw new TablesOutdated(
    `The database was written by an older Burgee, without ${missing.join(', ')}: start the server of this version (${VERSION}) on it first`,
  )
}

async function schemaOf(db: Kysely<Schema>, { schema }: Ddl): Promise<string | undefined> {
  if (schema === undefined) return undefined
  const { rows } = await schema.execute(db)
  const name = rows[0]?.name
  if (name === undefined || name === null) {
    throw new OwnershipError(
      'The search_path of the database user leads to no schema: make the schema, or set the search_path',
    )
  }
  return name
}

async function executedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Throws OwnershipError where migrations have run that are not among those of this program. */
export function refuseNewer(executed: readonly string[], known: readonly string[]): void {
  const newer = executed.filter((name) => !known.includes(name))
  if (newer.length === 0) return
  throw new OwnershipError(
    `The database was written by a newer Burgee: it has ${newer.join(', ')}, and this version (${VERSION}) knows the tables up to ${known.at(-1)}. Nothing was changed; start a Burgee of that version or a newer one, or restore the backup from before the upgrade`,
  )
}

function foreignText(names: readonly string[]): string {
  const [first, second, third] = UNLEASH_TABLES
  const isUnleash = [first, second, third].every((name) => name !== undefined && names.includes(name))
  if (!isUnleash) {
    return `The database holds something else: ${listed(names)}. Nothing was changed; give Burgee an empty database, or a schema of its own at the beginning of the search_path`
  }
  const telling = UNLEASH_TABLES.filter((name) => names.includes(name))
  const others = names.filter((name) => !telling.includes(name))
  return `The database belongs to an Unleash server (${listed([...telling, ...others])}), which Burgee never writes to. Nothing was changed; give Burgee an empty database, and bring everything over with: burgee import --from-unleash-database <address of this database>`
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown
}
