/**
 * Prepares a fresh clone: installs the locked dependencies, then builds the parts whose sources changed. Uses only
 * built-in modules and works on Node 20, because it runs before anything is installed. Does nothing if everything is up
 * to date.
 *
 * Without arguments, installs the packages for building and running. Arguments name workspaces whose tools are
 * installed as well: `node scripts/setup.mjs docs tests`. Tools that are already installed remain installed.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acquireLock } from './setup/lock.mjs'
import * as packages from './setup/packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const NEEDED = [22, 13]
const MS_PER_SECOND = 1000
/** Size of node_modules with each set of tools. Printed for users, who have to wait for the installation. */
const SIZES = { '': '340 MB', docs: '400 MB', tests: '750 MB', 'docs tests': '800 MB' }

const startMs = performance.now()
let isSettingUp = false

const tools = process.argv.slice(2)

const release = acquireLock(join(root, '.cache', 'setup.pid'), console.log)
try {
  rejectUnknownTools()
  await installIfNeeded()
  ensureNode()
  await Promise.all([buildIfNeeded(), buildAdminIfNeeded()])
  if (isSettingUp) console.log(`Set up in ${Math.round((performance.now() - startMs) / MS_PER_SECOND)} s.`)
} catch (error) {
  console.error(`Setting up failed: ${error.message}`)
  process.exitCode = 1
} finally {
  release()
}

function rejectUnknownTools() {
  const unknown = tools.filter((tool) => !(tool in packages.TOOLS))
  if (unknown.length === 0) return
  throw new Error(`${unknown.join(', ')} is no workspace of tools; there are ${Object.keys(packages.TOOLS).join(', ')}`)
}

/** Replaces node_modules if the lockfile or a manifest changed; otherwise adds only the tools that are missing. */
async function installIfNeeded() {
  const stamp = join(root, 'node_modules', '.burgee-installed')
  const all = packages.listWorkspaces(root, Object.keys(packages.TOOLS))
  const manifests = ['', ...all].map((folder) => join(folder, 'package.json'))
  const locked = `${digest([...manifests, 'package-lock.json'])} ${process.platform} ${process.arch}`
  const [known, ...complete] = read(stamp)?.split('\n') ?? []
  const isCurrent = known === locked
  if (isCurrent && tools.every((tool) => complete.includes(tool))) return
  const kept = isCurrent ? complete : packages.listInstalledTools(root)
  const wanted = Object.keys(packages.TOOLS).filter((tool) => tools.includes(tool) || kept.includes(tool))
  say(1, `installing the packages of the lockfile, ${SIZES[wanted.join(' ')]}`)
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const workspaces = packages.listWorkspaces(root, wanted)
  packages.renewRecord(root)
  await run([...npm, ...packages.npmArguments(isCurrent ? 'install' : 'ci', workspaces)])
  packages.removeUnread(root)
  writeFileSync(stamp, [locked, ...wanted].join('\n'))
}

/**
 * Falls back to the Node that is installed on the machine, which must be new enough. The packaged Node does not run on
 * some machines, for example with musl or on a rare processor.
 */
function ensureNode() {
  const packaged = join(root, 'node_modules', '.bin', 'node')
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
    throw new Error(`Burgee needs Node ${NEEDED.join('.')} or newer on this platform; this is ${process.version}.`)
  }
  rmSync(packaged, { force: true })
  symlinkSync(process.execPath, packaged)
}

/**
 * Compiles server and proxy if their sources changed. Does not check types, which would take five times as long; `npm
 * run check` does.
 */
async function buildIfNeeded() {
  const stamp = join(root, '.cache', 'built')
  const settings = [
    'tsconfig.json',
    'tsconfig.base.json',
    'package-lock.json',
    'scripts/bundle.mjs',
    'scripts/packing/join-command.mjs',
  ]
  const wanted = digest([...settings, ...sourcesBelow('packages'), ...sourcesBelow('bin')])
  if (read(stamp) === wanted && existsSync(join(root, 'bin', 'bundle'))) return
  say(2, 'compiling server and proxy')
  await run([join(root, 'node_modules', '.bin', 'tsc'), '-b', '--noCheck'])
  await run([join(root, 'node_modules', '.bin', 'node'), join(root, 'scripts', 'bundle.mjs')])
  writeFileSync(stamp, wanted)
}

/** Builds the admin UI if its sources, the included protocol sources, or the lockfile changed. */
async function buildAdminIfNeeded() {
  const stamp = join(root, '.cache', 'built-admin')
  const wanted = digest([
    'package-lock.json',
    ...sourcesBelow(join('packages', 'admin-ui')),
    ...sourcesBelow(join('packages', 'protocol')),
  ])
  if (read(stamp) === wanted && existsSync(join(root, 'packages', 'admin-ui', 'dist', 'index.html'))) return
  say(3, 'building the admin UI')
  await run([join(root, 'node_modules', '.bin', 'vite'), 'build', '--logLevel=warn', join('packages', 'admin-ui')])
  writeFileSync(stamp, wanted)
}

/** Prints a step. Steps that have nothing to do print nothing. */
function say(step, what) {
  isSettingUp = true
  console.log(`Setting up, ${step} of 3: ${what} ...`)
}

/** Runs a command in the root folder. Rejects if it fails. */
function run(command) {
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` }
  const [file, ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', env })
    child.on('error', reject)
    child.on('close', (status) => {
      if (status === 0) resolve()
      else reject(new Error(`${args[0] ?? file} failed with status ${status}`))
    })
  })
}

function sourcesBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map(String)
    .filter((path) => !/(^|\/)(node_modules|dist|bundle)\//.test(path) && /\.(ts|tsx|json|css|html|svg)$/.test(path))
    .map((path) => join(folder, path))
    .sort()
}

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
