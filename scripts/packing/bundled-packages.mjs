import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, joinModules, ROOT } from './join-command.mjs'

const LICENCES = join(ROOT, 'packages', 'admin', 'dist', 'licences.json')
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
/** What may be in the package at all; another licence fails the build until somebody has decided about it. */
const ALLOWED = new Set(['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'OFL-1.1'])
/** What comes into the admin UI through a style sheet, of which the build keeps no account. */
const TYPEFACES = ['@fontsource-variable/inter']

/**
 * The packages of others whose code is in the `burgee` package, sorted by name: `{ name, version, licence, text }`, where the
 * text is what the package has of licence and notice, maybe empty. Throws an Error where the workspace is not built, and
 * where a licence is none of those that we take.
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
