import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { toDirectoryError } from '@burgee/storage/drivers/sqlite/data-directory'
import { lockDirectory } from '@burgee/storage/drivers/sqlite/directory-lock'
import { beginEpoch, copyDatabase, readBackup, syncToDisk } from '@burgee/storage/drivers/sqlite/sqlite-backup'
import type { Position } from '@burgee/storage/epochs'
import { requireUsable } from '@burgee/storage/migrations'
import { getDataPaths } from '../open-database.ts'
import { SNAPSHOT_FILE_NAME } from '../snapshot-location.ts'
import { copySecret, getKeyPathBeside, getKeyPathIn } from './backup.ts'

/** Result of a restore. */
export interface RestoreResult {
  readonly position: Position
  /** Path of the previous database; undefined if there was none. */
  readonly before: string | undefined
  /**
   * True if the client key that lies next to the backup was restored. The client key is only restored into a data
   * directory without a client key.
   */
  readonly hasClientKey: boolean
  /**
   * True if the key for stored secrets that lies next to the backup was restored. A different key in the data directory
   * is renamed.
   */
  readonly hasSecretKey: boolean
}

/** Dependencies of a restore. */
export interface RestoreDeps {
  readonly dataDir: string
  /** Returns milliseconds since 1970; the new name of the previous database contains this time. */
  readonly clock: () => number
}

/**
 * Replaces the embedded database of a data directory with a backup. The previous database and its write-ahead log are
 * renamed and stay in the directory. The next start begins a new database epoch. Throws DirectoryInUse if a server uses
 * the directory, BackupRefused, OwnershipError if the backup is too old or too new for this version, or
 * DataDirectoryError. After an error, nothing has changed.
 */
export async function restore(from: string, { dataDir, clock }: RestoreDeps): Promise<RestoreResult> {
  const { position, executed } = readBackup(from)
  requireUsable(executed)
  try {
    const lock = await lockDirectory(dataDir)
    try {
      return { position, ...replaceDatabase(from, dataDir, clock()) }
    } finally {
      await lock.release()
    }
  } catch (error) {
    throw toDirectoryError(dataDir, error)
  }
}

function replaceDatabase(from: string, dataDir: string, now: number): Omit<RestoreResult, 'position'> {
  const { file: named, marker } = getDataPaths(dataDir)
  // if the path is a symbolic link, replaces its target; the write-ahead log is next to the target
  const file = existsSync(named) ? realpathSync(named) : named
  const staged = `${file}-restoring`
  rmSync(staged, { force: true })
  copyDatabase(from, staged)
  beginEpoch(staged)
  const before = existsSync(file) ? renamePrevious(file, now) : undefined
  for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  renameSync(staged, file)
  syncToDisk(dirname(file))
  // while its database is unavailable, the server must not serve the snapshot of the previous database
  rmSync(join(dataDir, SNAPSHOT_FILE_NAME), { force: true })
  // remove the commit marker last: while it exists, a server does not start on an incomplete restore
  rmSync(marker, { force: true })
  return { before, hasClientKey: restoreClientKey(from, dataDir), hasSecretKey: restoreSecretKey(from, dataDir, now) }
}

/**
 * Renames the previous database and its write-ahead log. If the server was killed, the last changes are only in the
 * write-ahead log.
 */
function renamePrevious(file: string, now: number): string {
  const before = createPreviousName(file, now)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${before}-wal`)
  renameSync(file, before)
  return before
}

function createPreviousName(path: string, now: number): string {
  return findFreeName(`${path}-before-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`)
}

function findFreeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}

function restoreClientKey(from: string, dataDir: string): boolean {
  const [kept, key] = [getKeyPathBeside(from, 'clientKey'), getKeyPathIn(dataDir, 'clientKey')]
  if (!existsSync(kept) || existsSync(key)) return false
  copySecret(kept, key)
  return true
}

/**
 * Restores the key for stored secrets. If there already is a different key, it is renamed, because it is needed to read
 * the secrets of the previous database.
 */
function restoreSecretKey(from: string, dataDir: string, now: number): boolean {
  const [kept, key] = [getKeyPathBeside(from, 'secretKey'), getKeyPathIn(dataDir, 'secretKey')]
  if (!existsSync(kept)) return false
  if (existsSync(key)) {
    if (readFileSync(kept, 'utf8') === readFileSync(key, 'utf8')) return false
    renameSync(key, createPreviousName(key, now))
  }
  copySecret(kept, key)
  return true
}
