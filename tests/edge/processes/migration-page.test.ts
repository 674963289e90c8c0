import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, COMMAND, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'
import { ended } from './edge-node.ts'
import {
  fillUpstream,
  START_TOKENS,
  seenBy,
  startUpstreamServer,
  type TokenName,
  type UpstreamServer,
} from './upstream-server.ts'

/**
 * Runs the commands of the migration page for Unleash Edge as written. Replaces only what depends on the reader (URLs,
 * tokens and ports). Skips the build, because the workspace is already built.
 */
const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const PAGE = readFileSync(join(ROOT, 'docs', 'migrating-from-unleash-edge.md'), 'utf8')
const BLOCKS = [...PAGE.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, text = '']) => text.replace(/^ {3}/gm, ''))
const folder = temporaryFolder()
let server: UpstreamServer
let tokens: Readonly<Record<TokenName, string>>
let edge: BurgeeProcess

/** Returns the code block that contains a text. */
function block(holds: string): string {
  const found = BLOCKS.find((text) => text.includes(holds))
  if (found === undefined) throw new Error(`The page has no block with ${holds}`)
  return found
}

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))

/** Runs a line in a shell and returns its output. */
async function play(line: string): Promise<string> {
  const own = line.replaceAll('npx burgee', `${process.execPath} ${COMMAND}`)
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', own])
  return stdout
}

beforeAll(async () => {
  mkdirSync(join(folder.path, 'server'))
  server = await startUpstreamServer(join(folder.path, 'server'))
  tokens = await fillUpstream(server)
})
afterAll(async () => {
  await ended(server.process)
  folder.remove()
})

test("the page's command works with the variables of an Edge", async () => {
  const start = block('npx burgee edge\n')
  expect(start).toBe('set -a; . ./edge.env; set +a\nPORT=3064 npx burgee edge\n')
  const said = variablesIn(block('UPSTREAM_URL='))
  expect(Object.keys(said)).toEqual(['UPSTREAM_URL', 'TOKENS'])
  edge = runBurgee(['edge'], { UPSTREAM_URL: server.url, TOKENS: Object.values(START_TOKENS).join(), PORT: '0' })
  const port = await edge.find(/listening on port (\d+)/)
  const [, probe = '', ask = ''] = /^(npx .*)$[\s\S]*^(curl .*3064.*)$/m.exec(block('edge ready')) ?? []
  await until(async () => (await fetch(`http://localhost:${port}/internal-backstage/ready`)).status === 200)
  expect(await play(probe.replace('3064', port))).toMatch(/\S/)
  const answer = await play(ask.replace('3064', port).replace('my-frontend-token', tokens.shopWeb))
  const { toggles } = JSON.parse(answer) as { toggles: { name: string }[] }
  expect(toggles.map(({ name }) => name)).toEqual(seenBy('shopWeb'))
  expect(await ended(edge)).toBe(0)
})

test("the page's offline command works without an upstream, and reloads its file", async () => {
  const line = block('edge offline')
  expect(line.trim()).toMatch(/npx burgee edge offline$/)
  const file = join(folder.path, 'features.json')
  writeFileSync(file, JSON.stringify({ one: { enabled: true, variant: 'v1' }, two: { enabled: false } }))
  const env = { ...variablesIn(line), BOOTSTRAP_FILE: file, RELOAD_INTERVAL: '1', FRONTEND_TOKENS: 'web', PORT: '0' }
  const offline = runBurgee(['edge', 'offline'], env)
  const base = `http://localhost:${await offline.find(/listening on port (\d+)/)}`
  const on = async () => {
    const reply = await fetch(`${base}/api/frontend`, { headers: { authorization: 'web' } })
    return ((await reply.json()) as { toggles: { name: string }[] }).toggles.map(({ name }) => name)
  }
  expect(await on()).toEqual(['one'])
  const features = await fetch(`${base}/api/client/features`, { headers: { authorization: 'my-token' } })
  expect(features.status).toBe(200)
  writeFileSync(file, JSON.stringify({ one: { enabled: false }, two: { enabled: true } }))
  await until(async () => JSON.stringify(await on()) === '["two"]')
  expect(await ended(offline)).toBe(0)
})

/**
 * Environment variables and arguments from the documentation and compose files of Unleash Edge; only the image is
 * replaced.
 */
test.each<[string, Record<string, string>, string[]]>([
  ['what its page on Docker names', {}, ['edge']],
  ['what a strict one in production is given', { STRICT: 'true', LOG_FORMAT: 'json', RUST_LOG: 'warn' }, ['edge']],
  [
    'what stands behind a load balancer',
    {
      TRUST_PROXY: 'true',
      PROXY_TRUSTED_SERVERS: '10.0.0.0/8',
      CORS_ORIGIN: 'https://shop.example',
      BASE_PATH: '/flags',
      FEATURES_REFRESH_INTERVAL_SECONDS: '30',
      METRICS_INTERVAL_SECONDS: '120',
      TOKEN_REVALIDATION_INTERVAL_SECONDS: '600',
      APP_NAME: 'edge-eu',
      INSTANCE_ID: 'edge-eu-1',
    },
    ['edge'],
  ],
  ['flags instead of variables', {}, ['edge', '--strict', '-f', '5', '--metrics-interval-seconds', '30']],
])('%s', async (_name, more, args) => {
  const env = { UPSTREAM_URL: server.url, TOKENS: Object.values(START_TOKENS).join(), PORT: '0', ...more }
  const process = runBurgee(args, env)
  const base = `http://localhost:${await process.find(/listening on port (\d+)/)}${more.BASE_PATH ?? ''}`
  await until(async () => (await fetch(`${base}/internal-backstage/ready`)).status === 200)
  const reply = await fetch(`${base}/api/frontend`, { headers: { authorization: tokens.allWeb } })
  const { toggles } = (await reply.json()) as { toggles: { name: string }[] }
  expect(toggles.map(({ name }) => name)).toEqual(seenBy('allWeb'))
  expect(process.output()).not.toContain('WARN')
  expect(await ended(process)).toBe(0)
})
