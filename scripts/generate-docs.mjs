/** Writes the option tables into docs/ and the third-party notices from the code; with --check it only says whether they are up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '@burgee/kit/options/option-docs'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { PLACE_OPTIONS } from '../bin/dist/place-options.js'
import { thirdPartyNotices } from './packing/notices.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const PRECEDENCE =
  'A value given in code wins over the command line, that over the environment, that over the default. An empty variable counts as not set. A secret may also come from a file: `<VARIABLE>_FILE` holds its path.'

const page = (title, command, table) =>
  `# ${title}\n\nGenerated from the code by \`npm run docs\`; \`burgee ${command} --help\` prints the same.\n\n${PRECEDENCE}\n\n${markdownTable(table)}\n`

const PLACE = `\n\`burgee reset-password\`, \`burgee backup\` and \`burgee restore\` take those that say which database it is: ${Object.keys(
  PLACE_OPTIONS,
)
  .map((name) => `\`${name}\``)
  .join(', ')}.\n`

const PAGES = {
  'THIRD-PARTY-NOTICES.md': await thirdPartyNotices(),
  'docs/proxy-options.md': page('Options of the client proxy', 'proxy', PROXY_OPTIONS),
  'docs/server-options.md': page('Options of the server', 'server', SERVER_OPTIONS) + PLACE,
}

const isCheck = process.argv.includes('--check')
for (const [path, wanted] of Object.entries(PAGES)) {
  const file = join(root, path)
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === wanted
  if (isCurrent) continue
  if (isCheck) {
    console.error(`${path} differs from the code; run: npm run docs`)
    process.exitCode = 1
  } else writeFileSync(file, wanted)
}
