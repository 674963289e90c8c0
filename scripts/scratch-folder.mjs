import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const SCRATCH = /^burgee-tests-(\d+)$/
const MIN_FREE_BYTES = 4 * 2 ** 30

/**
 * Creates a folder for temporary files in `memory` (a RAM disk), because tests create and discard thousands of
 * databases. Returns undefined if there is too little space or the folder cannot be created. Also tries to remove, with
 * `remove`, the folders of earlier runs that were killed.
 */
export function makeScratchFolder(memory, remove = removeFolder) {
  try {
    for (const name of readdirSync(memory)) if (isLeft(name)) attempt(() => remove(join(memory, name)))
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < MIN_FREE_BYTES) return undefined
    const folder = join(memory, `burgee-tests-${process.pid}`)
    mkdirSync(folder)
    // if this process runs as root, PostgreSQL runs as another user
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
}

/** Ignores errors. Containers of a killed run may still mount the old folder; this run can use memory nevertheless. */
function attempt(work) {
  try {
    work()
  } catch {}
}

/** Returns true if the folder belongs to a run that no longer exists. */
function isLeft(name) {
  const pid = SCRATCH.exec(name)?.[1]
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}
