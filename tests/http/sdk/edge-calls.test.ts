import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * Requests of Unleash Edge to its upstream, call by call, with its headers and properties. Source: wire protocol
 * "Edge", requests to its upstream.
 */
let server: TestServer
let base: string
beforeAll(async () => {
  server = await startServer()
  base = `http://127.0.0.1:${(await server.server.listen()).port}`
  await server.admin('POST /api/admin/projects/default/features', { name: 'told' })
  await server.admin('POST /api/admin/projects/default/features/told/environments/development/on')
})
afterAll(() => server.close())

const IDENTITY = {
  'unleash-appname': 'unleash-edge',
  'unleash-instanceid': 'unleash-edge@01JD',
  'unleash-connection-id': '01JD',
  'unleash-client-spec': '5.2.0',
  'unleash-interval': '15000',
  'unleash-sdk': 'unleash-edge:20.4.0',
}
const call = (method: string, path: string, { body, headers = {} }: { body?: object; headers?: object } = {}) =>
  fetch(`${base}${path}`, {
    method,
    headers: { ...IDENTITY, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const authorized = { authorization: TOKENS.client }

test('it validates tokens without showing one, and those that are none are left out', async () => {
  const reply = await call('POST', '/edge/validate', { body: { tokens: [TOKENS.client, TOKENS.frontend, 'a:b.none'] } })
  expect([reply.status, await reply.json()]).toEqual([
    200,
    {
      tokens: [
        { token: TOKENS.client, type: 'client', projects: ['default'], environment: 'development' },
        { token: TOKENS.frontend, type: 'frontend', projects: ['default'], environment: 'development' },
      ],
    },
  ])
})

test('it fetches flags, and gets 304 while their tag is unchanged', async () => {
  const first = await call('GET', '/api/client/features', { headers: authorized })
  const etag = first.headers.get('etag') ?? ''
  expect([first.status, etag]).toEqual([200, expect.stringMatching(/^(W\/)?".+"$/)])
  const { features, query } = (await first.json()) as { features: object[]; query: object }
  expect(features).toEqual([expect.objectContaining({ name: 'told', enabled: true })])
  expect(query).toMatchObject({ inlineSegmentConstraints: false })
  const again = await call('GET', '/api/client/features', { headers: { ...authorized, 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test.each([
  ['unknown', 'default:development.nothing', 401],
  ['missing', undefined, 401],
  ['of a front end', TOKENS.frontend, 403],
])('a token that is %s drops it from polling', async (_name, token, status) => {
  const headers = token === undefined ? {} : { authorization: token }
  expect((await call('GET', '/api/client/features', { headers })).status).toBe(status)
})

test('it registers as an SDK of its own kind, for its applications', async () => {
  const body = {
    appName: 'unleash-edge',
    connectionId: '01JD',
    environment: 'development',
    instanceId: 'unleash-edge@01JD',
    interval: 15_000,
    started: '2026-11-01T00:00:00Z',
    strategies: [],
    sdkVersion: 'unleash-edge:20.4.0',
    sdkType: 'backend',
    projects: ['default'],
    connectVia: [{ appName: 'unleash-edge', instanceId: 'below' }],
  }
  expect((await call('POST', '/api/client/register', { body, headers: authorized })).status).toBe(202)
})

test('it reports counts and applications in bulk, with members that are of no use here', async () => {
  const now = new Date().toISOString()
  const counts = (yes: number) => ({
    featureName: 'told',
    appName: 'shop',
    environment: 'development',
    timestamp: now,
    yes,
    no: 1,
    variants: { blue: 2 },
  })
  const body = {
    applications: [
      {
        appName: 'shop',
        instanceId: 'i1',
        environment: 'development',
        interval: 10,
        started: now,
        strategies: ['default'],
        sdkVersion: 'unleash-client-node:6.0.0',
        connectVia: [],
        projects: ['default'],
      },
    ],
    metrics: [counts(3), counts(4)],
    impactMetrics: [{ name: 'requests', help: '', type: 'counter', samples: [{ labels: {}, value: 1 }] }],
    seenTokens: ['default:development.****'],
  }
  expect((await call('POST', '/api/client/metrics/bulk', { body, headers: authorized })).status).toBe(202)
  const raw = '/api/admin/client-metrics/features/told/raw'
  await until(async () => {
    const { data } = (await server.admin(`GET ${raw}`)) as { data: { appName: string; yes: number }[] }
    return data.filter(({ appName }) => appName === 'shop').reduce((sum, { yes }) => sum + yes, 0) === 7
  })
})

test('it reports an Edge below it, and accepts any answer', async () => {
  const reply = await call('POST', '/api/client/metrics/edge', { body: { identifier: '01JD' }, headers: authorized })
  expect([202, 404]).toContain(reply.status)
})
