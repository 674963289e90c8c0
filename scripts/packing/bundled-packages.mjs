import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, joinModules, ROOT } from './join-command.mjs'

const LICENCES = join(ROOT, 'packages', 'admin-ui', 'dist', 'licences.json')
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
/** Licences that are permitted in the package. The build fails for any other licence until it is reviewed. */
const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'OFL-1.1'])
/**
 * Packages that the admin UI includes through a style sheet. The build does not list packages that are included in this
 * way.
 */
const TYPEFACES = ['@fontsource-variable/inter']

/**
 * Returns the third-party packages whose code is in the `burgee` package, sorted by name: `{ name, version, licence,
 * text }`. `text` contains the package's licence and notice files, and may be empty. Throws an Error if the workspace
 * is not built or a licence is not permitted.
 */
export async function bundledPackages() {
  if (!existsSync(LICENCES)) throw new Error('The admin UI is not built; run: node scripts/setup.mjs')
  const folders = new Set((await joinModules(COMMAND)).map((id) => PACKAGE.exec(id)?.[1]))
  folders.delete(undefined)
  const ofCommand = [...folders].map(readPackage)
  const ofUi = JSON.parse(readFileSync(LICENCES, 'utf8')).map(({ name, version, identifier, text }) => ({
    name,
    version,
    licence: identifier,
    text: text ?? '',
  }))
  const ofStyles = TYPEFACES.map((name) => readPackage(join(ROOT, 'node_modules', name)))
  const all = new Map([...ofUi, ...ofStyles, ...ofCommand].map((one) => [`${one.name} ${one.version}`, one]))
  const refused = [...all.values()].filter(({ licence }) => !ALLOWED.has(licence))
  if (refused.length > 0) {
    throw new Error(
      `Licences nobody decided about: ${refused.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
    )
  }
  return [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)(\.|-|$)/i.test(file))
  const text = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, version, licence: license, text: text.join('\n\n') }
}
