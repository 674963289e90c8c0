import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { ROOT } from './join-command.mjs'

const OURS = /^@burgee\/([a-z]+)(?:\/(.+))?$/
const MAP_COMMENT = /^\/\/# sourceMappingURL=.*$/gm
/** Files that modules load from beside themselves, as paths in the workspace. */
const BESIDE = {
  'packages/kit/dist/openapi/docs-routes.js': ['packages/kit/assets'],
  'packages/proxy/dist/plugins/plugins.js': ['packages/proxy/dist/plugins/unleash-client-shim.js'],
}

/**
 * Copies a built module, all workspace modules that it imports, and their types into `folder`. Imports from other
 * workspace packages become relative paths, so that only this package is published. Returns the names of the imported
 * third-party packages. `entry` is a path in the workspace, such as `packages/proxy/dist/library.js`. Throws for an
 * import that cannot be resolved, and for a module that loads files from beside itself and is not listed in `BESIDE`.
 */
export function copyLibrary(entry, folder) {
  const packages = new Set()
  const seen = new Set()
  const copy = (path) => {
    if (seen.has(path)) return
    seen.add(path)
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(MAP_COMMENT, '')
    copyBeside(path, text, folder)
    let [written, end] = ['', 0]
    for (const { value, start, end: next } of listSpecifiers(text, path)) {
      const target = resolveTarget(value, path)
      if (target === undefined && !isBuiltin(value)) packages.add(getPackage(value))
      if (target === undefined) continue
      copy(target)
      written += `${text.slice(end, start)}'${pathBetween(placed(path), placed(target))}'`
      end = next
    }
    write(join(folder, placed(path)), written + text.slice(end))
  }
  copy(entry)
  copy(entry.replace(/\.js$/, '.d.ts'))
  return packages
}

/** Returns the string literals that a module or its types import from, in source order. */
function listSpecifiers(text, path) {
  const found = []
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const isImport = /^(Import(Declaration|Expression)|Export(Named|All)Declaration|TSImportType)$/.test(node.type)
    if (isImport && typeof node.source?.value === 'string') found.push(node.source)
    Object.values(node).forEach(walk)
  }
  walk(parseAst(text, { lang: path.endsWith('.d.ts') ? 'dts' : 'js' }))
  return found.sort((a, b) => a.start - b.start)
}

/**
 * Returns the workspace module that an import refers to, from a built module or from types; undefined for third-party
 * modules.
 */
function resolveTarget(specifier, path) {
  const ending = path.endsWith('.d.ts') ? '.d.ts' : '.js'
  if (specifier.startsWith('.')) return join(dirname(path), specifier).replace(/\.(js|ts)$/, ending)
  const [, room, name] = OURS.exec(specifier) ?? []
  if (room === undefined) return undefined
  const { exports } = readManifest(`packages/${room}`)
  const file = name === undefined ? exports['.'].default : `./dist/${name}.js`
  return join('packages', room, file).replace(/\.js$/, ending)
}

/**
 * Returns the path of a workspace file in the package: `packages/kit/dist/http/app.js` becomes `dist/kit/http/app.js`,
 * and `packages/kit/assets/…` becomes `dist/assets/…`.
 */
function placed(path) {
  const parts = path.split(sep).join('/')
  return parts.replace(/^packages\/([a-z]+)\/dist\//, 'dist/$1/').replace(/^packages\/[a-z]+\/assets/, 'dist/assets')
}

function pathBetween(from, to) {
  const path = relative(dirname(from), to)
    .split(sep)
    .join('/')
    .replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}

function copyBeside(path, text, folder) {
  if (!text.includes('import.meta.url')) return
  const files = BESIDE[path.split(sep).join('/')]
  if (files === undefined) throw new Error(`${path} asks for its own place, and nobody said what it looks for there`)
  for (const file of files) cpSync(join(ROOT, file), join(folder, placed(file)), { recursive: true })
}

function getPackage(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Reads the manifest of a workspace folder. */
export function readManifest(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}
