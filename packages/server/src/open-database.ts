import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { type DATABASE_OPTIONS, type DATABASE_START_OPTIONS, postgresConfigOf } from './database-options.ts'
import type { ServerOptions } from './options.ts'
import { startStages } from './start-stages.ts'
import { AwaitedDatabase } from './store/awaited-database.ts'
import type { Database, DatabaseOptions } from './store/database.ts'
import { DataDirectoryError, explainDirectory } from './store/embedded/data-directory.ts'
import { identityOf, statOf } from './store/embedded/data-file.ts'
import { lockDirectory } from './store/embedded/directory-lock.ts'
import { type DataPaths, differenceFrom, inspect, requireUnlocked } from './store/embedded/inspection.ts'
import { closeToOthers } from './store/embedded/private-files.ts'
import { openSqlite } from './store/embedded/sqlite.ts'
import { noteBeginning, readWitness, Witness } from './store/embedded/witness.ts'
import { currentMark } from './store/epochs.ts'
import { classifyDbError } from './store/errors.ts'
import { openPostgres } from './store/postgres/postgres.ts'

const PATIENCE_MS = 3000
const FILE = 'burgee.sqlite'
const WITNESS = 'burgee.witness'

/** Returns the paths of the embedded database and its commit marker in a data directory. */
export function dataPathsOf(dataDir: string): DataPaths {
  return { file: join(dataDir, FILE), witness: join(dataDir, WITNESS) }
}

/** Options that identify the database. */
export type DatabaseChoice = Pick<ServerOptions, 'dataDir' | keyof typeof DATABASE_OPTIONS>

/** Options that identify the database and configure how a start opens it. */
export type DatabaseStart = DatabaseChoice & Pick<ServerOptions, keyof typeof DATABASE_START_OPTIONS>

/** Additional settings for opening a database. */
export interface OpenOptions extends DatabaseOptions {
  /** Called for files that other users of the machine could read, and for restored databases. */
  readonly warn?: (line: string) => void
  /** Called with the identity of the PostgreSQL server, and when the database accepts writes again. */
  readonly info?: (line: string) => void
}

interface PlaceSettings extends OpenOptions {
  /** True to fail at once if another program has locked the file. */
  readonly mustNotWait?: boolean
}

/**
 * Opens the configured PostgreSQL, or the embedded database of the data directory. Locks the directory for this process
 * until the database is closed. Removes the access of other users to it if this process owns it. A database that was
 * restored since the last run starts a new epoch. Throws DirectoryInUse, DataDirectoryError, OwnershipError,
 * DatabaseDamaged, or database errors; in that case everything is closed again.
 */
export async function openDatabase(options: DatabaseStart, settings: OpenOptions): Promise<Database> {
  const place = await takePlace(options, settings)
  try {
    // PostgreSQL may still be starting
    return leaving(
      await startStages(place.waitSeconds, { monotonic: PROCESS_CLOCK, warn: settings.warn })(place.open),
      place,
    )
  } catch (error) {
    await place.leave()
    throw error
  }
}

/**
 * Same as `openDatabase`, for a caller that can run without the database at first. If it is unreachable, locked or
 * read-only, or does not answer within three seconds, returns a database that connects as soon as possible. Throws the
 * errors of `openDatabase` that waiting cannot fix.
 */
export async function openOrAwait(options: DatabaseStart, settings: OpenOptions): Promise<Database> {
  const place = await takeOrAwaitPlace(options, { ...settings, mustNotWait: true })
  const first = place.open()
  try {
    const found = await Promise.race([first, sleep(PATIENCE_MS, undefined, { ref: false })])
    if (found !== undefined) return leaving(found, place)
  } catch (error) {
    if (classifyDbError(error) !== 'unavailable') {
      await place.leave()
      throw error
    }
    settings.warn?.(`${error instanceof Error ? error.message : String(error)}. It is tried again until it is there`)
  }
  return new AwaitedDatabase({ ...place, warn: (line) => settings.warn?.(line) }, first)
}

/**
 * Opens the database while a server may be running on it. Creates nothing: throws if there is no database or if its
 * tables do not match this version.
 */
export async function openAsGuest(options: DatabaseChoice, settings: OpenOptions): Promise<Database> {
  const postgres = postgresConfigOf(options)
  if (postgres !== undefined) {
    return explainUnnamed(options, openPostgres(postgres, { ...settings, asGuest: true }))
  }
  const { file } = dataPathsOf(options.dataDir)
  if (!existsSync(file)) {
    throw new DataDirectoryError(`There is no database in ${resolve(options.dataDir)} (DATA_DIR, --data-dir)`)
  }
  try {
    return await openSqlite(file, { ...settings, asGuest: true })
  } catch (error) {
    throw explainDirectory(options.dataDir, error)
  }
}

/** If no host was configured, adds to connection errors that localhost is the default. */
async function explainUnnamed(options: DatabaseChoice, opening: Promise<Database>): Promise<Database> {
  try {
    return await opening
  } catch (error) {
    if (options.databaseUrl !== undefined || options.databaseHost !== undefined) throw error
    const why = 'without DATABASE_URL and DATABASE_HOST, the other DATABASE_ options mean a PostgreSQL at localhost'
    throw error instanceof Error ? new Error(`${error.message} (${why})`, { cause: error }) : error
  }
}

/** Location of a database. For an embedded database, it includes the lock on the data directory. */
interface Place {
  readonly kind: Database['kind']
  readonly open: () => Promise<Database>
  /** Seconds that a start waits for the database. */
  readonly waitSeconds: number
  leave(): Promise<void>
}

async function takePlace(options: DatabaseStart, settings: PlaceSettings): Promise<Place> {
  const postgres = postgresConfigOf(options)
  if (postgres !== undefined) {
    const open = () => explainUnnamed(options, openPostgres(postgres, settings))
    return { kind: 'postgres', open, waitSeconds: options.databaseWait, leave: async () => {} }
  }
  const { dataDir } = options
  try {
    const lock = await lockDirectory(dataDir)
    try {
      for (const line of await closeToOthers(dataDir)) settings.warn?.(line)
    } catch (error) {
      await lock.release()
      throw error
    }
    const open = async () => {
      try {
        return await openWitnessed(dataPathsOf(dataDir), settings)
      } catch (error) {
        throw explainDirectory(dataDir, error)
      }
    }
    return { kind: 'sqlite', open, waitSeconds: 0, leave: () => lock.release() }
  } catch (error) {
    throw explainDirectory(dataDir, error)
  }
}

/** Locks the location. If the location is not writable yet, the first call of `open` that can lock it does so. */
async function takeOrAwaitPlace(options: DatabaseStart, settings: PlaceSettings): Promise<Place> {
  try {
    return await takePlace(options, settings)
  } catch (error) {
    if (classifyDbError(error) !== 'unavailable') throw error
    let taken: Place | undefined
    const open = async () => {
      taken ??= await takePlace(options, settings)
      return taken.open()
    }
    return { kind: 'sqlite', open, waitSeconds: 0, leave: async () => taken?.leave() }
  }
}

/** Wraps a database so that closing it also releases the lock on its location. */
function leaving(db: Database, place: Place): Database {
  return { ...db, close: () => db.close().finally(() => place.leave()) }
}

/** Opens a database file and compares it with its commit marker. Updates the marker while the database is open. */
async function openWitnessed(paths: DataPaths, { mustNotWait, ...settings }: PlaceSettings): Promise<Database> {
  const last = readWitness(paths.witness)
  if (mustNotWait === true) requireUnlocked(paths.file, 'readers')
  const found = inspect(paths, last)
  if (mustNotWait === true) requireUnlocked(paths.file, 'writers')
  if (found === undefined) noteBeginning(paths.witness)
  let witness: Witness | undefined
  const db = await openSqlite(paths.file, { ...settings, onCommit: (mark) => witness?.note(mark) })
  try {
    const identity = identityOf(statOf(paths.file))
    const difference = found === undefined ? undefined : differenceFrom(last, found, identity)
    if (difference !== undefined) {
      await db.write(db.renewEpoch)
      settings.warn?.(
        `The database ${paths.file} was restored, copied or moved: ${difference}. A new epoch has begun, and SDKs and ` +
          'proxies take what is there now for new',
      )
    }
    const mark = await currentMark(db.reader)
    witness = new Witness(paths.witness, { mark, identity, warn: (line) => settings.warn?.(line) })
  } catch (error) {
    await db.close()
    throw error
  }
  const noting = witness
  const close = async (): Promise<void> => {
    // must run before the close: a clean close removes the write-ahead log, and the next start would take the log as
    // lost
    noting.ending()
    await db.close().finally(() => noting.close())
  }
  return { ...db, close }
}
