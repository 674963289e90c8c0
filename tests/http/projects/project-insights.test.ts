import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Project insights from flags and events, over 75 days. */
let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/shop'
const DAY = 86_400_000
let now = Date.parse('2030-01-01T00:00:00Z')

const admin = (call: string, body?: unknown) => server.admin(call, body)
const create = (name: string, type: string) => admin(`POST ${P}/features`, { name, type })
const turnOn = (name: string, environment: string) => admin(`POST ${P}/features/${name}/environments/${environment}/on`)

beforeAll(async () => {
  server = await startServer({}, () => now)
  const admins = (await server.db.row("select id from users where username = 'viewer'"))?.id
  await admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await create('before-both-windows', 'permission')
  now += 25 * DAY // 50 days before the end of the period
  await create('slow', 'release')
  await create('gone-early', 'release')
  await admin(`DELETE ${P}/features/gone-early`)
  now += 30 * DAY // 20 days before the end of the period
  await create('fast', 'permission')
  await create('only-developed', 'permission')
  await turnOn('only-developed', 'development')
  await admin(`POST ${P}/users/${admins}/roles/5`)
  now += DAY / 2
  await turnOn('fast', 'production')
  await admin(`POST ${P}/features/fast/environments/production/off`)
  now += 4.5 * DAY // 15 days before the end of the period
  await turnOn('fast', 'production')
  await turnOn('slow', 'production')
  await admin(`PUT ${P}/features/fast`, { stale: true })
  now += 15 * DAY
})
afterAll(() => server.close())

const STATS = {
  // the flag slow took 35 days, and the flag fast half a day
  avgTimeToProdCurrentWindow: 17.8,
  createdCurrentWindow: 2,
  createdPastWindow: 2,
  archivedCurrentWindow: 0,
  archivedPastWindow: 1,
  // 2 flag creations; 3 first activations with 2 events each (strategy added, flag turned on); and 1 event each for a
  // role, a flag turned off, a flag turned on and a stale flag
  projectActivityCurrentWindow: 12,
  projectActivityPastWindow: 3,
  projectMembersAddedCurrentWindow: 1,
}
const HEALTH = { activeCount: 2, potentiallyStaleCount: 1, staleCount: 1 }

describe('the insights of a project', () => {
  test.each(['', '/overview', '/health-report', '/insights'])('%s counts events of two windows', async (path) => {
    const reply = await server.call({ as, call: `GET ${P}${path}` })
    expect(reply.statusCode).toBe(200)
    expect(reply.json().stats).toEqual(STATS)
  })

  scenarios(
    () => server,
    [
      ...['', '/overview', '/health-report', '/insights'].flatMap((path) => [
        { name: `"${path}" for nobody`, call: `GET ${P}${path}`, status: 401 },
        { name: `"${path}" of an unknown project`, as, call: `GET /api/admin/projects/nope${path}`, status: 404 },
      ]),
      {
        name: 'the project with its flags',
        as,
        call: `GET ${P}`,
        status: 200,
        has: {
          version: 1,
          id: 'shop',
          name: 'Shop',
          health: 50,
          archivedFeatureCount: 1,
          features: ['before-both-windows', 'fast', 'only-developed', 'slow'].map((name) => ({
            name,
            project: 'shop',
          })),
        },
      },
      {
        name: 'the health report',
        as,
        call: `GET ${P}/health-report`,
        status: 200,
        has: { ...HEALTH, health: 50, features: [{}, { name: 'fast', stale: true }, {}, {}] },
      },
      {
        name: 'the insights',
        as,
        call: `GET ${P}/insights`,
        status: 200,
        has: {
          health: { rating: 50, ...HEALTH },
          featureTypeCounts: [
            { type: 'permission', count: 3 },
            { type: 'release', count: 1 },
          ],
          leadTime: {
            projectAverage: 17.8,
            features: [
              { name: 'fast', timeToProduction: 0.5 },
              { name: 'slow', timeToProduction: 35 },
            ],
          },
          members: { currentMembers: 1, change: 1 },
        },
      },
      {
        name: 'a project in which nothing happened',
        as,
        call: 'GET /api/admin/projects/default/insights',
        status: 200,
        has: {
          stats: { avgTimeToProdCurrentWindow: 0, createdCurrentWindow: 0, projectActivityCurrentWindow: 0 },
          health: { rating: 100, activeCount: 0 },
          leadTime: { projectAverage: 0, features: [] },
        },
      },
    ],
  )

  test('events of another flag with the same name do not count', async () => {
    await admin(`DELETE ${P}/features/slow`)
    await admin('DELETE /api/admin/archive/slow')
    now += DAY
    await create('slow', 'permission')
    const { leadTime } = (await server.call({ as, call: `GET ${P}/insights` })).json()
    expect((await server.call({ as, call: `GET ${P}/dora` })).json()).toEqual(leadTime)
    expect(leadTime.features.map((one: { name: string }) => one.name)).toEqual(['fast'])
  })
})
