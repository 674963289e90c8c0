import { type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientConfig, types } from 'pg'
import type { Database, DatabaseOptions, Schema, Tx } from '../database.ts'
import { POSTGRES_DDL } from '../ddl.ts'
import { classifyDbError, refuseUnstorable } from '../errors.ts'
import { PARSE_JSON } from '../json-columns.ts'
import { migrate, requireTables } from '../migrations.ts'
import { OwnershipError } from '../ownership.ts'
import { queryLog } from '../query-log.ts'
import { knownOrigin, type Origin, RESTORED, renewEpoch, settleEpoch } from './postgres-epoch.ts'
import { CHANNEL, listenForChanges } from './postgres-listener.ts'
import { divide, poolOf, type Share, stateOf } from './postgres-pools.ts'

/** Where a PostgreSQL is, and how many connections a node may hold; one more listens. */
export interface PostgresConfig {
  readonly connection: Pick<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl'
  >
  /** At least 1. */
  readonly poolSize: number
}

const OLDEST_VERSION = 140_000
const WRITER_LOCK = sql`select pg_advisory_xact_lock(1112888903, 1)`
const MOST_TRIES = 5

const INT8 = 20
const NUMERIC = 1700
/** Numbers as numbers: times are milliseconds and counts stop at 2^53 − 1, see `addUsage`. */
const TYPES: NonNullable<ClientConfig['types']> = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)),
}

/** What a PostgreSQL may be given besides. */
export interface PostgresOptions extends DatabaseOptions {
  /** Hears that the database was found to be restored. */
  readonly warn?: ((line: string) => void) | undefined
}

/**
 * Opens a PostgreSQL of 14 or newer and brings its tables up to date; any number of nodes may do so at once. Changes
 * take a lock that all nodes share, so that ids of events become visible in their order. Throws what keeps it from
 * opening; the message never holds the password.
 */
export async function openPostgres(config: PostgresConfig, options: PostgresOptions): Promise<Database> {
  const origin = await prepare(config, options)
  const { writing, counting, reading, pools } = divide(clientConfig(config), config.poolSize)
  await holdConnection(writing.pool)
  const writer = kyselyOver(writing, options)
  const counter = kyselyOver(counting, options)
  const reader = kyselyOver(reading, options)
  return {
    kind: 'postgres',
    reader,
    renewEpoch: (tx) => renewEpoch(tx, origin),
    requirePresent: () => {},
    view: (work) => reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => retried(() => inTransaction(writer, (tx) => underLock(tx, work))),
    count: (work) => retried(() => inTransaction(counter, work)),
    pools: () => [...pools].map(([name, pool]) => stateOf(name, pool)),
    watch: (hint, trouble) => listenForChanges(clientConfig(config), hint, trouble),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

/** Opens the connection for changes before others take it; where there is none now, the first change asks again. */
async function holdConnection(pool: Share['pool']): Promise<void> {
  const client = await pool.connect().catch(() => undefined)
  client?.release()
}

/**
 * Checks the server, migrates and finds out whether this is a restored database, on a connection whose statements may
 * wait for another node's migration.
 */
async function prepare(config: PostgresConfig, options: PostgresOptions): Promise<Origin> {
  const pool = poolOf(clientConfig(config), { max: 1, statement_timeout: 0, query_timeout: 0 })
  const db = kyselyOver({ pool }, options)
  try {
    const { rows } = await sql<{ version: string; encoding: string }>`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`.execute(
      db,
    )
    const { version = '0', encoding = '' } = rows[0] ?? {}
    if (Number(version) < OLDEST_VERSION) throw new Error('Burgee needs PostgreSQL 14 or newer')
    if (encoding !== 'UTF8') throw new Error(`Burgee needs a database in UTF8; this one is in ${encoding}`)
    const origin = await knownOrigin(db)
    if (options.asGuest === true) {
      await requireTables(db, POSTGRES_DDL)
      return origin
    }
    await migrate(db, POSTGRES_DDL, options)
    const isRestored = await inTransaction(db, (tx) => underLock(tx, () => settleEpoch(tx, origin)))
    if (isRestored) options.warn?.(RESTORED)
    return origin
  } catch (error) {
    if (error instanceof OwnershipError) throw error
    throw new Error(`The database could not be opened: ${reasonOf(error)}`, { cause: error })
  } finally {
    await db.destroy()
  }
}

/** A host with several addresses fails with several errors and no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

function clientConfig({ connection }: PostgresConfig): ClientConfig {
  return { ...connection, types: TYPES, keepAlive: true, application_name: 'burgee' }
}

function kyselyOver({ pool, prepare }: Share, options: DatabaseOptions): Kysely<Schema> {
  const onReserve = prepare === undefined ? {} : { onReserveConnection: prepare }
  const dialect = new PostgresDialect({ pool, onCreateConnection: checkValues, ...onReserve })
  return new Kysely<Schema>({ dialect, plugins: [PARSE_JSON], ...queryLog(options) })
}

/** The driver would send what is no Unicode as something else. */
async function checkValues(connection: DatabaseConnection): Promise<void> {
  const run = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, options) => {
    refuseUnstorable(query.parameters)
    return run(query, options)
  }
}

function inTransaction<T>(db: Kysely<Schema>, work: (tx: Tx) => Promise<T>): Promise<T> {
  // with a stricter level, what is read after waiting for the lock would be older than the lock
  return db.transaction().setIsolationLevel('read committed').execute(work)
}

/** The lock is freed after the commit has become visible. The hint leaves with the commit, or not at all. */
async function underLock<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  await WRITER_LOCK.execute(tx)
  const result = await work(tx)
  await sql`select pg_notify(${CHANNEL}, coalesce((select max(id) from events), 0)::text)`.execute(tx)
  return result
}

/** Runs again what lost a deadlock: it left nothing behind. */
async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (tries === MOST_TRIES || classifyDbError(error) !== 'conflict') throw error
    }
  }
}
