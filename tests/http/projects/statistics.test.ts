import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

const DAY_MS = 86_400_000
const S = 'GET /api/admin/instance-admin/statistics'
const FLAGS = '/api/admin/projects/default/features'
const started = '2026-01-01T00:00:00.000Z'

let now = Date.parse('2026-06-01T00:00:00Z')
let server: TestServer

beforeAll(async () => {
  server = await startServer({}, () => now)
  const admin = (call: string, body?: object) =>
    server.call({ as: 'admin', call, ...(body === undefined ? {} : { body }) })
  const hello = (appName: string, instanceId: string, sdkVersion?: string) =>
    server.call({
      as: 'client',
      call: 'POST /api/client/register',
      body: { appName, instanceId, sdkVersion, interval: 1000, started, strategies: [] },
    })
  await hello('old', 'a', 'node:5')
  await server.call({ call: 'POST /auth/simple/login', body: { username: 'admin', password: 'a good password' } })
  await server.server.flush()
  now += 20 * DAY_MS
  await hello('shop', 'a', 'node:6')
  await hello('shop', 'b', 'node:6')
  await hello('shop', 'c')
  await server.server.flush()
  for (const name of ['one', 'two', 'three']) await admin(`POST ${FLAGS}`, { name })
  await admin(`DELETE ${FLAGS}/three`)
  await admin(`POST ${FLAGS}/one/environments/development/strategies`, { name: 'default' })
  await admin('POST /api/admin/segments', { name: 'staff', constraints: [] })
  await admin('POST /api/admin/projects', { id: 'second', name: 'Second' })
  await admin('POST /api/admin/projects/archive/second')
})
afterAll(() => server.close())

describe('what an installation is and holds', () => {
  scenarios(() => server, [
    { name: 'nobody', call: S, status: 401 },
    { name: 'a client token', as: 'client', call: S, status: 403 },
    {
      name: 'counts',
      as: 'admin',
      call: S,
      status: 200,
      has: {
        instanceId: expect.stringMatching(/^[\da-f-]{36}$/),
        timestamp: '2026-06-21T00:00:00.000Z',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        versionOSS: expect.stringMatching(/^5\.12\.8\+burgee\.\d+\.\d+\.\d+$/),
        retentionDays: { events: 730, hourlyUsage: 7, usage: 90, unseen: 30, logins: 30, expiredTokens: 30 },
        users: 3,
        roles: 5,
        ...{ serviceAccounts: 0, groups: 0, customRootRoles: 0, customRootRolesInUse: 0 },
        ...{ versionEnterprise: '', SAMLenabled: false, OIDCenabled: false },
        activeUsers: { last7: 0, last30: 1, last60: 1, last90: 1 },
        projects: 2,
        environments: 2,
        featureToggles: 2,
        archivedFeatureToggles: 1,
        segments: 1,
        strategies: 1,
        apiTokens: { admin: 1, client: 2, frontend: 1 },
        clientApps: [
          { range: 'allTime', count: 2 },
          { range: '30d', count: 2 },
          { range: '7d', count: 1 },
        ],
        sdks: [
          { sdkVersion: 'node:6', instances: 2, lastSeen: '2026-06-21T00:00:00.000Z' },
          { sdkVersion: null, instances: 1 },
        ],
      },
    },
  ] satisfies Scenario[])

  test('the database is the one that it runs on', async () => {
    expect((await server.call({ as: 'admin', call: S })).json().database).toBe(inject('driver'))
  })
})
