import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiDocument, replyChecker } from '../../support/openapi.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'

const SERVER_TOKEN = 'server-token'
const rollout = (percent: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: percent, stickiness: 'default', groupId: 'g' },
})
const forRegion = (region: string) => ({
  name: 'default',
  constraints: [{ contextName: 'region', operator: 'IN', values: [region] }],
})

const DOCUMENT = {
  version: 2,
  features: [
    { name: 'on', enabled: true, strategies: [], impressionData: true },
    { name: 'off', enabled: false, strategies: [], impressionData: false },
    { name: 'none', enabled: true, strategies: [rollout('0')] },
    { name: 'eu', enabled: true, strategies: [forRegion('eu')] },
    { name: 'user-7', enabled: true, strategies: [{ name: 'userWithId', parameters: { userIds: '7, 8' } }] },
    { name: 'loopback', enabled: true, strategies: [{ name: 'remoteAddress', parameters: { IPs: '127.0.0.0/8' } }] },
    { name: 'in-segment', enabled: true, strategies: [{ name: 'default', segments: [1] }] },
    { name: 'in-no-segment', enabled: true, strategies: [{ name: 'default', segments: [1, 404] }] },
    {
      name: 'colour',
      enabled: true,
      strategies: [{ name: 'default' }],
      variants: [{ name: 'blue', weight: 1000, payload: { type: 'json', value: '{"hex":"#00f"}' } }],
    },
  ],
  segments: [{ id: 1, name: 's', constraints: [{ contextName: 'userId', operator: 'IN', values: ['42'] }] }],
}

const [IN_42] = DOCUMENT.segments.flatMap(({ constraints }) => constraints)
const NEVER = { contextName: 'userId', operator: 'IN', values: [] }
const INLINE: Readonly<Record<string, unknown>> = {
  'in-segment': [{ name: 'default', constraints: [IN_42] }],
  'in-no-segment': [{ name: 'default', constraints: [IN_42, NEVER] }],
}
const WITHOUT_SEGMENTS = {
  version: 2,
  features: DOCUMENT.features.map((one) => ({ ...one, strategies: INLINE[one.name] ?? one.strategies })),
}

let upstream: FakeUpstream
let proxy: TestProxy
let wrongInReply: ReturnType<typeof replyChecker>

beforeAll(async () => {
  upstream = await startUpstream(DOCUMENT)
  proxy = await startProxy({
    flagUrl: upstream.url,
    enableAllEndpoint: true,
    enableOAS: true,
    expServerSideSdkConfig: { tokens: [SERVER_TOKEN] },
  })
  wrongInReply = replyChecker((await (await fetch(`${proxy.url}/docs/openapi.json`)).json()) as ApiDocument)
})
afterAll(async () => {
  await proxy.close()
  await upstream.close()
})

interface Row {
  readonly name: string
  readonly call: string
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly status: number
  /** Names of the toggles that are on in the reply. */
  readonly on?: readonly string[]
  readonly has?: unknown
  readonly text?: string | RegExp
  readonly type?: string
}

async function play({ call, key = KEY, headers = {}, body }: Row): Promise<Response> {
  const [method, path] = call.split(' ') as [string, string]
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const response = await fetch(`${proxy.url}${path}`, {
    method,
    headers: { ...(key === '' ? {} : { authorization: key }), ...json, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const contentType = response.headers.get('content-type') ?? undefined
  const text = await response.clone().text()
  expect(wrongInReply({ method, path, status: response.status, contentType, body: text })).toEqual([])
  return response
}

const ALWAYS = ['on', 'loopback', 'colour']

describe('evaluation', () => {
  test.each<Row>([
    { name: 'only what is on', call: 'GET /proxy', status: 200, on: ALWAYS },
    { name: 'user in the query', call: 'GET /proxy?userId=7', status: 200, on: ['on', 'user-7', 'loopback', 'colour'] },
    { name: 'segment', call: 'GET /proxy?userId=42', status: 200, on: ['on', 'loopback', 'in-segment', 'colour'] },
    {
      name: 'properties[x]',
      call: 'GET /proxy?properties[region]=eu',
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    {
      name: 'encoded brackets',
      call: 'GET /proxy?properties%5Bregion%5D=eu',
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    {
      name: 'unknown name is a property',
      call: 'GET /proxy?region=eu',
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    { name: 'properties win', call: 'GET /proxy?region=eu&properties[region]=us', status: 200, on: ALWAYS },
    { name: 'sent address wins', call: 'GET /proxy?remoteAddress=192.0.2.1', status: 200, on: ['on', 'colour'] },
    {
      name: 'forwarded address is not believed',
      call: 'GET /proxy',
      headers: { 'x-forwarded-for': '192.0.2.1' },
      status: 200,
      on: ALWAYS,
    },
    { name: 'path in capitals', call: 'GET /PROXY', status: 200, on: ALWAYS },
    { name: 'trailing slash', call: 'GET /proxy/', status: 200, on: ALWAYS },
    {
      name: 'POST without list',
      call: 'POST /proxy',
      body: { context: { userId: '7' } },
      status: 200,
      on: ['on', 'user-7', 'loopback', 'colour'],
    },
    {
      name: 'POST numeric user',
      call: 'POST /proxy',
      body: { context: { userId: 7 } },
      status: 200,
      on: ['on', 'user-7', 'loopback', 'colour'],
    },
    {
      name: 'POST property',
      call: 'POST /proxy',
      body: { context: { properties: { region: 'eu' } } },
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    {
      name: 'POST unknown name',
      call: 'POST /proxy',
      body: { context: { region: 'eu' } },
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    { name: 'POST empty object', call: 'POST /proxy', body: {}, status: 200, on: ALWAYS },
    { name: 'POST nothing', call: 'POST /proxy', status: 200, on: ALWAYS },
    { name: 'POST empty list is not a list', call: 'POST /proxy', body: { toggles: [] }, status: 200, on: ALWAYS },
    {
      name: 'POST list: in order, repeated, unknown off',
      call: 'POST /proxy',
      body: { toggles: ['off', 'on', 'on', 'nope', '__proto__', 'constructor'], context: {} },
      status: 200,
      has: {
        toggles: ['off', 'on', 'on', 'nope', '__proto__', 'constructor'].map((toggle) => {
          const enabled = toggle === 'on'
          return {
            name: toggle,
            enabled,
            variant: { name: 'disabled', enabled: false, feature_enabled: enabled, featureEnabled: enabled },
            impressionData: enabled,
          }
        }),
      },
    },
    {
      name: 'variant with payload',
      call: 'POST /proxy',
      body: { toggles: ['colour'] },
      status: 200,
      has: {
        toggles: [
          {
            name: 'colour',
            enabled: true,
            impressionData: false,
            variant: {
              name: 'blue',
              enabled: true,
              payload: { type: 'json', value: '{"hex":"#00f"}' },
              feature_enabled: true,
              featureEnabled: true,
            },
          },
        ],
      },
    },
    { name: 'all of them', call: 'GET /proxy/all', status: 200, on: ALWAYS },
    {
      name: 'all flags by POST',
      call: 'POST /proxy/all',
      body: { context: { region: 'eu' } },
      status: 200,
      on: ['on', 'eu', 'loopback', 'colour'],
    },
    { name: 'hostile property', call: 'GET /proxy?region[toString]=1', status: 200, on: ALWAYS },
    {
      name: 'hostile object',
      call: 'POST /proxy',
      body: { context: { region: { toString: 1 } } },
      status: 200,
      on: ALWAYS,
    },
    {
      name: 'hostile names',
      call: 'POST /proxy',
      body: '{"context":{"__proto__":{"userId":"7"},"constructor":"x"}}',
      status: 200,
      on: ALWAYS,
    },
    { name: 'not percent-encoded', call: 'GET /proxy?userId=%zz&&=&;', status: 200, on: ALWAYS },
  ])('$name → $status', async (row) => {
    const response = await play(row)
    expect(response.status).toBe(row.status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=2')
    expect(response.headers.get('etag')).toMatch(/^W\/"[0-9a-f]+-.{27}"$/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe('ETag')
    const body = (await response.json()) as { toggles: { name: string; enabled: boolean }[] }
    if (row.has !== undefined) expect(body).toEqual(row.has)
    if (row.on !== undefined)
      expect(body.toggles.filter((toggle) => toggle.enabled).map((toggle) => toggle.name)).toEqual(row.on)
    if (row.call.startsWith('GET /proxy/all')) expect(body.toggles).toHaveLength(DOCUMENT.features.length)
  })

  test('serves a disabled toggle in one form only', async () => {
    const response = await play({ name: '', call: 'GET /proxy/all', status: 200 })
    const { toggles } = (await response.json()) as { toggles: { name: string }[] }
    const off = toggles.find((toggle) => toggle.name === 'off')
    expect(off).toEqual({
      name: 'off',
      enabled: false,
      variant: { name: 'disabled', enabled: false, feature_enabled: false },
      impressionData: false,
    })
  })

  test('returns 304 for the same response to the same request', async () => {
    const call = 'GET /proxy?userId=1&sessionId=1'
    const etag = (await play({ name: '', call, status: 200 })).headers.get('etag') ?? ''
    const again = await play({ name: '', call, status: 304, headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const post = await play({
      name: '',
      call: 'POST /proxy',
      body: { context: { userId: '1', sessionId: '1' } },
      headers: { 'if-none-match': etag },
      status: 200,
    })
    expect(post.status).toBe(200)
  })
})

describe('refusals and other endpoints', () => {
  const BUCKET = { start: '2024-01-01T00:00:00.000Z', stop: '2024-01-01T00:01:00.000Z', toggles: {} }
  const metrics = { appName: 'a', instanceId: 'i', bucket: BUCKET }
  const register = { appName: 'a', interval: 1, started: '2024-01-01T00:00:00.000Z', strategies: ['default'] }
  const text = 'text/plain; charset=utf-8'
  const html = 'text/html; charset=utf-8'

  test.each<Row>([
    { name: 'no key', call: 'GET /proxy', key: '', status: 401, text: 'Unauthorized', type: text },
    { name: 'wrong key', call: 'GET /proxy', key: 'nope', status: 401, text: 'Unauthorized', type: text },
    { name: 'key with Bearer', call: 'GET /proxy', key: `Bearer ${KEY}`, status: 401, text: 'Unauthorized' },
    { name: 'key in capitals', call: 'GET /proxy', key: KEY.toUpperCase(), status: 401 },
    { name: 'server token does not evaluate', call: 'GET /proxy', key: SERVER_TOKEN, status: 401 },
    {
      name: 'reports invalid JSON before a missing key',
      call: 'POST /proxy',
      key: '',
      body: '{bad',
      status: 400,
      has: { error: expect.stringContaining('JSON') },
    },
    {
      name: 'checks the schema before the key, and names the property',
      call: 'POST /proxy',
      key: '',
      body: { toggles: 3 },
      status: 400,
      has: {
        error: 'Request validation failed',
        validation: [
          expect.objectContaining({ instancePath: '/body/toggles', keyword: 'type', message: 'must be array' }),
        ],
      },
    },
    { name: 'null list', call: 'POST /proxy', body: { toggles: null }, status: 200 },
    { name: 'object in the list', call: 'POST /proxy', body: { toggles: [{}] }, status: 400 },
    { name: 'context is text', call: 'POST /proxy', body: { context: 'x' }, status: 400 },
    { name: 'context is null', call: 'POST /proxy', body: { context: null }, status: 200 },
    { name: 'user is an object', call: 'POST /proxy', body: { context: { userId: {} } }, status: 400 },
    { name: 'property is a list', call: 'POST /proxy', body: { context: { properties: { x: [] } } }, status: 400 },
    {
      name: 'user twice',
      call: 'GET /proxy?userId=1&userId=2',
      status: 400,
      has: {
        error: 'Request validation failed',
        validation: [expect.objectContaining({ instancePath: '/query/userId' })],
      },
    },
    { name: 'properties as text', call: 'GET /proxy?properties=x', status: 200 },
    { name: 'top-level text', call: 'POST /proxy', body: '"x"', status: 400 },
    {
      name: 'other media type',
      call: 'POST /proxy',
      body: 'x=1',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      text: '',
    },
    {
      name: 'other media type without key',
      call: 'POST /proxy',
      key: '',
      body: '{}',
      headers: { 'content-type': 'text/json' },
      status: 415,
    },
    {
      name: 'media type in capitals',
      call: 'POST /proxy',
      body: '{}',
      headers: { 'content-type': 'APPLICATION/JSON; charset=utf-8' },
      status: 200,
    },
    { name: 'unknown path', call: 'GET /proxyfoo', key: '', status: 404, type: html, text: /Cannot GET \/proxyfoo/ },
    { name: 'wrong method', call: 'DELETE /proxy', status: 404, text: /Cannot DELETE \/proxy/ },
    { name: 'path is escaped', call: 'GET /%3Cscript%3E', status: 404, text: /^(?!.*<script>)/s },
    { name: 'health needs no key', call: 'GET /proxy/health', key: '', status: 200, text: 'ok', type: html },
    { name: 'metrics', call: 'POST /proxy/client/metrics', body: metrics, status: 202, text: 'OK', type: text },
    { name: 'metrics below /all', call: 'POST /proxy/all/client/metrics', body: metrics, status: 202, text: 'OK' },
    { name: 'metrics by a server', call: 'POST /proxy/client/metrics', key: SERVER_TOKEN, body: metrics, status: 202 },
    { name: 'metrics without key', call: 'POST /proxy/client/metrics', key: '', body: metrics, status: 401 },
    {
      name: 'negative count',
      call: 'POST /proxy/client/metrics',
      body: { ...metrics, bucket: { ...BUCKET, toggles: { x: { yes: -1 } } } },
      status: 400,
    },
    {
      name: 'no time zone',
      call: 'POST /proxy/client/metrics',
      body: { ...metrics, bucket: { ...BUCKET, start: '2024-01-01' } },
      status: 400,
    },
    { name: 'register', call: 'POST /proxy/client/register', body: register, status: 202, text: 'OK', type: text },
    {
      name: 'register without name',
      call: 'POST /proxy/client/register',
      body: { ...register, appName: undefined },
      status: 400,
    },
    { name: 'features need a server token', call: 'GET /proxy/client/features', status: 401 },
    {
      name: 'features with segments',
      call: 'GET /proxy/client/features',
      key: SERVER_TOKEN,
      headers: { 'unleash-client-spec': '4.2.0' },
      status: 200,
      has: DOCUMENT,
    },
    ...['?tag=simple:x', '?project=other', '?namePrefix=zzz'].map((query) => ({
      name: `features contains all flags regardless of the query: ${query}`,
      call: `GET /proxy/client/features${query}`,
      key: SERVER_TOKEN,
      headers: { 'unleash-client-spec': '5.2.0' },
      status: 200,
      has: DOCUMENT,
    })),
    ...[{}, { 'unleash-client-spec': '4.1.9' }, { 'unleash-client-spec': 'abc' }].map((headers) => ({
      name: `features with constraints of segments for SDKs that do not know segments: ${JSON.stringify(headers)}`,
      call: 'GET /proxy/client/features',
      key: SERVER_TOKEN,
      headers,
      status: 200,
      has: WITHOUT_SEGMENTS,
    })),
    { name: 'preflight of any path', call: 'OPTIONS /anything', key: '', status: 204, text: '' },
  ])('$name → $status', async (row) => {
    const response = await play(row)
    expect(response.status).toBe(row.status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    if (row.type !== undefined) expect(response.headers.get('content-type')).toBe(row.type)
    const body = await response.text()
    if (row.has !== undefined) expect(JSON.parse(body)).toEqual(row.has)
    if (typeof row.text === 'string') expect(body).toBe(row.text)
    if (row.text instanceof RegExp) expect(body).toMatch(row.text)
  })

  test('preflight lists what a page may do', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-headers': 'authorization,if-none-match' }
    const response = await play({ name: '', call: 'OPTIONS /proxy', key: '', headers, status: 204 })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization,if-none-match',
      'access-control-max-age': '172800',
    })
  })
})
