import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { KEPT_NAME } from '../kept-place.ts'
import { dataPathsOf } from '../open-database.ts'
import { copyDatabase, drawEpoch, readBackup, syncToDisk } from '../store/embedded/backup-file.ts'
import { explainDirectory } from '../store/embedded/data-directory.ts'
import { lockDirectory } from '../store/embedded/directory-lock.ts'
import type { Mark } from '../store/epochs.ts'
import { requireNotNewer } from '../store/migrations.ts'
import { clientKeyIn, clientKeyOf, copySecret } from './backup.ts'

/** What was put back. */
export interface Restored {
  readonly mark: Mark
  /** Where the database before is now; undefined where there was none. */
  readonly before: string | undefined
  /** Whether the client key that lay beside the backup is used again: only where the data directory had none. */
  readonly hasClientKey: boolean
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
  return { before, hasClientKey: restoreClientKey(from, dataDir) }
}

/** Its log goes with it: where the server before was killed, the last changes are there only. */
function keepBefore(file: string, now: number): string {
  const before = freeName(`${file}-before-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')}`)
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${before}-wal`)
  renameSync(file, before)
  return before
}

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}

function restoreClientKey(from: string, dataDir: string): boolean {
  const [kept, key] = [clientKeyOf(from), clientKeyIn(dataDir)]
  if (!existsSync(kept) || existsSync(key)) return false
  copySecret(kept, key)
  return true
}
