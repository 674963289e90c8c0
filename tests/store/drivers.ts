import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, DatabaseOptions } from '@burgee/server/store/database'
import { openPostgres } from '@burgee/server/store/postgres'
import { openSqlite } from '@burgee/server/store/sqlite'
import { freshDatabase } from '../support/postgres.ts'

/** An empty database that can be opened more than once, and goes away. */
export interface Place {
  open(options?: Partial<DatabaseOptions>): Promise<Database>
  remove(): Promise<void>
}

/** A kind of database. The contract is the same for all. */
export interface DriverUnderTest {
  readonly name: string
  place(): Promise<Place>
}

const sqlite: DriverUnderTest = {
  name: 'sqlite',
  async place() {
    const directory = mkdtempSync(join(tmpdir(), 'burgee-store-'))
    return {
      open: (options) => openSqlite(join(directory, 'test.sqlite'), { clock: Date.now, ...options }),
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    }
  },
}

const postgres: DriverUnderTest = {
  name: 'postgres',
  async place() {
    const { url, remove } = await freshDatabase()
    const config = { connection: { connectionString: url }, poolSize: 6 }
    return { open: (options) => openPostgres(config, { clock: Date.now, ...options }), remove }
  },
}

/** All drivers. */
export const DRIVERS: readonly DriverUnderTest[] = [sqlite, postgres]
