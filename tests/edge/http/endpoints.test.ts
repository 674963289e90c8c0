import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BULK_REPORTS, LOOKUPS, REGISTRATIONS, REPORTS } from '../../support/sdk-bodies.ts'
import { until } from '../../support/wait.ts'
import { type Asking, ask, EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'
import { runEdge } from './running-edge.ts'

/** Every endpoint of the wire protocol's table "Endpoints Edge serves", and its reply here. */
let scene: EdgeScene
beforeAll(async () => {
  scene = await startScene({
    DISABLE_TOKENS_ENDPOINT: 'false',
    DISABLE_FEATURES_ENDPOINT: 'false',
    DISABLE_METRICS_BATCH_ENDPOINT: 'false',
    DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
  })
})
afterAll(() => scene.close())

const { client, frontend, key, clientKey } = EDGE_TOKENS
const names = (json: unknown, list = 'toggles') =>
  (json as Record<string, { readonly name: string }[]>)[list]?.map(({ name }) => name)
const BUCKET = { start: '2026-11-22T00:00:00Z', stop: '2026-11-22T00:01:00Z', toggles: { always: { yes: 1, no: 0 } } }
const METRICS = { appName: 'shop', instanceId: 'one', bucket: BUCKET }
const REGISTRATION = { appName: 'shop', interval: 1000, started: '2026-11-22T00:00:00Z', strategies: ['default'] }
const FRONTS = ['/api/frontend', '/api/proxy']

describe('flags of front ends', () => {
  test.each(FRONTS)('GET %s: returns the enabled flags for the context in the query', async (path) => {
    expect(names((await scene.ask(`GET ${path}`, { token: frontend })).json)).toEqual(['always'])
    const { json } = await scene.ask(`GET ${path}?userId=7&properties[plan]=7`, { token: frontend })
    expect(names(json)).toEqual(['always', 'for-plan', 'for-seven'])
    expect(names((await scene.ask(`GET ${path}?plan=true`, { token: frontend })).json)).toEqual(['always', 'for-plan'])
  })

  const bodies: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['flat', { userId: '7' }, ['always', 'for-seven']],
    ['wrapped', { context: { userId: '7' } }, ['always', 'for-seven']],
    ['numbers become text', { userId: 7, plan: 7 }, ['always', 'for-plan', 'for-seven']],
    ['booleans become text', { context: { properties: { plan: true } } }, ['always', 'for-plan']],
    ['other values are dropped', { userId: ['7'], plan: { a: 1 }, properties: 'x' }, ['always']],
    ['nothing', {}, ['always']],
  ]
  test.each(FRONTS.flatMap((path) => bodies.map(([name, body, on]) => ({ path, name, body, on }))))(
    'POST $path: $name',
    async ({ path, body, on }) => {
      const { status, json } = await scene.ask(`POST ${path}`, { token: frontend, body })
      expect([status, names(json)]).toEqual([200, on])
    },
  )

  test.each(FRONTS)('GET and POST %s/all: return all flags, sorted by name', async (path) => {
    const all = ['always', 'for-plan', 'for-seven', 'live']
    expect(names((await scene.ask(`GET ${path}/all`, { token: frontend })).json)).toEqual(all)
    expect(names((await scene.ask(`POST ${path}/all`, { token: frontend, body: { userId: '7' } })).json)).toEqual(all)
  })

  test.each(FRONTS)('GET and POST %s/features/{name}: one flag, on or off; 404', async (path) => {
    const one = `${path}/features/for-seven`
    expect((await scene.ask(`GET ${one}?userId=7`, { token: frontend })).json).toMatchObject({ enabled: true })
    const off = await scene.ask(`GET ${one}`, { token: frontend })
    expect(off.json).toMatchObject({ name: 'for-seven', enabled: false })
    const posted = await scene.ask(`POST ${one}`, { token: frontend, body: { userId: 7 } })
    expect(posted.json).toMatchObject({ enabled: true, variant: { name: 'disabled', enabled: false } })
    const none = await scene.ask(`GET ${path}/features/nothing`, { token: frontend })
    expect([none.status, none.json]).toEqual([404, { explanation: 'There is no flag "nothing".' }])
  })

  test('a trusted key gets the flags of its environment without validation', async () => {
    expect(names((await scene.ask('GET /api/frontend', { token: key })).json)).toEqual(['always'])
  })

  test.each(FRONTS.flatMap((path) => [path, `${path}/all`]))('POST %s/client/…: 202, empty', async (path) => {
    for (const [report, body] of [
      ['metrics', METRICS],
      ['register', REGISTRATION],
    ] as const) {
      const { status, text } = await scene.ask(`POST ${path}/client/${report}`, { token: frontend, body })
      expect([report, status, text]).toEqual([report, 202, ''])
    }
  })

  test.each<[string, number, () => string, number]>([
    ['/api/frontend/client/metrics', 2_000_000, () => frontend, 202],
    ['/api/proxy/all/client/metrics', 2_000_000, () => frontend, 202],
    ['/proxy/client/metrics', 2_000_000, () => clientKey, 202],
    ['/api/frontend', 2_000_000, () => frontend, 200],
    ['/api/frontend/client/metrics', 3_000_000, () => frontend, 413],
    ['/api/proxy/all/client/metrics', 3_000_000, () => frontend, 413],
    ['/api/frontend', 3_000_000, () => frontend, 413],
    ['/api/client/metrics', 3_000_000, () => client, 202],
  ])('front ends may send 2 MB: POST %s of %i bytes', async (path, bytes, token, status) => {
    const body = { ...METRICS, bucket: BUCKET, note: 'x'.repeat(bytes) }
    expect((await scene.ask(`POST ${path}`, { token: token(), body })).status).toBe(status)
  })

  test('an equal answer is 304', async () => {
    const first = await scene.ask('GET /api/frontend/all', { token: frontend })
    const etag = first.headers.get('etag') ?? ''
    expect(etag).not.toBe('')
    const again = await scene.ask('GET /api/frontend/all', { token: frontend, headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('the edge takes what SDKs post', () => {
  const fronts = [...FRONTS.map((front) => [front, () => frontend] as const), ['/proxy', () => clientKey] as const]
  const reports = (kind: 'register' | 'metrics', rows: typeof REPORTS) =>
    rows.flatMap(([name, body]) => [
      [`/api/client/${kind}`, name, body, 202, () => client] as const,
      ...fronts.map(([front, token]) => [`${front}/client/${kind}`, name, body, 202, token] as const),
    ])
  test.each([
    ...reports('register', REGISTRATIONS),
    ...reports('metrics', REPORTS),
    ...BULK_REPORTS.map(([name, body]) => ['/api/client/metrics/bulk', name, body, 202, () => client] as const),
    ...LOOKUPS.flatMap(([name, body]) => fronts.map(([front, token]) => [front, name, body, 200, token] as const)),
  ])('POST %s with %s', async (path, _name, body, status, token) => {
    const reply = await scene.ask(`POST ${path}`, { token: token(), body })
    expect([reply.status, reply.text]).toEqual([status, expect.anything()])
  })

  test('a node that reports its own state', async () => {
    expect((await scene.ask('POST /api/client/metrics/edge', { token: client, body: {} })).status).toBe(202)
  })
})

describe('flags of servers', () => {
  test.each(['GET', 'POST'])('%s /api/client/features: what the token is for', async (method) => {
    const { status, json } = await scene.ask(`${method} /api/client/features`, { token: client })
    expect(status).toBe(200)
    expect(json).toMatchObject({ version: 2, query: { environment: 'development', project: ['default'] } })
    expect(names(json, 'features')).toEqual(['always', 'for-plan', 'for-seven', 'live'])
    const some = await scene.ask(`${method} /api/client/features?namePrefix=for-`, { token: client })
    expect(names(some.json, 'features')).toEqual(['for-plan', 'for-seven'])
  })

  test.each(['GET /api/client/features', 'POST /api/client/features'])(
    '%s with a tag: all flags, as the upstream does not send tags',
    async (call) => {
      const { status, json } = await scene.ask(`${call}?tag=simple:x&namePrefix=for-`, { token: client })
      expect([status, names(json, 'features')]).toEqual([200, ['for-plan', 'for-seven']])
    },
  )

  test('one flag with a tag: found', async () => {
    const { status } = await scene.ask('GET /api/client/features/always?tag=simple:x', { token: client })
    expect(status).toBe(200)
  })

  test.each(['delta', 'streaming'])('GET /api/client/%s with a tag: begins with all flags', async (door) => {
    const headers = { authorization: client, accept: door === 'delta' ? 'application/json' : 'text/event-stream' }
    const ending = new AbortController()
    const reply = await fetch(`${scene.edge.url}/api/client/${door}?tag=simple:x`, { headers, signal: ending.signal })
    const first = new TextDecoder().decode((await reply.body?.getReader().read())?.value)
    ending.abort()
    const found = [...first.matchAll(/"name":"([^"]+)","type":"release"/g)].map(([, name]) => name)
    expect([reply.status, found]).toEqual([200, ['always', 'for-plan', 'for-seven', 'live']])
  })

  test('a tag that is none: 400', async () => {
    expect((await scene.ask('GET /api/client/features?tag=x', { token: client })).status).toBe(400)
  })

  test('GET /api/client/features/{name}: returns one flag, or 404', async () => {
    const one = await scene.ask('GET /api/client/features/always', { token: client })
    expect(one.json).toMatchObject({ name: 'always' })
    expect((await scene.ask('GET /api/client/features/nothing', { token: client })).status).toBe(404)
  })

  test('GET /api/client/delta: returns all flags, then 304', async () => {
    const { status, json, headers } = await scene.ask('GET /api/client/delta', { token: client })
    const types = (json as { events: { type: string }[] }).events.map(({ type }) => type)
    expect([status, types]).toEqual([200, ['hydration']])
    const have = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await scene.ask('GET /api/client/delta', { token: client, headers: have })).status).toBe(304)
  })

  test('GET /api/client/streaming: sends all flags first', async () => {
    const headers = { authorization: client, accept: 'text/event-stream' }
    const ending = new AbortController()
    const reply = await fetch(`${scene.edge.url}/api/client/streaming`, { headers, signal: ending.signal })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('event-stream')])
    const first = await reply.body?.getReader().read()
    ending.abort()
    const text = new TextDecoder().decode(first?.value)
    expect(text).toContain('event: unleash-connected')
    expect(text).toContain('"type":"hydration"')
  })

  test('POST /api/client/register: 202 with the version', async () => {
    const asking = { token: client, body: REGISTRATION }
    const { status, text, headers } = await scene.ask('POST /api/client/register', asking)
    expect([status, text, headers.get('x-edge-version')]).toEqual([202, '', '0.1.0'])
  })

  const counts = { featureName: 'always', appName: 'below', environment: 'development', timestamp: BUCKET.start }
  const bulk = {
    applications: [{ appName: 'below', instanceId: 'x', strategies: [] }],
    metrics: [{ ...counts, yes: 3, no: 1, variants: {} }],
    seenTokens: [],
  }
  test.each<[string, unknown]>([
    ['metrics', METRICS],
    ['metrics/bulk', bulk],
    ['metrics/edge', { appName: 'edge', anything: [1, 2] }],
  ])('POST /api/client/%s: 202, empty', async (path, body) => {
    const { status, text } = await scene.ask(`POST /api/client/${path}`, { token: client, body })
    expect([status, text]).toEqual([202, ''])
  })
})

describe('tokens of nodes below', () => {
  test('POST /edge/validate: returns the valid tokens, and validates unknown ones upstream', async () => {
    const tokens = [client, frontend, '*:development.nonsense', 'nothing at all', client]
    const { status, json } = await scene.ask('POST /edge/validate', { body: { tokens } })
    expect(status).toBe(200)
    const common = { environment: 'development', projects: ['default'], status: 'Validated' }
    expect(json).toEqual({
      tokens: [
        { token: client, type: 'client', ...common },
        { token: frontend, type: 'frontend', ...common },
      ],
    })
  })

  test.each<[string, unknown, number]>([
    ['no list', {}, 400],
    ['more than a hundred', { tokens: Array.from({ length: 101 }, (_, index) => `*:a.${index}`) }, 400],
    ['longer than a thousand characters', { tokens: ['x'.repeat(1001)] }, 400],
    ['no JSON', '{', 400],
  ])('%s: refused', async (_name, body, status) => {
    const answer = await scene.ask('POST /edge/validate', { body })
    expect(answer.status).toBe(status)
    expect(answer.json).toHaveProperty('explanation')
  })
})

describe('clients with invented tokens', () => {
  const invented = (name: string, count = 100) =>
    Array.from({ length: count }, (_, at) => `*:development.${name}-${at}`)

  test('get 429 beyond the limit, and their good tokens still work', async () => {
    const limit = { TOKEN_GUESS_LIMIT_PER_MINUTE: '5' }
    const edge = await runEdge({ UPSTREAM_URL: scene.serverUrl, TOKENS: client, ...limit })
    try {
      const validated = async (tokens: readonly string[]) => {
        const { status, json } = await ask(edge.url, 'POST /edge/validate', { body: { tokens } })
        return [status, (json as { tokens?: object[] }).tokens?.length]
      }
      expect(await validated(invented('few', 5))).toEqual([200, 0])
      expect(await validated(invented('more', 5))).toEqual([429, undefined])
      expect(await validated([...invented('late', 5), frontend])).toEqual([200, 1])
      const wrong = await ask(edge.url, 'GET /api/frontend', { token: '*:development.invented' })
      expect([wrong.status, wrong.headers.has('retry-after')]).toEqual([429, true])
      expect((await ask(edge.url, 'GET /api/frontend', { token: frontend })).status).toBe(200)
    } finally {
      await edge.close()
    }
  })

  test('have a limit per minute and network', async () => {
    const limit = { EDGE_VALIDATE_LIMIT_PER_MINUTE: '2', TRUST_PROXY: 'true' }
    const edge = await runEdge({ UPSTREAM_URL: scene.serverUrl, TOKENS: client, ...limit })
    try {
      const from = async (address: string) => {
        const asking = { body: { tokens: [client] }, headers: { 'x-forwarded-for': address } }
        const { status, headers } = await ask(edge.url, 'POST /edge/validate', asking)
        return [status, headers.get('ratelimit-remaining'), headers.has('retry-after')]
      }
      expect(await from('2001:db8::1')).toEqual([200, '1', false])
      expect(await from('2001:db8::2')).toEqual([200, '0', false])
      expect(await from('2001:db8::3')).toEqual([429, '0', true])
      expect(await from('2001:db8:1::1')).toEqual([200, '1', false])
    } finally {
      await edge.close()
    }
  })

  // the upstream also limits guesses, and still rejects guesses for a minute after this test
  test('do not block new tokens of other networks, and get 429', async () => {
    const edge = await runEdge({ UPSTREAM_URL: scene.serverUrl, TOKENS: client, TRUST_PROXY: 'true' })
    try {
      const asFrom = (address: string) => ({ 'x-forwarded-for': address })
      const floods = Array.from({ length: 16 }, (_, at) =>
        ask(edge.url, 'POST /edge/validate', {
          body: { tokens: invented(`flood-${at}`) },
          headers: asFrom(`2001:db8::${at}`),
        }),
      )
      const newcomer = ask(edge.url, 'GET /api/frontend', { token: frontend, headers: asFrom('198.51.100.7') })
      expect((await newcomer).status).toBe(200)
      const statuses = (await Promise.all(floods)).map(({ status }) => status)
      expect(new Set(statuses.filter((status) => status !== 200))).toEqual(new Set([429]))
    } finally {
      await edge.close()
    }
  })
})

describe('pages for operators', () => {
  const BASE = '/internal-backstage'
  test('health and ready', async () => {
    expect(await scene.ask(`GET ${BASE}/health`)).toMatchObject({ status: 200, json: { status: 'OK' } })
    expect(await scene.ask(`GET ${BASE}/ready`)).toMatchObject({ status: 200, json: { status: 'READY' } })
  })

  test('series: requests, tokens by kind, environments, streams, usage', async () => {
    const { text } = await scene.ask(`GET ${BASE}/metrics`)
    for (const line of [
      'burgee_edge_ready 1',
      'burgee_edge_tokens{kind="backend"} 2',
      'burgee_edge_features{environment="development"} 4',
      'burgee_edge_fetch_failures{environment="production"} 0',
      'burgee_edge_stale{environment="development"} 0',
    ])
      expect(text).toContain(`${line}\n`)
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'burgee_build_info'])
      expect(text, name).toMatch(new RegExp(`^${name}(?:\\{[^}]*\\})? \\d`, 'm'))
    expect(text).toMatch(/^burgee_edge_http_requests_total\{route="\/api\/frontend",status="200"\} \d+$/m)
  })

  test('tokens are shortened', async () => {
    const { text, json } = await scene.ask(`GET ${BASE}/tokens`)
    expect((json as { token_validation_status: unknown[] }).token_validation_status.length).toBeGreaterThan(2)
    for (const secret of [client, frontend, key]) expect(text).not.toContain(secret)
    expect(text).toContain('default:development.')
  })

  test('features, metricsbatch, instancedata, info', async () => {
    const features = await scene.ask(`GET ${BASE}/features`)
    expect(features.json).toContainEqual(expect.objectContaining({ environment: 'development' }))
    expect((await scene.ask(`GET ${BASE}/metricsbatch`)).json).toHaveProperty('waiting')
    const instance = await scene.ask(`GET ${BASE}/instancedata`)
    expect(instance.json).toMatchObject({ appName: 'burgee-edge', version: '0.1.0' })
    expect((await scene.ask(`GET ${BASE}/info`)).json).toMatchObject({ version: '0.1.0' })
  })

  test('the description names every endpoint', async () => {
    const { status, json } = await scene.ask('GET /docs/openapi.json')
    expect(status).toBe(200)
    const paths = ['/api/frontend', '/api/client/features', '/edge/validate', '/internal-backstage/ready']
    expect(Object.keys((json as { paths: object }).paths)).toEqual(expect.arrayContaining(paths))
    expect((await scene.ask('GET /docs/openapi')).status).toBe(200)
  })
})

describe('SDKs of the client proxy', () => {
  test('/proxy: flags by client key, 202 OK for reports, 401 for another key', async () => {
    expect(names((await scene.ask('GET /proxy?userId=7', { token: clientKey })).json)).toEqual(['always', 'for-seven'])
    expect(await scene.ask('GET /proxy', { token: 'other' })).toMatchObject({ status: 401, text: 'Unauthorized' })
    expect((await scene.ask('GET /proxy/all', { token: clientKey })).status).toBe(501)
    const reported = await scene.ask('POST /proxy/client/metrics', { token: clientKey, body: METRICS })
    expect(reported).toMatchObject({ status: 202, text: 'OK' })
    expect(await scene.ask('GET /proxy/health')).toMatchObject({ status: 200, text: 'ok' })
  })

  test('their keys are good nowhere else', async () => {
    expect((await scene.ask('GET /api/frontend', { token: clientKey })).status).toBe(403)
  })
})

describe('OpenFeature', () => {
  const ofrep = '/ofrep/v1/evaluate/flags'
  const forms: readonly (readonly [string, Asking])[] = [
    ['plain', { token: frontend }],
    ['behind Bearer', { token: `Bearer ${frontend}` }],
    ['as X-API-Key', { headers: { 'x-api-key': frontend } }],
    ['of a server', { token: client }],
  ]
  test.each(forms)('all flags and one, with a token %s', async (_name, asking) => {
    const body = { context: { targetingKey: '7' } }
    const all = await scene.ask(`POST ${ofrep}`, { ...asking, body })
    const flag = expect.objectContaining({ key: 'for-seven', value: true })
    expect(all.json).toMatchObject({ flags: expect.arrayContaining([flag]) })
    expect((await scene.ask(`POST ${ofrep}/for-seven`, { ...asking, body })).json).toMatchObject({ value: true })
    expect((await scene.ask(`POST ${ofrep}/nothing`, { ...asking, body })).status).toBe(404)
  })
})

describe('paths', () => {
  test.each(['/api/frontend/', '//api//frontend', '/API/Frontend'])('%s is /api/frontend', async (path) => {
    expect((await scene.ask(`GET ${path}`, { token: frontend })).status).toBe(200)
  })

  test('an unknown one is 404 with an explanation', async () => {
    const { status, json } = await scene.ask('GET /nothing')
    expect([status, json]).toEqual([404, { explanation: 'Cannot GET /nothing' }])
  })
})

test('SDK reports reach the upstream under their own names', async () => {
  await scene.ask('POST /api/client/metrics', { token: client, body: { ...METRICS, appName: 'of-server' } })
  await scene.ask('POST /api/frontend/client/metrics', { token: frontend, body: { ...METRICS, appName: 'of-web' } })
  await scene.edge.close()
  await scene.server.server.flush()
  await until(async () => {
    const usage = await scene.server.admin('GET /api/admin/client-metrics/features/always')
    const { seenApplications } = usage as { seenApplications: string[] }
    return ['of-server', 'of-web', 'below'].every((name) => seenApplications.includes(name))
  })
})
