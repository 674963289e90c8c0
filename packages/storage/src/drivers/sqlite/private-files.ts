import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

const OTHERS_MODE = 0o007
const STICKY = 0o1000
/**
 * Pattern for private files: the database with its logs, previous databases that a restore has renamed, snapshots for
 * SDKs, and the keys of the proxy and of stored secrets.
 */
const PRIVATE_FILE =
  /^(burgee\.sqlite(-before-[\dTZ-]+)?(-wal|-shm|-journal|-restoring)?|burgee\.kept(\..*)?|client-key|secret-key(-before-[\dTZ-]+)?)$/
/**
 * Pattern for other files that the server creates in a data directory, and for `lost+found`, which each new file system
 * contains.
 */
const HARMLESS = /^(lock\.sock(\.takeover)?|burgee\.witness|lost\+found)$/

/**
 * Revokes the permissions of other users of the machine on this server's files in a directory. Also revokes these
 * permissions on the directory itself, unless the directory contains other files or is shared (sticky). Group
 * permissions are left to the operator. Returns one line for each path that other users could access. The line states
 * whether their access was revoked. Does nothing on systems without file modes.
 */
export async function revokeAccessOfOthers(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = await readdir(real)
  const isOurs = names.every((name) => PRIVATE_FILE.test(name) || HARMLESS.test(name))
  const lines = names.filter((name) => PRIVATE_FILE.test(name)).map((name) => revokeAccess(join(real, name), true))
  return (await Promise.all([...lines, revokeAccess(real, isOurs)])).filter((line) => line !== undefined)
}

/** Returns this server's files in a directory that other users of the machine may access. Changes no permissions. */
export async function listExposedFiles(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = (await readdir(real)).filter((name) => PRIVATE_FILE.test(name))
  const paths = [real, ...names.map((name) => join(real, name))]
  const modes = await Promise.all(paths.map((path) => stat(path).catch(() => ({ mode: 0 }))))
  return paths.filter((_path, index) => ((modes[index]?.mode ?? 0) & OTHERS_MODE) !== 0)
}

/**
 * Revokes the permissions of other users on one path. Never follows a symbolic link, because its target may be another
 * program's file.
 */
async function revokeAccess(path: string, isOurs: boolean): Promise<string | undefined> {
  const link = await lstat(path)
  // for a dangling link, the target will be created with private permissions
  const { mode } = await stat(path).catch(() => ({ mode: 0 }))
  if ((mode & OTHERS_MODE) === 0) return undefined
  const was = `${path} was open to other users of this machine (mode ${(mode & 0o777).toString(8)})`
  const may = isOurs && (mode & STICKY) === 0 && !link.isSymbolicLink()
  const isClosed = may && (await tryChangeMode(path, mode & 0o7777 & ~OTHERS_MODE))
  return isClosed ? `${was}; it is closed to them now` : `${was} and still is; close it to them: chmod o= ${path}`
}

/** Returns false if the file belongs to another user. */
async function tryChangeMode(path: string, mode: number): Promise<boolean> {
  try {
    await chmod(path, mode)
    return true
  } catch {
    return false
  }
}
