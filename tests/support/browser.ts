import { execFile } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

/** Chromium on this machine. */
export interface Binary {
  readonly path: string
  /** Environment variables that the binary needs. */
  readonly env?: Readonly<Record<string, string>>
}

/** Source of a Chromium. `find` resolves with undefined if the source has none. */
export interface BrowserSource {
  readonly name: string
  readonly find: () => Promise<Binary | undefined>
}

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const LAUNCH_LIMIT_MS = 30_000
const APT_LIMIT_MS = 240_000
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run']
const run = promisify(execFile)

/** Timeout in milliseconds for tests that call `launchBrowser`, which may have to install a package. */
export const BROWSER_LIMIT_MS = 300_000

/**
 * Starts a headless Chromium: the first of `listBrowserSources` that starts. `more` adds arguments. Rejects with an
 * Error that lists each attempt and its failure.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  return launchFirst(listBrowserSources(process.env), more)
}

/**
 * Lists the sources of a browser in order: only CHROMIUM_PATH if it is set; otherwise the pinned npm package, a browser
 * on the PATH (such as Debian's), and apt.
 */
export function listBrowserSources(environment: NodeJS.ProcessEnv): readonly BrowserSource[] {
  const given = environment.CHROMIUM_PATH
  if (given) return [{ name: `CHROMIUM_PATH=${given}`, find: async () => findGiven(given) }]
  return [
    { name: 'npm package @sparticuz/chromium', find: async () => ({ path: join(await unpacked(), 'chromium') }) },
    { name: 'npm package @sparticuz/chromium with its own libraries', find: findWithLibraries },
    { name: 'PATH', find: async () => findOnPath(environment.PATH) },
    { name: 'apt', find: installed },
  ]
}

/** Starts the browser of the first source that starts. Rejects with an Error that lists each attempt. */
export async function launchFirst(sources: readonly BrowserSource[], more: readonly string[] = []): Promise<Browser> {
  return (await launchWithBinary(sources, more)).browser
}

async function launchWithBinary(sources: readonly BrowserSource[], more: readonly string[]) {
  const failures: string[] = []
  for (const { name, find } of sources) {
    try {
      const binary = await find()
      if (binary === undefined) failures.push(`${name}: none`)
      else return { binary, browser: await launch(binary, more) }
    } catch (error) {
      failures.push(`${name}: ${summarize(error)}`)
    }
  }
  throw new Error(
    `No Chromium starts here; set CHROMIUM_PATH to one that does. Tried:\n${failures.map((one) => `  ${one}`).join('\n')}`,
  )
}

/** Returns the cause and output of a failed browser start, without the long command line and without repeated lines. */
function summarize(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const lines = stripVTControlCharacters(error.message).split('\n')
  const told = lines.map((line) => line.replace(/^[\s-]+/, '')).filter((line) => line !== '' && !NOISE.test(line))
  return [...new Set(told)].slice(0, 8).join('\n    ')
}

const NOISE = /<launch(?:ing|ed)>|^(?:Browser logs|Call log):$|^\[pid=\d+\] <(?:gracefully|kill|forcefully|will)/

/**
 * Finds the Chromium that `launchBrowser` would start, for programs that start it themselves, with its arguments.
 * Rejects with an Error that lists each attempt.
 */
export async function findChromium(): Promise<Binary & { readonly args: readonly string[] }> {
  const found = await launchWithBinary(listBrowserSources(process.env), [])
  await found.browser.close()
  return { ...found.binary, args: ARGUMENTS }
}

function findGiven(path: string): Binary {
  if (!isExecutable(path)) throw new Error('is not an executable file')
  return { path }
}

async function findWithLibraries(): Promise<Binary> {
  const folder = await unpacked()
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_PATH: join(folder, 'fonts') }
  return { path: join(folder, 'chromium'), env }
}

function launch({ path: executablePath, env = {} }: Binary, more: readonly string[]): Promise<Browser> {
  const variables = { ...process.env, ...env } as Record<string, string>
  const args = [...ARGUMENTS, ...more]
  return chromium.launch({ executablePath, headless: true, args, env: variables, timeout: LAUNCH_LIMIT_MS })
}

function findOnPath(folderList = ''): Binary | undefined {
  const folders = folderList.split(delimiter).filter((folder) => folder !== '')
  const path = folders.flatMap((folder) => COMMANDS.map((command) => join(folder, command))).find(isExecutable)
  return path === undefined ? undefined : { path }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * Returns the folder of the package's Chromium, unpacked once per version. The package unpacks into the temporary
 * folder and mistakes a partial file for a complete one, so it runs in its own process and folder.
 */
async function unpacked(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8'))
  const cache = join(ROOT, '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const beside = mkdtempSync(join(cache, 'unpacking-'))
  const script = 'import("@sparticuz/chromium").then((chromium) => chromium.default.executablePath())'
  try {
    // makes the package unpack its libraries as well
    const env = { ...process.env, TMPDIR: beside, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT, env })
    renameSync(beside, folder)
  } catch (error) {
    rmSync(beside, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

async function installed(): Promise<Binary | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const options = { timeout: APT_LIMIT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  // other tests may be running apt at the same time
  const patience = ['-o', 'DPkg::Lock::Timeout=120']
  await run('apt-get', [...patience, 'update'], options)
  await run('apt-get', [...patience, 'install', '-y', '--no-install-recommends', 'chromium'], options)
  return findOnPath(process.env.PATH)
}
