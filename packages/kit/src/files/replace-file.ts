import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY_FILE = 0o600
/** No write takes this long, so an older file was left behind. Another process may still be writing a younger one. */
const LEFTOVER_MS = 60_000

/**
 * Replaces a file whole, with one that is the owner's alone: written beside, brought to the disk, renamed; so a crash
 * leaves the old one or the new one, and a link is replaced, not followed. Rejects with what `write`, `mayReplace` or the
 * file system throw; the old one is still there then.
 *
 * @param mayReplace asked when the new one is on the disk: whether it is still to take the place of the old one
 * @returns whether it was replaced
 */
export async function replaceFile(
  path: string,
  write: (file: FileHandle) => Promise<void>,
  mayReplace?: () => Promise<boolean>,
): Promise<boolean> {
  const beside = `${path}.${crypto.randomUUID()}.tmp`
  try {
    const file = await open(beside, 'wx', OWNER_ONLY_FILE)
    try {
      await write(file)
      await file.sync()
    } finally {
      await file.close()
    }
    const isToReplace = (await mayReplace?.()) ?? true
    if (isToReplace) await rename(beside, path)
    else await rm(beside)
    return isToReplace
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** Removes what processes that were killed have left beside a file when they replaced it. */
export async function sweepBeside(path: string): Promise<void> {
  const folder = dirname(path)
  const besides = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'),
  )
  for (const name of besides) {
    const beside = join(folder, name)
    const { mtimeMs } = await stat(beside).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFTOVER_MS) await rm(beside, { force: true })
  }
}
