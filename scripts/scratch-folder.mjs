import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const SCRATCH = /^burgee-tests-(\d+)$/
const LEAST_FREE_BYTES = 4 * 2 ** 30

/**
 * Makes a folder for temporary files in `memory`, where there is room: thousands of databases are made and thrown away.
 * Undefined where none can be made. What runs that were killed have left behind is removed (`remove`), as far as it can be.
 */
export function makeScratchFolder(memory, remove = removeFolder) {
  try {
    for (const name of readdirSync(memory)) if (isLeft(name)) attempt(() => remove(join(memory, name)))
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < LEAST_FREE_BYTES) return undefined
    const folder = join(memory, `burgee-tests-${process.pid}`)
    mkdirSync(folder)
    // PostgreSQL runs as somebody else where this is root
    chmodSync(folder, 0o755)
    return folder
  } catch {
    return undefined
  }
}

function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
}

/** Containers of a killed run may still be mounted there, which is no reason to go without memory. */
function attempt(work) {
  try {
    work()
  } catch {}
}

/** Whether it is the folder of a run that was killed. */
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
