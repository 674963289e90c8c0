import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const WAIT_MS = 200

/**
 * Acquires a lock between processes: a file that is created atomically and contains the id of the process that has the
 * lock. Waits while another process has the lock. Takes the lock over if that process has ended. If it has to wait,
 * calls `tell` once with a line of text. Returns a function that releases the lock.
 */
export function acquireLock(path, tell) {
  mkdirSync(dirname(path), { recursive: true })
  const own = `${path}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    for (let hasReported = false; !tryLink(own, path); ) {
      const owner = readOwner(path)
      if (owner === undefined || releaseStale(path, owner, own)) continue
      if (!hasReported) tell(`Waiting for process ${owner}, which sets up this folder too (${path}) ...`)
      hasReported = true
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(path, { force: true })
}

/** Removes the lock of a process that has ended. Returns false if the process is alive. */
function releaseStale(path, owner, own) {
  if (isAlive(owner)) return false
  const stale = `${own}.stale`
  try {
    renameSync(path, stale)
  } catch (error) {
    if (error.code === 'ENOENT') return true
    throw error
  }
  // another process may have taken the lock over in the meantime; if so, restore that lock
  if (readOwner(stale) !== owner) tryLink(stale, path)
  rmSync(stale, { force: true })
  return true
}

function tryLink(from, to) {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readOwner(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
