/**
 * Prepares a fresh clone: installs the locked dependencies, then builds what changed. Runs before anything is
 * installed, so it uses built-in modules only and works on Node 20. Does nothing if everything is up to date.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK_WAIT_MS = 200
const NEEDED = [22, 13]
const MS_PER_SECOND = 1000

const begun = performance.now()
let isSettingUp = false

const release = lock(join(root, '.cache', 'setup.lock'))
try {
  installIfNeeded()
  ensureNode()
  buildIfNeeded()
  buildAdminIfNeeded()
  if (isSettingUp) console.log(`Set up in ${Math.round((performance.now() - begun) / MS_PER_SECOND)} s.`)
} catch (error) {
  console.error(`Setting up failed: ${error.message}`)
  process.exitCode = 1
} finally {
  release()
}

function installIfNeeded() {
  const manifests = ['package.json', 'package-lock.json', ...manifestsBelow('packages'), 'bin/package.json']
  const stamp = join(root, 'node_modules', '.burgee-installed')
  const wanted = `${digest(manifests)} ${process.platform} ${process.arch}`
  if (read(stamp) === wanted) return
  const all = Object.values(JSON.parse(read(join(root, 'package-lock.json'))).packages)
  const count = all.filter(({ optional, link }) => !optional && !link).length
  say(1, `installing ${count} packages, 900 MB with all that tests and tools need: a minute or two with a good line`)
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  run([...npm, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, wanted)
}

/**
 * Falls back to the machine's own Node, which must be new enough: the packaged Node does not run everywhere (musl, rare
 * processors).
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

function buildIfNeeded() {
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
  say(2, 'compiling server and proxy: some 15 seconds')
  run([join(root, 'node_modules', '.bin', 'tsc'), '-b'])
  run([join(root, 'node_modules', '.bin', 'node'), join(root, 'scripts', 'bundle.mjs')])
  writeFileSync(stamp, wanted)
}

/** Builds the admin UI if its sources or the lockfile changed; of other packages it uses types only. */
function buildAdminIfNeeded() {
  const stamp = join(root, '.cache', 'built-admin')
  const wanted = digest(['package-lock.json', ...sourcesBelow(join('packages', 'admin-ui'))])
  if (read(stamp) === wanted && existsSync(join(root, 'packages', 'admin-ui', 'dist', 'index.html'))) return
  say(3, 'building the admin UI: some 15 seconds')
  run([join(root, 'node_modules', '.bin', 'vite'), 'build', '--logLevel=warn', join('packages', 'admin-ui')])
  writeFileSync(stamp, wanted)
}

/** Prints a step. Steps with nothing to do print nothing. */
function say(step, what) {
  isSettingUp = true
  console.log(`Setting up, ${step} of 3: ${what} ...`)
}

function run(command) {
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` }
  const [file, ...args] = command
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: 'inherit', env })
  if (status !== 0) throw error ?? new Error(`${args[0] ?? file} failed with status ${status}`)
}

function manifestsBelow(folder) {
  return readdirSync(join(root, folder))
    .map((name) => join(folder, name, 'package.json'))
    .filter((path) => existsSync(join(root, path)))
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

/** Acquires the lock: `npm start` and `npm test` may run at once. A lock whose owner has ended is taken over. */
function lock(folder) {
  mkdirSync(dirname(folder), { recursive: true })
  const owner = join(folder, 'pid')
  for (;;) {
    try {
      mkdirSync(folder)
      writeFileSync(owner, String(process.pid))
      return () => rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const pid = Number(read(owner))
      if (pid > 0 && !isAlive(pid)) rmSync(folder, { recursive: true, force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS)
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
