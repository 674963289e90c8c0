/**
 * Builds the documentation site into .cache/site and checks its links. The script starts a server, a proxy and an edge
 * to obtain the API reference.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { portIn, whileRunning } from './running-command.mjs'
import { siteFaults } from './site/site-faults.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const site = join(root, '.cache', 'site')
const BASE = process.env.DOCS_BASE ?? '/'

await writeDescriptions(join(root, '.cache', 'openapi'))
const vitepress = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, 'build', 'docs'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)
const { faults, pages, links } = siteFaults(site, BASE)
for (const fault of faults) console.error(fault)
console.log(`${pages} pages, ${links} links, ${faults.length} faults: .cache/site`)
process.exitCode = faults.length === 0 && links > 0 ? 0 : 1

/** Writes the OpenAPI documents of `burgee start`, on a temporary database, and of an edge in front of it. */
async function writeDescriptions(folder) {
  const data = mkdtempSync(join(tmpdir(), 'burgee-docs-'))
  mkdirSync(folder, { recursive: true })
  try {
    const common = { ENABLE_OAS: 'true', SHUTDOWN_DELAY: '0' }
    const served = { ...common, DATA_DIR: data, HTTP_PORT: '0', PROXY_PORT: '0' }
    await whileRunning(['start'], served, 'Stop with Ctrl-C', async (output) => {
      const [server, proxy] = ['Server', 'Proxy'].map((label) => portIn(output, `${label} +http://localhost:`))
      await writeDescription(folder, 'server', server)
      await writeDescription(folder, 'proxy', proxy)
      const before = { ...common, PORT: '0', UPSTREAM_URL: `http://localhost:${server}`, DYNAMIC: 'true' }
      await whileRunning(['edge'], before, 'listening on port', async (output) =>
        writeDescription(folder, 'edge', portIn(output, 'listening on port ')),
      )
    })
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}

async function writeDescription(folder, name, port) {
  const response = await fetch(`http://localhost:${port}/docs/openapi.json`)
  if (!response.ok) throw new Error(`${name} answered ${response.status} to /docs/openapi.json`)
  writeFileSync(join(folder, `${name}.json`), await response.text())
}
