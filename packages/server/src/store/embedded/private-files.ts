import { chmod, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

const BY_OTHERS = 0o007
const STICKY = 0o1000
/**
 * What is nobody else's business: the database with its logs, those that a restore has kept, what is kept of it for SDKs,
 * and the keys beside it, of the proxy and of stored secrets.
 */
const SECRET =
  /^(burgee\.sqlite(-before-[\dTZ-]+)?(-wal|-shm|-journal|-restoring)?|burgee\.kept(\..*)?|client-key|secret-key(-before-[\dTZ-]+)?)$/
/** What else may be in a directory of ours; the last one is in every fresh file system. */
const HARMLESS = /^(lock\.sock(\.takeover)?|burgee\.witness|lost\+found)$/

/**
 * Takes from other users of the machine what they may do with our files in a directory; also with the directory, where
 * nothing else is in it and it is not one that everybody shares. What the group may do is the operator's choice.
 * Answers one line for each thing that was open, be it closed now or not. Does nothing where files have no modes.
 */
export async function closeToOthers(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = await readdir(real)
  const isOurs = names.every((name) => SECRET.test(name) || HARMLESS.test(name))
  const lines = names.filter((name) => SECRET.test(name)).map((name) => close(join(real, name), true))
  return (await Promise.all([...lines, close(real, isOurs)])).filter((line) => line !== undefined)
}

/** What of ours in a directory other users of the machine may read or write: the paths. Changes nothing. */
export async function openToOthers(directory: string): Promise<string[]> {
  if (process.getuid === undefined) return []
  const real = await realpath(directory)
  const names = (await readdir(real)).filter((name) => SECRET.test(name))
  const paths = [real, ...names.map((name) => join(real, name))]
  const modes = await Promise.all(paths.map((path) => stat(path).catch(() => ({ mode: 0 }))))
  return paths.filter((_path, index) => ((modes[index]?.mode ?? 0) & BY_OTHERS) !== 0)
}

/** A link is never followed: where it leads is not ours to change. */
async function close(path: string, isOurs: boolean): Promise<string | undefined> {
  const link = await lstat(path)
  // a link that leads nowhere yet: what is made there is made closed
  const { mode } = await stat(path).catch(() => ({ mode: 0 }))
  if ((mode & BY_OTHERS) === 0) return undefined
  const was = `${path} was open to other users of this machine (mode ${(mode & 0o777).toString(8)})`
  const may = isOurs && (mode & STICKY) === 0 && !link.isSymbolicLink()
  const isClosed = may && (await changed(path, mode & 0o7777 & ~BY_OTHERS))
  return isClosed ? `${was}; it is closed to them now` : `${was} and still is; close it to them: chmod o= ${path}`
}

/** False where the file is somebody else's. */
async function changed(path: string, mode: number): Promise<boolean> {
  try {
    await chmod(path, mode)
    return true
  } catch {
    return false
  }
}
