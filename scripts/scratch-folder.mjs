import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const SCRATCH = /^burgee-tests-(\d+)$/
const MIN_FREE_BYTES = 4 * 2 ** 30

/**
 * Creates a folder for temporary files in `memory`, because tests create and discard thousands of databases. Returns
 * undefined if there is too little space or the creation fails. Also removes the folders of killed runs with `remove`,
 * if possible.
 */
export function makeScratchFolder(memory, remove = removeFolder) {
  try {
    for (const name of readdirSync(memory)) if (isLeft(name)) attempt(() => remove(join(memory, name)))
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < MIN_FREE_BYTES) return undefined
    const folder = join(memory, `burgee-tests-${process.pid}`)
    mkdirSync(folder)
    // if this runs as root, PostgreSQL runs as another user
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
}

/** Ignores errors. Containers of a killed run may still mount the folder; the new run can use memory nevertheless. */
function attempt(work) {
  try {
    work()
  } catch {}
}

/** Returns true for the folder of a run that no longer exists. */
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
