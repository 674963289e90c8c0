import { type DatabaseConnection, type KyselyProps, Transaction } from 'kysely'
import type { Schema, Tx } from './database.ts'

/** How a view of one state begins and ends, and on what. */
export interface ViewDialect extends KyselyProps {
  begin(connection: DatabaseConnection): Promise<void>
  end(connection: DatabaseConnection): Promise<void>
}

/** A handle on the transaction of a connection: its statements are sent when they are asked for, not one by one. */
export function transactionOn({ config, driver, dialect, executor }: KyselyProps, connection: DatabaseConnection): Tx {
  const own = executor.withConnectionProvider({ provideConnection: (use) => use(connection) })
  return new Transaction<Schema>({ config, driver, dialect, executor: own })
}

/** Queries on one state, each of which is sent when it is asked for. Nobody waits for the end of the transaction. */
export function viewOn<T>(dialect: ViewDialect, work: (reader: Tx) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const read = async (connection: DatabaseConnection) => {
      const begun = dialect.begin(connection)
      // what throws at once must end the transaction as well: its state would be read by whoever comes next
      const working = (async () => work(transactionOn(dialect, connection)))()
      await Promise.all([working, begun]).then(([result]) => resolve(result), reject)
      await dialect.end(connection).catch(() => {})
    }
    dialect.executor.provideConnection(read).catch(reject)
  })
}
