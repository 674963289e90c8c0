import type { ServerResponse } from 'node:http'
import type { HttpUpstream, HttpUpstreamDeps } from '@burgee/edge/upstream/http-upstream'
import { ImpactUnsupported, PartlyReported } from '@burgee/edge/upstream/upstream-interface'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServer, TOKENS } from '../../http/scenario.ts'
import { keptLog } from '../../support/kept-log.ts'
import { type FakeUpstream, type SeenRequest, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'
import { upstreamAt } from '../upstream-of-server.ts'

/** Requests of an edge to its upstream, and the handling of replies. */
const TOKEN = 'shop:development.a-secret-of-some-length-that-is-shortened'
let fake: FakeUpstream
let upstream: HttpUpstream

beforeEach(async () => {
  fake = await startUpstream()
})
afterEach(async () => {
  await upstream.close()
  await fake.close()
})

const open = (more: Partial<HttpUpstreamDeps> = {}, path = ''): HttpUpstream => {
  upstream = upstreamAt(`${new URL(fake.url).origin}${path}`, more)
  return upstream
}
const answer = (status: number, body?: unknown) =>
  fake.answerWith((_request, response) => void response.writeHead(status).end(JSON.stringify(body)))

describe('the address', () => {
  test.each(['', '/', '/api', '/api/', '/flags', '/flags/api'])('%s', async (path) => {
    open({}, path)
    answer(200, { tokens: [] })
    await upstream.validate([TOKEN])
    await upstream.report(TOKEN, { applications: [], metrics: [] })
    const base = path.startsWith('/flags') ? '/flags' : ''
    expect(fake.seen.map(({ url }) => url)).toEqual([`${base}/edge/validate`, `${base}/api/client/metrics/bulk`])
  })
})

describe('request headers', () => {
  const CASES: [string, Partial<HttpUpstreamDeps>, Record<string, string | undefined>][] = [
    ['by default', {}, { authorization: TOKEN, 'unleash-appname': 'an-edge', 'unleash-sdk': 'burgee-edge:test' }],
    ['a header of another name', { tokenHeader: 'X-Token' }, { authorization: undefined, 'x-token': TOKEN }],
    ['headers of the operator', { headers: { 'X-Gate': 'open' } }, { 'x-gate': 'open', authorization: TOKEN }],
    ['one that would hide the token', { headers: { Authorization: 'Basic x' } }, { authorization: TOKEN }],
  ]
  test.each(CASES)('%s', async (_name, more, headers) => {
    open(more)
    await upstream.report(TOKEN, { applications: [], metrics: [] })
    const { 'x-gate': gate } = fake.seen[0]?.headers ?? {}
    for (const [name, value] of Object.entries(headers)) expect(fake.seen[0]?.headers[name], name).toBe(value)
    expect(fake.seen[0]?.headers['unleash-interval']).toBe('60000')
    answer(200, { tokens: [] })
    await upstream.validate([TOKEN])
    const asked = fake.seen[1]
    expect([asked?.body, asked?.headers.authorization, asked?.headers['x-token'], asked?.headers['x-gate']]).toEqual([
      ...[JSON.stringify({ tokens: [TOKEN] }), undefined, undefined, gate],
    ])
  })
})

describe('token validation', () => {
  const one = { token: TOKEN, type: 'client', environment: 'development', projects: ['shop'] }
  const read = { ...one, type: 'backend' }
  const other = { token: TOKEN, type: 'other', environment: '*', projects: [] }
  test.each<[string, unknown, unknown]>([
    ['none', { tokens: [] }, []],
    ['one', { tokens: [one] }, [read]],
    ['upper case', { tokens: [{ ...one, type: 'CLIENT' }] }, [read]],
    ['further members', { tokens: [{ ...one, status: 'Validated' }], more: 1 }, [read]],
    [
      'no environment, which is that of its text',
      { tokens: [{ ...one, environment: undefined }] },
      [{ ...read, environment: 'development' }],
    ],
    [
      'no environment, of an administrator',
      { tokens: [{ ...one, environment: undefined, type: 'Admin' }] },
      [{ ...read, type: 'admin', environment: 'development' }],
    ],
    ['one that was not requested as well', { tokens: [{ ...one, token: 'a:b.c' }, one] }, [read]],
    ['only one that was not requested', { tokens: [{ ...one, token: 'a:b.c' }] }, []],
    [
      'one that was not requested, and no token',
      { tokens: [{ ...one, token: 'a:b.c' }, {}] },
      /did not validate the tokens/,
    ],
    ['twice', { tokens: [one, { ...one, projects: ['*'] }] }, [read]],
    ['a kind of the future', { tokens: [{ ...one, type: 'robot' }] }, [other]],
    ['projects that are none', { tokens: [{ ...one, projects: 'shop' }] }, [other]],
    ['projects without names', { tokens: [{ ...one, projects: [1] }] }, [other]],
    ['a list of texts', { tokens: [TOKEN] }, /did not validate the tokens/],
    ['no list', { tokens: {} }, /did not validate the tokens/],
    ['null', null, /did not validate the tokens/],
  ])('%s', async (_name, body, is) => {
    answer(200, body)
    const said = await open()
      .validate([TOKEN])
      .catch((error: Error) => error.message)
    if (is instanceof RegExp) expect(said).toMatch(is)
    else expect(said).toEqual(is)
  })

  test.each([404, 429, 500])('%d is reported', async (status) => {
    answer(status)
    await expect(open().validate([TOKEN])).rejects.toMatchObject({ status })
  })

  test('a page, and a redirect to another host, are failures', async () => {
    fake.answerWith((_request, response) => void response.end('<html>'))
    await expect(open().validate([TOKEN])).rejects.toThrow(/is not JSON/)
    const away = { location: 'http://elsewhere.example/edge/validate' }
    fake.answerWith((_request, response) => void response.writeHead(307, away).end())
    await expect(upstream.validate([TOKEN])).rejects.toThrow(/another host.*UPSTREAM_URL/)
  })
})

describe('the flags of a token', () => {
  const follow = (more: Partial<HttpUpstreamDeps>, token = TOKEN) => {
    const got: FeatureDocument[] = []
    const source = upstream.createSource(token)
    source.start({ accept: (document) => void got.push(document), confirm: () => {}, fail: () => {} })
    return { got, source, more }
  }

  test('come by polling', async () => {
    open()
    fake.serve({ version: 2, features: [{ name: 'one', enabled: true, strategies: [] }] })
    const { got, source } = follow({})
    await until(() => got.length === 1 && fake.seen.length > 2)
    await source.stop()
    expect(got[0]?.features.map(({ name }) => name)).toEqual(['one'])
    const [first, second] = fake.seen
    expect([first?.url, first?.headers.authorization, first?.headers['unleash-interval']]).toEqual([
      ...['/api/client/features', TOKEN, '20'],
    ])
    expect(second?.headers['if-none-match']).toBe('"2"')
  })

  test.each([401, 403])('end with a report if refused with %d, unlike other failures', async (status) => {
    const rejected: string[] = []
    const { logger, lines } = keptLog()
    open({ onRejected: (token) => rejected.push(token), logger })
    answer(500)
    const { source } = follow({})
    await until(() => fake.seen.length > 1)
    expect(rejected).toEqual([])
    answer(status)
    await until(() => rejected.length > 0)
    await source.stop()
    expect(rejected[0]).toBe(TOKEN)
    expect(lines[0]).toMatch(/answered 500 to \/client\/features \(shop:development\.a-sec\*{4}tened\)$/)
  })

  test('come by streaming if the upstream is a server with streams', async () => {
    const server = await startServer()
    try {
      const url = (await server.server.listen()).url
      upstream = upstreamAt(url, { streaming: 'auto', refreshIntervalMs: 3_600_000 })
      const { got, source } = follow({}, TOKENS.client)
      await until(() => source.isFollowing)
      await server.admin('POST /api/admin/projects/default/features', { name: 'told' })
      await server.admin('POST /api/admin/projects/default/features/told/environments/development/on')
      await until(() => got.at(-1)?.features.some(({ name, enabled }) => name === 'told' && enabled === true))
      await source.stop()
    } finally {
      await server.close()
    }
  })
})

describe('reports', () => {
  const at = '2026-11-23T10:00:00.000Z'
  const count = (appName: string, featureName: string, yes: number, variants = {}) => ({
    appName,
    featureName,
    environment: 'development',
    timestamp: at,
    yes,
    no: 1,
    variants,
  })
  const REPORT = {
    applications: [{ appName: 'shop', instanceId: 'i-1', strategies: [] }],
    metrics: [
      count('shop', 'one', 1, { a: 1 }),
      count('shop', 'two', 2),
      count('till', 'one', 3),
      count('shop', 'one', 4, { a: 2 }),
    ],
  }
  const posts = () =>
    fake.seen.map(({ url, body }) => ({ url: url.replace('/api/client', ''), body: JSON.parse(body) }))
  const withoutBulk = (rest: (request: SeenRequest, response: ServerResponse) => void) =>
    fake.answerWith((request, response) => {
      if (request.url.endsWith('/bulk')) response.writeHead(404).end()
      else rest(request, response)
    })

  test('go out in one request', async () => {
    await open().report(TOKEN, REPORT)
    expect(posts()).toEqual([{ url: '/metrics/bulk', body: REPORT }])
  })

  test('go out one by one where there is no way for many, which is remembered for an hour', async () => {
    let now = 0
    open({ monotonic: monotonicClock(() => now) })
    withoutBulk((_request, response) => void response.writeHead(202).end())
    await upstream.report(TOKEN, REPORT)
    const bucket = (toggles: object) => ({ start: at, stop: at, toggles })
    expect(posts().slice(1)).toEqual([
      { url: '/register', body: REPORT.applications[0] },
      {
        url: '/metrics',
        body: {
          appName: 'shop',
          environment: 'development',
          bucket: bucket({ one: { yes: 5, no: 2, variants: { a: 3 } }, two: { yes: 2, no: 1, variants: {} } }),
        },
      },
      {
        url: '/metrics',
        body: {
          appName: 'till',
          environment: 'development',
          bucket: bucket({ one: { yes: 3, no: 1, variants: {} } }),
        },
      },
    ])
    await upstream.report(TOKEN, REPORT)
    now = 3_600_000
    await upstream.report(TOKEN, REPORT)
    expect(posts().filter(({ url }) => url === '/metrics/bulk')).toHaveLength(2)
  })

  test('name the rest if only a part arrives', async () => {
    open()
    withoutBulk((request, response) => void response.writeHead(request.url.endsWith('/register') ? 202 : 503).end())
    const error = await upstream.report(TOKEN, REPORT).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(PartlyReported)
    expect((error as PartlyReported).rest).toEqual({
      applications: [],
      metrics: [REPORT.metrics[0], REPORT.metrics[1], REPORT.metrics[3], REPORT.metrics[2]],
    })
    withoutBulk((_request, response) => void response.writeHead(503).end())
    await expect(upstream.report(TOKEN, REPORT)).rejects.toMatchObject({ status: 503 })
  })

  test('fail for impact metrics where there is no way for many, each time', async () => {
    open()
    withoutBulk((_request, response) => void response.writeHead(202).end())
    const impactMetrics = [{ name: 'errors', help: '', type: 'counter', samples: [] }]
    for (let times = 0; times < 2; times += 1) {
      const report = upstream.report(TOKEN, { applications: [], metrics: [], impactMetrics })
      await expect(report).rejects.toBeInstanceOf(ImpactUnsupported)
    }
    expect(posts()).toHaveLength(1)
  })

  test('arrive at a real server', async () => {
    const server = await startServer()
    try {
      const { url } = await server.server.listen()
      upstream = upstreamAt(url)
      await server.admin('POST /api/admin/projects/default/features', { name: 'one' })
      const now = new Date().toISOString()
      const counted = { ...count('shop', 'one', 4), timestamp: now }
      await upstream.report(TOKENS.client, { applications: REPORT.applications, metrics: [counted] })
      const seen = await until(async () => {
        const { data } = await server.admin('GET /api/admin/client-metrics/features/one/raw')
        return data.length > 0 && data
      })
      expect(seen).toMatchObject([{ appName: 'shop', environment: 'development', yes: 4, no: 1 }])
    } finally {
      await server.close()
    }
  })
})
