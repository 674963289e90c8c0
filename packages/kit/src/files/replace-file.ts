import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY_FILE = 0o600
/**
 * Age above which a temporary file is considered abandoned. Every write takes less time than this, so a file of this
 * age is no longer in use.
 */
const LEFTOVER_AGE_MS = 60_000

/**
 * Replaces a file atomically with a file that only its owner can access. Writes a temporary file in the same folder,
 * syncs it and renames it, so that after a crash either the old or the new file exists. Replaces a symlink instead of
 * following it. Rejects with the errors of `write`, of `mayReplace` or of the file system; the old file is then
 * unchanged.
 *
 * @param mayReplace called once the new file is on disk; returns false to leave the old file in place
 * @returns resolves with true if the file was replaced
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

/** Removes temporary files next to a file that were left behind by killed processes. */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const besides = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'),
  )
  for (const name of besides) {
    const beside = join(folder, name)
    const { mtimeMs } = await stat(beside).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > LEFTOVER_AGE_MS) await rm(beside, { force: true })
  }
}
