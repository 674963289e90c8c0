import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

const OTHERS_MODE = 0o007
const STICKY = 0o1000
/**
 * Pattern for private files: the database with its logs, earlier databases that a restore has renamed, snapshots for
 * SDKs, and the key files of the proxy and of stored secrets.
 */
const PRIVATE_FILE =
  /^(burgee\.sqlite(-before-[\dTZ-]+)?(-wal|-shm|-journal|-restoring)?|burgee\.kept(\..*)?|client-key|secret-key(-before-[\dTZ-]+)?)$/
/**
 * Pattern for other files that the server creates in a data directory, and for `lost+found`, which every new file
 * system contains.
 */
const HARMLESS = /^(lock\.sock(\.takeover)?|burgee\.witness|lost\+found)$/

/**
 * Revokes the permissions that other users of the machine have on this server's files in a directory. Revokes them on
 * the directory itself as well, unless it contains other files or is shared (sticky). Group permissions are left for
 * the operator to decide. Returns one line for each path to which other users had access. Each line states whether
 * their access was revoked. Does nothing on systems without file modes.
 */
export async function revokeAccessOfOthers(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = await readdir(real)
  const isOurs = names.every((name) => PRIVATE_FILE.test(name) || HARMLESS.test(name))
  const lines = names.filter((name) => PRIVATE_FILE.test(name)).map((name) => revokeAccess(join(real, name), true))
  return (await Promise.all([...lines, revokeAccess(real, isOurs)])).filter((line) => line !== undefined)
}

/**
 * Returns those of this server's files in a directory that other users of the machine may access. Changes no
 * permissions.
 */
export async function listExposedFiles(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = (await readdir(real)).filter((name) => PRIVATE_FILE.test(name))
  const paths = [real, ...names.map((name) => join(real, name))]
  const modes = await Promise.all(paths.map((path) => stat(path).catch(() => ({ mode: 0 }))))
  return paths.filter((_path, index) => ((modes[index]?.mode ?? 0) & OTHERS_MODE) !== 0)
}

/**
 * Revokes the permissions of other users on a single path. Never follows a symbolic link, because the target may belong
 * to another program.
 */
async function revokeAccess(path: string, isOurs: boolean): Promise<string | undefined> {
  const link = await lstat(path)
  // if the link is dangling, its target will be created with private permissions
  const { mode } = await stat(path).catch(() => ({ mode: 0 }))
  if ((mode & OTHERS_MODE) === 0) return undefined
  const was = `${path} was accessible to other users of this machine (mode ${(mode & 0o777).toString(8)})`
  const may = isOurs && (mode & STICKY) === 0 && !link.isSymbolicLink()
  const isClosed = may && (await tryChangeMode(path, mode & 0o7777 & ~OTHERS_MODE))
  return isClosed ? `${was}; access was removed` : `${was} and still is; remove their access: chmod o= ${path}`
}

/** Returns false if the file belongs to a different user. */
async function tryChangeMode(path: string, mode: number): Promise<boolean> {
  try {
    await chmod(path, mode)
    return true
  } catch {
    return false
  }
}
