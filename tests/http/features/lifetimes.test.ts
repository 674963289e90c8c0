import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Flags that are older than the lifetime of their type: each is marked once, and several places show the mark. */
let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const SEARCH = '/api/admin/search/features?sortBy=name'
const DAY = 86_400_000
let now = Date.parse('2030-01-01T00:00:00Z')

beforeAll(async () => {
  server = await startServer({}, () => now)
  for (const [name, type] of [
    ['release', 'release'],
    ['operational', 'operational'],
    ['for-ever', 'permission'],
    ['stale', 'release'],
    ['archived', 'release'],
  ]) {
    await server.call({ as, call: `POST ${P}`, body: { name, type, tags: [{ type: 'simple', value: 'old' }] } })
  }
  await server.call({ as, call: `PUT ${P}/stale`, body: { stale: true } })
  await server.call({ as, call: `DELETE ${P}/archived` })
})
afterAll(() => server.close())

/** Advances the clock by some days and marks overdue flags. Returns the newly marked flags. */
async function markedAfter(days: number): Promise<string[]> {
  now += days * DAY
  const last = await server.lastEventId()
  await server.server.markOverdue()
  const rows = await server.db.rows('select type, feature_name from events where id > ? order by id', last)
  expect(rows.filter((row) => row.type !== 'feature-potentially-stale-on')).toEqual([])
  return rows.map((row) => String(row.feature_name))
}

const found = (state: string, ...names: string[]): Scenario => ({
  name: `search for ${state}`,
  as,
  call: `GET ${SEARCH}&state=${state}`,
  status: 200,
  has: { features: names.map((name) => ({ name })), total: names.length },
})

describe('flags that outlive their type', () => {
  test('become stale when their lifetime is over, each once', async () => {
    expect(await markedAfter(7)).toEqual([])
    now += 1
    expect(await markedAfter(0)).toEqual(['operational'])
    expect(await markedAfter(1)).toEqual([])
    expect(await markedAfter(32)).toEqual(['release'])
    expect(await markedAfter(400)).toEqual([])
  })

  test('the event has the whole state, the server as author and the tags of the flag', async () => {
    const { events } = (await server.call({ as, call: 'GET /api/admin/events/release' })).json()
    expect(events[0]).toMatchObject({
      type: 'feature-potentially-stale-on',
      createdBy: 'system',
      createdByUserId: -1337,
      project: 'default',
      environment: null,
      featureName: 'release',
      tags: [{ type: 'simple', value: 'old' }],
    })
    expect(events[0].data).toMatchObject({ name: 'release', stale: false, potentiallyStale: true })
    expect(events[0].preData).toEqual({ ...events[0].data, potentiallyStale: false })
  })

  scenarios(
    () => server,
    [
      found('IS:potentially-stale', 'operational', 'release'),
      found('IS:stale', 'stale'),
      found('IS:active', 'for-ever'),
      found('IS_ANY_OF:stale,potentially-stale', 'operational', 'release', 'stale'),
      found('IS_NOT:potentially-stale', 'for-ever', 'stale'),
      { name: 'a flag', as, call: `GET ${P}/release`, status: 200, has: { stale: false, potentiallyStale: true } },
      { name: 'a well flag', as, call: `GET ${P}/for-ever`, status: 200, has: { potentiallyStale: false } },
      {
        name: 'the list',
        as,
        call: `GET ${P}?namePrefix=release`,
        status: 200,
        has: { features: [{ potentiallyStale: true }] },
      },
    ],
  )

  test('the mark goes when it does not hold any more, and comes again', async () => {
    await server.call({ as, call: `PUT ${P}/operational`, body: { type: 'permission' } })
    const life = { as, call: 'PUT /api/admin/feature-types/release/lifetime' }
    await server.call({ ...life, body: { lifetimeDays: 1000 } })
    expect(await markedAfter(0)).toEqual([])
    const { features } = (await server.call({ as, call: `GET ${SEARCH}&state=IS:potentially-stale` })).json()
    expect(features).toEqual([])
    await server.call({ ...life, body: { lifetimeDays: 40 } })
    expect(await markedAfter(0)).toEqual(['release'])
  })

  test('a type without end marks nothing', async () => {
    await server.call({ as, call: 'PUT /api/admin/feature-types/release/lifetime', body: { lifetimeDays: 0 } })
    expect(await markedAfter(10_000)).toEqual([])
    await server.call({ as, call: 'PUT /api/admin/feature-types/release/lifetime', body: { lifetimeDays: 40 } })
    expect(await markedAfter(0)).toEqual(['release'])
  })

  test('become stale once, however many nodes check at the same time', async () => {
    for (let number = 0; number < 450; number += 1) {
      await server.call({ as, call: `POST ${P}`, body: { name: `many-${number}` } })
    }
    now += 41 * DAY
    const last = await server.lastEventId()
    await Promise.all([1, 2, 3].map(() => server.server.markOverdue()))
    const rows = await server.db.rows('select feature_name from events where id > ?', last)
    expect(rows).toHaveLength(450)
    expect(new Set(rows.map((row) => row.feature_name)).size).toBe(450)
  })
})
