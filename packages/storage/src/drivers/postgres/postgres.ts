import { CurrentValue } from '@burgee/kit/options/current-value'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  PostgresDriver,
  sql,
} from 'kysely'
import { type ClientBase, type ClientConfig, types } from 'pg'
import { runView, type ViewDialect } from '../../connection-transactions.ts'
import type { Database, DatabaseOptions, Schema, Tx } from '../../database.ts'
import { POSTGRES_DDL } from '../../ddl.ts'
import { requireStorable } from '../../errors.ts'
import { PARSE_JSON } from '../../json-columns.ts'
import { Leases } from '../../leases.ts'
import { migrate, requireTables } from '../../migrations.ts'
import { OwnershipError } from '../../ownership.ts'
import { createQueryLog } from '../../query-log.ts'
import { ChangeQueue } from '../../transactions/change-queue.ts'
import type { BatchDialect } from '../../transactions/commit-batch.ts'
import { commitConfirmed, recordOutcome } from './change-health.ts'
import { parseConnectionUrl } from './connection-url.ts'
import { Sessions } from './database-sessions.ts'
import { Hosts } from './hosts.ts'
import { createPasswordChecker } from './password-source.ts'
import { requireSessions, SESSIONS_BESIDE_POOL } from './pooler.ts'
import {
  NEW_EPOCH_MESSAGES,
  type Origin,
  readEpochBegin,
  readOrigin,
  renewEpoch,
  settleEpoch,
} from './postgres-epoch.ts'
import { CHANNEL, listenForChanges } from './postgres-listener.ts'
import { createPool, dividePool, getPoolState, POOL_LIMITS, type PoolShare, type PoolSizes } from './postgres-pools.ts'
import { pollPrimary } from './primary-polling.ts'
import { type CandidateServer, Primary } from './primary-server.ts'
import { createRetryingReader, retryConflicts, retryRead } from './read-retries.ts'
import { requireSchemaOwnership } from './schema-ownership.ts'
import { LIMIT_LOCK_WAIT_TEXT, WRITER_LOCK_TEXT } from './writer-lock.ts'

/**
 * Address of a PostgreSQL server, and connection limits of a node. The limits do not include the connection that
 * listens for changes.
 */
export interface PostgresConfig extends PoolSizes {
  readonly connection: Pick<
    ClientConfig,
    'connectionString' | 'host' | 'port' | 'database' | 'user' | 'password' | 'ssl' | 'options' | 'application_name'
  >
  /** Schema of every session; created if missing. */
  readonly schema?: string
  /** Reads `connection` again, because parts of the value can be stored in files. */
  readonly currentConnection?: () => PostgresConfig['connection']
}

const MIN_SERVER_VERSION = 140_000
const WRITER_LOCK = CompiledQuery.raw(WRITER_LOCK_TEXT)
/**
 * Statements that begin a transaction, take the writer lock and limit further waits, in one round trip. A stricter
 * isolation level would take its snapshot before the lock is granted.
 */
const BEGIN_WRITING = CompiledQuery.raw(
  `start transaction isolation level read committed; ${WRITER_LOCK_TEXT}; ${LIMIT_LOCK_WAIT_TEXT}`,
)
/**
 * Statement that notifies other nodes of the last event. The writer lock is held until the commit, so the last event
 * belongs to this transaction. The channel is a parameter, because only statements with parameters are prepared.
 */
const NOTIFY = CompiledQuery.raw('select pg_notify($1, max(id)::text) from events', [CHANNEL])
/** Maximum number of reading connections that long reads may hold at once. */
const MAX_SCANS = 2
const LEVEL = 'read committed'
const SNAPSHOT_MODE = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

const INT8 = 20
const NUMERIC = 1700
/** Parses int8 and numeric as numbers: times are milliseconds, and counts stop at 2^53 − 1 (see `addUsage`). */
const TYPES: NonNullable<ClientConfig['types']> = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)),
}

/** Additional options for PostgreSQL. */
export interface PostgresOptions extends DatabaseOptions {
  /**
   * Called with a line for the log if the database was restored, if another server is the primary, and for other
   * warnings.
   */
  readonly warn?: ((line: string) => void) | undefined
  /** Called with a line for the log about the server in use, and when changes can be written again. */
  readonly info?: ((line: string) => void) | undefined
}

/**
 * Opens a PostgreSQL database, version 14 or newer, and migrates its tables. Several nodes can open and migrate the
 * database at the same time. Changes take a lock that all nodes share, so that event ids become visible in order.
 * Throws if the database cannot be opened; the message never contains the password.
 */
export async function openPostgres(config: PostgresConfig, options: PostgresOptions): Promise<Database> {
  const { sessions, primary } = createSessions(config, options)
  const origin = await prepare({ sessions, primary }, config, options)
  const { writing, counting, reading, pools } = dividePool(sessions, config)
  await holdConnection(writing.pool)
  const changes = new ChangeQueue(createBatchDialect(createHandle(writing, options), primary), options)
  const counter = createHandle(counting, options).db
  const readers = createHandle(reading, options)
  const reader = createRetryingReader(readers)
  const scans = new Leases({ max: MAX_SCANS, open: async () => ({ isAlive: true }) })
  const dialect = createViewDialect(readers)
  const view: Database['view'] = (work) => retryRead(() => runView(dialect, work))
  const looking = options.asGuest === true ? undefined : pollPrimary(sessions, primary)
  return {
    kind: 'postgres',
    reader,
    renewEpoch: (tx) => renewEpoch(tx, origin),
    requirePresent: () => {},
    view,
    scan: (work) => scans.lend(() => view(work)),
    write: (work, ahead) => recordOutcome(changes.write(work, ahead), primary),
    count: (work) => retryConflicts(() => runInTransaction(counter, work)),
    pools: () => [...pools].map(([name, pool]) => getPoolState(name, pool)),
    generation: () => primary.generation,
    server: () => primary.status,
    watch: (hint, trouble, receive) =>
      listenForChanges({ sessions, hint, trouble, receive, isOwn: (processId) => primary.isOwn(processId) }),
    close: async () => {
      await looking?.close()
      await changes.idle()
      await Promise.all([...pools.values()].map((pool) => pool.end()))
    },
  }
}

/** Sessions of a node, and the `Primary` that checks that each session leads to the primary. */
interface PrimarySessions {
  readonly sessions: Sessions
  readonly primary: Primary
}

function createSessions(config: PostgresConfig, options: PostgresOptions): PrimarySessions {
  const { connectionString, host, port } = config.connection
  const target = connectionString === undefined ? undefined : parseConnectionUrl(connectionString)
  for (const line of target?.warnings ?? []) options.warn?.(line)
  const hosts = new Hosts(target?.hosts ?? [{ host, port }])
  const { warn = () => {}, info = () => {}, clock } = options
  const primary = new Primary({ clock, info, warn })
  const { currentConnection = () => config.connection, schema } = config
  const check = createPasswordChecker(warn)
  const client = new CurrentValue(() => toClientConfig(currentConnection(), check))
  const newcomer = (session: ClientBase) => createCandidate(session, options)
  return { primary, sessions: new Sessions({ hosts, client, primary, schema, createCandidate: newcomer, warn }) }
}

/** Returns the driver configuration of a new client, without the host. Throws ConnectionUrlError. */
function toClientConfig(
  connection: PostgresConfig['connection'],
  check: ReturnType<typeof createPasswordChecker>,
): ClientConfig {
  const { connectionString, host: _host, port: _port, ...own } = connection
  const target = connectionString === undefined ? {} : parseConnectionUrl(connectionString).client
  const password = own.password ?? target.password
  const source = typeof password === 'function' ? check(password) : password
  return { application_name: 'burgee', ...own, ...target, password: source, types: TYPES }
}

/** Creates the checks of a server that is about to become the primary server, on a session with this server. */
function createCandidate(session: ClientBase, options: PostgresOptions): CandidateServer {
  const query = (text: string, values: readonly unknown[]) => session.query(text, [...values])
  const lent = { query, release: () => {} }
  const pool = { connect: async () => lent, end: async () => {}, options: {} }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool as never }) })
  return {
    epochBegin: () => readEpochBegin(db),
    settle: async () => {
      if (options.asGuest !== true) await settle(db, await readOrigin(db), options)
    },
  }
}

async function settle(db: Kysely<Schema>, origin: Origin, options: PostgresOptions): Promise<void> {
  const writing = db.transaction().setIsolationLevel(LEVEL).setAccessMode('read write')
  const newLife = await writing.execute(async (tx) => {
    await tx.executeQuery(WRITER_LOCK)
    return settleEpoch(tx, origin)
  })
  if (newLife !== undefined) options.warn?.(NEW_EPOCH_MESSAGES[newLife])
}

/**
 * Opens the connection for changes before readers use up the available connections. If the connection fails, the first
 * change opens it.
 */
async function holdConnection(pool: PoolShare['pool']): Promise<void> {
  const client = await pool.connect().catch(() => undefined)
  client?.release()
}

/**
 * Checks the server, migrates the tables and detects a restored database. Uses a connection without a statement
 * timeout, because it may wait for another node's migration.
 */
async function prepare(
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
 * Creates a schema if it is missing. Throws if it cannot be created, unless another node has created it at the same
 * time.
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
 * Returns the message of an error. An attempt to connect to a host with several addresses fails with one error per
 * address, and the combined error has no message.
 */
function describeError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeError).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Query handle of a pool, with the parts of the handle. */
interface PostgresHandle extends KyselyProps {
  readonly db: Kysely<Schema>
  readonly driver: PostgresDriver
}

type DriverConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

function createHandle({ pool, prepare }: PoolShare, options: DatabaseOptions): PostgresHandle {
  const onReserve = prepare === undefined ? {} : { onReserveConnection: prepare }
  const settings = { pool, onCreateConnection: checkValues, ...onReserve }
  const driver = new PostgresDriver(settings)
  const dialect = new PostgresDialect(settings)
  dialect.createDriver = () => driver
  const config = { dialect, plugins: [PARSE_JSON], ...createQueryLog(options) }
  const db = new Kysely<Schema>(config)
  return { db, config, driver, dialect, executor: db.getExecutor() }
}

/** Creates the writer for changes. */
function createBatchDialect(handle: PostgresHandle, primary: Primary): BatchDialect {
  const { driver } = handle
  return {
    ...handle,
    begin: async (connection) => {
      await connection.executeQuery(BEGIN_WRITING)
    },
    // PostgreSQL sends the notification only if the commit succeeds; this statement also reports an earlier failed
    // statement, which a commit alone would not report
    commit: (connection, hasWritten) => {
      const commit = () => {
        const sent = hasWritten ? connection.executeQuery(NOTIFY) : undefined
        return Promise.all([sent, driver.commitTransaction(connection)])
      }
      return commitConfirmed(commit, primary)
    },
    rollback: (connection) => driver.rollbackTransaction(connection as DriverConnection),
  }
}

/** Returns the statements that begin and end a consistent snapshot. */
function createViewDialect(handle: PostgresHandle): ViewDialect {
  const { driver } = handle
  return {
    ...handle,
    begin: (connection) => driver.beginTransaction(connection, SNAPSHOT_MODE),
    end: (connection) => driver.rollbackTransaction(connection as DriverConnection),
  }
}

/** Rejects strings that are not valid Unicode, which the driver would silently replace. */
async function checkValues(connection: DatabaseConnection): Promise<void> {
  const run = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, options) => {
    requireStorable(query.parameters)
    return run(query, options)
  }
}

function runInTransaction<T>(db: Kysely<Schema>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel(LEVEL).execute(work)
}
