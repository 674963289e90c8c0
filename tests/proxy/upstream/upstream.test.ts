import type { Logger, LogLevel } from '@burgee/kit/log/logger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const document = (...names: string[]) => ({ version: 2, features: names.map(feature) })
const FAST = { refreshInterval: 20, metricsInterval: 20 }

let upstream: FakeUpstream
let proxy: TestProxy | undefined
let lines: string[]

const logger = Object.fromEntries(
  (['debug', 'info', 'warn', 'error', 'fatal'] as LogLevel[]).map((level) => [
    level,
    (message: string) => void lines.push(`${level}: ${message}`),
  ]),
) as unknown as Logger

beforeEach(async () => {
  lines = []
  upstream = await startUpstream(document('first'))
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
  await upstream.close()
})

const start = async (config: object = {}, options: object = {}): Promise<TestProxy> => {
  proxy = await startProxy({ flagUrl: upstream.url, logger, ...FAST, ...config }, options)
  return proxy
}
const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${proxy?.url}${path}`, {
    ...init,
    headers: { authorization: KEY, 'content-type': 'application/json', ...init.headers },
  })
const names = async (): Promise<string[]> => {
  const { toggles } = (await (await call('/proxy')).json()) as { toggles: { name: string }[] }
  return toggles.map((toggle) => toggle.name)
}
const shows = (name: string) => until(async () => (await names()).includes(name))
const downloads = () => upstream.seen.filter((request) => request.url.startsWith('/api/client/features'))
const posts = (path: string) =>
  upstream.seen.filter((request) => request.url === `/api${path}`).map((request) => JSON.parse(request.body))

describe('the log suggests what to check', () => {
  const page = '<html>login</html>'
  test.each<{ name: string; path: string; status: number; body?: string; says: RegExp }>([
    { name: 'a page, no /api', path: '', status: 200, body: page, says: /is not JSON: does the address lack \/api\?/ },
    { name: 'a page below /api', path: '/api', status: 200, body: page, says: /is not JSON \(/ },
    {
      name: '404, no /api',
      path: '/',
      status: 404,
      says: /answered 404 to \/client\/features: does the address lack \/api\?$/,
    },
    { name: '404 below /api', path: '/flags/api/', status: 404, says: /answered 404 to \/client\/features$/ },
    {
      name: '401',
      path: '/api',
      status: 401,
      says: /answered 401 to \/client\/features: check FLAG_API_TOKEN \(or UNLEASH_API_TOKEN\)$/,
    },
    {
      name: '403',
      path: '/api',
      status: 403,
      says: /answered 403 to \/client\/features: check FLAG_API_TOKEN \(or UNLEASH_API_TOKEN\)$/,
    },
    { name: '500', path: '', status: 500, says: /answered 500 to \/client\/features$/ },
  ])('$name', async ({ path, status, body = '', says }) => {
    upstream.answerWith((_request, response) => void response.writeHead(status).end(body))
    proxy = await startProxy({ flagUrl: `${new URL(upstream.url).origin}${path}`, logger, ...FAST }, { ready: false })
    await until(() => lines.some((line) => line.startsWith('error:')))
    expect(lines.find((line) => line.startsWith('error: Cannot get features'))).toMatch(says)
  })
})

describe('readiness', () => {
  test.each([
    ['GET /proxy', 503],
    ['POST /proxy', 503],
    ['GET /proxy/all', 503],
    ['GET /proxy/health', 503],
    ['GET /proxy/client/features', 503],
    ['GET /nowhere', 404],
    ['GET /proxy?userId=1&userId=2', 400],
    ['POST /proxy/client/metrics', 400],
    ['OPTIONS /proxy', 204],
    ['GET /proxy wrong-key', 503],
    ['GET /proxy/all wrong-key', 503],
    ['GET /proxy/client/features wrong-key', 503],
    ['GET /proxy/internal-backstage/prometheus wrong-key', 200],
    ['POST /proxy wrong-key {bad', 400],
    ['POST /proxy wrong-key {"toggles":3}', 400],
    ['POST /proxy wrong-key text', 415],
    ['POST /proxy wrong-key {}', 503],
    ['POST /proxy/client/register wrong-key {}', 400],
    ['POST /proxy/client/register wrong-key {"appName":"a","interval":1,"started":1,"strategies":[]}', 401],
    ['POST /proxy/client/register client-key {"appName":"a","interval":1,"started":1,"strategies":[]}', 202],
    ['GET /proxy/health/ready wrong-key', 503],
    ['GET /proxy/health/live wrong-key', 200],
  ])('before the first sync %s → %i', async (request, status) => {
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    await start({}, { ready: false })
    const [method = '', path = '', authorization = KEY, ...body] = request.split(' ')
    const isText = body[0] === 'text'
    const headers = { authorization, 'content-type': isText ? 'text/plain' : 'application/json' }
    const init = { method, headers, ...(body.length === 0 ? {} : { body: body.join(' ') }) }
    expect((await call(path, init)).status).toBe(status)
  })

  test('becomes ready once the upstream responds', async () => {
    upstream.answerWith((_request, response) => void response.writeHead(503).end())
    await start({}, { ready: false })
    expect((await call('/proxy/health')).status).toBe(503)
    upstream.answerWith(undefined)
    await shows('first')
    expect((await call('/proxy/health')).status).toBe(200)
  })

  test('an empty list is a configuration', async () => {
    upstream.serve(document())
    await start()
    expect(await names()).toEqual([])
  })
})

describe('synchronisation', () => {
  test('polls with its ETag, token, name and filters', async () => {
    await start({ projectName: 'my proj', namePrefix: 'pre.', tags: 'simple:a b,team:x' })
    await until(() => downloads().length > 2)
    const [first, second] = downloads()
    expect(first?.url).toBe('/api/client/features?project=my+proj&namePrefix=pre.&tag=simple%3Aa+b&tag=team%3Ax')
    expect(first?.headers).toMatchObject({
      authorization: 'upstream-token',
      'unleash-appname': 'flag-proxy',
      'unleash-client-spec': '5.2.0',
      'unleash-interval': '20',
    })
    expect(first?.headers['if-none-match']).toBeUndefined()
    expect(second?.headers['if-none-match']).toBe('"1"')
    expect(second?.headers['cache-control']).toBeUndefined()
    expect(second?.headers.pragma).toBeUndefined()
  })

  test('a change is seen', async () => {
    await start()
    upstream.serve(document('second'))
    await shows('second')
    expect(await names()).toEqual(['second'])
  })

  test.each([
    ['not JSON', '{"features":['],
    ['no object', '[]'],
    ['no features', '{"version":2}'],
    ['features of another kind', '{"features":{"a":1}}'],
    ['a feature without name', '{"features":[{"enabled":true}]}'],
    ['segments of another kind', '{"features":[],"segments":"x"}'],
    ['a page', '<html>login</html>'],
  ])('%s does not replace good data and is logged once', async (_name, body) => {
    await start()
    upstream.answerWith((_request, response) => void response.writeHead(200).end(body))
    const before = downloads().length
    await until(() => downloads().length > before + 3)
    expect(await names()).toEqual(['first'])
    expect(lines.filter((line) => line.startsWith('error:'))).toHaveLength(1)
    upstream.answerWith(undefined)
    upstream.serve(document('second'))
    await shows('second')
    expect(lines.at(-1)).toMatch(/^warn: The upstream answers again, after \d+ failed attempts$/)
  })

  test.each([401, 403, 404, 429, 500])('%i is not the end', async (status) => {
    await start()
    // ignores registration, which may still be in flight
    upstream.answerWith(({ method }, response) => void response.writeHead(method === 'GET' ? status : 202).end())
    const before = downloads().length
    await until(() => downloads().length > before + 1)
    expect(await names()).toEqual(['first'])
    expect(lines.filter((line) => line.startsWith('error:'))).toEqual([
      expect.stringMatching(
        `^error: Cannot get features from the upstream: The upstream answered ${status} to /client/features`,
      ),
    ])
    upstream.answerWith(undefined)
    upstream.serve(document('second'))
    await shows('second')
  })

  test('turns off and names one broken feature, and keeps the others', async () => {
    upstream.serve({
      features: [feature('good'), { name: 'bad', enabled: true, strategies: [{ name: 'default', constraints: 7 }] }],
    })
    await start()
    expect(await names()).toEqual(['good'])
    expect(lines.filter((line) => line.includes('"bad"'))).toHaveLength(1)
  })
})

describe('usage', () => {
  const bucket = (toggles: object) =>
    JSON.stringify({
      appName: 'web',
      instanceId: 'browser',
      bucket: { start: '2024-01-01T00:00:00.000Z', stop: '2024-01-01T00:01:00.000Z', toggles },
    })
  const send = (toggles: object) => call('/proxy/client/metrics', { method: 'POST', body: bucket(toggles) })
  const sent = () => posts('/client/metrics').map((payload) => payload.bucket.toggles)

  test('registers, then adds up counts from SDKs and from listed flags', async () => {
    await start({ metricsInterval: 150 })
    await send({ a: { yes: 2, no: 1, variants: { x: 2 } }, zero: { yes: 0, no: 0 } })
    await send({ a: { yes: 1, variants: { x: 1, y: 5 } } })
    await call('/proxy', { method: 'POST', body: JSON.stringify({ toggles: ['first', 'nope', 'nope'] }) })
    await until(() => sent().length > 0)
    expect(sent()).toEqual([
      {
        a: { yes: 3, no: 1, variants: { x: 3, y: 5 } },
        first: { yes: 1, no: 0, variants: {} },
        nope: { yes: 0, no: 2, variants: {} },
      },
    ])
    const platformVersion = process.versions.node
    expect(posts('/client/register')).toEqual([
      expect.objectContaining({ appName: 'flag-proxy', interval: 150, platformVersion }),
    ])
    const headers = upstream.seen.filter(({ method }) => method === 'POST').map((request) => request.headers)
    expect(headers.map((one) => one['unleash-interval'])).toEqual(['150', '150'])
  })

  test.each([
    ['__proto__', 300_000_000],
    ['constructor', 1e15],
  ])('%s is a name like any other, %d a count like any other', async (name, count) => {
    await start()
    const toggles = `{"${name}":{"yes":${count},"variants":{"__proto__":1}}}`
    await call('/proxy/client/metrics', { method: 'POST', body: bucket({}).replace('{}', toggles) })
    await until(() => posts('/client/metrics').length > 0)
    const [raw] = upstream.seen.filter((request) => request.url === '/api/client/metrics')
    expect(raw?.body).toContain(`"toggles":{"${name}":{"yes":${count},"no":0,"variants":{"__proto__":1}}}`)
  })

  test.each([400, 401, 413, 500])('counts are retained while the upstream answers %i', async (status) => {
    await start()
    upstream.answerWith((request, response) => void response.writeHead(request.method === 'POST' ? status : 304).end())
    await send({ a: { yes: 1 } })
    await until(() => sent().length > 1)
    await send({ a: { yes: 1 } })
    upstream.answerWith(undefined)
    const before = sent().length
    const delivered = () =>
      sent()
        .slice(before)
        .map((toggles) => toggles.a.yes)
        .reduce((sum, count) => sum + count, 0)
    // reports that were in flight when the upstream recovered arrive without further action
    await until(() => delivered() >= 2)
    expect(delivered()).toBe(2)
  })

  test('remaining counts are delivered when the proxy closes', async () => {
    await start({ metricsInterval: 60_000 })
    await send({ a: { yes: 1 } })
    await proxy?.close()
    expect(sent()).toEqual([{ a: { yes: 1, no: 0, variants: {} } }])
  })

  test('metricsInterval 0: registers, sends and stores nothing, even at shutdown', async () => {
    await start({ metricsInterval: 0 })
    await send({ a: { yes: 1 } })
    await call('/proxy', { method: 'POST', body: JSON.stringify({ toggles: ['first', 'nope'] }) })
    upstream.serve(document('second'))
    await shows('second')
    expect(await (await call('/proxy/internal-backstage/prometheus')).text()).toMatch(
      /burgee_proxy_metrics_dropped_total 0\n/,
    )
    await proxy?.close()
    expect(upstream.seen.filter(({ method }) => method === 'POST')).toEqual([])
    expect(lines.filter((line) => line.includes('the proxy is ready'))).toHaveLength(1)
  })

  test('counts from before the first sync are retained', async () => {
    upstream.answerWith((_request, response) => void response.writeHead(500).end())
    await start({}, { ready: false })
    expect((await send({ a: { yes: 1 } })).status).toBe(202)
    upstream.answerWith(undefined)
    await until(() => sent().some((toggles) => toggles.a?.yes === 1))
  })

  test('sends no data about end users upstream', async () => {
    await start()
    const secret = 'user-9f3a'
    await call(`/proxy?userId=${secret}&remoteAddress=203.0.113.99&properties[mail]=${secret}`)
    await call('/proxy', {
      method: 'POST',
      body: JSON.stringify({
        toggles: ['first'],
        context: { userId: secret, sessionId: secret, properties: { mail: secret } },
      }),
    })
    await until(() => posts('/client/metrics').length > 0)
    const everything = JSON.stringify(upstream.seen)
    expect(everything).not.toContain(secret)
    expect(everything).not.toContain('203.0.113.99')
  })
})
