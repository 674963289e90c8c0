import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Schema } from '../../database.ts'
import { POSTGRES_DDL } from '../../ddl.ts'
import { migrate, requireTables } from '../../migrations.ts'
import { OwnershipError } from '../../ownership.ts'
import type { Sessions } from './database-sessions.ts'
import { requireSessions, SESSIONS_BESIDE_POOL } from './pooler.ts'
import { NEW_EPOCH_MESSAGES, type Origin, readEpochBegin, readOrigin, settleEpoch } from './postgres-epoch.ts'
import { createHandle } from './postgres-handle.ts'
import type { PostgresConfig, PostgresOptions } from './postgres-options.ts'
import { createPool, POOL_LIMITS } from './postgres-pools.ts'
import type { Primary } from './primary-server.ts'
import { requireSchemaOwnership } from './schema-ownership.ts'
import { WRITER_LOCK_TEXT } from './writer-lock.ts'

const MIN_SERVER_VERSION = 140_000
const WRITER_LOCK = CompiledQuery.raw(WRITER_LOCK_TEXT)
const LEVEL = 'read committed'

/** Sessions of a node, with the `Primary` that checks that each session is connected to the primary server. */
export interface PrimarySessions {
  readonly sessions: Sessions
  readonly primary: Primary
}

/**
 * Checks the server, migrates the tables and detects a restored database. Uses a connection without a statement
 * timeout, because it may have to wait until another node has migrated the tables.
 */
export async function prepare(
  { sessions, primary }: PrimarySessions,
  config: PostgresConfig,
  options: PostgresOptions,
): Promise<Origin> {
  const limits = { ...POOL_LIMITS, statementMs: 0 }
  const pool = createPool(sessions, 'looking', { max: 1, limits, silenceMs: 0 })
  const { db } = createHandle({ pool }, options)
  try {
    await requirePooler(sessions, config, options)
    await requireServer(db)
    const origin = await readOrigin(db)
    if (config.schema !== undefined && options.asGuest !== true) await createSchema(db, config.schema)
    if (options.asGuest === true) await requireTables(db, POSTGRES_DDL)
    else await migrate(db, POSTGRES_DDL, options)
    await requireSchemaOwnership(db, config.schema, options.asGuest === true)
    sessions.requireSchema(await readCurrentSchema(db))
    if (options.asGuest !== true) await settle(db, origin, options)
    primary.setEpochBegin(await readEpochBegin(db))
    return origin
  } catch (error) {
    if (error instanceof OwnershipError) throw error
    throw new Error(`The database could not be opened: ${describeError(error)}`, { cause: error })
  } finally {
    await db.destroy()
  }
}

function requirePooler(sessions: Sessions, { poolSize }: PostgresConfig, { warn = () => {} }: PostgresOptions) {
  const check = { makeClient: () => sessions.createClient(), sessions: poolSize + SESSIONS_BESIDE_POOL, warn }
  return sessions.connectWithRetries(() => requireSessions(check), 'looking')
}

async function requireServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`.execute(db)
  const { version = '0', encoding = '' } = rows[0] ?? {}
  if (Number(version) < MIN_SERVER_VERSION) throw new Error('Burgee needs PostgreSQL 14 or newer')
  if (encoding !== 'UTF8') throw new Error(`Burgee needs a database in UTF8; this one is in ${encoding}`)
}

async function readCurrentSchema(db: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(db)
  return rows[0]?.name ?? ''
}

/**
 * Creates a schema unless it exists. Throws if the schema cannot be created, unless another node has created it at the
 * same time.
 */
async function createSchema(db: Kysely<Schema>, name: string): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(db)
    return rows.length > 0
  }
  if (await isThere()) return
  try {
    await sql`create schema ${sql.id(name)}`.execute(db)
  } catch (error) {
    if (!(await isThere())) throw new Error(`There is no schema "${name}" (DATABASE_SCHEMA): ${describeError(error)}`)
  }
}

/**
 * Returns the message of an error. Connecting to a host with several addresses fails with one error per address, and
 * the combined error has no message of its own.
 */
function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Checks whether the database was restored, and if so, starts a new epoch. */
export async function settle(db: Kysely<Schema>, origin: Origin, options: PostgresOptions): Promise<void> {
  const writing = db.transaction().setIsolationLevel(LEVEL).setAccessMode('read write')
  const newLife = await writing.execute(async (tx) => {
    await tx.executeQuery(WRITER_LOCK)
    return settleEpoch(tx, origin)
  })
  if (newLife !== undefined) options.warn?.(NEW_EPOCH_MESSAGES[newLife])
}
