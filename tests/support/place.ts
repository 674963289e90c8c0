import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSecrets } from '@burgee/server/services/secrets/secrets'
import { inject } from 'vitest'
import { type FreshDatabase, freshDatabase, migratedDatabase, postgresLook } from './postgres.ts'
import { makeTables, newEpoch, sqliteLook, type TestDatabase } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database that this project's servers run on. */
    driver: 'sqlite' | 'postgres'
  }
}

/** For worlds in which nothing is stored that must be read again. */
export const NO_SECRETS = createSecrets({ key: undefined, dataDir: undefined, random: randomBytes })

/** An empty database for servers. */
export interface EmptyPlace {
  /** What a server needs to run there. */
  readonly options: { readonly dataDir?: string; readonly databaseUrl?: string }
  /** Looks into it past the server, which must have made the tables. */
  look(): Promise<TestDatabase>
  remove(): Promise<void>
}

/** An empty database of the driver that this run of the test file is for. */
export function emptyPlace(): Promise<EmptyPlace> {
  return inject('driver') === 'postgres' ? postgresPlace(freshDatabase) : sqlitePlace()
}

/** The same where the tables may be there already, which saves the longest part of a start. */
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

/** Has the tables of this version, in which no server has been yet: a copy of a file that each process makes once. */
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
