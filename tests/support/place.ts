import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecrets } from '@burgee/server/core/secrets/secrets'
import { inject } from 'vitest'
import { type FreshDatabase, freshDatabase, migratedDatabase, postgresLook } from './postgres.ts'
import { makeTables, newEpoch, sqliteLook, type TestDatabase } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Database driver that the servers of this test project use. */
    driver: 'sqlite' | 'postgres'
  }
}

/** Secrets without a key, for tests that store nothing encrypted. */
export const NO_SECRETS = createSecrets({ key: undefined, dataDir: undefined, random: randomBytes })

/** Empty database on which a test can start servers. */
export interface EmptyPlace {
  /** Server options that select this database. */
  readonly options: { readonly dataDir?: string; readonly databaseUrl?: string }
  /** Opens a direct connection to the database. The server must have created the tables. */
  look(): Promise<TestDatabase>
  remove(): Promise<void>
}

/** Creates an empty database of the driver under test. */
export function emptyPlace(): Promise<EmptyPlace> {
  return inject('driver') === 'postgres' ? postgresPlace(freshDatabase) : sqlitePlace()
}

/**
 * Like `emptyPlace`, creates a database, but it may already contain the tables, which saves most of the startup time.
 */
export function readyPlace(): Promise<EmptyPlace> {
  return inject('driver') === 'postgres' ? postgresPlace(migratedDatabase) : migratedPlace()
}

async function postgresPlace(make: () => Promise<FreshDatabase>): Promise<EmptyPlace> {
  const { url, remove } = await make()
  return { options: { databaseUrl: url }, look: () => postgresLook(url), remove }
}

const FILE = 'burgee.sqlite'
const OWNER_ONLY = 0o600

async function sqlitePlace(): Promise<EmptyPlace & { readonly options: { readonly dataDir: string } }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-place-'))
  return {
    options: { dataDir },
    look: async () => sqliteLook(join(dataDir, FILE)),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

let tables: Promise<Buffer> | undefined

/**
 * Creates a database that contains the tables of this version and has not been used by a server. Copies a file that
 * each process creates once.
 */
async function migratedPlace(): Promise<EmptyPlace> {
  tables ??= readTables()
  const bytes = await tables
  const place = await sqlitePlace()
  const file = join(place.options.dataDir, FILE)
  writeFileSync(file, bytes, { mode: OWNER_ONLY })
  const db = new DatabaseSync(file)
  db.exec(newEpoch())
  db.close()
  return place
}

async function readTables(): Promise<Buffer> {
  const place = await sqlitePlace()
  try {
    await makeTables(place.options)
    return readFileSync(join(place.options.dataDir, FILE))
  } finally {
    await place.remove()
  }
}
