import { type DatabaseConnection, type KyselyProps, Transaction } from 'kysely'
import type { Schema, Tx } from './database.ts'

/** Functions that begin and end a read-only snapshot, and the Kysely components that run queries on it. */
export interface ViewDialect extends KyselyProps {
  begin(connection: DatabaseConnection): Promise<void>
  end(connection: DatabaseConnection): Promise<void>
}

/**
 * Creates a query handle for a transaction on a connection. The handle sends each statement immediately, without
 * waiting for earlier statements.
 */
export function createTransaction(
  { config, driver, dialect, executor }: KyselyProps,
  connection: DatabaseConnection,
): Tx {
  const own = executor.withConnectionProvider({ provideConnection: (use) => use(connection) })
  return new Transaction<Schema>({ config, driver, dialect, executor: own })
}

/**
 * Runs queries on one snapshot of the data, and sends each query immediately. Resolves without waiting until the
 * transaction has ended.
 */
export function runView<T>(dialect: ViewDialect, work: (reader: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const read = async (connection: DatabaseConnection) => {
      const begun = dialect.begin(connection)
      // the transaction must end even after a synchronous throw; otherwise the next user of the connection would read
      // from the old snapshot
      const working = (async () => work(createTransaction(dialect, connection)))()
      await Promise.all([working, begun]).then(([result]) => resolve(result), reject)
      await dialect.end(connection).catch(() => {})
    }
    dialect.executor.provideConnection(read).catch(reject)
  })
}
