import type { StartedEdge } from '@burgee/edge/edge-process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startServer, TOKENS } from '../../http/scenario.ts'
import { type HttpRelay, openHttpRelay } from '../../support/http-relay.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { until } from '../../support/wait.ts'
import { type Answer, ask, EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'
import { runEdge } from './running-edge.ts'

/**
 * A hundred concurrent requests before any configuration has arrived. Each request either waits and gets its flags, or
 * gets 503 with Retry-After. No request gets 500 or a reply without flags.
 */
let scene: EdgeScene
let relay: HttpRelay
let opened: { close(): Promise<void> }[] = []
beforeAll(async () => {
  scene = await startScene()
  relay = await openHttpRelay(scene.serverUrl)
})
afterEach(async () => {
  relay.spoil(/./, undefined)
  relay.asked.length = 0
  for (const one of opened) await one.close()
  opened = []
})
afterAll(async () => {
  await relay.close()
  await scene.close()
})

const OFREP = 'POST /ofrep/v1/evaluate/flags'
const OFREP_ONE = 'POST /ofrep/v1/evaluate/flags/always'
const FRONT = ['/api/frontend', '/api/frontend/all', '/api/proxy', '/api/proxy/all'].flatMap((path) => [
  `GET ${path}`,
  `POST ${path}`,
])
const EVALUATIONS = [...FRONT, 'GET /api/frontend/features/always', OFREP, OFREP_ONE]

/** Repeats the calls in order until there are a hundred. */
const hundredOf = (calls: readonly string[]) =>
  Array.from({ length: 100 }, (_, index) => calls[index % calls.length] as string)

function askAll(url: string, calls: readonly string[], token: (call: string) => string): Promise<Answer[]> {
  return Promise.all(
    hundredOf(calls).map((call) => ask(url, call, { token: token(call), ...(call[0] === 'P' ? { body: {} } : {}) })),
  )
}

/** Returns the distinct statuses, with Retry-After if present. */
const kindsOf = (answers: readonly Answer[]) =>
  [...new Set(answers.map(({ status, headers }) => `${status} ${headers.get('retry-after') ?? ''}`.trim()))].sort()
const namesAll = (answers: readonly Answer[], flag: string) => answers.every(({ text }) => text.includes(`"${flag}"`))

async function edgeBehindRelay(env: Record<string, string>): Promise<StartedEdge> {
  const edge = await runEdge(
    { UPSTREAM_URL: relay.url, FEATURES_REFRESH_INTERVAL_SECONDS: '1', ...env },
    { ready: false },
  )
  opened.push(edge)
  return edge
}

async function proxyBehindRelay(): Promise<TestProxy> {
  const config = { flagUrl: `${relay.url}/api`, flagApiToken: TOKENS.client, refreshInterval: 50 }
  const tokens = { expServerSideSdkConfig: { tokens: 'server-token' } }
  const proxy = await startProxy({ ...config, ...tokens, enableAllEndpoint: true }, { ready: false })
  opened.push(proxy)
  return proxy
}

/** Delays the replies to requests for these paths until the returned function is called. */
function hold(paths: RegExp): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  relay.spoil(paths, async (reply, _response, pass) => {
    await promise
    pass(reply)
  })
  return resolve
}

describe('at the server', () => {
  test('the first requests after a start wait for their flags', async () => {
    const server = await startServer()
    try {
      await server.admin('POST /api/admin/projects/default/features', { name: 'always' })
      const strategies = '/api/admin/projects/default/features/always/environments/development'
      await server.admin(`POST ${strategies}/strategies`, { name: 'default' })
      await server.admin(`POST ${strategies}/on`)
      const { url } = await server.server.listen()
      const answers = await askAll(url, EVALUATIONS, () => TOKENS.frontend)
      expect([kindsOf(answers), namesAll(answers, 'always')]).toEqual([['200'], true])
    } finally {
      await server.close()
    }
  })
})

describe('at the edge', () => {
  const tokenOf = (call: string) => (call.includes('/api/client') ? EDGE_TOKENS.client : EDGE_TOKENS.frontend)
  const CALLS = [...EVALUATIONS, 'GET /api/client/features', 'GET /api/client/delta', 'GET /api/client/features/always']

  test('while it starts, requests wait for the first flags', async () => {
    const release = hold(/\/api\/client\/features/)
    const edge = await edgeBehindRelay({ TOKENS: EDGE_TOKENS.client })
    const answers = askAll(edge.url, CALLS, tokenOf)
    await until(() => relay.asked.some((path) => path.startsWith('/api/client/features')))
    release()
    const kinds = kindsOf(await answers)
    expect(kinds.filter((kind) => kind !== '200' && kind !== '503 5' && kind !== '503 1')).toEqual([])
    await until(() => edge.isReady())
    const again = await askAll(edge.url, CALLS, tokenOf)
    expect([kindsOf(again), namesAll(again, 'always')]).toEqual([['200'], true])
  })

  test('while the upstream is away, and when it comes back', async () => {
    relay.spoil(/./, (_reply, response) => void response.destroy())
    const edge = await edgeBehindRelay({ TOKENS: EDGE_TOKENS.client })
    const away = kindsOf(await askAll(edge.url, CALLS, tokenOf))
    expect(away.filter((kind) => !/^503 [15]$/.test(kind))).toEqual([])
    relay.spoil(/./, undefined)
    let answers: Answer[] = []
    await until(async () => {
      answers = await askAll(edge.url, CALLS, tokenOf)
      expect(kindsOf(answers).filter((kind) => kind !== '200' && !/^503 [15]$/.test(kind))).toEqual([])
      return kindsOf(answers).join() === '200'
    })
    expect(namesAll(answers, 'always')).toBe(true)
  })

  test('a hundred requests for a new environment wait with DYNAMIC', async () => {
    const edge = await edgeBehindRelay({ DYNAMIC: 'true', TOKENS: EDGE_TOKENS.client })
    await until(() => edge.isReady())
    const release = hold(/\/api\/client\/features/)
    const answers = askAll(
      edge.url,
      ['GET /api/client/features', 'GET /api/client/delta'],
      () => EDGE_TOKENS.production,
    )
    await until(() => relay.asked.some((path) => path.startsWith('/api/client/features')))
    release()
    const seen = await answers
    expect([kindsOf(seen), namesAll(seen, 'live')]).toEqual([['200'], true])
  })

  test('below /proxy, with client keys', async () => {
    const release = hold(/\/api\/client\/features/)
    const edge = await edgeBehindRelay({ TOKENS: EDGE_TOKENS.client, FLAG_PROXY_CLIENT_KEYS: 'web-key' })
    const answers = askAll(edge.url, ['GET /proxy', 'POST /proxy'], () => 'web-key')
    await until(() => relay.asked.some((path) => path.startsWith('/api/client/features')))
    release()
    expect(kindsOf(await answers).filter((kind) => kind !== '200' && !/^503 [15]$/.test(kind))).toEqual([])
    await until(() => edge.isReady())
    const again = await askAll(edge.url, ['GET /proxy', 'POST /proxy'], () => 'web-key')
    expect([kindsOf(again), namesAll(again, 'always')]).toEqual([['200'], true])
  })
})

describe('at the proxy', () => {
  const CALLS = ['GET /proxy', 'POST /proxy', 'GET /proxy/all', OFREP, OFREP_ONE, 'GET /proxy/client/features']
  const tokenOf = (call: string) => (call.includes('/client/') ? 'server-token' : KEY)

  test.each<[string, () => () => void]>([
    ['the upstream has not answered', () => hold(/./)],
    [
      'the upstream refuses connections',
      () => {
        relay.spoil(/./, (_reply, response) => void response.destroy())
        return () => relay.spoil(/./, undefined)
      },
    ],
    [
      'the upstream is busy',
      () => {
        relay.spoil(/./, (_reply, response) => void response.writeHead(503, { 'retry-after': '1' }).end())
        return () => relay.spoil(/./, undefined)
      },
    ],
  ])('503 with the time to try again while %s, and flags then', async (_name, spoil) => {
    const release = spoil()
    const proxy = await proxyBehindRelay()
    const before = kindsOf(await askAll(proxy.url, CALLS, tokenOf))
    expect(before.filter((kind) => !/^503 [15]$/.test(kind))).toEqual([])
    release()
    await until(() => proxy.isReady())
    const answers = await askAll(proxy.url, CALLS, tokenOf)
    expect([kindsOf(answers), namesAll(answers, 'always')]).toEqual([['200'], true])
  })
})
