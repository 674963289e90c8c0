import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { Database, DatabaseOptions } from '@burgee/storage/database'
import { openPostgres } from '@burgee/storage/drivers/postgres/postgres'
import { CommitMarker, readCommitMarker, recordBeginning } from '@burgee/storage/drivers/sqlite/commit-marker'
import {
  type DataPaths,
  describeDifference,
  inspectDatabase,
  requireUnlocked,
} from '@burgee/storage/drivers/sqlite/damage-check'
import { DataDirectoryError, toDirectoryError } from '@burgee/storage/drivers/sqlite/data-directory'
import { findStats, getFileIdentity } from '@burgee/storage/drivers/sqlite/data-file'
import { lockDirectory } from '@burgee/storage/drivers/sqlite/directory-lock'
import { revokeAccessOfOthers } from '@burgee/storage/drivers/sqlite/private-files'
import { openSqlite } from '@burgee/storage/drivers/sqlite/sqlite'
import { readPosition } from '@burgee/storage/epochs'
import { classifyDbError } from '@burgee/storage/errors'
import { ReconnectingDatabase } from '@burgee/storage/reconnecting-database'
import {
  type DATABASE_OPTIONS,
  type DATABASE_START_OPTIONS,
  toPostgresConfig,
} from '../core/options/database-options.ts'
import type { ServerOptions } from '../core/options/options.ts'
import { startStages } from './start-stages.ts'

const PATIENCE_MS = 3000
const FILE = 'burgee.sqlite'
const COMMIT_MARKER = 'burgee.witness'

/** Returns the paths of the embedded database and its commit marker in a data directory. */
export function getDataPaths(dataDir: string): DataPaths {
  return { file: join(dataDir, FILE), marker: join(dataDir, COMMIT_MARKER) }
}

/** Options that identify the database. */
export type DatabaseChoice = Pick<ServerOptions, 'dataDir' | 'requireEncryption' | keyof typeof DATABASE_OPTIONS>

/** Options that identify the database, and options that control how it is opened at startup. */
export type DatabaseStart = DatabaseChoice & Pick<ServerOptions, keyof typeof DATABASE_START_OPTIONS>

/** Additional settings for opening a database. */
export interface OpenOptions extends DatabaseOptions {
  /** Called if other users of the machine can read a file, and if a database was restored. */
  readonly warn?: (line: string) => void
  /** Called with the identity of the PostgreSQL server, and when the database accepts writes again. */
  readonly info?: (line: string) => void
}

interface LocationSettings extends OpenOptions {
  /** True to fail immediately if another program has locked the file. */
  readonly mustNotWait?: boolean
}

/**
 * Opens the configured PostgreSQL database, or the embedded database of the data directory. For an embedded database,
 * locks the directory for this process until the database is closed, and, if this process owns the directory, removes
 * the access of other users to it. A database that was restored since the last run starts a new database epoch. Throws
 * DirectoryInUse, DataDirectoryError, OwnershipError, DatabaseDamaged, or database errors; before throwing, closes
 * everything again.
 */
export async function openDatabase(options: DatabaseStart, settings: OpenOptions): Promise<Database> {
  const location = await lockLocation(options, settings)
  try {
    // PostgreSQL may still be starting
    return releaseOnClose(
      await startStages(location.waitSeconds, { monotonic: PROCESS_CLOCK, warn: settings.warn })(location.open),
      location,
    )
  } catch (error) {
    await location.release()
    throw error
  }
}

/**
 * Works like `openDatabase`, for a caller that can start without the database. If the database is unreachable, locked
 * or read-only, or does not answer within three seconds, returns a database that connects as soon as possible. Throws
 * the errors of `openDatabase` that waiting cannot resolve.
 */
export async function openOrReconnect(options: DatabaseStart, settings: OpenOptions): Promise<Database> {
  const location = await lockLocationWhenWritable(options, { ...settings, mustNotWait: true })
  const first = location.open()
  try {
    const found = await Promise.race([first, sleep(PATIENCE_MS, undefined, { ref: false })])
    if (found !== undefined) return releaseOnClose(found, location)
  } catch (error) {
    if (classifyDbError(error) !== 'unavailable') {
      await location.release()
      throw error
    }
    settings.warn?.(`${error instanceof Error ? error.message : String(error)}. Retrying until it is available`)
  }
  return new ReconnectingDatabase(
    { ...location, onClosed: location.release, warn: (line) => settings.warn?.(line) },
    first,
  )
}

/**
 * Opens the database, even if a server is currently using it. Creates nothing. Throws if there is no database, or if
 * its tables do not match this version.
 */
export async function openAsGuest(options: DatabaseChoice, settings: OpenOptions): Promise<Database> {
  const postgres = toPostgresConfig(options)
  if (postgres !== undefined) {
    return explainUnnamed(options, openPostgres(postgres, { ...settings, asGuest: true }))
  }
  const { file } = getDataPaths(options.dataDir)
  if (!existsSync(file)) {
    throw new DataDirectoryError(`There is no database in ${resolve(options.dataDir)} (DATA_DIR, --data-dir)`)
  }
  try {
    return await openSqlite(file, { ...settings, asGuest: true })
  } catch (error) {
    throw toDirectoryError(options.dataDir, error)
  }
}

/** If no host was configured, adds a hint to connection errors that localhost is the default. */
async function explainUnnamed(options: DatabaseChoice, opening: Promise<Database>): Promise<Database> {
  try {
    return await opening
  } catch (error) {
    if (options.databaseUrl !== undefined || options.databaseHost !== undefined) throw error
    const why = 'without DATABASE_URL and DATABASE_HOST, the other DATABASE_ options refer to PostgreSQL on localhost'
    throw error instanceof Error ? new Error(`${error.message} (${why})`, { cause: error }) : error
  }
}

/** Location of a database. For an embedded database, the location holds the lock on the data directory. */
interface DatabaseLocation {
  readonly kind: Database['kind']
  readonly open: () => Promise<Database>
  /** Number of seconds that a start waits for the database. */
  readonly waitSeconds: number
  release(): Promise<void>
}

async function lockLocation(options: DatabaseStart, settings: LocationSettings): Promise<DatabaseLocation> {
  const postgres = toPostgresConfig(options)
  if (postgres !== undefined) {
    const open = () => explainUnnamed(options, openPostgres(postgres, settings))
    return { kind: 'postgres', open, waitSeconds: options.databaseWait, release: async () => {} }
  }
  const { dataDir } = options
  try {
    const lock = await lockDirectory(dataDir)
    try {
      for (const line of await revokeAccessOfOthers(dataDir)) settings.warn?.(line)
    } catch (error) {
      await lock.release()
      throw error
    }
    const open = async () => {
      try {
        return await openWithCommitMarker(getDataPaths(dataDir), settings)
      } catch (error) {
        throw toDirectoryError(dataDir, error)
      }
    }
    return { kind: 'sqlite', open, waitSeconds: 0, release: () => lock.release() }
  } catch (error) {
    throw toDirectoryError(dataDir, error)
  }
}

/** Locks the location. If the location is not writable yet, a later call to `open` locks it as soon as it is. */
async function lockLocationWhenWritable(options: DatabaseStart, settings: LocationSettings): Promise<DatabaseLocation> {
  try {
    return await lockLocation(options, settings)
  } catch (error) {
    if (classifyDbError(error) !== 'unavailable') throw error
    let taken: DatabaseLocation | undefined
    const open = async () => {
      taken ??= await lockLocation(options, settings)
      return taken.open()
    }
    return { kind: 'sqlite', open, waitSeconds: 0, release: async () => taken?.release() }
  }
}

/** Wraps a database so that closing it also releases the lock on its location. */
function releaseOnClose(db: Database, place: DatabaseLocation): Database {
  return { ...db, close: () => db.close().finally(() => place.release()) }
}

/** Opens a database file and compares it with its commit marker. The marker is updated while the database is open. */
async function openWithCommitMarker(
  paths: DataPaths,
  { mustNotWait, ...settings }: LocationSettings,
): Promise<Database> {
  const last = readCommitMarker(paths.marker)
  if (mustNotWait === true) requireUnlocked(paths.file, 'readers')
  const found = inspectDatabase(paths, last)
  if (mustNotWait === true) requireUnlocked(paths.file, 'writers')
  if (found === undefined) recordBeginning(paths.marker)
  let marker: CommitMarker | undefined
  const db = await openSqlite(paths.file, { ...settings, onCommit: (mark) => marker?.record(mark) })
  try {
    const identity = getFileIdentity(findStats(paths.file))
    const difference = found === undefined ? undefined : describeDifference(last, found, identity)
    if (difference !== undefined) {
      await db.write(db.renewEpoch)
      settings.warn?.(
        `The database ${paths.file} was restored, copied or moved: ${difference}. A new epoch has begun, so SDKs and ` +
          'proxies reload everything',
      )
    }
    const mark = await readPosition(db.reader)
    marker = new CommitMarker(paths.marker, { position: mark, identity, warn: (line) => settings.warn?.(line) })
  } catch (error) {
    await db.close()
    throw error
  }
  const noting = marker
  const close = async (): Promise<void> => {
    // must run before the database is closed: closing removes the write-ahead log, and the next start would otherwise
    // assume that it was lost
    noting.recordEnding()
    await db.close().finally(() => noting.close())
  }
  return { ...db, close }
}
