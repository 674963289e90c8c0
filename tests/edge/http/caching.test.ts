import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKENS } from '../../http/scenario.ts'
import { KEY, startProxy } from '../../support/proxy.ts'
import { startUpstream } from '../../support/upstream.ts'
import { type Answer, ask, EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'

/**
 * Caching headers: with few exceptions, replies are private and revalidated each time. Browsers must not sniff content
 * types.
 */
let scene: EdgeScene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const PRIVATE = 'private, no-cache'
const STREAM = 'no-cache, no-transform'
const { client, frontend } = EDGE_TOKENS
const keptOf = ({ headers }: Answer) => headers.get('cache-control')
const varyOf = ({ headers }: Answer) => headers.get('vary')

describe('edge and server tell caches the same', () => {
  test.each([
    ['GET /api/client/features', client, 200, PRIVATE],
    ['GET /api/client/features?namePrefix=f', client, 200, PRIVATE],
    ['GET /api/client/features/nope', client, 404, PRIVATE],
    ['GET /api/client/delta', client, 200, PRIVATE],
    ['GET /api/client/nope', client, 404, PRIVATE],
    ['GET /api/client/features', frontend, 403, PRIVATE],
    ['POST /api/client/metrics', client, 400, PRIVATE],
    ['POST /api/client/register', client, 400, PRIVATE],
    ['POST /edge/validate', '', 400, PRIVATE],
    ['GET /api/frontend/features/nope', frontend, 404, PRIVATE],
    ['GET /api/frontend', client, 403, PRIVATE],
  ])('%s with %s: %i', async (call, token, status, kept) => {
    const asking = { token, ...(call.startsWith('POST') ? { body: {} } : {}) }
    const replies = [await scene.ask(call, asking), await ask(scene.serverUrl, call, asking)]
    expect(replies.map((reply) => [reply.status, keptOf(reply)])).toEqual([
      [status, kept],
      [status, kept],
    ])
    expect(varyOf(replies[0] as Answer)).toBe(varyOf(replies[1] as Answer))
  })

  test.each(['/api/client/features', '/api/client/delta'])('GET %s: 304', async (path) => {
    for (const url of [scene.edge.url, scene.serverUrl]) {
      const first = await ask(url, `GET ${path}`, { token: client })
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await ask(url, `GET ${path}`, { token: client, headers })
      expect([again.status, keptOf(again), varyOf(again)]).toEqual([304, PRIVATE, varyOf(first)])
    }
  })

  test('GET /api/client/streaming', async () => {
    for (const url of [scene.edge.url, scene.serverUrl]) {
      const stream = await fetch(`${url}/api/client/streaming`, { headers: { authorization: TOKENS.client } })
      expect([stream.status, stream.headers.get('cache-control')]).toEqual([200, STREAM])
      await stream.body?.cancel()
    }
  })
})

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Calls every endpoint of the OpenAPI document without a body. Cancels streams. */
async function callAll(url: string, prefix: string, headers: Record<string, string>) {
  const { paths } = (await (await fetch(`${url}${prefix}/docs/openapi.json`)).json()) as Described
  const found: (readonly [string, number, string | null])[] = []
  const sniffed: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods).filter((name) => /^(get|post)$/.test(name))) {
      const reply = await fetch(`${url}${path.replace(/\{\w+\}/g, 'x')}`, { method: method.toUpperCase(), headers })
      await reply.body?.cancel()
      if (reply.headers.get('x-content-type-options') !== 'nosniff') sniffed.push(`${method} ${path} ${reply.status}`)
      found.push([`${method} ${path}`, reply.status, reply.headers.get('cache-control')])
    }
  }
  expect(sniffed, 'replies without nosniff').toEqual([])
  return found
}

describe('every response has explicit cache rules', () => {
  test.each([
    ['a front end', frontend],
    ['a server', client],
    ['an unknown token', '*:development.unknown'],
    ['no token', ''],
  ])('every response of the edge to %s has Cache-Control', async (_name, authorization) => {
    const found = await callAll(scene.edge.url, '', { authorization })
    expect(found.length).toBeGreaterThan(30)
    expect(found.filter(([, , kept]) => kept === null)).toEqual([])
    const failures = found.filter(([, status]) => status >= 400)
    expect(failures.filter(([, , kept]) => kept !== PRIVATE)).toEqual([])
    expect(found.filter(([, status]) => status >= 500)).toEqual([])
  })

  test('responses of the edge to a denied address are private', async () => {
    const edge = await startScene({ DENY_LIST: '127.0.0.0/8' })
    try {
      const refused = await edge.ask('GET /api/frontend', { token: frontend })
      expect([refused.status, keptOf(refused)]).toEqual([403, PRIVATE])
      expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    } finally {
      await edge.close()
    }
  })

  test.each([
    ['a client key', true, KEY],
    ['a wrong key', true, 'wrong'],
    ['a client key before the first sync', false, KEY],
  ])('every response of the proxy to %s has Cache-Control', async (_name, ready, authorization) => {
    const upstream = await startUpstream()
    if (!ready) upstream.answerWith((_request, response) => void response.writeHead(503).end())
    const proxy = await startProxy({ flagUrl: upstream.url, enableOAS: true }, { ready })
    try {
      const found = await callAll(proxy.url, '', { authorization })
      expect(found.length).toBeGreaterThan(10)
      expect(found.filter(([, , kept]) => kept === null)).toEqual([])
      // with a key, a POST without a body succeeds, and its context is empty
      const others = found.filter(([, status]) => status !== 200)
      expect(others.filter(([, , kept]) => kept !== PRIVATE)).toEqual([])
    } finally {
      await proxy.close()
      await upstream.close()
    }
  })
})
