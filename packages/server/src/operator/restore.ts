import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KEPT_NAME } from '../kept-place.ts'
import { dataPathsOf } from '../open-database.ts'
import { copyDatabase, drawEpoch, readBackup, syncToDisk } from '../store/embedded/backup-file.ts'
import { explainDirectory } from '../store/embedded/data-directory.ts'
import { lockDirectory } from '../store/embedded/directory-lock.ts'
import type { Mark } from '../store/epochs.ts'
import { requireNotNewer } from '../store/migrations.ts'
import { copySecret, keyBeside, keyIn } from './backup.ts'

/** What was put back. */
export interface Restored {
  readonly mark: Mark
  /** Where the database before is now; undefined where there was none. */
  readonly before: string | undefined
  /** Whether the client key that lay beside the backup is used again: only where the data directory had none. */
  readonly hasClientKey: boolean
  /** Whether the key of stored secrets that lay beside the backup is used again; another one stays beside it. */
  readonly hasSecretKey: boolean
}

/** What a restore works with. */
export interface RestoreDeps {
  readonly dataDir: string
  /** Milliseconds since 1970; names the file that keeps the database before. */
  readonly clock: () => number
}

/**
 * Puts a backup in the place of the embedded database of a data directory, which stays beside it with its log. The next
 * start begins a new epoch. Throws DirectoryInUse while a server has the directory, BackupRefused, OwnershipError where
 * a newer version wrote the backup, or DataDirectoryError; what is there is untouched then.
 */
export async function restore(from: string, { dataDir, clock }: RestoreDeps): Promise<Restored> {
  const { mark, executed } = readBackup(from)
  requireNotNewer(executed)
  try {
    const lock = await lockDirectory(dataDir)
    try {
      return { mark, ...putInPlace(from, dataDir, clock()) }
    } finally {
      await lock.release()
    }
  } catch (error) {
    throw explainDirectory(dataDir, error)
  }
}

function putInPlace(from: string, dataDir: string, now: number): Omit<Restored, 'mark'> {
  const { file: named, witness } = dataPathsOf(dataDir)
  // what a link leads to is replaced, with the log that lies beside it
  const file = existsSync(named) ? realpathSync(named) : named
  const staged = `${file}-restoring`
  rmSync(staged, { force: true })
  copyDatabase(from, staged)
  drawEpoch(staged)
  const before = existsSync(file) ? keepBefore(file, now) : undefined
  for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  renameSync(staged, file)
  syncToDisk(dirname(file))
  // flags of the life before must not be served where the new one cannot be read
  rmSync(join(dataDir, KEPT_NAME), { force: true })
  // last: while it is there, a start on half a restore is refused
  rmSync(witness, { force: true })
  return { before, hasClientKey: restoreClientKey(from, dataDir), hasSecretKey: restoreSecretKey(from, dataDir, now) }
}

/** Its log goes with it: where the server before was killed, the last changes are there only. */
function keepBefore(file: string, now: number): string {
  const before = nameBefore(file, now)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${before}-wal`)
  renameSync(file, before)
  return before
}

function nameBefore(path: string, now: number): string {
  return freeName(`${path}-before-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`)
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}

function restoreClientKey(from: string, dataDir: string): boolean {
  const [kept, key] = [keyBeside(from, 'clientKey'), keyIn(dataDir, 'clientKey')]
  if (!existsSync(kept) || existsSync(key)) return false
  copySecret(kept, key)
  return true
}

/** Secrets of the backup can be read with its key only; those of the database before with the one that is kept. */
function restoreSecretKey(from: string, dataDir: string, now: number): boolean {
  const [kept, key] = [keyBeside(from, 'secretKey'), keyIn(dataDir, 'secretKey')]
  if (!existsSync(kept)) return false
  if (existsSync(key)) {
    if (readFileSync(kept, 'utf8') === readFileSync(key, 'utf8')) return false
    renameSync(key, nameBefore(key, now))
  }
  copySecret(kept, key)
  return true
}
