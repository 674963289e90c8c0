import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { StartedEdge } from '@burgee/edge/edge-process'
import { findFreePort } from '@burgee/kit/free-port'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { ask, EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'
import { runEdge } from './running-edge.ts'

/** Status codes in the wire protocol's table "Status codes of tokens", and further reasons for rejection. */
let scene: EdgeScene
const edges: StartedEdge[] = []
const made: Record<string, string> = {}
beforeAll(async () => {
  scene = await startScene()
  const add = async (name: string, type: string, environment: string, project: string) => {
    const token = { tokenName: name, type, environment, projects: [project] }
    made[name] = ((await scene.server.admin('POST /api/admin/api-tokens', token)) as { secret: string }).secret
  }
  await scene.server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await add('other', 'client', 'development', 'other')
  await add('other-web', 'frontend', 'development', 'other')
  await add('live-web', 'frontend', 'production', 'default')
  await add('to-be-revoked', 'frontend', 'development', 'default')
})
afterEach(async () => {
  for (const edge of edges.splice(0)) await edge.close()
})
afterAll(() => scene.close())

const { client, production, frontend, admin } = EDGE_TOKENS
async function edgeOf(env: Readonly<Record<string, string>>, ready = true): Promise<StartedEdge> {
  const edge = await runEdge({ UPSTREAM_URL: scene.serverUrl, TOKENS: client, ...env }, { ready })
  edges.push(edge)
  return edge
}

describe('tokens', () => {
  const CASES: readonly (readonly [string, string, () => string | undefined, number, string])[] = [
    ['none', 'GET /api/frontend', () => undefined, 403, 'no token'],
    ['none', 'GET /api/client/features', () => undefined, 403, 'no token'],
    ['not of the form', 'GET /api/frontend', () => 'nonsense', 403, 'not of the form'],
    ['not known upstream', 'GET /api/frontend', () => '*:development.nonsense', 403, 'does not know'],
    ['of a front end', 'GET /api/client/features', () => frontend, 403, 'wrong kind'],
    ['of a front end', 'POST /api/client/features', () => frontend, 403, 'wrong kind'],
    ['of a front end', 'GET /api/client/streaming', () => frontend, 403, 'wrong kind'],
    ['of a server', 'GET /api/frontend', () => client, 403, 'wrong kind'],
    ['of a server', 'GET /api/proxy/all', () => client, 403, 'wrong kind'],
    ['of an administrator', 'GET /api/client/features', () => admin, 403, ''],
    [
      'for what no start-up token is for',
      'GET /api/client/features',
      () => made.other,
      403,
      'No start-up token covers',
    ],
    ['of a front end, for a project without flags', 'GET /api/frontend', () => made['other-web'], 200, ''],
    ['good', 'GET /api/frontend', () => frontend, 200, ''],
    ['good', 'GET /api/client/features', () => production, 200, ''],
  ]
  test.each(CASES)('%s: %s', async (_name, call, token, status, why) => {
    const answer = await scene.ask(call, { token: token() })
    expect(answer.status).toBe(status)
    if (status !== 200) expect((answer.json as { explanation: string }).explanation).toContain(why)
    if (token() !== undefined) expect(answer.text).not.toContain(String(token()).split('.')[1])
  })

  test('new tokens of SDKs fetch flags with DYNAMIC while the request waits', async () => {
    const edge = await edgeOf({ TOKENS: '', DYNAMIC: 'true' })
    expect((await ask(edge.url, 'GET /api/client/features', { token: made.other })).status).toBe(200)
  })

  test('get 403 if they are frontend tokens of an environment without data', async () => {
    const edge = await edgeOf({})
    expect((await ask(edge.url, 'GET /api/frontend', { token: made['live-web'] })).status).toBe(403)
    expect((await scene.ask('GET /api/frontend', { token: made['live-web'] })).status).toBe(200)
  })

  test('rejects a token revoked upstream within the interval, and closes its streams', async () => {
    const edge = await edgeOf({ TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' })
    const token = made['to-be-revoked'] ?? ''
    const list = await ask(edge.url, 'POST /ofrep/v1/evaluate/flags', { token, body: {} })
    const { eventStreams } = list.json as { eventStreams: { endpoint: { requestUri: string } }[] }
    const stream = await fetch(`${edge.url}${eventStreams[0]?.endpoint.requestUri}`)
    expect(stream.status).toBe(200)
    await scene.server.admin(`DELETE /api/admin/api-tokens/${token}`)
    await stream.text()
    expect((await ask(edge.url, 'GET /api/frontend', { token })).status).toBe(403)
  })
})

describe('an upstream that is away', () => {
  let relay: Relay
  beforeAll(async () => {
    relay = await openRelay({ host: '127.0.0.1', port: Number(new URL(scene.serverUrl).port) })
  })
  afterAll(() => relay.close())

  test('known tokens still work; unknown ones get 503', async () => {
    relay.become('through')
    const edge = await edgeOf({ UPSTREAM_URL: `http://127.0.0.1:${relay.port}` })
    expect((await ask(edge.url, 'GET /api/frontend', { token: frontend })).status).toBe(200)
    relay.become('refused')
    for (const token of [frontend, client]) {
      const call = token === client ? 'GET /api/client/features' : 'GET /api/frontend'
      expect((await ask(edge.url, call, { token })).status).toBe(200)
    }
    const unknown = await ask(edge.url, 'GET /api/frontend', { token: '*:development.unknown' })
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5'])
    const asked = await ask(edge.url, 'POST /edge/validate', { body: { tokens: [frontend, '*:development.unknown'] } })
    expect(asked.status).toBe(503)
  })

  test('during the start: not ready, 503 for every request, but healthy', async () => {
    relay.become('refused')
    const edge = await edgeOf({ UPSTREAM_URL: `http://127.0.0.1:${relay.port}` }, false)
    const ready = await ask(edge.url, 'GET /internal-backstage/ready')
    expect([ready.status, ready.json]).toEqual([
      503,
      { error: 'Edge is not ready to serve requests', status: 'NOTREADY' },
    ])
    expect((await ask(edge.url, 'GET /internal-backstage/health')).status).toBe(200)
    expect((await ask(edge.url, 'GET /api/client/features', { token: client })).status).toBe(503)
    relay.become('through')
    await until(() => edge.isReady())
    expect((await ask(edge.url, 'GET /api/client/features', { token: client })).status).toBe(200)
  })
})

describe('disabled pages', () => {
  test('pages with more than numbers are closed by default; /all and metrics close by option', async () => {
    const edge = await edgeOf({ DISABLE_ALL_ENDPOINT: 'true', DISABLE_METRICS_ENDPOINT: 'true', ENABLE_OAS: 'false' })
    const pages = ['tokens', 'features', 'metricsbatch', 'instancedata', 'metrics'].map(
      (page) => `/internal-backstage/${page}`,
    )
    for (const path of [...pages, '/api/frontend/all', '/api/proxy/all', '/docs/openapi.json', '/proxy']) {
      expect([path, (await ask(edge.url, `GET ${path}`, { token: frontend })).status]).toEqual([path, 404])
    }
    expect((await scene.ask('GET /internal-backstage/tokens')).status).toBe(404)
    expect((await scene.ask('GET /internal-backstage/metrics')).status).toBe(200)
  })

  test('a base path stands before everything', async () => {
    const edge = await edgeOf({ BASE_PATH: 'a/b' })
    expect((await ask(edge.url, 'GET /a/b/api/frontend', { token: frontend })).status).toBe(200)
    expect((await ask(edge.url, 'GET /a/b/internal-backstage/health')).status).toBe(200)
    expect((await ask(edge.url, 'GET /api/frontend', { token: frontend })).status).toBe(404)
  })

  test('tokens in a custom header', async () => {
    const edge = await edgeOf({ EDGE_AUTH_HEADER: 'X-Token' })
    const answer = await ask(edge.url, 'GET /api/frontend', { headers: { 'x-token': frontend } })
    expect([answer.status, answer.headers.get('vary')?.toLowerCase()]).toEqual([
      200,
      expect.stringContaining('x-token'),
    ])
    expect((await ask(edge.url, 'GET /api/frontend', { token: frontend })).status).toBe(403)
  })
})

describe('addresses', () => {
  const FROM = { 'x-forwarded-for': '192.0.2.7' }
  test.each<[string, Record<string, string>, Record<string, string>, number]>([
    ['not in the list', { ALLOW_LIST: '10.0.0.0/8' }, {}, 403],
    ['in the list', { ALLOW_LIST: '127.0.0.0/8' }, {}, 200],
    ['denied', { DENY_LIST: '127.0.0.1' }, {}, 403],
    ['denied and allowed', { ALLOW_LIST: '127.0.0.1', DENY_LIST: '127.0.0.0/8' }, {}, 403],
    ['a forwarded one from an untrusted peer', { ALLOW_LIST: '192.0.2.0/24' }, FROM, 403],
    [
      'a forwarded one',
      { ALLOW_LIST: '192.0.2.0/24', TRUST_PROXY: 'true', PROXY_TRUSTED_SERVERS: '127.0.0.1' },
      FROM,
      200,
    ],
    [
      'the standard header first',
      { DENY_LIST: '192.0.2.9', TRUST_PROXY: 'true' },
      { ...FROM, forwarded: 'for=192.0.2.9' },
      403,
    ],
  ])('%s', async (_name, env, headers, status) => {
    const edge = await edgeOf(env)
    expect((await ask(edge.url, 'GET /api/frontend', { token: frontend, headers })).status).toBe(status)
    expect((await ask(edge.url, 'GET /internal-backstage/health', { headers })).status).toBe(200)
  })
})

describe('pages of other origins', () => {
  test('any may call by default; a preflight needs no token', async () => {
    const origin = { origin: 'https://shop.example' }
    const answer = await scene.ask('GET /api/frontend', { token: frontend, headers: origin })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const asked = {
      ...origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const preflight = await scene.ask('OPTIONS /api/frontend', { headers: asked })
    expect([preflight.status, preflight.headers.get('access-control-max-age')]).toEqual([204, '172800'])
  })
})

describe('TLS', () => {
  const fixture = (name: string) => new URL(`../../proxy/fixtures/${name}`, import.meta.url).pathname
  const TLS = {
    TLS_ENABLE: 'true',
    TLS_SERVER_KEY: fixture('self-signed-key.pem'),
    TLS_SERVER_CERT: fixture('self-signed.pem'),
  }
  test('a second port answers the same; the first one redirects requests without a token, except for probes', async () => {
    const port = await findFreePort()
    const edge = await edgeOf({ ...TLS, TLS_SERVER_PORT: String(port), REDIRECT_HTTP_TO_HTTPS: 'true' })
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const ca = readFileSync(TLS.TLS_SERVER_CERT)
      const options = { port, host: '127.0.0.1', path: '/api/frontend', headers: { authorization: frontend }, ca }
      const asking = request({ ...options, rejectUnauthorized: false }, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
      asking.on('error', reject)
      asking.end()
    })
    expect(status).toBe(200)
    const withToken = await ask(edge.url, 'GET /api/frontend?userId=7', { token: frontend })
    expect([withToken.status, withToken.headers.get('location')]).toEqual([403, null])
    const sent = await ask(edge.url, 'GET /api/frontend?userId=7')
    expect([sent.status, sent.headers.get('location')]).toEqual([
      308,
      `https://127.0.0.1:${port}/api/frontend?userId=7`,
    ])
    expect((await ask(edge.url, 'GET /internal-backstage/health')).status).toBe(200)
  })

  test('the first port rejects a token in every header that the edge reads', async () => {
    const port = await findFreePort()
    const redirect = { TLS_SERVER_PORT: String(port), REDIRECT_HTTP_TO_HTTPS: 'true', EDGE_AUTH_HEADER: 'X-Flag-Token' }
    const edge = await edgeOf({ ...TLS, ...redirect })
    for (const header of ['x-flag-token', 'authorization', 'x-api-key']) {
      const sent = await ask(edge.url, 'POST /ofrep/v1/evaluate/flags', { headers: { [header]: frontend } })
      expect([header, sent.status, sent.headers.get('location')]).toEqual([header, 403, null])
    }
  })

  test.each([
    ['GET /path?a=b', 'a:1', '308 https://a:PORT/path?a=b'],
    ['GET //evil.example/x', 'a', '308 https://a:PORT//evil.example/x'],
    ['GET http://b.example/x?y', 'a', '308 https://b.example:PORT/x?y'],
    ['GET http://b.example:81?y', 'a', '308 https://b.example:PORT/?y'],
    ['GET http://user@b.example/x', 'a', '400 '],
    ['GET ftp://b.example/x', 'a', '400 '],
    ['OPTIONS *', 'a', '400 '],
    ['GET /x', 'user@evil.example', '400 '],
  ])('the first port answers %s for the host %s with %s', async (start, host, expected) => {
    const port = await findFreePort()
    const edge = await edgeOf({ ...TLS, TLS_SERVER_PORT: String(port), REDIRECT_HTTP_TO_HTTPS: 'true' })
    const socket = connect({ port: edge.port, host: '127.0.0.1' })
    socket.end(`${start} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const reply = await text(socket)
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(reply) ?? []
    const [, location = ''] = /^location: (.*)\r$/im.exec(reply) ?? []
    expect(`${status} ${location}`).toBe(expected.replace('PORT', String(port)))
  })

  test('a key that cannot be read ends the start', async () => {
    await expect(edgeOf({ ...TLS, TLS_SERVER_KEY: '/nothing' })).rejects.toThrow('TLS_SERVER_KEY')
  })
})
