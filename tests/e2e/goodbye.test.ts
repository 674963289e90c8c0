import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { childrenOf } from '../support/children.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/**
 * Order of a graceful shutdown: not ready but still listening during the shutdown delay, then closed (docs/adr/0029).
 */
const KEY = 'key-of-the-page'
const [CLIENT, FRONTEND] = ['default:development.client-secret', 'default:development.frontend-secret']
const DELAY_SECONDS = 2
/** Shutdown delay that is too long to elapse during a test. */
const LONG_DELAY_SECONDS = 30
const SOON_MS = 8000

interface Row {
  readonly command: readonly string[]
  readonly port: RegExp
  readonly ready: string
  readonly live: string
  readonly evaluation: string
  readonly authorization: string
}

const SERVER = { ready: '/ready', live: '/health', evaluation: '/api/frontend?userId=7', authorization: FRONTEND }
const PROXY = {
  ready: '/proxy/health/ready',
  live: '/proxy/health/live',
  evaluation: '/proxy?userId=7',
  authorization: KEY,
}
const ROWS: readonly (readonly [string, Row])[] = [
  ['server', { command: ['server'], port: /port (\d+)/, ...SERVER }],
  ['proxy', { command: ['proxy'], port: /port (\d+)/, ...PROXY }],
  ['proxy of two workers', { command: ['proxy', '--workers', '2'], port: /port (\d+)/, ...PROXY }],
  ['server of burgee start', { command: ['start'], port: /http:\/\/localhost:(\d+)(?!.*proxy)/, ...SERVER }],
  ['proxy of burgee start', { command: ['start'], port: /localhost:(\d+)\/proxy/, ...PROXY }],
]

let upstream: FakeUpstream
let folder: ReturnType<typeof temporaryFolder>
let burgee: BurgeeProcess
let agent: Agent
beforeEach(async () => {
  upstream = await startUpstream({ features: [{ name: 'on', enabled: true, strategies: [] }] })
  folder = temporaryFolder()
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})
afterEach(async () => {
  burgee.kill('SIGKILL')
  await burgee.ended
  agent.destroy()
  await upstream.close()
  folder.remove()
})

async function startReady(row: Row, delaySeconds: number): Promise<number> {
  burgee = runBurgee(row.command, {
    SHUTDOWN_DELAY: String(delaySeconds),
    DATA_DIR: join(folder.path, 'data'),
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    PROXY_PORT: '0',
    INIT_CLIENT_API_TOKENS: CLIENT,
    INIT_FRONTEND_API_TOKENS: FRONTEND,
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
  })
  const port = Number(await burgee.find(row.port))
  await until(async () => (await status(port, row.ready)) === 200)
  return port
}

const status = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status

/** Sends a request on the agent's only connection. The local port identifies this connection. */
async function ask(port: number, { evaluation, authorization }: Row) {
  const request = get({ host: '127.0.0.1', port, path: evaluation, agent, headers: { authorization } })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  const connection = reply.socket.localPort
  reply.resume()
  await once(reply, 'end')
  return { status: reply.statusCode, says: reply.headers.connection, connection }
}

describe.each(ROWS)('%s', (_name, row) => {
  test('shutdown: reports not ready, serves each connection once more, then closes', async () => {
    const port = await startReady(row, DELAY_SECONDS)
    const before = await ask(port, row)
    expect(before).toMatchObject({ status: 200, says: 'keep-alive' })
    const silent = connect(port, '127.0.0.1')
    const silentEnded = once(silent, 'close')
    await once(silent, 'connect')
    const begun = performance.now()
    burgee.kill('SIGTERM')
    await until(async () => (await status(port, row.ready)) === 503)
    expect(await (await fetch(`http://127.0.0.1:${port}${row.ready}`)).json()).toMatchObject({ status: 'closing' })
    expect(await status(port, row.live)).toBe(200)
    const last = await ask(port, row)
    expect(last).toEqual({ status: 200, says: 'close', connection: before.connection })
    const fresh = await ask(port, row)
    expect(fresh).toMatchObject({ status: 200, says: 'close' })
    expect(fresh.connection).not.toBe(before.connection)
    expect(silent.readyState).toBe('open')
    await silentEnded
    expect(performance.now() - begun).toBeGreaterThan(DELAY_SECONDS * 1000 - 100)
    expect(await burgee.ended).toBe(0)
  })

  test('a second signal skips the delay', async () => {
    const port = await startReady(row, LONG_DELAY_SECONDS)
    burgee.kill('SIGTERM')
    await until(async () => (await status(port, row.ready)) === 503)
    const begun = performance.now()
    burgee.kill('SIGTERM')
    expect(await burgee.ended).toBe(0)
    expect(performance.now() - begun).toBeLessThan(SOON_MS)
  })
})

test('a signal to the whole group does not end workers before their time', async () => {
  const row = ROWS.find(([name]) => name === 'proxy of two workers')?.[1] as Row
  const port = await startReady(row, DELAY_SECONDS)
  const begun = performance.now()
  for (const pid of [...childrenOf(burgee.pid), burgee.pid]) process.kill(pid, 'SIGTERM')
  await until(async () => (await status(port, row.ready)) === 503)
  while (performance.now() - begun < (DELAY_SECONDS - 1) * 1000) {
    expect(await ask(port, row)).toMatchObject({ status: 200, says: 'close' })
  }
  expect(await burgee.ended).toBe(0)
  expect(performance.now() - begun).toBeGreaterThan(DELAY_SECONDS * 1000 - 100)
})

test('a worker that alone receives SIGTERM is replaced, and no request fails', async () => {
  const row = ROWS.find(([name]) => name === 'proxy of two workers')?.[1] as Row
  const port = await startReady(row, 1)
  const [asked = 0] = childrenOf(burgee.pid)
  process.kill(asked, 'SIGTERM')
  await until(async () => {
    expect(await ask(port, row)).toMatchObject({ status: 200 })
    const now = childrenOf(burgee.pid)
    return now.length === 2 && !now.includes(asked)
  })
  expect(burgee.output()).toContain('A worker exited (exit code 0)')
})
