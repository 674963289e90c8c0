import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@burgee/kit/free-port'
import { afterEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { freshDatabase } from '../support/postgres.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { openBalancer } from './balancer.ts'
import { IS_LONG, report } from './report.ts'

/**
 * P6: during a rolling restart behind a load balancer that follows readiness, without retries, no SDK request fails.
 */
const ROUNDS = IS_LONG ? 10 : 1
const CALLERS = 8
/** Shutdown delay in seconds. The delay is much longer than the balancer's probe interval, even on a busy machine. */
const DELAY_SECONDS = 2
const PAUSE_MS = 5
const HOST = '127.0.0.1'
const KEY = 'key-of-the-page'
const [ADMIN, CLIENT, FRONTEND] = ['*:*.admin', 'default:development.client', 'default:development.frontend']

const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

interface Fleet {
  readonly size: number
  readonly start: (port: number) => BurgeeProcess
  readonly ready: string
  readonly requests: readonly { readonly path: string; readonly headers: Record<string, string> }[]
}

async function proxies(more: Readonly<Record<string, string>> = {}): Promise<Fleet> {
  const upstream = await startUpstream({ version: 2, features: [{ name: 'on', enabled: true, strategies: [] }] })
  endings.push(() => upstream.close())
  const env = {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
    PROXY_HOST: HOST,
    ...more,
  }
  const authorization = KEY
  return {
    size: 2,
    start: (port) => runBurgee(['proxy'], { ...env, PROXY_PORT: String(port), SHUTDOWN_DELAY: String(DELAY_SECONDS) }),
    ready: '/proxy/health/ready',
    requests: [
      { path: '/proxy?userId=7', headers: { authorization } },
      { path: '/proxy/health', headers: {} },
    ],
  }
}

async function edges(more: Readonly<Record<string, string>> = {}): Promise<Fleet> {
  const upstream = await startUpstream()
  endings.push(() => upstream.close())
  const start = '*:development.start'
  const document = JSON.stringify({ version: 2, features: [{ name: 'on', enabled: true, strategies: [] }] })
  const token = { token: start, type: 'client', environment: 'development', projects: ['*'] }
  upstream.answerWith(({ url }, reply) => {
    const isToken = url.endsWith('/edge/validate')
    reply.writeHead(200, { 'content-type': 'application/json' })
    reply.end(isToken ? JSON.stringify({ tokens: [token] }) : document)
  })
  const env = {
    UPSTREAM_URL: upstream.url,
    TOKENS: start,
    PRETRUSTED_TOKENS: `${KEY}@development`,
    INTERFACE: HOST,
    ...more,
  }
  return {
    size: 2,
    start: (port) => runBurgee(['edge'], { ...env, PORT: String(port), SHUTDOWN_DELAY: String(DELAY_SECONDS) }),
    ready: '/internal-backstage/ready',
    requests: [
      { path: '/api/frontend?userId=7', headers: { authorization: KEY } },
      { path: '/api/client/features', headers: { authorization: start } },
    ],
  }
}

async function servers(): Promise<Fleet> {
  const database = await freshDatabase()
  endings.push(() => database.remove())
  const folder = temporaryFolder()
  endings.push(async () => folder.remove())
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    HTTP_HOST: HOST,
    INIT_ADMIN_API_TOKENS: ADMIN,
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
  }
  return {
    size: 3,
    start: (port) => runBurgee(['server'], { ...env, HTTP_PORT: String(port), SHUTDOWN_DELAY: String(DELAY_SECONDS) }),
    ready: '/ready',
    requests: [
      { path: '/api/client/features', headers: { authorization: CLIENT } },
      { path: '/api/frontend?userId=7', headers: { authorization: FRONTEND } },
    ],
  }
}

/** In the short form, servers are restarted only as part of their upgrade (upgrade.test.ts). */
const FLEETS: readonly (readonly [string, () => Promise<Fleet>])[] = [
  ['two proxies', () => proxies()],
  ['two proxies of two workers each', () => proxies({ FLAG_WORKERS: '2' })],
  ['two edges of two workers each', () => edges({ WORKERS: '2' })],
  ...(IS_LONG ? [['two edges', () => edges()] as const] : []),
  ...(IS_LONG ? [['three servers on one PostgreSQL', servers] as const] : []),
]

test.each(FLEETS)(
  '%s: every request of a rolling restart is answered',
  async (name, fleetOf) => {
    const fleet = await fleetOf()
    const ports = await Promise.all(Array.from({ length: fleet.size }, () => findFreePort(HOST)))
    const nodes = ports.map((port) => fleet.start(port))
    endings.push(async () => {
      for (const node of nodes) node.kill('SIGKILL')
      await Promise.all(nodes.map(({ ended }) => ended))
    })
    await Promise.all(nodes.map((node) => node.find(/listening on port/)))
    const balancer = await openBalancer(ports, fleet.ready)
    endings.push(() => balancer.close())
    await until(() => balancer.ready() === ports.length)

    const outcomes: Record<string, number> = {}
    let isOver = false
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let turn = caller; !isOver; turn += 1) {
        const { path, headers } = fleet.requests[turn % fleet.requests.length] ?? { path: '/', headers: {} }
        const reply = await fetch(`${balancer.url}${path}`, { headers })
        const text = await reply.text()
        const outcome = reply.ok ? 'answered' : `${reply.status} ${text}`
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        await sleep(PAUSE_MS)
      }
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, port] of ports.entries()) {
        nodes[index]?.kill('SIGTERM')
        expect(await nodes[index]?.ended).toBe(0)
        nodes[index] = fleet.start(port)
        await until(() => balancer.ready() === ports.length, 60_000)
      }
    }
    isOver = true
    await Promise.all(callers)
    expect(Object.keys(outcomes)).toEqual(['answered'])
    expect(outcomes.answered).toBeGreaterThan(300)
    report(
      'P6',
      `${name}, ${ROUNDS * ports.length} restarts`,
      `${outcomes.answered} of ${outcomes.answered} replies good`,
    )
  },
  300_000,
)
