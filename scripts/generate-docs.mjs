/**
 * Generates the option tables in docs/ and the third-party notices from the code, and the pictures of docs/diagrams.
 * With --check, only reports whether these files are up to date.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMERCIAL_OPTIONS } from '@burgee/edge/commercial-options'
import { EDGE_OPTIONS, OFFLINE_OPTIONS } from '@burgee/edge/options'
import { formatMarkdownTable } from '@burgee/kit/options/option-docs'
import { ConfigFileContent } from '@burgee/protocol/administration/config-files'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { WITHOUT_EFFECT as OF_SERVER, REJECTED } from '@burgee/server/boot/unleash-compat-variables'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { DATABASE_LOCATION_OPTIONS } from '../bin/dist/database-location-options.js'
import { chartPages } from './chart-pages.mjs'
import { diagramSvg } from './diagrams/diagram-svg.mjs'
import { eventTypesPage } from './event-types-page.mjs'
import { thirdPartyNotices } from './packing/notices.mjs'
import { sdkCompatibilityPage } from './sdk-compatibility-page.mjs'
import { sdkVersionsPage } from './sdk-versions-page.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const PRECEDENCE =
  'Values in code take precedence over the command line, then the environment, then the default. An empty variable counts as not set. A secret may also come from a file: `<VARIABLE>_FILE` holds its path.'

const page = (title, command, table) =>
  `# ${title}\n\nGenerated from the code by \`npm run docs\`; \`burgee ${command} --help\` prints the same.\n\n${PRECEDENCE}\n\n${formatMarkdownTable(table)}\n`

const PLACE = `\n\`burgee reset-password\`, \`burgee backup\` and \`burgee restore\` accept the options that select the database: ${Object.keys(
  DATABASE_LOCATION_OPTIONS,
)
  .map((name) => `\`${name}\``)
  .join(', ')}.\n`

const OFFLINE_ONLY = Object.fromEntries(Object.entries(OFFLINE_OPTIONS).filter(([name]) => !(name in EDGE_OPTIONS)))
const WITHOUT_EFFECT = Object.values(COMMERCIAL_OPTIONS)
  .map(({ env: [variable], doc }) => `| \`${variable}\` | ${doc} |`)
  .join('\n')
const EDGE = `\n## Offline mode\n\n\`burgee edge offline\` accepts the options for listening and answering, and these:\n\n${formatMarkdownTable(OFFLINE_ONLY)}\n\n## Accepted without effect\n\nThe start logs a warning for each of them, as variable or command-line option:\n\n| Variable | Effect elsewhere |\n|---|---|\n${WITHOUT_EFFECT}\n`

const rows = (table) => table.map(({ name, doc }) => `| \`${name}\` | ${doc} |`).join('\n')
const SERVER = `\n## Accepted without effect\n\nVariables of the Unleash server. The start logs a warning for each one that is set:\n\n| Variable | Effect elsewhere |\n|---|---|\n${rows(OF_SERVER)}\n\n## Rejected\n\nThe start fails if one of them has another value than named here:\n\n| Variable | Why |\n|---|---|\n${rows(REJECTED)}\n`

const DIAGRAMS = Object.fromEntries(
  globSync('docs/diagrams/*.txt', { cwd: root }).map((path) => [
    `docs/images/${basename(path, '.txt')}.svg`,
    diagramSvg(readFileSync(join(root, path), 'utf8')),
  ]),
)

const PAGES = {
  ...DIAGRAMS,
  ...chartPages(root),
  'docs/public/flag-file.schema.json': `${JSON.stringify(ConfigFileContent, undefined, 2)}\n`,
  'docs/edge-options.md': page('Options of the edge', 'edge', EDGE_OPTIONS) + EDGE,
  'THIRD-PARTY-NOTICES.md': await thirdPartyNotices(),
  'docs/event-types.md': eventTypesPage(),
  'docs/compatibility-sdks.md': sdkCompatibilityPage(root),
  'docs/sdk-versions.md': sdkVersionsPage(),
  'docs/proxy-options.md': page('Options of the client proxy', 'proxy', PROXY_OPTIONS),
  'docs/server-options.md': page('Options of the server', 'server', SERVER_OPTIONS) + PLACE + SERVER,
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
