import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const OUTPUT_BYTES = 64 * 1024 * 1024

/**
 * Search path that prefers the programs of the workspace, and the Node that runs the tests, over the programs of the
 * machine.
 */
const PATH = [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter)

/** Runs a program and returns its output. If the program fails, rejects with an Error that includes all output. */
export async function run(file: string, args: readonly string[], cwd: string = ROOT): Promise<string> {
  const env = { ...process.env, PATH, npm_config_update_notifier: 'false' }
  try {
    return (await promisify(execFile)(file, [...args], { cwd, env, maxBuffer: OUTPUT_BYTES })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** Creates the tarballs to publish in a folder. Returns their paths by package name. */
export async function pack(folder: string): Promise<Readonly<Record<string, string>>> {
  mkdirSync(folder, { recursive: true })
  await run(process.execPath, [join(ROOT, 'scripts', 'pack.mjs'), folder])
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
  return Object.fromEntries(
    ['burgee', 'engine', 'proxy', 'testing'].map((name) => {
      const prefix = name === 'burgee' ? 'burgee-' : `burgee-${name}-`
      const file = files.find((one) => new RegExp(`^${prefix}\\d`).test(one))
      if (file === undefined) throw new Error(`No tarball of ${name} among ${files.join(', ')}`)
      return [name, join(folder, file)]
    }),
  )
}

/** Installs tarballs like a production install, into a new, otherwise empty folder. */
export async function install(folder: string, tarballs: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--omit=dev', ...quiet, ...tarballs], folder)
}

/**
 * Returns the total size of all files below a folder (links are not followed), and the names of all packages in its
 * node_modules, including nested packages.
 */
export function measure(folder: string): { readonly bytes: number; readonly packages: readonly string[] } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  const manifest = /node_modules\/((?:@[^/]+\/)?[^/.@][^/]*)\/package\.json$/
  return {
    bytes: paths.reduce((sum, path) => sum + readFileSync(path).length, 0),
    packages: paths.flatMap((path) => manifest.exec(path.replaceAll('\\', '/'))?.[1] ?? []).sort(),
  }
}
