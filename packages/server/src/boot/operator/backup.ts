import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DataDirectoryError, explainDirectoryError } from '@burgee/storage/drivers/sqlite/data-directory'
import { type BackupContent, BackupRefused, copyDatabase } from '@burgee/storage/drivers/sqlite/sqlite-backup'
import type { Position } from '@burgee/storage/epochs'
import { KEY_FILE } from '../../core/secrets/secret-key.ts'
import { getDataPaths } from '../open-database.ts'

const OWNER_ONLY = 0o600

/**
 * Key files of a data directory, which are not part of the database. A backup copies the keys to files next to the
 * backup file.
 */
export const SIDE_KEYS = { clientKey: 'client-key', secretKey: KEY_FILE } as const
export type SideKey = keyof typeof SIDE_KEYS

/** Returns the path of the copy of a key next to a backup file. The copy may not exist. */
export function getKeyPathBeside(backup: string, key: SideKey): string {
  return `${backup}.${SIDE_KEYS[key]}`
}

/** Returns the path of a key in a data directory. */
export function getKeyPathIn(dataDir: string, key: SideKey): string {
  return join(dataDir, SIDE_KEYS[key])
}

/** Copies a small file to a new file that only this user can read. Throws if the target exists. */
export function copySecret(from: string, to: string): void {
  writeFileSync(to, readFileSync(from), { mode: OWNER_ONLY, flag: 'wx' })
}

/** Result of a backup. */
export interface Backup {
  readonly position: Position
  readonly bytes: number
  /** File with the client key of `burgee start`; undefined if the data directory has none. */
  readonly clientKey: string | undefined
  /** File with the key that encrypts stored secrets; undefined if the data directory has none. */
  readonly secretKey: string | undefined
}

/**
 * Writes the embedded database of a data directory to a new file, and the keys of the directory next to it. Only this
 * user can read the files. A backup is also possible while a server is running. The backup includes every change that
 * the server acknowledged before the backup began. Throws BackupRefused or DataDirectoryError, and leaves no files
 * behind in this case.
 */
export function backUp(dataDir: string, to: string): Backup {
  const { file } = getDataPaths(dataDir)
  if (!existsSync(file)) {
    throw new DataDirectoryError(`There is no database in ${resolve(dataDir)} (DATA_DIR, --data-dir)`)
  }
  const [clientKey, secretKey] = (['clientKey', 'secretKey'] as const).map((key) => findKeyCopy(dataDir, to, key))
  const { position } = copyOrExplain(file, to)
  for (const key of [clientKey, secretKey]) if (key !== undefined) copySecret(key.from, key.to)
  return { position, bytes: statSync(to).size, clientKey: clientKey?.to, secretKey: secretKey?.to }
}

function findKeyCopy(dataDir: string, backup: string, key: SideKey): { from: string; to: string } | undefined {
  const [from, to] = [getKeyPathIn(dataDir, key), getKeyPathBeside(backup, key)]
  if (!existsSync(from)) return undefined
  if (existsSync(to)) throw new BackupRefused(`${to} already exists: choose another file, or delete it first`)
  return { from, to }
}

function copyOrExplain(file: string, to: string): BackupContent {
  try {
    return copyDatabase(file, to)
  } catch (error) {
    throw error instanceof BackupRefused ? error : explainBackup(to, error)
  }
}

function explainBackup(to: string, error: unknown): unknown {
  const reason = explainDirectoryError(dirname(to), error)
  if (reason === undefined) return error
  return new BackupRefused(`Cannot write the backup to ${to}: ${reason}`, { cause: error })
}
