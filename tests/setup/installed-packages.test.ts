import { execFile } from 'node:child_process'
import { cpSync, globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isUnread, listWorkspaces, npmArguments, TOOLS } from '../../scripts/setup/packages.mjs'

/**
 * Packages that npm would install for `npm start`, `npm run docs:site` and `npm test`, according to the lockfile alone.
 */
const ROOT = join(import.meta.dirname, '..', '..')
const MAX_BYTES = 350 * 1024 * 1024
const BLOCK_BYTES = 512
const MANIFESTS = ['package.json', 'bin/package.json', 'docs/package.json', 'tests/package.json']

interface Manifest {
  readonly name: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
const listDeclared = (folder: string) => {
  const { dependencies, devDependencies } = readManifest(folder)
  return Object.keys({ ...dependencies, ...devDependencies })
}

let clone: string
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'burgee-installed-'))
  const paths = [...MANIFESTS, 'package-lock.json', '.npmrc', ...globSync('packages/*/package.json', { cwd: ROOT })]
  for (const path of paths) cpSync(join(ROOT, path), join(clone, path))
})
afterAll(() => rmSync(clone, { recursive: true }))

const asked = new Map<string, Promise<string[]>>()

/**
 * Returns `name version` of the packages that npm would install with these tools. Runs npm once for each set of tools.
 */
function listPackages(tools: readonly string[]): Promise<string[]> {
  const key = tools.join(' ')
  const answer =
    asked.get(key) ?? runNpm([...npmArguments('ci', listWorkspaces(clone, tools)), '--dry-run', '--offline'])
  asked.set(key, answer)
  return answer
}

async function runNpm(args: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', args, { cwd: clone, maxBuffer: 2 ** 24 })
  return [...stdout.matchAll(/^add (\S+ \S+)$/gm)].map(([, found = '']) => found).sort()
}

const listNames = (packages: readonly string[]) => new Set(packages.map((one) => one.split(' ')[0]))

describe('npm start', () => {
  test('installs no package that only tests or documentation name', async () => {
    const installed = listNames(await listPackages([]))
    const needed = new Set(['.', ...listWorkspaces(ROOT, [])].flatMap(listDeclared))
    const tools = Object.keys(TOOLS)
      .flatMap(listDeclared)
      .filter((name) => !needed.has(name))
    expect(tools.length).toBeGreaterThan(30)
    expect(tools.filter((name) => installed.has(name))).toEqual([])
    for (const name of ['typescript', 'rolldown', 'vite', 'kysely', 'react']) expect(installed).toContain(name)
  })

  test('leaves at most 350 MB in node_modules', async () => {
    const wanted = new Set(await listPackages([]))
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { name?: string; version: string }>
    }
    const paths = Object.keys(packages).filter((path) => {
      const name = path.split('node_modules/').at(-1)
      return path.includes('node_modules/') && wanted.has(`${packages[path]?.name ?? name} ${packages[path]?.version}`)
    })
    expect(paths.length).toBeGreaterThan(wanted.size / 2)
    const bytes = paths.map(measure).reduce((sum, one) => sum + one, 0)
    expect(bytes).toBeGreaterThan(MAX_BYTES / 10)
    expect(bytes).toBeLessThan(MAX_BYTES)
  })
})

/** Returns the bytes on disk of a package, without nested packages and files that the set-up removes. */
function measure(path: string): number {
  const folder = join(ROOT, path)
  const files = readdirSync(folder, { recursive: true }).map((file) => `${path}/${String(file).split(sep).join('/')}`)
  const isOwn = (file: string) => !file.slice(path.length).includes('/node_modules/')
  const isKept = (file: string) => !file.split('/').some((_, n, parts) => isUnread(parts.slice(0, n + 1).join('/')))
  return files
    .filter((file) => isOwn(file) && isKept(file))
    .map((file) => lstatSync(join(ROOT, file)).blocks * BLOCK_BYTES)
    .reduce((sum, one) => sum + one, 0)
}

describe('tools', () => {
  test.each([
    [['docs'], 'vitepress', 'vitest'],
    [['tests'], 'vitest', 'vitepress'],
  ])('the tools of %s bring %s and not %s', async (tools, expected, other) => {
    const installed = listNames(await listPackages(tools))
    expect(installed).toContain(expected)
    expect(installed).not.toContain(other)
  })

  test('all tools with the rest are the whole lockfile', async () => {
    const whole = await runNpm(['ci', '--include=dev', '--include=optional', '--dry-run', '--offline', '--no-audit'])
    expect(await listPackages(Object.keys(TOOLS))).toEqual(whole)
  })

  test.each(Object.entries(TOOLS))('the tools of %s are recognized by a package that only they bring', (tool, name) => {
    const others = ['.', ...listWorkspaces(ROOT, []), ...Object.keys(TOOLS)].filter((folder) => folder !== tool)
    expect(listDeclared(tool)).toContain(name)
    expect(others.flatMap(listDeclared)).not.toContain(name)
  })
})

const SETUP = /node scripts\/setup\.mjs((?: [a-z]+)*) && exec node_modules\/\.bin\/node .*?([\w/-]+\.(?:mjs|ts))/
/** Scripts that set the folder up before they run a module: the tools that they request, and the module. */
const COMMANDS = Object.entries(readManifest('.').scripts ?? {}).flatMap(([name, command]) => {
  const [, tools = '', entry = ''] = SETUP.exec(command) ?? []
  return entry === '' ? [] : [{ name, entry, tools: tools.split(' ').filter((tool) => tool !== '') }]
})

test('only npm start, dev and pack need no tools', () => {
  expect(COMMANDS.filter(({ tools }) => tools.length === 0).map(({ name }) => name)).toEqual(['start', 'dev', 'pack'])
  expect(COMMANDS.length).toBeGreaterThan(8)
})

test.each([
  ...COMMANDS,
  { name: 'docs', entry: 'scripts/generate-docs.mjs', tools: [] },
  { name: 'the image', entry: 'scripts/image-files.mjs', tools: [] },
  { name: 'the bundle', entry: 'scripts/bundle.mjs', tools: [] },
])('$name imports packages that its set-up installs', async ({ entry, tools }) => {
  const installed = listNames(await listPackages(tools))
  const imported = [...listImports(join(ROOT, entry))]
  expect(imported.filter((name) => !installed.has(name))).toEqual([])
})

/** Returns the packages that a module imports, including imports by modules beside it in the same workspace folder. */
function listImports(path: string, seen = new Set<string>(), found = new Set<string>()): Set<string> {
  if (seen.has(path) || /[\\/]dist[\\/]/.test(relative(ROOT, path))) return found
  seen.add(path)
  for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(/^(?:import|export)[^'\n]* from '([^']+)'/gm)) {
    if (specifier.startsWith('.')) listImports(join(dirname(path), specifier), seen, found)
    else if (!isBuiltin(specifier))
      found.add(
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
  }
  return found
}

test('the container image is built with the manifest of every workspace, which the set-up reads', () => {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const manifests = ['.', ...listWorkspaces(ROOT, Object.keys(TOOLS))].map((folder) => join(folder, 'package.json'))
  const missing = manifests.filter((path) => !included.some((one) => path === one || path.startsWith(`${one}/`)))
  expect(missing).toEqual([])
})
