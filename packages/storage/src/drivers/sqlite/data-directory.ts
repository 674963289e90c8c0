import { statfsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/**
 * Thrown if the data directory cannot be used. The message is one sentence that names the directory, its option and the
 * reason.
 */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'no directory can be created there',
  ENOTDIR: 'the path is not a directory',
  EEXIST: 'the path is a dangling link',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this user',
  EIO: 'the disk cannot be read or written to',
  EISDIR: 'there is a directory in place of the database file',
}

/**
 * Creates a directory (0700) and its missing parents. Does not use Node's recursive `mkdir`, which never returns if the
 * system reports an existing directory as missing (as happens in /proc).
 */
export async function makeDirectory(directory: string): Promise<void> {
  const found = await findStats(directory)
  if (found?.isDirectory() === true) return
  if (found !== undefined) throw Object.assign(new Error('Not a directory'), { code: 'ENOTDIR' })
  const above = dirname(directory)
  if (above !== directory) await makeDirectory(above)
  try {
    await mkdir(directory, { mode: OWNER_ONLY })
  } catch (error) {
    // another process may have created the directory first
    if ((await findStats(directory))?.isDirectory() !== true) throw error
  }
}

async function findStats(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Converts errors of the file system and of SQLite into a DataDirectoryError. Returns other errors unchanged. */
export function toDirectoryError(directory: string, error: unknown): unknown {
  const reason = explainDirectoryError(directory, error)
  if (reason === undefined) return error
  return new DataDirectoryError(`The data directory ${directory} (DATA_DIR, --data-dir) cannot be used: ${reason}`, {
    cause: error,
  })
}

/**
 * Returns the reason why an operation in a directory failed. Returns undefined if the error comes from neither the file
 * system nor SQLite.
 */
export function explainDirectoryError(directory: string, error: unknown): string | undefined {
  const code = getErrorCode(error)
  if (code === undefined || !(error instanceof Error)) return undefined
  const known = REASONS[isDiskFull(directory, error) ? 'ENOSPC' : code]
  return known === undefined ? error.message : `${known} (${code.startsWith('ERR_') ? error.message : code})`
}

/** SQLite result codes that a full disk may cause: IOERR, FULL, CANTOPEN. */
const FULL_DISK_CODES: ReadonlySet<unknown> = new Set([10, 13, 14])

/** True if the disk is full, which SQLite may report as an I/O error. */
function isDiskFull(directory: string, error: Error): boolean {
  if (!('errcode' in error) || !FULL_DISK_CODES.has(Number(error.errcode) & 0xff)) return false
  try {
    return statfsSync(directory).bavail === 0
  } catch {
    return false
  }
}

/** Returns the error code, such as `ENOENT` or `ERR_SQLITE_ERROR`. */
function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
