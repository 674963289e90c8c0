import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { whereIs } from '../setup/debian.ts'

const ROOT = dirname(dirname(import.meta.dirname))
/** Folder of installed SDKs. The folder remains after a run, and git ignores it. */
const CACHE = join(ROOT, '.cache', 'sdks')
const INSTALL_LIMIT_MS = 600_000
/** Version that Maven 3.8 would choose by itself. */
const MAVEN_DEPENDENCY_PLUGIN = '2.8'
const DRIVERS = join(import.meta.dirname, 'drivers')

/** Command of a driver, ready to run. */
export interface DriverCommand {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Toolchain that installs and runs the drivers of a language. */
export interface Toolchain {
  /** Programs that must be found on the PATH. */
  readonly programs: readonly string[]
  /** Installs a version of an SDK and returns the command that starts its driver. */
  install(version: string): Promise<DriverCommand>
}

/** Errors of package managers that cannot reach their registry: pip, Maven, Cargo, Go, npm. */
const UNREACHABLE = [
  /Failed to establish a new connection|NewConnectionError|ConnectTimeoutError|Name or service not known/,
  /Could not transfer artifact.*(?:Connection refused|Connect timed out|Unknown host|UnknownHostException)/s,
  /Could not (?:connect to server|resolve host)/,
  /(?:Tunnel connection|CONNECT tunnel) failed/,
  /Timeout was reached|Connection timed out|ReadTimeoutError/,
  /dial tcp/,
  /npm error code E(?:CONN|NOTFOUND|AI_AGAIN|TIMEDOUT)/,
]

/** Returns the line of a package manager's output that shows that its registry cannot be reached, or undefined. */
export function findUnreachable(output: string): string | undefined {
  return output.split('\n').find((line) => UNREACHABLE.some((sign) => sign.test(line)))
}

/** Thrown if the registry of a toolchain cannot be reached from this machine. */
export class RegistryUnavailable extends Error {}

/**
 * Installs an SDK. If this machine lacks a program for it, or cannot reach the package registry, prints the reason and
 * returns undefined. Throws if the installation itself fails.
 */
export async function installIfPossible(
  name: string,
  { programs, install }: Toolchain,
  version: string,
): Promise<DriverCommand | undefined> {
  const missing = programs.filter((program) => whereIs(program) === undefined)
  if (missing.length > 0) return printSkipped(`${name} skipped: ${missing.join(', ')} not found`)
  try {
    return await install(version)
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error
    return printSkipped(`${name} skipped: ${error.message}`)
  }
}

function printSkipped(line: string): undefined {
  process.stdout.write(`${line}\n`)
  return undefined
}

/** Returns a folder of the cache that `fill` has filled completely, in this or an earlier run. */
async function installOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  await fill(partial)
  try {
    renameSync(partial, folder)
  } catch (error) {
    // another process has created the folder first
    if (!existsSync(folder)) throw error
    rmSync(partial, { recursive: true, force: true })
  }
  return folder
}

/**
 * Runs a package manager or compiler. Rejects with `RegistryUnavailable` if its registry cannot be reached, and with its
 * output if it fails otherwise.
 */
export function runInstaller(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const options = { env: { ...process.env, ...env }, timeout: INSTALL_LIMIT_MS, maxBuffer: 16 << 20 }
  return new Promise((resolve, reject) => {
    execFile(program, [...args], options, (error, output, errors) => {
      if (error === null) return resolve()
      const line = findUnreachable(`${output}\n${errors}`)
      if (line !== undefined)
        return reject(new RegistryUnavailable(`${program} cannot reach its registry: ${line.trim()}`))
      reject(new Error(`${error.message}\n${output.slice(-2000)}\n${errors.slice(-2000)}`))
    })
  })
}

/** Toolchain for Python, with the driver for one package. The requirements pin every package by its hash. */
export function python(driver: string, file: string): Toolchain {
  const folder = join(DRIVERS, 'python')
  return {
    programs: ['python3'],
    install: async (version) => {
      const requirements = join(folder, `${file}-${version}.txt`)
      const name = `python-${file}-${version}-${hashFiles(requirements)}`
      const packages = await installOnce(name, (target) =>
        runInstaller('python3', [
          ...['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:'],
          ...['--target', target, '-r', requirements],
        ]),
      )
      return { command: ['python3', join(folder, driver)], env: { PYTHONPATH: packages, PYTHONWARNINGS: 'ignore' } }
    },
  }
}

/** All installations with Maven write to one repository, so they run one after the other. */
let lastMaven: Promise<unknown> = Promise.resolve()

/**
 * Toolchain for Java, with the driver of a Maven project whose property `sdk` is the SDK's version. The driver is
 * compiled once.
 */
export function java(project: string): Toolchain {
  const folder = join(DRIVERS, project)
  const source = join(folder, 'Driver.java')
  const fill = (version: string) => async (target: string) => {
    await runInstaller('mvn', [
      ...['-B', '-q', '-f', join(folder, 'pom.xml'), `-Dsdk=${version}`, `-Dmaven.repo.local=${join(CACHE, 'maven')}`],
      `org.apache.maven.plugins:maven-dependency-plugin:${MAVEN_DEPENDENCY_PLUGIN}:copy-dependencies`,
      ...['-DincludeScope=runtime', `-DoutputDirectory=${target}`],
    ])
    await runInstaller('javac', ['-cp', `${target}/*`, '-d', target, source])
  }
  return {
    programs: ['java', 'javac', 'mvn'],
    install: async (version) => {
      const name = `${project}-${version}-${hashFiles(join(folder, 'pom.xml'), source)}`
      const installed = lastMaven.then(() => installOnce(name, fill(version)))
      lastMaven = installed.catch(() => undefined)
      const classes = await installed
      return { command: ['java', '-XX:TieredStopAtLevel=1', '-cp', `${classes}:${classes}/*`, 'Driver'], env: {} }
    },
  }
}

/** Toolchain for Rust, with the driver of a Cargo package whose lock file pins every crate. */
export function rust(name: string): Toolchain {
  const manifest = join(DRIVERS, name, 'Cargo.toml')
  const target = join(CACHE, `${name}-target`)
  return {
    programs: ['cargo'],
    install: async () => {
      await runInstaller('cargo', ['build', '--locked', '--manifest-path', manifest], { CARGO_TARGET_DIR: target })
      return { command: [join(target, 'debug', 'sdk-driver')], env: {} }
    },
  }
}

/** Toolchain for Go, with the driver of a module whose go.sum pins every dependency. */
export function go(name: string): Toolchain {
  const folder = join(DRIVERS, name)
  return {
    programs: ['go'],
    install: async () => {
      const binary = join(CACHE, `${name}-driver`)
      const env = { GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' }
      await runInstaller('go', ['build', '-C', folder, '-o', binary, '.'], env)
      return { command: [binary], env: {} }
    },
  }
}

let nodePackages: Promise<string> | undefined

/**
 * Toolchain for Node.js, with one driver. A single lock file contains all versions, each under the name of its package
 * and its major version.
 */
export function node(driver: string, name: string): Toolchain {
  const folder = join(DRIVERS, 'node')
  const fill = async (target: string) => {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(target, file))
    // an old browser SDK has React Native as a peer dependency
    const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
    await runInstaller('npm', ['ci', '--prefix', target, ...options])
  }
  return {
    programs: ['npm'],
    install: async (version) => {
      nodePackages ??= installOnce(`node-${hashFiles(join(folder, 'package-lock.json'))}`, fill)
      const [major] = version.split('.')
      const module = join(await nodePackages, 'node_modules', `${name}-${major}`)
      return { command: [process.execPath, join(folder, driver), module], env: {} }
    },
  }
}

/** Returns a part of the hash of files, so that drivers are installed again if pins or drivers change. */
function hashFiles(...paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(readFileSync(path))
  return hash.digest('hex').slice(0, 12)
}
