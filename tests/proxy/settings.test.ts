import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'

/** Effects of options on replies. */
const when = (contextName: string, value: string) => ({
  name: 'default',
  constraints: [{ contextName, operator: 'IN', values: [value] }],
})
const ALL = { percentage: '100', groupId: 'g' }
const DOCUMENT = {
  features: [
    { name: 'production', enabled: true, strategies: [when('environment', 'production')] },
    { name: 'default', enabled: true, strategies: [when('environment', 'default')] },
    { name: 'far', enabled: true, strategies: [{ name: 'remoteAddress', parameters: { IPs: '192.0.2.1' } }] },
    { name: 'near', enabled: true, strategies: [{ name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } }] },
    { name: 'mine', enabled: true, strategies: [when('appName', 'mine')] },
    { name: 'session', enabled: false, strategies: [{ name: 'gradualRolloutSessionId', parameters: ALL }] },
  ],
}

let upstream: FakeUpstream
let proxy: TestProxy | undefined
beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
})
afterAll(() => upstream.close())

const ask = async (config: ProxyConfig, path: string, init: RequestInit = {}): Promise<Response> => {
  proxy ??= await startProxy({ flagUrl: upstream.url, ...config })
  return fetch(`${proxy.url}${path}`, { ...init, headers: { authorization: KEY, ...init.headers } })
}
const names = async (response: Response): Promise<string[]> => {
  const { toggles } = (await response.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}

describe('environment', () => {
  test.each<[string | undefined, string, string]>([
    [undefined, '', 'default'],
    [undefined, '?environment=production', 'production'],
    ['production', '', 'production'],
    ['production', '?environment=default', 'production'],
  ])('configured %s, asked "%s" → %s', async (environment, query, expected) => {
    const config = environment === undefined ? {} : { environment }
    expect(await names(await ask(config, `/proxy${query}`))).toEqual([expected, 'near'])
  })
})

test('flagAppName is the app name of contexts without one', async () => {
  const config = { flagAppName: 'mine' }
  expect(await names(await ask(config, '/proxy'))).toContain('mine')
  expect(await names(await ask(config, '/proxy?appName=other'))).not.toContain('mine')
})

test('generates a session id, except for listed toggles', async () => {
  const session = DOCUMENT.features.map((one) => ({ ...one, enabled: one.name === 'session' }))
  upstream.serve({ features: session })
  const post = (body: object) => {
    const headers = { 'content-type': 'application/json' }
    return ask({}, '/proxy', { method: 'POST', headers, body: JSON.stringify(body) })
  }
  expect(await names(await ask({}, '/proxy'))).toEqual(['session'])
  expect(await names(await post({}))).toEqual(['session'])
  const listed = await post({ toggles: ['session'] })
  expect(await listed.json()).toMatchObject({ toggles: [{ name: 'session', enabled: false }] })
  const own = await post({ toggles: ['session'], context: { sessionId: '1' } })
  expect(await own.json()).toMatchObject({ toggles: [{ name: 'session', enabled: true }] })
  upstream.serve(DOCUMENT)
})

describe('clientKeysHeaderName', () => {
  test.each<[string, Record<string, string>, number]>([
    ['the header named', { authorization: '', 'X-Key': KEY }, 200],
    ['in other letters', { authorization: '', 'x-kEY': KEY }, 200],
    ['the usual one', {}, 401],
    ['a wrong key', { 'x-key': 'wrong' }, 401],
  ])('%s → %i', async (_name, headers, status) => {
    expect((await ask({ clientKeysHeaderName: 'X-Key' }, '/proxy', { headers })).status).toBe(status)
  })
})

describe('every client key is accepted', () => {
  test.each(['one', 'two', 'three'])('%s', async (key) => {
    const headers = { authorization: key }
    expect((await ask({ clientKeys: ['one', 'two', 'three'] }, '/proxy', { headers })).status).toBe(200)
  })
})

describe('proxyBasePath', () => {
  test.each<[string, string, number]>([
    ['base/path', '/base/path/proxy', 200],
    ['/base/path/', '/base/path/proxy/health', 200],
    ['base/path', '/proxy', 404],
    ['/', '/proxy', 200],
    ['/a:b', '/a:b/proxy', 200],
    ['/a:b', '/axxx/proxy', 404],
  ])('%s: %s → %i', async (proxyBasePath, path, status) => {
    expect((await ask({ proxyBasePath }, path)).status).toBe(status)
  })
})

describe('enableAllEndpoint', () => {
  test.each<[boolean, string, number]>([
    [false, 'GET', 501],
    [false, 'POST', 501],
    [true, 'GET', 200],
    [true, 'POST', 200],
  ])('%s: %s /proxy/all → %i', async (enableAllEndpoint, method, status) => {
    const response = await ask({ enableAllEndpoint }, '/proxy/all', { method })
    expect(response.status).toBe(status)
    if (status === 501) expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    else expect(await names(response)).toHaveLength(DOCUMENT.features.length)
  })

  test('still returns 401 without a key', async () => {
    expect((await ask({}, '/proxy/all', { headers: { authorization: 'wrong' } })).status).toBe(401)
  })
})

describe('trustProxy', () => {
  test.each<[ProxyConfig['trustProxy'], string, string]>([
    [false, '192.0.2.1', 'near'],
    [true, '192.0.2.1', 'far'],
    [true, '192.0.2.1, 203.0.113.1', 'far'],
    [['127.0.0.1'], '192.0.2.1', 'far'],
    [['loopback', '10.0.0.0/8'], '192.0.2.1, 10.1.2.3', 'far'],
    [['10.0.0.0/8'], '192.0.2.1', 'near'],
    [['loopback'], '127.0.0.1, 192.0.2.1', 'far'],
    [true, '::ffff:192.0.2.1', 'far'],
  ])('%j: X-Forwarded-For: %s → %s', async (trustProxy, forwarded, expected) => {
    const response = await ask({ trustProxy }, '/proxy', { headers: { 'x-forwarded-for': forwarded } })
    expect(await names(response)).toEqual(['default', expected])
  })

  test.each([
    [false, 'far'],
    [true, 'near'],
  ])('trustedAddressWins %s: the sent address against the forwarded one → %s', async (trustedAddressWins, expected) => {
    const config = { trustProxy: true, trustedAddressWins }
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    expect(await names(await ask(config, '/proxy?remoteAddress=192.0.2.1', { headers }))).toEqual(['default', expected])
  })
})

describe('cors', () => {
  const A = 'https://a.example'
  const B = 'https://b.example'
  const preflight = { method: 'OPTIONS', headers: { origin: A, 'access-control-request-headers': 'x-one' } }
  test.each<[string, NonNullable<ProxyConfig['cors']>, RequestInit, number, Record<string, string | null>]>([
    ['without options', {}, {}, 200, { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }],
    [
      'origin: one',
      { origin: A },
      {},
      200,
      { 'access-control-allow-origin': A, vary: 'Origin, authorization, Accept-Encoding' },
    ],
    ['origin: listed', { origin: [A, B] }, preflight, 204, { 'access-control-allow-origin': A }],
    [
      'origin: not listed',
      { origin: [B, 'https://c.example'] },
      preflight,
      204,
      { 'access-control-allow-origin': null },
    ],
    ['credentials', { credentials: true }, {}, 200, { 'access-control-allow-credentials': 'true' }],
    ['no credentials', {}, {}, 200, { 'access-control-allow-credentials': null }],
    ['exposedHeaders', { exposedHeaders: 'X-A' }, {}, 200, { 'access-control-expose-headers': 'X-A' }],
    ['allowedHeaders', { allowedHeaders: 'x-a,x-b' }, preflight, 204, { 'access-control-allow-headers': 'x-a,x-b' }],
    ['requested headers', {}, preflight, 204, { 'access-control-allow-headers': 'x-one' }],
    ['methods', { methods: 'GET' }, preflight, 204, { 'access-control-allow-methods': 'GET' }],
    ['maxAge', { maxAge: 0 }, preflight, 204, { 'access-control-max-age': '0' }],
    ['optionsSuccessStatus', { optionsSuccessStatus: 200 }, preflight, 200, { 'content-length': '0' }],
  ])('%s', async (_name, cors, init, status, headers) => {
    const response = await ask({ cors }, '/proxy', init)
    expect(response.status).toBe(status)
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name), name).toBe(value)
  })

  test.each([
    ['/nowhere', 404],
    ['/proxy?userId=1&userId=2', 400],
  ])('error responses have the headers too: %s → %i', async (path, status) => {
    const response = await ask({}, path)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
  })
})
