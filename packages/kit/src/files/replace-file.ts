import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const OWNER_ONLY_FILE = 0o600
/** Age of an abandoned temporary file: no write takes this long, but a younger file may still be in use. */
const LEFTOVER_AGE_MS = 60_000

/**
 * Replaces a file atomically with an owner-only one: writes a temporary file beside it, syncs and renames it. After a
 * crash either the old or the new file exists. A symlink is replaced, not followed. Rejects with the errors of `write`,
 * `mayReplace` or the file system; the old file is unchanged then.
 *
 * @param mayReplace called once the new file is on disk; false keeps the old file
 * @returns true if the file was replaced
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

/** Removes temporary files that killed processes left beside a file. */
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
