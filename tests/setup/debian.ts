import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const APT_LIMIT_MS = 300_000
const LOCK_WAIT_MS = 500
/** Folders of system administration programs, which may not be on the PATH. */
const SYSTEM = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/**
 * Finds a program on the PATH or in the sbin folders. Returns undefined if the program is missing. A path is returned
 * unchanged if it exists.
 */
export function whereIs(program: string): string | undefined {
  if (isAbsolute(program)) return existsSync(program) ? program : undefined
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SYSTEM].filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns true if the given programs and paths exist, after installing the given Debian packages if necessary. Installs
 * only as root on a Debian-like system, and starts no services.
 */
export function haveDebian(programs: readonly string[], packages: readonly string[]): boolean {
  const areThere = () => programs.every((program) => whereIs(program) !== undefined)
  if (areThere()) return true
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  try {
    installDebian(packages)
  } catch {
    return false
  }
  return areThere()
}

/** Installs packages with apt. Waits while other tests are installing packages. */
function installDebian(packages: readonly string[]): void {
  aptGet(['update'])
  aptGet(['install', '-y', '--no-install-recommends', ...packages])
}

/**
 * Runs apt-get. Retries while the package lists are locked, because the lock of the package lists has no wait option.
 */
function aptGet(args: readonly string[]): void {
  // runlevel 1 prevents installed services from starting, because they would use their usual ports
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' }
  const end = performance.now() + APT_LIMIT_MS
  for (;;) {
    const options: SpawnSyncOptionsWithStringEncoding = {
      env,
      timeout: APT_LIMIT_MS,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    }
    const { status, stderr } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], options)
    if (status === 0) return
    if (!/lock/i.test(stderr) || performance.now() > end) throw new Error(`apt-get ${args.join(' ')}: ${stderr}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS)
  }
}
