import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../support/burgee.ts'
import { childrenOf } from '../support/children.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

const KEY = 'key-of-the-page'
const WORKERS = 3
const ANSWER_LIMIT_MS = 2000
const feature = (name: string) => ({ name, enabled: true, strategies: [] })

let upstream: FakeUpstream
let proxy: BurgeeProcess

beforeEach(async () => {
  upstream = await startUpstream({ version: 2, features: [feature('on')] })
})
afterEach(async () => {
  proxy?.kill('SIGKILL')
  await proxy?.ended
  await upstream.close()
})

function startProxy(more: Readonly<Record<string, string>> = {}): BurgeeProcess {
  proxy = runBurgee(['proxy', '--workers', String(WORKERS)], {
    FLAG_URL: upstream.url,
    FLAG_API_TOKEN: 'token',
    FLAG_PROXY_CLIENT_KEYS: KEY,
    FLAG_FETCH_INTERVAL: '50',
    PROXY_PORT: '0',
    ...more,
  })
  return proxy
}

async function startReady(more?: Readonly<Record<string, string>>): Promise<string> {
  const port = await startProxy(more).find(/port (\d+)/)
  const url = `http://127.0.0.1:${port}/proxy`
  await until(async () => (await ask(`${url}/health`)).ok)
  return url
}

/** Uses a new connection per request, so that the workers alternate. A worker that is about to exit may not reply. */
function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
  return fetch(url, { ...init, signal, headers: { authorization: KEY, connection: 'close', ...init.headers } })
}

async function namesAt(url: string): Promise<string[]> {
  const { toggles } = (await (await ask(url)).json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}

async function count(url: string): Promise<void> {
  const body = JSON.stringify({ toggles: ['on', 'missing'] })
  const response = await ask(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect(response.status).toBe(200)
}

async function series(url: string, name: string): Promise<number> {
  const text = await (await ask(`${url}/internal-backstage/prometheus`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

function delivered(): { yes: number; no: number } {
  const posts = upstream.seen.filter(({ url, method }) => method === 'POST' && url.endsWith('/client/metrics'))
  const counts = posts.map(({ body }) => JSON.parse(body).bucket.toggles)
  const sum = (pick: (toggles: Record<string, { yes: number; no: number }>) => number) =>
    counts.reduce((total: number, toggles) => total + pick(toggles), 0)
  return { yes: sum((toggles) => toggles.on?.yes ?? 0), no: sum((toggles) => toggles.missing?.no ?? 0) }
}

test('one process polls the upstream, registers, and delivers the counts of all', async () => {
  const url = await startReady()
  expect(childrenOf(proxy.pid)).toHaveLength(WORKERS)
  await Promise.all(Array.from({ length: 60 }, () => count(url)))
  expect(await series(url, 'burgee_proxy_evaluations_total')).toBe(120)
  expect(await series(url, 'burgee_proxy_workers')).toBe(WORKERS)
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  expect(delivered()).toEqual({ yes: 60, no: 60 })
  expect(upstream.seen.filter(({ url: path }) => path.endsWith('/client/register'))).toHaveLength(1)
  const tagged = upstream.seen.filter(({ headers }) => headers['if-none-match'] === undefined)
  const paths = tagged.filter(({ method }) => method === 'GET').map(({ url: path }) => path)
  expect(paths).toEqual(['/api/client/features', '/api/client/streaming'])
})

test('not ready before the upstream answers, from no worker; a change comes to all of them', async () => {
  upstream.answerWith((_request, response) => void response.writeHead(503).end())
  const port = await startProxy().find(/port (\d+)/)
  const url = `http://127.0.0.1:${port}/proxy`
  const refusals = await Promise.all(Array.from({ length: 9 }, async () => (await ask(`${url}/health`)).status))
  expect(new Set(refusals)).toEqual(new Set([503]))
  upstream.answerWith(undefined)
  await until(async () => (await ask(`${url}/health`)).ok)
  // checks all workers: every further request gets a configuration
  const names = await Promise.all(Array.from({ length: 9 }, () => namesAt(url)))
  expect(names).toEqual(Array.from({ length: 9 }, () => ['on']))
  upstream.serve({ version: 2, features: [feature('on'), feature('later')] })
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => namesAt(url)))
    return answers.every((answer) => answer.length === 2)
  })
})

test('a killed worker is replaced, and the one that replaces it answers from the first request on', async () => {
  const url = await startReady()
  // the upstream fails, so a new worker gets its configuration from the primary process
  upstream.answerWith((_request, response) => void response.writeHead(503).end())
  const before = childrenOf(proxy.pid)
  process.kill(before[0] ?? 0, 'SIGKILL')
  const statuses = new Set<number>()
  await until(async () => {
    const now = childrenOf(proxy.pid)
    const answer = await ask(url).catch(() => undefined)
    if (answer !== undefined) statuses.add(answer.status)
    return now.length === WORKERS && now.some((pid) => !before.includes(pid))
  })
  await until(async () => (await series(url, 'burgee_proxy_worker_replacements_total')) === 1)
  for (let turn = 0; turn < 3 * WORKERS; turn += 1) statuses.add((await ask(url)).status)
  expect([...statuses]).toEqual([200])
  expect(proxy.output()).toContain('A worker exited (SIGKILL)')
})

test('counts of a killed worker stay in the series and go upstream', async () => {
  const url = await startReady()
  await Promise.all(Array.from({ length: 30 }, () => count(url)))
  expect(await series(url, 'burgee_proxy_evaluations_total')).toBe(60)
  // workers send their counts to the primary process once a second
  await new Promise((resolve) => setTimeout(resolve, 1500))
  for (const pid of childrenOf(proxy.pid)) process.kill(pid, 'SIGKILL')
  await until(async () => (await ask(`${url}/health`)).ok)
  expect(await series(url, 'burgee_proxy_evaluations_total')).toBe(60)
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  expect(delivered()).toEqual({ yes: 30, no: 30 })
})

test('workers do not outlive their primary process', async () => {
  await startReady()
  const pids = childrenOf(proxy.pid)
  proxy.kill('SIGKILL')
  await until(() => pids.every((pid) => !isAlive(pid)))
})

test('a worker that hangs in code of the operator is killed at the end, and what all have counted is delivered', async () => {
  const { path, remove } = temporaryFolder()
  const file = join(path, 'strategies.cjs')
  const hangs = "{ name: 'hangs', isEnabled: (_, { userId }) => { while (userId === 'forever'); return true } }"
  writeFileSync(file, `module.exports = [${hangs}]`)
  upstream.serve({ version: 2, features: [{ ...feature('on'), strategies: [{ name: 'hangs' }] }] })
  const url = await startReady({ FLAG_CUSTOM_STRATEGIES_FILE: file })
  await count(url)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const pids = childrenOf(proxy.pid)
  await expect(ask(`${url}?userId=forever`)).rejects.toThrow()
  proxy.kill('SIGTERM')
  expect(await proxy.ended).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
  expect(delivered()).toEqual({ yes: 1, no: 1 })
  remove()
})

test('a taken port is logged once and ends everything', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  startProxy({ PROXY_PORT: String(port) })
  expect(await proxy.ended).toBe(1)
  expect(proxy.errors().match(/EADDRINUSE/g)).toHaveLength(1)
  server.close()
})

test('replaced client keys are used by every worker', async () => {
  const { path, remove } = temporaryFolder()
  const file = join(path, 'keys')
  writeFileSync(file, KEY)
  const url = await startReady({ FLAG_PROXY_CLIENT_KEYS: '', FLAG_PROXY_CLIENT_KEYS_FILE: file })
  writeFileSync(file, 'another-key')
  proxy.kill('SIGHUP')
  await until(async () => {
    const statuses = await Promise.all(Array.from({ length: 3 * WORKERS }, async () => (await ask(url)).status))
    return statuses.every((status) => status === 401)
  })
  remove()
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
