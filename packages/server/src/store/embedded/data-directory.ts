import { statfsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/** The data directory cannot be used; one sentence that names it, its option and the reason. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'no directory can be made there',
  ENOTDIR: 'what stands there is not a directory',
  EEXIST: 'a link that leads to nothing stands there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this user',
  EIO: 'the disk cannot be read or written to',
  EISDIR: 'a directory stands where the file of the database should be',
}

/**
 * Makes a directory (0700) and those above it, where they are not there. Node's own way never ends where the system
 * says of a directory that is there that it is not (/proc).
 */
export async function makeDirectory(directory: string): Promise<void> {
  const found = await statOf(directory)
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw Object.assign(new Error('Not a directory'), { code: 'ENOTDIR' })
  const above = dirname(directory)
  if (above !== directory) await makeDirectory(above)
  try {
    await mkdir(directory, { mode: OWNER_ONLY })
  } catch (error) {
    // another process may have been first
    if ((await statOf(directory))?.isDirectory() !== true) throw error
  }
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** What the file system or SQLite say of the data directory, as a DataDirectoryError; other errors as they are. */
export function explainDirectory(directory: string, error: unknown): unknown {
  const reason = reasonIn(directory, error)
  if (reason === undefined) return error
  return new DataDirectoryError(`The data directory ${directory} (DATA_DIR, --data-dir) cannot be used: ${reason}`, {
    cause: error,
  })
}

/** Why something failed in a directory, by what the file system or SQLite say; undefined where it was neither of them. */
export function reasonIn(directory: string, error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === undefined || !(error instanceof Error)) return undefined
  const known = REASONS[isFull(directory, error) ? 'ENOSPC' : code]
  return known === undefined ? error.message : `${known} (${code.startsWith('ERR_') ? error.message : code})`
}

/** Result codes of SQLite that a full disk can have: IOERR, FULL, CANTOPEN. */
const OF_FULL_DISK: ReadonlySet<unknown> = new Set([10, 13, 14])

/** SQLite says of a full disk that there was an error of input or output. */
function isFull(directory: string, error: Error): boolean {
  if (!('errcode' in error) || !OF_FULL_DISK.has(Number(error.errcode) & 0xff)) return false
  try {
    return statfsSync(directory).bavail === 0
  } catch {
    return false
  }
}

/** The code of the platform, `ENOENT` or `ERR_SQLITE_ERROR`. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
