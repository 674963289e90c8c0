import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { dataPathsOf } from '../open-database.ts'
import { type BackupContent, BackupRefused, copyDatabase } from '../store/embedded/backup-file.ts'
import { DataDirectoryError, reasonIn } from '../store/embedded/data-directory.ts'
import type { Mark } from '../store/epochs.ts'

/** What of a data directory is no part of its database, and is kept beside a backup of it. */
const CLIENT_KEY = 'client-key'
const OWNER_ONLY = 0o600

/** Where a backup has the client key of a data directory, if that has one. */
export function clientKeyOf(backup: string): string {
  return `${backup}.${CLIENT_KEY}`
}

/** Where the client key of a data directory stands. */
export function clientKeyIn(dataDir: string): string {
  return join(dataDir, CLIENT_KEY)
}

/** Copies a small file into a new one for this user alone. Throws where it is there already. */
export function copySecret(from: string, to: string): void {
  writeFileSync(to, readFileSync(from), { mode: OWNER_ONLY, flag: 'wx' })
}

/** What was written. */
export interface Backup {
  readonly mark: Mark
  readonly bytes: number
  /** The file with the client key; undefined where the data directory has none. */
  readonly clientKey: string | undefined
}

/**
 * Writes the embedded database of a data directory into a new file, with the client key of `burgee start` beside it, both
 * for this user alone. A server may be running; what it has acknowledged before is in it. Throws BackupRefused or
 * DataDirectoryError, and leaves nothing behind then.
 */
export function backUp(dataDir: string, to: string): Backup {
  const { file } = dataPathsOf(dataDir)
  if (!existsSync(file)) {
    throw new DataDirectoryError(`There is no database in ${resolve(dataDir)} (DATA_DIR, --data-dir)`)
  }
  const key = clientKeyIn(dataDir)
  const clientKey = existsSync(key) ? clientKeyOf(to) : undefined
  if (clientKey !== undefined && existsSync(clientKey)) {
    throw new BackupRefused(`${clientKey} is there already: name another file, or remove it first`)
  }
  const { mark } = copied(file, to)
  if (clientKey !== undefined) copySecret(key, clientKey)
  return { mark, bytes: statSync(to).size, clientKey }
}

function copied(file: string, to: string): BackupContent {
  try {
    return copyDatabase(file, to)
  } catch (error) {
    throw error instanceof BackupRefused ? error : explainBackup(to, error)
  }
}

function explainBackup(to: string, error: unknown): unknown {
  const reason = reasonIn(dirname(to), error)
  if (reason === undefined) return error
  return new BackupRefused(`No backup could be written to ${to}: ${reason}`, { cause: error })
}
