import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, joinModules, ROOT } from './join-command.mjs'
import { copyLibrary, readManifest } from './library.mjs'

const ROOMS = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`)
/** Properties that are copied from the manifest of the workspace package. */
const KEPT = ['name', 'version', 'description', 'license', 'type', 'sideEffects', 'engines', 'bin']
const KEYWORDS = ['feature-flags', 'feature-toggles', 'unleash', 'openfeature']
const THREAD = 'packages/storage/dist/drivers/sqlite/connection-thread.js'
/** Modules of the command that load files from beside themselves, together with these files; see ADR 0047. */
const BESIDE = {
  // package.json, which every package contains
  'bin/dist/command.js': [],
  'packages/kit/dist/openapi/docs-routes.js': ['packages/kit/assets'],
  'packages/proxy/dist/plugins/plugins.js': ['packages/proxy/dist/plugins/unleash-client-shim.js'],
  'packages/server/dist/admin/ui/ui-build.js': ['packages/admin-ui/dist'],
  // a separate package, because it has 2 MB that most processes never read
  'packages/server/dist/core/access/passwords/common-passwords.js': [],
  // bundled separately below
  'packages/storage/dist/drivers/sqlite/sqlite-thread.js': [],
}
/** Packages that are installed beside the command instead of being bundled. */
const INSTALLED = ['@zxcvbn-ts/language-common']

/**
 * Creates the published folders `burgee`, `engine`, `proxy` and `testing` below `folder`, and replaces any existing content. Build
 * the workspace and the admin UI first. `repository` is the URL that provenance is checked against, if known.
 */
export async function makePackages(folder, repository) {
  rmSync(folder, { recursive: true, force: true })
  await makeCommand(join(folder, 'burgee'), repository)
  makeLibrary('packages/engine', ['engine'], join(folder, 'engine'), repository)
  makeLibrary('packages/proxy', ['library'], join(folder, 'proxy'), repository)
  makeLibrary('packages/testing', ['testing', 'playwright'], join(folder, 'testing'), repository)
}

async function makeCommand(folder, repository) {
  const looking = []
  const placeOf = (id) => {
    const files = BESIDE[id.replaceAll('\\', '/')]
    if (files === undefined) throw new Error(`${id} asks for its own place, and nobody said what it looks for there`)
    looking.push(...files)
    return join('..', id.replace(/^bin[\\/]/, ''))
  }
  await joinModules({ ...COMMAND, folder: join(folder, 'bundle'), placeOf })
  await joinModules({ name: 'connection-thread', entry: THREAD, folder: join(folder, THREAD, '..'), placeOf })
  for (const path of looking) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  for (const file of ['burgee.mjs', 'README.md']) cpSync(join(ROOT, 'bin', file), join(folder, file))
  cpSync(join(ROOT, 'THIRD-PARTY-NOTICES.md'), join(folder, 'THIRD-PARTY-NOTICES.md'))
  cpSync(join(ROOT, 'deploy', 'systemd'), join(folder, 'systemd'), { recursive: true })
  const files = ['burgee.mjs', 'bundle', 'packages', 'systemd', 'THIRD-PARTY-NOTICES.md']
  finish(folder, 'bin', repository, { files, exports: {}, dependencies: readVersions(INSTALLED) })
}

/** Returns the name, version and licence of each package installed beside the command, and of their dependencies. */
export function installedPackages() {
  const found = new Map()
  const take = (name) => {
    if (found.has(name)) return
    const { version, license, dependencies = {} } = readManifest(join('node_modules', name))
    found.set(name, { name, version, licence: license })
    Object.keys(dependencies).forEach(take)
  }
  INSTALLED.forEach(take)
  return [...found.values()]
}

/** The first of the entries has the name of the package; others have their own name below it. */
function makeLibrary(room, entries, folder, repository) {
  mkdirSync(folder, { recursive: true })
  const packages = new Set(entries.flatMap((entry) => [...copyLibrary(`${room}/dist/${entry}.js`, folder)]))
  cpSync(join(ROOT, room, 'README.md'), join(folder, 'README.md'))
  const modules = entries.map((entry, at) => {
    const path = `./dist/${room.split('/')[1]}/${entry}`
    return [at === 0 ? '.' : `./${entry}`, { types: `${path}.d.ts`, default: `${path}.js` }]
  })
  const exports = { ...Object.fromEntries(modules), './package.json': './package.json' }
  finish(folder, room, repository, { files: ['dist'], exports, dependencies: readVersions([...packages].sort()) })
}

function finish(folder, room, repository, more) {
  const manifest = readManifest(room)
  const kept = Object.fromEntries(KEPT.filter((name) => name in manifest).map((name) => [name, manifest[name]]))
  const known = repository === undefined ? {} : { repository: { type: 'git', url: repository } }
  const published = { ...kept, keywords: KEYWORDS, ...known, ...more, publishConfig: { access: 'public' } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
}

/**
 * Returns the versions of packages that the workspace is tested with. Throws for a package that is not in any manifest.
 */
function readVersions(names) {
  const known = Object.assign({}, ...ROOMS.map((room) => readManifest(room).dependencies))
  const missing = names.filter((name) => known[name] === undefined)
  if (missing.length > 0) throw new Error(`Imported, and in no manifest: ${missing.join(', ')}`)
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}
