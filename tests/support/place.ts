import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '@burgee/server/services/secrets/secrets'
import { inject } from 'vitest'
import { type FreshDatabase, freshDatabase, migratedDatabase, postgresLook } from './postgres.ts'
import { sqliteLook, type TestDatabase } from './test-database.ts'

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

/** The same where the tables may be there already, which on PostgreSQL saves most of a start. */
export function readyPlace(): Promise<EmptyPlace> {
  return inject('driver') === 'postgres' ? postgresPlace(migratedDatabase) : sqlitePlace()
}

async function postgresPlace(make: () => Promise<FreshDatabase>): Promise<EmptyPlace> {
  const { url, remove } = await make()
  return { options: { databaseUrl: url }, look: () => postgresLook(url), remove }
}

async function sqlitePlace(): Promise<EmptyPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-place-'))
  return {
    options: { dataDir },
    look: async () => sqliteLook(join(dataDir, 'burgee.sqlite')),
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
