import { type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const APT_LIMIT_MS = 300_000
const LOCK_WAIT_MS = 500
/** Where programs for administrators are, which are not on everybody's PATH. */
const SYSTEM = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** Where a program is: on the PATH or among those for administrators; undefined elsewhere. A path is itself, where it is there. */
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
 * Whether these programs and paths are there, after those that are not were installed from these packages of Debian: where the tests
 * run as root on a Debian or its like. No service of theirs is started.
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

/** Installs packages by apt; waits for other tests that may be installing something else just now. */
function installDebian(packages: readonly string[]): void {
  aptGet(['update'])
  aptGet(['install', '-y', '--no-install-recommends', ...packages])
}

/** The lists of packages have a lock that apt does not wait for, whatever it is told of the other one. */
function aptGet(args: readonly string[]): void {
  // a service would take the usual port; what is installed for a test is not to start by itself
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' }
  const end = performance.now() + APT_LIMIT_MS
  for (;;) {
    const options: SpawnSyncOptionsWithStringEncoding = {
      ...{ env, timeout: APT_LIMIT_MS, encoding: 'utf8' },
      stdio: ['ignore', 'ignore', 'pipe'],
    }
    const { status, stderr } = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], options)
    if (status === 0) return
    if (!/lock/i.test(stderr) || performance.now() > end) throw new Error(`apt-get ${args.join(' ')}: ${stderr}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS)
  }
}
