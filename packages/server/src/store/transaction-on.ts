import { type DatabaseConnection, type KyselyProps, Transaction } from 'kysely'
import type { Schema, Tx } from './database.ts'

/** A handle on the transaction of a connection: its statements are sent when they are asked for, not one by one. */
export function transactionOn({ config, driver, dialect, executor }: KyselyProps, connection: DatabaseConnection): Tx {
  const own = executor.withConnectionProvider({ provideConnection: (use) => use(connection) })
  return new Transaction<Schema>({ config, driver, dialect, executor: own })
}
