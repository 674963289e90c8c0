import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@burgee/kit/log/logger'
import type { Database } from '@burgee/storage/database'
import { classifyDbError } from '@burgee/storage/errors'
import type { SnapshotFile } from '@burgee/storage/queries/snapshot/snapshot-file'
import type { OpenedSnapshot, SnapshotAccess } from '@burgee/storage/queries/snapshot/snapshot-state'
import { ReconnectingDatabase } from '@burgee/storage/reconnecting-database'
import { TRUSTED_MS } from '../core/access/tokens/last-known-tokens.ts'
import type { ServerOptions } from '../core/options/options.ts'
import { type OpenOptions, openDatabase, openOrReconnect } from './open-database.ts'
import { createSnapshotFile } from './snapshot-location.ts'

/** Snapshot file of this server, and the parts of the snapshot that a start needs even if the database is available. */
export interface PreviousSnapshot {
  /** Undefined if snapshots are disabled. */
  readonly file: SnapshotFile | undefined
  /** Tokens, settings and position of the snapshot; undefined if there is no usable snapshot. */
  readonly access: SnapshotAccess | undefined
}

/** Database that a start uses, and the snapshot that is served until the database can be reached. */
export interface StartDatabase {
  readonly db: Database
  /** Undefined if the database is available. */
  readonly away: OpenedSnapshot | undefined
}

const RETRY_MS = 1000

/**
 * Reads the beginning of the snapshot. The documents are read later, and only if the database is unavailable. Never
 * rejects: an unusable snapshot is logged and ignored.
 */
export async function readPreviousSnapshot(options: ServerOptions, logger: Logger): Promise<PreviousSnapshot> {
  const file = createSnapshotFile(options)
  return { file, access: await readOrWarn(file, (one) => one.readAccess(), logger) }
}

/**
 * Opens the database. If the database is unavailable and an intact snapshot exists, returns the snapshot and a database
 * that connects later. Throws the errors of `openDatabase`.
 */
export async function openWithSnapshot(
  options: ServerOptions,
  { file, access }: PreviousSnapshot,
  settings: OpenOptions & { readonly logger: Logger },
): Promise<StartDatabase> {
  if (access === undefined) return { db: await openDatabase(options, settings), away: undefined }
  const db = await openOrReconnect(options, settings)
  if (!(db instanceof ReconnectingDatabase)) return { db, away: undefined }
  const away = await readOrWarn(file, (one) => one.open(), settings.logger)
  if (away !== undefined) return { db, away }
  await db.close()
  return { db: await openDatabase(options, settings), away: undefined }
}

async function readOrWarn<T>(
  file: SnapshotFile | undefined,
  read: (file: SnapshotFile) => Promise<T | undefined>,
  logger: Logger,
): Promise<T | undefined> {
  if (file === undefined) return undefined
  try {
    return await read(file)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logger.warn(`Ignoring the snapshot ${file.path}: ${reason}`)
    return undefined
  }
}

/** Returns the log line for a start from a snapshot; `now` is in milliseconds since 1970. */
export function describeSnapshotStart({ asOfMs, mark, tokens }: SnapshotAccess, now: number): string {
  const asOf = new Date(asOfMs).toISOString()
  const text = `The database is unavailable: serving SDKs from the snapshot of ${asOf}, event ${mark.id}; the admin API returns 503`
  const hasToken = tokens.some(({ atMs }) => atMs >= now - TRUSTED_MS)
  return hasToken ? text : `${text}, and so do SDK endpoints: no token in the snapshot was used in the last day`
}

/**
 * Runs the start steps as soon as the database can be reached, and repeats them while the database is unavailable. Logs
 * any other failure and resolves to undefined. Never rejects.
 */
export async function startWhenReachable<T>(
  db: ReconnectingDatabase,
  begin: () => Promise<T>,
  { logger }: { readonly logger: Logger },
): Promise<T | undefined> {
  await db.opened
  for (;;) {
    try {
      return await begin()
    } catch (error) {
      if (classifyDbError(error) !== 'unavailable') {
        logger.error('Initializing the database failed', error)
        return undefined
      }
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }
}
