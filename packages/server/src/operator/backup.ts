import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { dataPathsOf } from '../open-database.ts'
import { KEY_FILE } from '../services/secrets/secret-key.ts'
import { type BackupContent, BackupRefused, copyDatabase } from '../store/embedded/backup-file.ts'
import { DataDirectoryError, reasonIn } from '../store/embedded/data-directory.ts'
import type { Mark } from '../store/epochs.ts'

const OWNER_ONLY = 0o600

/** What of a data directory is no part of its database, and is kept beside a backup of it. */
export const SIDE_KEYS = { clientKey: 'client-key', secretKey: KEY_FILE } as const
export type SideKey = keyof typeof SIDE_KEYS

/** Where a backup has a key of a data directory, if that has one. */
export function keyBeside(backup: string, key: SideKey): string {
  return `${backup}.${SIDE_KEYS[key]}`
}

/** Where a key of a data directory stands. */
export function keyIn(dataDir: string, key: SideKey): string {
  return join(dataDir, SIDE_KEYS[key])
}

/** Copies a small file into a new one for this user alone. Throws where it is there already. */
export function copySecret(from: string, to: string): void {
  writeFileSync(to, readFileSync(from), { mode: OWNER_ONLY, flag: 'wx' })
}

/** What was written. */
export interface Backup {
  readonly mark: Mark
  readonly bytes: number
  /** The file with the client key of `burgee start`; undefined where the data directory has none. */
  readonly clientKey: string | undefined
  /** The file with the key of stored secrets; undefined where the data directory has none. */
  readonly secretKey: string | undefined
}

/**
 * Writes the embedded database of a data directory into a new file, with the keys of the directory beside it, all for this
 * user alone. A server may be running; what it has acknowledged before is in it. Throws BackupRefused or
 * DataDirectoryError, and leaves nothing behind then.
 */
export function backUp(dataDir: string, to: string): Backup {
  const { file } = dataPathsOf(dataDir)
  if (!existsSync(file)) {
    throw new DataDirectoryError(`There is no database in ${resolve(dataDir)} (DATA_DIR, --data-dir)`)
  }
  const [clientKey, secretKey] = (['clientKey', 'secretKey'] as const).map((key) => freeCopyOf(dataDir, to, key))
  const { mark } = copied(file, to)
  for (const key of [clientKey, secretKey]) if (key !== undefined) copySecret(key.from, key.to)
  return { mark, bytes: statSync(to).size, clientKey: clientKey?.to, secretKey: secretKey?.to }
}

function freeCopyOf(dataDir: string, backup: string, key: SideKey): { from: string; to: string } | undefined {
  const [from, to] = [keyIn(dataDir, key), keyBeside(backup, key)]
  if (!existsSync(from)) return undefined
  if (existsSync(to)) throw new BackupRefused(`${to} is there already: name another file, or remove it first`)
  return { from, to }
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
