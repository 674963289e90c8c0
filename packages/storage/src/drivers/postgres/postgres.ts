import { CurrentValue } from '@burgee/kit/options/current-value'
import { Kysely, PostgresDialect } from 'kysely'
import { type ClientBase, type ClientConfig, types } from 'pg'
import { runView } from '../../connection-transactions.ts'
import type { Database, Schema, Tx } from '../../database.ts'
import { Leases } from '../../leases.ts'
import { ChangeQueue } from '../../transactions/change-queue.ts'
import { recordOutcome } from './change-health.ts'
import { parseConnectionUrl } from './connection-url.ts'
import { type PrimarySessions, prepare, settle } from './database-preparation.ts'
import { Sessions } from './database-sessions.ts'
import { Hosts } from './hosts.ts'
import { createPasswordChecker } from './password-source.ts'
import { readEpochBegin, readOrigin, renewEpoch } from './postgres-epoch.ts'
import { createBatchDialect, createHandle, createViewDialect } from './postgres-handle.ts'
import { listenForChanges } from './postgres-listener.ts'
import type { PostgresConfig, PostgresOptions } from './postgres-options.ts'
import { dividePool, getPoolState, type PoolShare } from './postgres-pools.ts'
import { pollPrimary } from './primary-polling.ts'
import { type CandidateServer, Primary } from './primary-server.ts'
import { createRetryingReader, retryConflicts, retryRead } from './read-retries.ts'

/** Maximum number of reading connections that slow reads may occupy at the same time. */
const MAX_SCANS = 2
const INT8 = 20
const NUMERIC = 1700
/**
 * Parses int8 and numeric values as numbers: times are in milliseconds, and counts never exceed 2^53 − 1 (see
 * `addUsage`).
 */
const TYPES: NonNullable<ClientConfig['types']> = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)),
}

const LEVEL = 'read committed'

/**
 * Opens a PostgreSQL database, version 14 or newer, and migrates its tables. Several nodes can open and migrate the
 * database at the same time. Before each change, a node takes a lock that all nodes share, so that event ids become
 * visible in order. Throws if the database cannot be opened; the error message never contains the password.
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

/** Returns the driver's configuration for a new client, without the host. Throws ConnectionUrlError. */
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

/**
 * Creates the checks that a server must pass before it becomes the primary in use; they run on a session with this
 * server.
 */
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

/**
 * Opens the connection for changes early, before readers can use up the available connections. If this fails, the first
 * change opens the connection.
 */
async function holdConnection(pool: PoolShare['pool']): Promise<void> {
  const client = await pool.connect().catch(() => undefined)
  client?.release()
}

function runInTransaction<T>(db: Kysely<Schema>, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel(LEVEL).execute(work)
}
