import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee } from '../support/burgee.ts'
import { childrenOf } from '../support/children.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { IS_LONG } from './report.ts'

/** Effects that callers notice when workers are killed or hang. */
const ROUNDS = IS_LONG ? 12 : 2
const KEY = 'key-of-the-page'
const WORKERS = 3
const CONNECTIONS = 12
const REQUEST = `GET /proxy?userId=7 HTTP/1.1\r\nHost: h\r\nAuthorization: ${KEY}\r\n\r\n`
const END_MS = 3000
/** Time limit in milliseconds: five missed one-second heartbeats and the start of a worker. */
const NOTICE_MS = 12_000

let upstream: FakeUpstream
let proxy: BurgeeProcess
let port: number
const sockets: Socket[] = []
beforeEach(async () => {
  upstream = await startUpstream({ version: 2, features: [{ name: 'on', enabled: true, strategies: [] }] })
  proxy = runBurgee(['proxy', '--workers', String(WORKERS)], {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
    PROXY_PORT: '0',
  })
  port = Number(await proxy.find(/port (\d+)/))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/proxy/health`)).ok)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const pid of childrenOf(proxy.pid)) signal(pid, 'SIGKILL')
  proxy.kill('SIGKILL')
  await proxy.ended
  await upstream.close()
})

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // already gone
  }
}

type Fate = 'answered' | 'ended' | 'refused' | 'hangs'

/** Returns the outcome of one request, sent on a new connection. */
async function fateOf(limitMs: number): Promise<Fate> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let heard = ''
  socket.on('data', (bytes) => {
    heard += String(bytes)
    if (heard.includes('"on"')) socket.destroy()
  })
  const refused = once(socket, 'error').then(([error]) => (error.code === 'ECONNREFUSED' ? 'refused' : 'ended'))
  const closed = once(socket, 'close').then(() => (heard.startsWith('HTTP/1.1 200') ? 'answered' : 'ended'))
  refused.catch(() => {})
  closed.catch(() => {})
  socket.write(REQUEST)
  return Promise.race([refused, closed, sleep(limitMs, 'hangs')]) as Promise<Fate>
}

const fates = (count: number, limitMs: number) => Promise.all(Array.from({ length: count }, () => fateOf(limitMs)))
const isWhole = () => childrenOf(proxy.pid).length === WORKERS
/** Counts the file descriptors of the primary process. */
const held = () => readdirSync(`/proc/${proxy.pid}/fd`).length

test('unanswered requests of a killed worker end with their connections and leave no state', async () => {
  await fates(CONNECTIONS, END_MS)
  const before = held()
  for (let round = 0; round < ROUNDS; round += 1) {
    const [victim = 0] = childrenOf(proxy.pid)
    signal(victim, 'SIGSTOP')
    const asked = fates(CONNECTIONS, END_MS)
    await sleep(200)
    signal(victim, 'SIGKILL')
    expect((await asked).filter((fate) => fate === 'hangs' || fate === 'refused')).toEqual([])
    await until(isWhole)
    await until(async () => (await fates(WORKERS, END_MS)).every((fate) => fate === 'answered'))
  }
  await until(() => held() <= before)
}, 120_000)

test('replaces a hanging worker and ends its requests', async () => {
  const [victim = 0] = childrenOf(proxy.pid)
  signal(victim, 'SIGSTOP')
  const asked = await fates(CONNECTIONS, NOTICE_MS)
  expect(asked.filter((fate) => fate === 'hangs' || fate === 'refused')).toEqual([])
  expect(asked.filter((fate) => fate === 'ended').length).toBeLessThanOrEqual(1)
  await until(() => isWhole() && !childrenOf(proxy.pid).includes(victim))
  expect(proxy.output()).toMatch(/A worker has not answered for 5 s/)
  expect(new Set(await fates(CONNECTIONS, END_MS))).toEqual(new Set(['answered']))
}, 60_000)

test('while all workers are replaced no client is refused: new ones wait', async () => {
  for (const pid of childrenOf(proxy.pid)) signal(pid, 'SIGKILL')
  await until(() => childrenOf(proxy.pid).length === 0 || proxy.output().split('A worker exited').length > WORKERS)
  expect(new Set(await fates(CONNECTIONS, NOTICE_MS))).toEqual(new Set(['answered']))
}, 60_000)
