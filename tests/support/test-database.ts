import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { openDatabase } from '@burgee/server/open-database'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/options'

const SQLITE_BUSY = 5
const RETRY_MS = 5
const LONGEST_WAIT_MS = 5000

/** A row as a driver gives it. */
export type Row = Record<string, unknown>

/** A look into a database past the server: SQL that every database understands, with `?` for values. */
export interface TestDatabase {
  rows(sql: string, ...values: readonly SQLInputValue[]): Promise<Row[]>
  /** The first row. */
  row(sql: string, ...values: readonly SQLInputValue[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** A look into a database file. */
export function sqliteLook(file: string): TestDatabase {
  const db = new DatabaseSync(file)
  const rows = (sql: string, values: readonly SQLInputValue[]): Row[] =>
    db
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }))
  /** Waits for a server that is writing, which may be in this process and needs its turn as well. */
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

/** Makes the tables of this version in an empty database, as a server does before it is one. */
export async function makeTables(given: Pick<Partial<ServerOptions>, 'dataDir' | 'databaseUrl'>): Promise<void> {
  const options = parseOptions(SERVER_OPTIONS as OptionTable, { given }) as ServerOptions
  const db = await openDatabase(options, { clock: Date.now })
  await db.close()
}

/** What makes a copy of a database one of its own: SQL for an epoch that no server has noted yet. */
export function newEpoch(): string {
  return `update database_epoch set origin = null, epoch = '${randomBytes(8).toString('hex')}'`
}
