import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'

const SQLITE_BUSY = 5
const RETRY_MS = 5
const LONGEST_WAIT_MS = 5000

/** Row as returned by a driver. */
export type Row = Record<string, unknown>

/** Direct access to a database. The SQL must work on every database and uses `?` for values. */
export interface TestDatabase {
  rows(sql: string, ...values: readonly SQLInputValue[]): Promise<Row[]>
  /** Returns the first row, or undefined. */
  row(sql: string, ...values: readonly SQLInputValue[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** Opens a database file for direct queries. */
export function sqliteLook(file: string): TestDatabase {
  const db = new DatabaseSync(file)
  const rows = (sql: string, values: readonly SQLInputValue[]): Row[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }))
  /**
   * Retries while a server is writing. The writing server may run in this process, so the event loop must not be
   * blocked.
   */
  const whenFree = async (sql: string, values: readonly SQLInputValue[]): Promise<Row[]> => {
    for (const endMs = performance.now() + LONGEST_WAIT_MS; ; await sleep(RETRY_MS)) {
      try {
        return rows(sql, values)
      } catch (error) {
        const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
        if (!isBusy || performance.now() > endMs) throw error
      }
    }
  }
  return {
    rows: (sql, ...values) => whenFree(sql, values),
    row: async (sql, ...values) => (await whenFree(sql, values))[0],
    close: async () => db.close(),
  }
}

/** Creates the tables of this version in an empty database, as a server does at startup. */
export async function makeTables(given: Pick<Partial<ServerOptions>, 'dataDir' | 'databaseUrl'>): Promise<void> {
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given }) as ServerOptions
  const db = await openDatabase(options, { clock: Date.now })
  await db.close()
}

/** Returns SQL that gives a copied database a new epoch, which no server has seen. */
export function newEpoch(): string {
  return `update database_epoch set origin = null, epoch = '${randomBytes(8).toString('hex')}'`
}
