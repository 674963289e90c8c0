import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'viewer'
const A = 'GET /api/admin/metrics/applications'
const started = '2026-01-01T00:00:00.000Z'

beforeAll(async () => {
  server = await startServer()
  const hello = { interval: 1000, started, strategies: ['default', 'brought-along'] }
  const register = (appName: string, instanceId: string, who = 'client') =>
    server.call({
      as: who,
      call: 'POST /api/client/register',
      body: { ...hello, appName, instanceId, sdkVersion: 'x:1' },
    })
  await register('shop', 'a')
  await register('shop', 'b')
  await register('shop', 'a', 'production')
  await register('__proto__', 'a')
  await server.call({ as: 'admin', call: 'POST /api/admin/projects/default/features', body: { name: 'known' } })
  const toggles = { known: { yes: 1, no: 0 }, unknown: { yes: 0, no: 1 } }
  const bucket = { start: started, stop: started, toggles }
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'shop', bucket } })
  await server.server.flush()
})
afterAll(() => server.close())

describe('applications', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: A, status: 401 },
    { name: 'a client token', as: 'client', call: A, status: 403 },
    {
      name: 'list',
      as,
      call: A,
      status: 200,
      has: {
        applications: [
          { appName: '__proto__', kinds: ['server'] },
          {
            appName: 'shop',
            strategies: ['default', 'brought-along'],
            project: '*',
            environment: '*',
            createdBy: '127.0.0.1',
            createdAt: expect.any(String),
            updatedAt: expect.any(String),
            usage: [
              { project: '*', environments: ['production'] },
              { project: 'default', environments: ['development'] },
            ],
            running: [
              { environment: 'development', instances: 2 },
              { environment: 'production', instances: 1 },
            ],
            sdks: ['x:1'],
            kinds: ['server'],
          },
        ],
        total: 2,
      },
    },
    {
      name: 'by text',
      as,
      call: `${A}?query=SHO`,
      status: 200,
      has: { applications: [{ appName: 'shop' }], total: 1 },
    },
    {
      name: 'a page',
      as,
      call: `${A}?limit=1&offset=1`,
      status: 200,
      has: { applications: [{ appName: 'shop' }], total: 2 },
    },
    {
      name: 'by name, backwards',
      as,
      call: `${A}?sortBy=appName&sortOrder=desc`,
      status: 200,
      has: { applications: [{ appName: 'shop' }, { appName: '__proto__' }] },
    },
    {
      name: 'by when they came',
      as,
      call: `${A}?sortBy=createdAt&sortOrder=asc&limit=1`,
      status: 200,
      has: { applications: [{}], total: 2 },
    },
    { name: 'by nothing that there is', as, call: `${A}?sortBy=nope`, status: 400, text: 'sortBy' },
    { name: 'in no order that there is', as, call: `${A}?sortOrder=up`, status: 400, text: 'sortOrder' },
    { name: 'a limit of 0', as, call: `${A}?limit=0`, status: 400, text: 'limit' },
    {
      name: 'one',
      as,
      call: `${A}/shop`,
      status: 200,
      has: {
        appName: 'shop',
        strategies: [
          { name: 'default', displayName: expect.any(String), editable: false, deprecated: false, parameters: [] },
          { name: 'brought-along', notFound: true },
        ],
        links: { self: '/api/admin/metrics/applications/shop' },
        instances: [
          {
            appName: 'shop',
            instanceId: 'a',
            environment: 'development',
            sdkVersion: 'x:1',
            clientIp: '127.0.0.1',
            lastSeen: expect.any(String),
            createdAt: expect.any(String),
          },
          { instanceId: 'b' },
          { environment: 'production' },
        ],
        seenToggles: [
          { name: 'known', project: 'default', type: 'release', stale: false, archived: false, archivedAt: null },
          { name: 'unknown', notFound: true },
        ],
      },
    },
    {
      name: 'one whose name every object has',
      as,
      call: `${A}/__proto__`,
      status: 200,
      has: { appName: '__proto__', seenToggles: [] },
    },
    { name: 'an unknown one', as, call: `${A}/nope`, status: 404 },
    {
      name: 'processes',
      as,
      call: 'GET /api/admin/metrics/instances/shop/environment/production',
      status: 200,
      has: { instances: [{ instanceId: 'a' }] },
    },
    {
      name: 'processes of nothing',
      as,
      call: 'GET /api/admin/metrics/instances/nope/environment/mars',
      status: 200,
      has: { instances: [] },
    },
  ] satisfies Scenario[])
})

describe('notes and problems of applications', () => {
  const ONE = '/api/admin/metrics/applications/shop'
  const OUTDATED = 'GET /api/admin/metrics/sdks/outdated'
  beforeAll(async () => {
    const hello = { interval: 1000, started, strategies: ['default', 'own-one'] }
    const toggles = { known: { yes: 1, no: 0 }, archived: { yes: 1, no: 0 } }
    for (const [instanceId, sdkVersion, who] of [
      ['a', 'unleash-client-node:6.0.0', 'client'],
      ['b', 'unleash-client-node:6.1.0', 'client'],
      ['a', 'unleash-client-node:6.1.0', 'production'],
    ]) {
      const body = { ...hello, appName: 'shop', instanceId, sdkVersion }
      await server.call({ as: String(who), call: 'POST /api/client/register', body })
    }
    await server.call({ as: 'admin', call: 'POST /api/admin/projects/default/features', body: { name: 'archived' } })
    await server.call({ as: 'admin', call: 'DELETE /api/admin/projects/default/features/archived' })
    const bucket = { start: started, stop: started, toggles }
    await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'shop', bucket } })
    await server.server.flush()
  })
  scenarios(() => server, [
    { name: 'notes, anonymous', call: `POST ${ONE}`, body: { color: 'red' }, status: 401 },
    { name: 'notes by a viewer', as, call: `POST ${ONE}`, body: {}, status: 403, text: 'UPDATE_APPLICATION' },
    { name: 'notes of another type', as: 'admin', call: `POST ${ONE}`, body: { url: {} }, status: 400, text: 'url' },
    ...['javascript:alert(1)', ' https://a.example', 'data:text/html,x', '//a.example'].map((url) => ({
      name: `a link to ${url}`,
      as: 'admin',
      call: `POST ${ONE}`,
      body: { url },
      status: 400,
      text: 'url',
    })),
    { name: 'no body', as: 'admin', call: `POST ${ONE}`, status: 415 },
    {
      name: 'notes',
      as: 'editor',
      call: `POST ${ONE}`,
      body: { description: 'sells', url: 'https://shop.example', color: 'red', icon: 'cart' },
      status: 202,
      empty: true,
    },
    { name: 'other notes', as: 'editor', call: `POST ${ONE}`, body: { color: null }, status: 202, empty: true },
    {
      name: 'the application with its notes; what was left out stays',
      as,
      call: `GET ${ONE}`,
      status: 200,
      has: {
        description: 'sells',
        url: 'https://shop.example',
        color: null,
        icon: 'cart',
        strategies: [{ name: 'default' }, { name: 'own-one', notFound: true }],
        instances: [{}, {}, {}],
      },
    },
    {
      name: 'notes of one that was not seen yet',
      as: 'editor',
      call: 'POST /api/admin/metrics/applications/to-come',
      body: { description: 'soon', strategies: ['x'] },
      status: 202,
      empty: true,
    },
    {
      name: 'which is there then',
      as,
      call: `${A}/to-come`,
      status: 200,
      has: { description: 'soon', strategies: [{ name: 'x', notFound: true }], instances: [], seenToggles: [] },
    },
    {
      name: 'a name with a NUL',
      as: 'editor',
      call: 'POST /api/admin/metrics/applications/a%00b',
      body: {},
      status: 400,
      text: 'name',
    },
    { name: 'overview, anonymous', call: `GET ${ONE}/overview`, status: 401 },
    {
      name: 'overview',
      as,
      call: `GET ${ONE}/overview`,
      status: 200,
      has: {
        projects: ['default'],
        featureCount: 1,
        environments: [
          {
            name: 'development',
            instanceCount: 2,
            sdks: ['unleash-client-node:6.0.0', 'unleash-client-node:6.1.0'],
            lastSeen: expect.any(String),
            issues: { missingFeatures: ['archived', 'unknown'], outdatedSdks: ['unleash-client-node:6.0.0'] },
          },
          {
            name: 'production',
            instanceCount: 1,
            sdks: ['unleash-client-node:6.1.0'],
            issues: { missingFeatures: [], outdatedSdks: [] },
          },
        ],
        issues: { missingStrategies: ['own-one'] },
      },
    },
    {
      name: 'overview of one that was not seen yet',
      as,
      call: `${A}/to-come/overview`,
      status: 200,
      has: { projects: [], featureCount: 0, environments: [], issues: { missingStrategies: ['x'] } },
    },
    { name: 'overview of an unknown one', as, call: `${A}/nope/overview`, status: 404, text: 'nope' },
    {
      name: 'what is outdated',
      as,
      call: OUTDATED,
      status: 200,
      has: { sdks: [{ sdkVersion: 'unleash-client-node:6.0.0', applications: ['shop'] }] },
    },
    { name: 'forget by a viewer', as, call: `DELETE ${ONE}`, status: 403 },
    { name: 'forget', as: 'editor', call: `DELETE ${ONE}`, status: 200, empty: true },
    { name: 'forget again', as: 'editor', call: `DELETE ${ONE}`, status: 404, text: 'shop' },
    { name: 'then it is gone', as, call: `GET ${ONE}`, status: 404 },
    { name: 'and nothing is outdated', as, call: OUTDATED, status: 200, has: { sdks: [] } },
  ] satisfies Scenario[])

  test('retain the counts of a forgotten application', async () => {
    const usage = (await server.call({ as, call: 'GET /api/admin/client-metrics/features/known/raw' })).json()
    expect(usage.data).toMatchObject([{ appName: 'shop', yes: 2, no: 0 }])
  })
})

describe('the time when applications were last seen', () => {
  const MINUTE_MS = 60_000
  const BEGAN = Date.parse('2026-03-01T12:00:00.000Z')
  let now = BEGAN
  let writes = 0
  let own: TestServer
  beforeAll(async () => {
    const onQuery = (sql: string) => {
      if (/^update "client_instances"/i.test(sql)) writes += 1
    }
    own = await startServer({}, () => now, { onQuery })
    const hello = { interval: 1000, started, strategies: [], appName: 'till' }
    for (const instanceId of ['a', 'b']) {
      await own.call({ as: 'client', call: 'POST /api/client/register', body: { ...hello, instanceId } })
    }
    await own.server.flush()
  })
  afterAll(() => own.close())

  const report = async (body: { appName: string; instanceId?: string }, who = 'client') => {
    const door = who === 'frontend' ? 'POST /api/frontend/client/metrics' : 'POST /api/client/metrics'
    const time = new Date(now).toISOString()
    const reply = await own.call({
      as: who,
      call: door,
      body: { ...body, bucket: { start: time, stop: time, toggles: {} } },
    })
    expect(reply.statusCode).toBeLessThan(300)
    await own.server.flush()
  }
  const seen = async () => {
    const { applications } = (await own.call({ as, call: A })).json()
    const { instances } = (await own.call({ as, call: `${A}/till` })).json()
    const minutes = (text: string) => (Date.parse(text) - BEGAN) / MINUTE_MS
    return {
      applications: applications.map((one: { appName: string; updatedAt: string }) => [
        one.appName,
        minutes(one.updatedAt),
      ]),
      instances: Object.fromEntries(
        instances.map((one: { instanceId: string; lastSeen: string }) => [one.instanceId, minutes(one.lastSeen)]),
      ),
    }
  }

  test('a report of usage moves its application and its instance, and no other', async () => {
    now = BEGAN + 5 * MINUTE_MS
    await report({ appName: 'till', instanceId: 'a' })
    expect(await seen()).toEqual({ applications: [['till', 5]], instances: { a: 5, b: 0 } })
  })

  test('once a minute, however many reports come', async () => {
    const before = writes
    now += MINUTE_MS / 2
    for (let count = 0; count < 3; count += 1) await report({ appName: 'till', instanceId: 'a' })
    expect(writes).toBe(before)
    now = BEGAN + 6 * MINUTE_MS
    await report({ appName: 'till', instanceId: 'a' })
    expect(writes).toBe(before + 1)
    expect(await seen()).toEqual({ applications: [['till', 6]], instances: { a: 6, b: 0 } })
  })

  test('reports without registration create an application only from frontends', async () => {
    now = BEGAN + 8 * MINUTE_MS
    await report({ appName: 'server', instanceId: 'a' })
    await report({ appName: 'page', instanceId: 'a' }, 'frontend')
    await report({ appName: 'till', instanceId: 'c' }, 'frontend')
    await report({ appName: 'till' })
    expect(await seen()).toEqual({
      applications: [
        ['page', 8],
        ['till', 8],
      ],
      instances: { a: 6, b: 0, c: 8 },
    })
  })
})
