import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Changes of a flag's state in production, with the date of each. The last date is today. */
const CHANGES = [
  ['2026-03-02', 'on'],
  ['2026-04-01', 'off'],
  ['2026-05-01', 'on'],
] as const
const S = 'GET /api/admin/instance-admin/statistics'
const FLAGS = '/api/admin/projects/default/features'
const started = '2026-01-01T00:00:00.000Z'

let now = Date.parse('2026-03-01T00:00:00Z')
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
  const production = (state: string) => admin(`POST ${FLAGS}/one/environments/production/${state}`)
  const use = async (...flags: string[]) => {
    const counts = { yes: 2, no: 1, variants: { a: 1, b: 1 } }
    const toggles = Object.fromEntries(flags.map((name) => [name, counts]))
    const start = new Date(now).toISOString()
    const body = { appName: 'shop', instanceId: 'a', bucket: { start, stop: start, toggles } }
    await server.call({ as: 'client', call: 'POST /api/client/metrics', body })
    await server.server.flush()
  }
  for (const name of ['one', 'two']) await admin(`POST ${FLAGS}`, { name })
  for (const [day, state] of CHANGES) {
    now = Date.parse(`${day}T00:00:00Z`)
    await production(state)
  }
  now = Date.parse('2026-06-01T00:00:00Z')
  await hello('old', 'a', 'node:5')
  await server.call({ call: 'POST /auth/simple/login', body: { username: 'admin', password: 'a good password' } })
  await server.server.flush()
  now += 19 * DAY_MS + 10 * HOUR_MS
  await use('one', 'two')
  now += HOUR_MS
  await use('one')
  now = Date.parse('2026-06-21T00:00:00Z')
  await use('one')
  await hello('shop', 'a', 'node:6')
  await hello('shop', 'b', 'node:6')
  await hello('shop', 'c')
  await server.server.flush()
  await admin(`POST ${FLAGS}`, { name: 'three' })
  await production('off')
  await admin(`DELETE ${FLAGS}/three`)
  await admin(`POST ${FLAGS}/one/environments/development/strategies`, { name: 'default' })
  await admin('POST /api/admin/segments', { name: 'staff', constraints: [] })
  await admin('POST /api/admin/projects', { id: 'second', name: 'Second' })
  await admin('POST /api/admin/projects/archive/second')
  const exported = { environment: 'development', features: ['two'] }
  const data = (await admin('POST /api/admin/features-batch/export', exported)).json()
  await admin('POST /api/admin/features-batch/export', exported)
  await admin('POST /api/admin/features-batch/import', { project: 'default', environment: 'development', data })
})
afterAll(() => server.close())

describe('the statistics of an installation', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: S, status: 401 },
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
        serviceAccounts: 0,
        groups: 0,
        customRootRoles: 0,
        customRootRolesInUse: 0,
        versionEnterprise: '',
        SAMLenabled: false,
        OIDCenabled: false,
        activeUsers: { last7: 0, last30: 1, last60: 1, last90: 1 },
        projects: 2,
        environments: 2,
        featureToggles: 2,
        archivedFeatureToggles: 1,
        segments: 1,
        strategies: 8,
        apiTokens: { admin: 1, client: 2, frontend: 1 },
        clientApps: [
          { range: 'allTime', count: 2 },
          { range: '30d', count: 2 },
          { range: '7d', count: 1 },
        ],
        productionChanges: { last30: 1, last60: 2, last90: 3 },
        featureExports: 2,
        featureImports: 1,
        previousDayMetricsBucketsCount: { enabledCount: 3, variantCount: 6 },
        sdks: [
          { sdkVersion: 'node:6', instances: 2, lastSeen: '2026-06-21T00:00:00.000Z' },
          { sdkVersion: null, instances: 1 },
        ],
      },
    },
  ] satisfies Scenario[])

  test('the stored size is known after the first measurement', async () => {
    const stored = async () => (await server.admin(S)).stored
    expect(await stored()).toBeNull()
    await server.server.removeOld()
    const { bytes, rows } = await stored()
    expect(bytes).toBeGreaterThan(10_000)
    expect(rows).toMatchObject({ events: expect.any(Number), client_applications: 2, client_instances: 4 })
  })

  test('insights count users and flags', async () => {
    const [inactive, statistics] = [await server.admin('GET /api/admin/user-admin/inactive'), await server.admin(S)]
    const { users, flags, ...trends } = await server.admin('GET /api/admin/insights')
    expect(flags).toEqual({ total: statistics.featureToggles })
    expect(users).toEqual({
      total: 3,
      inactive: inactive.inactiveUsers.length,
      active: 3 - inactive.inactiveUsers.length,
    })
    expect(Object.values(trends)).toEqual([[], [], [], [], []])
  })

  test('the sum is that of all before it', async () => {
    const { sum, ...before } = await server.admin(S)
    expect(sum).toBe(createHash('sha256').update(JSON.stringify(before)).digest('hex'))
  })

  test('changes of production are counted since then, whatever else the log holds and lacks', async () => {
    const row = (at: number) => {
      const environment = at % 3 === 0 ? "'production'" : at % 3 === 1 ? "'development'" : 'null'
      return `(${now - 200 * DAY_MS + at * DAY_MS}, 'x', 'x', 1, ${environment}, 'null', 'null', '[]')`
    }
    const columns = 'created_at, type, created_by, created_by_user_id, environment, data, pre_data, tags'
    await server.db.rows('delete from events')
    const counted = async () => (await server.admin(S)).productionChanges
    expect(await counted()).toEqual({ last30: 0, last60: 0, last90: 0 })
    const rows = Array.from({ length: 200 }, (_, at) => row(at))
    await server.db.rows(`insert into events (${columns}) values ${rows.join(', ')}`)
    await server.db.rows('delete from events where id % 7 in (1, 2)')
    const expected = async (days: number) =>
      Number(
        (
          await server.db.row(
            `select count(*) as n from events where environment = 'production' and created_at >= ${now - days * DAY_MS}`,
          )
        )?.n,
      )
    const all = { last30: await expected(30), last60: await expected(60), last90: await expected(90) }
    expect(all.last30).toBeGreaterThan(5)
    expect(await counted()).toEqual(all)
  })

  test('the database is the one that it runs on', async () => {
    expect((await server.call({ as: 'admin', call: S })).json().database).toBe(inject('driver'))
  })
})
