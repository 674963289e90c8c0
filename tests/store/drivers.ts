import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database, DatabaseOptions } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'
import { freshDatabase, postgresLook } from '../support/postgres.ts'
import { sqliteLook, type TestDatabase } from '../support/test-database.ts'

/** Empty database that can be opened more than once and is removed at the end. */
export interface Place {
  /** File or URL. */
  readonly where: string
  open(options?: Partial<DatabaseOptions>): Promise<Database>
  /** Opens a direct connection. Before that, the store must have created the tables. */
  look(): Promise<TestDatabase>
  remove(): Promise<void>
}

/** Database driver. The contract is the same for all. */
export interface DriverUnderTest {
  readonly name: 'sqlite' | 'postgres'
  place(): Promise<Place>
}

const sqlite: DriverUnderTest = {
  name: 'sqlite',
  async place() {
    const directory = mkdtempSync(join(tmpdir(), 'burgee-store-'))
    const where = join(directory, 'test.sqlite')
    return {
      where,
      open: (options) => openSqlite(where, { clock: Date.now, ...options }),
      look: async () => sqliteLook(where),
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    }
  },
}

const postgres: DriverUnderTest = {
  name: 'postgres',
  async place() {
    const { url: where, remove } = await freshDatabase()
    const config = { connection: { connectionString: where }, poolSize: 6 }
    const open: Place['open'] = (options) => openPostgres(config, { clock: Date.now, ...options })
    return { where, open, look: () => postgresLook(where), remove }
  },
}

/** All drivers. */
export const DRIVERS: readonly DriverUnderTest[] = [sqlite, postgres]
