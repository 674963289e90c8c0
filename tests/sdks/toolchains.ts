import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whereIs } from '../setup/debian.ts'

const ROOT = dirname(dirname(import.meta.dirname))
/** Folder of installed SDKs. It stays after a run, and git ignores it. */
const CACHE = join(ROOT, '.cache', 'sdks')
const INSTALL_LIMIT_MS = 600_000
const DRIVERS = join(import.meta.dirname, 'drivers')

/** Command of a driver, ready to run. */
export interface DriverCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Toolchain that installs and runs the drivers of a language. */
export interface Toolchain {
  /** Programs that must be on the PATH. */
  readonly programs: readonly string[]
  /** Installs a version and returns the command of its driver. */
  install(version: string): Promise<DriverCommand>
}

/** Returns the programs of a toolchain that this machine lacks. */
export function listMissing({ programs }: Toolchain): readonly string[] {
  return programs.filter((program) => whereIs(program) === undefined)
}

/** Returns a folder of the cache that `fill` has filled completely, in this or an earlier run. */
async function installOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  await fill(partial)
  renameSync(partial, folder)
  return folder
}

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const options = { env: { ...process.env, ...env }, timeout: INSTALL_LIMIT_MS, maxBuffer: 16 << 20 }
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, output, errors) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${output.slice(-2000)}\n${errors.slice(-2000)}`))
    })
  })
}

/** Python with the driver of one package. The requirements pin every package by its hash. */
export function python(driver: string, file: string): Toolchain {
  const folder = join(DRIVERS, 'python')
  return {
    programs: ['python3'],
    install: async (version) => {
      const requirements = join(folder, `${file}-${version}.txt`)
      const packages = await installOnce(`python-${file}-${version}`, (target) =>
        run('python3', [
          ...['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:'],
          ...['--target', target, '-r', requirements],
        ]),
      )
      return { command: ['python3', join(folder, driver)], env: { PYTHONPATH: packages, PYTHONWARNINGS: 'ignore' } }
    },
  }
}
