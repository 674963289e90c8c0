import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from './scenario.ts'

let server: TestServer
const as = 'viewer'
const A = 'GET /api/admin/metrics/applications'
const started = '2026-01-01T00:00:00.000Z'

beforeAll(async () => {
  server = await startServer()
  const hello = { interval: 1000, started, strategies: ['default'] }
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
    { name: 'nobody', call: A, status: 401 },
    { name: 'a client token', as: 'client', call: A, status: 403 },
    {
      name: 'list',
      as,
      call: A,
      status: 200,
      has: {
        applications: [
          { appName: '__proto__' },
          {
            appName: 'shop',
            strategies: ['default'],
            usage: [
              { environment: 'development', instances: 2 },
              { environment: 'production', instances: 1 },
            ],
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
    { name: 'a limit of 0', as, call: `${A}?limit=0`, status: 400, text: 'limit' },
    {
      name: 'one',
      as,
      call: `${A}/shop`,
      status: 200,
      has: {
        appName: 'shop',
        instances: [
          { instanceId: 'a', environment: 'development', sdkVersion: 'x:1', lastSeen: expect.any(String) },
          { instanceId: 'b' },
          { environment: 'production' },
        ],
        seenToggles: [
          { name: 'known', project: 'default' },
          { name: 'unknown', project: null },
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
