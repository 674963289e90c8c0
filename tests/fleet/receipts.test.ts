import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { until } from '../support/wait.ts'

/** Time between polls of the SDKs, long enough for 50 processes on a small machine. */
const INTERVAL_MS = 5000
const COUNT = 50
const KILLED = [3, 17, 42]
const LIMIT_MS = 240_000
const ADMIN = '*:*.admin-secret-of-the-fleet'
const CLIENT = '*:development.client-secret-of-the-fleet'
const FRONTEND = 'default:development.frontend-secret-of-the-fleet'
const FLAG = '/api/admin/projects/default/features/checkout'
const SDK = join(dirname(fileURLToPath(import.meta.url)), 'sdk-process.mjs')
const folder = temporaryFolder()
const children: ChildProcess[] = []
let server: BurgeeProcess
let url: string

beforeAll(async () => {
  server = runBurgee(['server'], {
    PORT: '0',
    DATA_DIR: join(folder.path, 'data'),
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  })
  url = `http://localhost:${await server.find(/listening on port (\d+)/)}`
  await call('POST', '/api/admin/projects/default/features', { name: 'checkout' })
}, LIMIT_MS)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  server.kill('SIGKILL')
  await server.ended
  folder.remove()
})

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const reply = await fetch(`${url}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

const read = (): Promise<Delivery> => call('GET', `${FLAG}/environments/development/delivery`)
const flip = (isOn: boolean) => call('POST', `${FLAG}/environments/development/${isOn ? 'on' : 'off'}`)
const untilReceipt = (matches: (delivery: Delivery) => boolean) => until(async () => matches(await read()), 60_000)

function startSdk(appName: string, upstream = `${url}/api`): ChildProcess {
  const args = [SDK, upstream, appName, String(INTERVAL_MS), CLIENT, folder.path]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  children.push(child)
  return child
}

test('a flip shows 47 of 50 processes, and names the three that were killed', {
  timeout: LIMIT_MS,
}, async () => {
  const own = Array.from({ length: COUNT }, (_, number) => startSdk(`app-${number}`))
  await untilReceipt(({ processes }) => processes.known === COUNT && processes.held === COUNT)
  for (const number of KILLED) own[number]?.kill('SIGKILL')
  await flip(true)
  const names = KILLED.map((number) => `app-${number}`)
  const isAsExpected = ({ processes: { known, held, waiting } }: Delivery) =>
    known === COUNT && held === COUNT - KILLED.length && waiting.length === KILLED.length
  await untilReceipt(isAsExpected)
  const { processes } = await read()
  expect(processes.waiting.map(({ appName }) => appName).sort()).toEqual(names.sort())
  // three intervals after a process was killed, it is no longer counted
  await untilReceipt(({ processes: { known, held } }) => known === held && known === COUNT - KILLED.length)
  for (const child of own) child.kill('SIGKILL')
})

test('a rolling restart leaves no ghosts after three missed intervals', { timeout: LIMIT_MS }, async () => {
  await untilReceipt(({ processes }) => processes.known === 0)
  const before = Array.from({ length: 5 }, () => startSdk('rolling'))
  await untilReceipt(({ processes }) => processes.known === 5)
  for (const child of before) {
    startSdk('rolling')
    child.kill('SIGKILL')
  }
  await untilReceipt(({ processes }) => processes.known > 5)
  await untilReceipt(({ processes }) => processes.known === 5 && processes.held === 5)
})

test('the applications of an edge that is cut off wait under it', { timeout: LIMIT_MS }, async () => {
  const relay: Relay = await openRelay({ host: 'localhost', port: Number(new URL(url).port) })
  const edge = runBurgee(['edge'], {
    PORT: '0',
    UPSTREAM_URL: `http://localhost:${relay.port}`,
    TOKENS: CLIENT,
    INSTANCE_ID: 'edge-eu',
    FEATURES_REFRESH_INTERVAL_SECONDS: '2',
  })
  try {
    const port = await edge.find(/port (\d+)/)
    startSdk('till', `http://localhost:${port}/api`)
    await untilReceipt(({ edges }) => edges.some(({ name, connections }) => name === 'edge-eu' && connections === 1))
    relay.become('refused')
    await flip(false)
    await untilReceipt(({ processes }) =>
      processes.waiting.some(({ appName, via, connections }) => {
        return appName === 'till' && via === 'edge-eu' && connections === 1
      }),
    )
    relay.become('through')
    await untilReceipt(({ processes }) => processes.waiting.every(({ via }) => via === null))
  } finally {
    edge.kill('SIGKILL')
    await edge.ended
    await relay.close()
  }
})

test('the applications of an edge behind an edge count under the first edge', { timeout: LIMIT_MS }, async () => {
  const start = (upstream: string, name: string) =>
    runBurgee(['edge'], {
      PORT: '0',
      UPSTREAM_URL: upstream,
      TOKENS: CLIENT,
      INSTANCE_ID: name,
      FEATURES_REFRESH_INTERVAL_SECONDS: '2',
    })
  const first = start(url, 'edge-first')
  const second = start(`http://localhost:${await first.find(/port (\d+)/)}`, 'edge-second')
  try {
    const app = startSdk('chained', `http://localhost:${await second.find(/port (\d+)/)}/api`)
    // the second edge and the application behind it
    await untilReceipt(({ edges }) => edges.some(({ name, connections }) => name === 'edge-first' && connections === 2))
    app.kill('SIGSTOP')
    await flip((await call<{ enabled: boolean }>('GET', `${FLAG}/environments/development`)).enabled === false)
    await untilReceipt(({ processes: { waiting } }) =>
      waiting.some(({ appName, via }) => appName === 'chained' && via === 'edge-first'),
    )
    app.kill('SIGCONT')
    await untilReceipt(({ processes: { waiting } }) => waiting.every(({ appName }) => appName !== 'chained'))
  } finally {
    for (const edge of [second, first]) {
      edge.kill('SIGKILL')
      await edge.ended
    }
  }
})

test('pages behind an edge count with the revision that they have', { timeout: LIMIT_MS }, async () => {
  const edge = runBurgee(['edge'], {
    PORT: '0',
    UPSTREAM_URL: url,
    TOKENS: CLIENT,
    INSTANCE_ID: 'edge-of-pages',
    FLAG_PROXY_CLIENT_KEYS: 'key-of-a-page',
    FEATURES_REFRESH_INTERVAL_SECONDS: '1',
  })
  try {
    const port = await edge.find(/port (\d+)/)
    const ids: string[] = Array.from({ length: 6 }, () => crypto.randomUUID())
    const visit = async (id: string) => {
      const [path, authorization] = ids.indexOf(id) > 2 ? ['/proxy', 'key-of-a-page'] : ['/api/frontend', FRONTEND]
      const headers = { authorization, 'unleash-connection-id': id }
      return (await fetch(`http://localhost:${port}${path}`, { headers })).status
    }
    await until(async () => (await visit(ids[0] ?? '')) === 200)
    for (const id of ids) expect(await visit(id)).toBe(200)
    // the number of pages is an estimate, but more than the pages of either kind
    await untilReceipt((receipt) => receipt.pages.seen > 3 && receipt.pages.held === receipt.pages.seen)
    const { seen } = (await read()).pages
    await flip((await call<{ enabled: boolean }>('GET', `${FLAG}/environments/development`)).enabled === false)
    await untilReceipt(({ pages, edges }) => {
      return pages.held === 0 && edges.some(({ name, isHeld }) => name === 'edge-of-pages' && isHeld)
    })
    expect((await read()).pages.seen).toBe(seen)
    await visit(ids[0] ?? '')
    await untilReceipt((receipt) => receipt.pages.seen === seen && receipt.pages.held === 1)
  } finally {
    edge.kill('SIGKILL')
    await edge.ended
  }
})
