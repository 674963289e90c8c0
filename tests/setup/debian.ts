import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

const APT_LIMIT_MS = 300_000
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
  // a service would take the usual port; what is installed for a test is not to start by itself
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const patience = ['-o', 'DPkg::Lock::Timeout=120']
    execFileSync('apt-get', [...patience, ...args], { env, timeout: APT_LIMIT_MS, stdio: 'ignore' })
  }
}
