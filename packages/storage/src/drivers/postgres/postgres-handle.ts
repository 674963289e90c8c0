import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  PostgresDriver,
} from 'kysely'
import type { ViewDialect } from '../../connection-transactions.ts'
import type { DatabaseOptions, Schema } from '../../database.ts'
import { requireStorable } from '../../errors.ts'
import { PARSE_JSON } from '../../json-columns.ts'
import { createQueryLog } from '../../query-log.ts'
import type { BatchDialect } from '../../transactions/commit-batch.ts'
import { commitConfirmed } from './change-health.ts'
import { CHANNEL } from './postgres-listener.ts'
import type { PoolShare } from './postgres-pools.ts'
import type { Primary } from './primary-server.ts'
import { LIMIT_LOCK_WAIT_TEXT, WRITER_LOCK_TEXT } from './writer-lock.ts'

/**
 * Statements that begin a transaction, take the writer lock, and limit the time for all further waits, in one round
 * trip. A stricter isolation level would take its snapshot before the writer lock is granted.
 */
const BEGIN_WRITING = CompiledQuery.raw(
  `start transaction isolation level read committed; ${WRITER_LOCK_TEXT}; ${LIMIT_LOCK_WAIT_TEXT}`,
)
/**
 * Statement that notifies other nodes of the latest event. The writer lock is held until the commit, so the latest
 * event was written by this transaction. The channel is a parameter because only statements with parameters are
 * prepared.
 */
const NOTIFY = CompiledQuery.raw('select pg_notify($1, max(id)::text) from events', [CHANNEL])
const SNAPSHOT_MODE = { isolationLevel: 'repeatable read', accessMode: 'read only' } as const

/** Query handle on a pool, with the components of which it consists. */
export interface PostgresHandle extends KyselyProps {
  readonly db: Kysely<Schema>
  readonly driver: PostgresDriver
}

type DriverConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

/** Creates a query handle on a pool. */
export function createHandle({ pool, prepare }: PoolShare, options: DatabaseOptions): PostgresHandle {
  const onReserve = prepare === undefined ? {} : { onReserveConnection: prepare }
  const settings = { pool, onCreateConnection: checkValues, ...onReserve }
  const driver = new PostgresDriver(settings)
  const dialect = new PostgresDialect(settings)
  dialect.createDriver = () => driver
  const config = { dialect, plugins: [PARSE_JSON], ...createQueryLog(options) }
  const db = new Kysely<Schema>(config)
  return { db, config, driver, dialect, executor: db.getExecutor() }
}

/** Creates the handle that writes changes. */
export function createBatchDialect(handle: PostgresHandle, primary: Primary): BatchDialect {
  const { driver } = handle
  return {
    ...handle,
    begin: async (connection) => {
      await connection.executeQuery(BEGIN_WRITING)
    },
    // PostgreSQL sends the notification only if the commit succeeds; this statement also reports the failure of an
    // earlier statement, which the commit alone would not report
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

/** Returns the statements that begin and end a transaction with a consistent snapshot. */
export function createViewDialect(handle: PostgresHandle): ViewDialect {
  const { driver } = handle
  return {
    ...handle,
    begin: (connection) => driver.beginTransaction(connection, SNAPSHOT_MODE),
    end: (connection) => driver.rollbackTransaction(connection as DriverConnection),
  }
}

/** Rejects strings that are not valid Unicode, because the driver would silently alter them. */
async function checkValues(connection: DatabaseConnection): Promise<void> {
  const run = connection.executeQuery.bind(connection)
  connection.executeQuery = async (query, options) => {
    requireStorable(query.parameters)
    return run(query, options)
  }
}
