import { type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, type ClientConfig, Pool, type PoolConfig, types } from 'pg'
import type { Database, DatabaseOptions, PoolState, Schema, Tx } from './database.ts'
import { POSTGRES_DDL } from './ddl.ts'
import { classifyDbError, refuseUnstorable } from './errors.ts'
import { PARSE_JSON } from './json-columns.ts'
import { migrate } from './migrations.ts'
import { CHANNEL, listenForChanges } from './postgres-listener.ts'
import { queryLog } from './query-log.ts'

/** Where a PostgreSQL is, and how many connections a node may hold; one more listens. */
export interface PostgresConfig {
  readonly connection: Pick<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl'
  >
  /** At least 4: one for changes, two for counters, the rest for reading. */
  readonly poolSize: number
}

const OLDEST_VERSION = 140_000
const STATEMENT_MS = 30_000
/** A little later than the server's own limit, for connections on which nothing arrives any more. */
const SILENCE_MS = 35_000
/** Nobody holds the writer lock longer than this without asking for something: a stopped process loses it. */
const IDLE_IN_TRANSACTION_MS = 10_000
const CONNECT_MS = 30_000
const IDLE_MS = 60_000
const WRITER_LOCK = sql`select pg_advisory_xact_lock(1112888903, 1)`
const MOST_TRIES = 5
const COUNTERS = 2

const INT8 = 20
const NUMERIC = 1700
/** Numbers as numbers: times are milliseconds and counts stop at 2^53 − 1, see `addUsage`. */
const TYPES: NonNullable<ClientConfig['types']> = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)),
}

/**
 * Opens a PostgreSQL of 14 or newer and brings its tables up to date; any number of nodes may do so at once. Changes
 * take a lock that all nodes share, so that ids of events become visible in their order. Throws what keeps it from
 * opening; the message never holds the password.
 */
export async function openPostgres(config: PostgresConfig, options: DatabaseOptions): Promise<Database> {
  await prepare(config, options)
  const pools = {
    writing: poolOf(config, { max: 1 }),
    counting: poolOf(config, { max: COUNTERS }),
    reading: poolOf(config, { max: config.poolSize - COUNTERS - 1, onConnect: readOnly }),
  }
  const writing = kyselyOver(pools.writing, options)
  const counting = kyselyOver(pools.counting, options)
  const reading = kyselyOver(pools.reading, options)
  return {
    kind: 'postgres',
    reader: reading,
    view: (work) => reading.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work) => retried(() => inTransaction(writing, (tx) => underLock(tx, work))),
    count: (work) => retried(() => inTransaction(counting, work)),
    pools: () => [
      stateOf('writing', pools.writing),
      stateOf('counting', pools.counting),
      stateOf('reading', pools.reading),
    ],
    watch: (hint, trouble) => listenForChanges(clientConfig(config), hint, trouble),
    close: async () => {
      await Promise.all([writing.destroy(), counting.destroy(), reading.destroy()])
    },
  }
}

/** Checks the server and migrates, on a connection whose statements may wait for another node's migration. */
async function prepare(config: PostgresConfig, options: DatabaseOptions): Promise<void> {
  const db = kyselyOver(poolOf(config, { max: 1, statement_timeout: 0, query_timeout: 0 }), options)
  try {
    const { rows } = await sql<{ version: string; encoding: string }>`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`.execute(
      db,
    )
    const { version = '0', encoding = '' } = rows[0] ?? {}
    if (Number(version) < OLDEST_VERSION) throw new Error('Burgee needs PostgreSQL 14 or newer')
    if (encoding !== 'UTF8') throw new Error(`Burgee needs a database in UTF8; this one is in ${encoding}`)
    await migrate(db, POSTGRES_DDL, options.clock())
  } catch (error) {
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

function poolOf(config: PostgresConfig, special: PoolConfig): Pool {
  const pool = new Pool({
    ...clientConfig(config),
    statement_timeout: STATEMENT_MS,
    query_timeout: SILENCE_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    ...special,
  })
  // a connection that breaks is replaced at its next use; without listeners it would end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

function stateOf(pool: PoolState['pool'], { totalCount, idleCount, waitingCount }: Pool): PoolState {
  return { pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

function kyselyOver(pool: Pool, options: DatabaseOptions): Kysely<Schema> {
  const dialect = new PostgresDialect({ pool, onCreateConnection: checkValues })
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

/** Every transaction of the session is read-only: a write through the reader fails in the database. */
async function readOnly(client: ClientBase): Promise<void> {
  await client.query('set default_transaction_read_only = on')
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
