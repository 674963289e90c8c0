import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

/** Details of replies and requests that clients may rely on. */
const variant = (name: string) => ({ name, weight: 1000, payload: { type: 'string', value: name } })
const DOCUMENT = {
  features: [
    { name: 'own', enabled: true, strategies: [], variants: [variant('a')] },
    { name: 'by strategy', enabled: true, strategies: [{ name: 'default', variants: [variant('b')] }] },
    ...Array.from({ length: 20 }, (_, index) => ({ name: `more-${index}`, enabled: true, strategies: [] })),
  ],
}

let upstream: FakeUpstream
let proxy: TestProxy
beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  const cors = { preflightContinue: true, exposedHeaders: 'X-One , etag' }
  proxy = await startProxy({ flagUrl: upstream.url, cors, proxyBasePath: '/b' })
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${proxy.url}/b${path}`, {
    ...init,
    headers: { authorization: KEY, 'content-type': 'application/json', ...init.headers },
  })

describe('bytes', () => {
  test.each([
    ['own', '{"name":"a","payload":{"type":"string","value":"a"},"enabled":true,'],
    ['by strategy', '{"name":"b","enabled":true,"payload":{"type":"string","value":"b"},'],
  ])('members of the variant of "%s" have their order', async (name, variant) => {
    const response = await call('/proxy', { method: 'POST', body: JSON.stringify({ toggles: [name] }) })
    const spellings = '"feature_enabled":true,"featureEnabled":true}'
    expect(await response.text()).toBe(
      `{"toggles":[{"name":"${name}","enabled":true,"variant":${variant}${spellings},"impressionData":false}]}`,
    )
  })

  test.each([
    ['br, gzip', '/proxy', 'br'],
    ['gzip', '/proxy', 'gzip'],
    ['identity', '/proxy', null],
    ['gzip', '/proxy/health', null],
  ])('have the correct content coding with Accept-Encoding: %s on %s: %s', async (accepted, path, encoding) => {
    const response = await call(path, { headers: { 'accept-encoding': accepted } })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    const byKey = path === '/proxy' ? 'authorization, ' : ''
    expect(response.headers.get('vary')).toBe(`${byKey}Accept-Encoding`)
    expect((await response.text()).length).toBeGreaterThan(0)
  })
})

describe('preflight with preflightContinue', () => {
  test.each([
    ['/proxy', 200, 'GET,HEAD,POST'],
    ['/PROXY/', 200, 'GET,HEAD,POST'],
    ['/proxy/health?x=1', 200, 'GET,HEAD'],
    ['/proxy/client/metrics', 200, 'POST'],
    ['/proxy/nowhere', 404, null],
  ])('OPTIONS %s → %i, Allow: %s', async (path, status, allow) => {
    const response = await call(path, { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST')
    expect(response.headers.get('access-control-max-age')).toBe('172800')
    expect((await response.text()).length).toBeGreaterThan(0)
  })
})

test.each([
  ['/b/proxy', 'X-One , etag'],
  ['/b/OFREP/v1/evaluate/flags', 'X-One, ETag, Retry-After'],
  ['/c/ofrep/v1/evaluate/flags', 'X-One , etag'],
])('pages may read these headers of %s: %s', async (path, names) => {
  const response = await fetch(`${proxy.url}${path}`, { headers: { origin: 'https://app.example' } })
  expect(response.headers.get('access-control-expose-headers')).toBe(names)
})

describe('times in metrics', () => {
  test.each([
    ['2024-01-01T00:00:00Z', 202],
    ['2024-01-01T00:00:00.123456', 202],
    ['2024-01-01t00:00:00z', 202],
    ['2024-01-01 00:00:00Z', 202],
    ['2024-01-01T00:00:00+02:00', 202],
    ['2024-01-01', 400],
    ['2024-13-01T00:00:00Z', 400],
    ['2024-01-01T25:00:00Z', 400],
    ['soon', 400],
    [1704067200000, 400],
  ])('%s → %i', async (start, status) => {
    const bucket = { start, stop: '2024-01-01T00:01:00Z', toggles: {} }
    const body = JSON.stringify({ appName: 'a', instanceId: 'i', bucket })
    expect((await call('/proxy/client/metrics', { method: 'POST', body })).status).toBe(status)
  })
})
