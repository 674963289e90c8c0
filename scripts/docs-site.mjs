/** Builds the documentation site into .cache/site, with the API reference of a server and a proxy that are started for it, and checks its links. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteFaults } from './site/site-faults.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const site = join(root, '.cache', 'site')
const BASE = process.env.DOCS_BASE ?? '/'
const START_LIMIT_MS = 60_000

await writeDescriptions(join(root, '.cache', 'openapi'))
const vitepress = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
const { status } = spawnSync(process.execPath, [vitepress, 'build', 'docs'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(1)
const { faults, pages, links } = siteFaults(site, BASE)
for (const fault of faults) console.error(fault)
console.log(`${pages} pages, ${links} links, ${faults.length} faults: .cache/site`)
process.exitCode = faults.length === 0 && links > 0 ? 0 : 1

/** The OpenAPI documents of `burgee start`, on a database of its own that is removed afterwards. */
async function writeDescriptions(folder) {
  const data = mkdtempSync(join(tmpdir(), 'burgee-docs-'))
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: data,
    HTTP_PORT: '0',
    PROXY_PORT: '0',
    ENABLE_OAS: 'true',
    SHUTDOWN_DELAY: '0',
  }
  const child = spawn(process.execPath, [join(root, 'bin', 'burgee.mjs'), 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  try {
    const output = await started(child)
    mkdirSync(folder, { recursive: true })
    for (const [name, label] of [
      ['server', 'Server'],
      ['proxy', 'Proxy'],
    ]) {
      const [, port] = new RegExp(`${label} +http://localhost:(\\d+)`).exec(output)
      const response = await fetch(`http://localhost:${port}/docs/openapi.json`)
      if (!response.ok) throw new Error(`${name} answered ${response.status} to /docs/openapi.json`)
      writeFileSync(join(folder, `${name}.json`), await response.text())
    }
  } finally {
    child.kill('SIGTERM')
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

function started(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error('burgee start did not come up')), START_LIMIT_MS)
    const finish = (settle, value) => {
      clearTimeout(timer)
      settle(value)
    }
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Stop with Ctrl-C')) finish(resolve, output)
    })
    child.on('close', () => finish(reject, new Error(`burgee start ended:\n${output}`)))
  })
}
