import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * Reports with a frontend token are untrusted, because anyone who opens a page can read the token. The storage for such
 * reports is bounded, and genuine reports are still stored.
 */
let server: TestServer
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** 08:20 of some day. */
const START = 1_800_000_000_000 + 20 * MINUTE_MS
let now = START
const PUBLIC = 'frontend'
const SECRET = 'client'
const DOORS = { frontend: '/api/frontend/client', client: '/api/client' } as const
type Door = keyof typeof DOORS

beforeAll(async () => {
  const limits = { frontendMetricsRateLimitPerMinute: 10_000, registerFrontendRateLimitPerMinute: 10_000 }
  server = await startServer(limits, () => now)
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
  await server.admin('POST /api/admin/projects/default/features', { name: 'flag' })
  await server.admin('POST /api/admin/projects/other/features', { name: 'theirs' })
})
afterAll(() => server.close())

const some = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const toggles = (names: readonly string[], counts: object = { yes: 1, no: 0 }) =>
  Object.fromEntries(names.map((name) => [name, counts]))

async function post(door: Door, path: string, body: object, as: string = door): Promise<void> {
  const reply = await server.call({ as, call: `POST ${DOORS[door]}${path}`, body })
  expect(reply.statusCode, reply.body).toBeLessThan(300)
}

async function report(door: Door, appName: string, counts: object, as?: string): Promise<void> {
  const time = new Date(now).toISOString()
  await post(door, '/metrics', { appName, bucket: { start: time, stop: time, toggles: counts } }, as)
}

const register = (door: Door, appName: string, instanceId: string, more: object = {}) =>
  post(door, '/register', { appName, instanceId, started: START, interval: 1000, strategies: [], ...more })

async function countOf(table: string, where = '1 = 1'): Promise<number> {
  await server.server.flush()
  return Number((await server.db.row(`select count(*) as count from ${table} where ${where}`))?.count)
}

async function unknownFlags(): Promise<{ name: string; reports: unknown; lastEventAt: string | null }[]> {
  await server.server.flush()
  const reply = await server.call({ as: 'viewer', call: 'GET /api/admin/metrics/unknown-flags' })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().unknownFlags
}

describe('reported names without a flag', () => {
  test('become unknown flags, with application, environment and time, and count as no usage', async () => {
    await report(SECRET, 'shop', toggles(['typo']))
    await report(SECRET, 'till', toggles(['typo']))
    const seenAt = new Date(now).toISOString()
    const environments = [{ environment: 'development', seenAt }]
    expect(await unknownFlags()).toEqual([
      {
        name: 'typo',
        lastSeenAt: seenAt,
        lastEventAt: null,
        reports: [
          { appName: 'shop', environments },
          { appName: 'till', environments },
        ],
        referenceCount: 0,
        references: [],
      },
    ])
    expect(await countOf('client_metrics')).toBe(0)
  })

  test('disappear once there is such a flag, and return once it is gone', async () => {
    await server.admin('POST /api/admin/projects/default/features', { name: 'typo' })
    expect(await unknownFlags()).toEqual([])
    await server.admin('DELETE /api/admin/projects/default/features/typo')
    expect(await unknownFlags()).toEqual([])
    await server.admin('DELETE /api/admin/archive/typo')
    expect(await unknownFlags()).toMatchObject([{ name: 'typo', lastEventAt: new Date(now).toISOString() }])
  })

  test('appear with the application that reports them', async () => {
    await register(SECRET, 'shop', 'a')
    await server.server.flush()
    const A = 'GET /api/admin/metrics/applications/shop'
    const details = (await server.call({ as: 'viewer', call: A })).json()
    expect(details.seenToggles).toMatchObject([{ name: 'typo' }])
    const overview = (await server.call({ as: 'viewer', call: `${A}/overview` })).json()
    expect(overview.environments).toMatchObject([{ issues: { missingFeatures: ['typo'] } }])
  })

  test.each([
    { door: PUBLIC, most: 100 },
    { door: SECRET, most: 1000 },
  ] as const)('have a limit of $most per minute with a $door token', async ({ door, most }) => {
    now += MINUTE_MS
    await report(door, 'flood', toggles(some(most + 50, `${door}-`)))
    expect(await countOf('unknown_flags', `name like '${door}-%'`)).toBe(most)
    await report(door, 'flood', toggles(some(most + 50, `${door}-more-`)))
    expect(await countOf('unknown_flags', `name like '${door}-%'`)).toBe(most)
    now += MINUTE_MS
    await report(door, 'flood', toggles([`${door}-late`]))
    expect(await countOf('unknown_flags', `name like '${door}-%'`)).toBe(most + 1)
  })

  test.each([
    { door: PUBLIC, most: 100 },
    { door: SECRET, most: 1000 },
  ] as const)('have a limit per minute over all applications: $most with a $door token', async ({ door, most }) => {
    now += MINUTE_MS
    for (const app of some(10, 'spread-')) await report(door, app, toggles(some(most / 2, `${door}-spread-`)))
    expect(await countOf('unknown_flags', `name like '${door}-spread-%'`)).toBe(most)
    now += MINUTE_MS
  })

  test('have a limit of 5,000 in all, and the oldest are dropped', async () => {
    await server.db.rows(
      `insert into unknown_flags (name, app_name, environment, last_seen_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
       select 'old-' || i, 'app', 'development', i from n`,
    )
    await report(SECRET, 'shop', toggles(['newest']))
    expect(await countOf('unknown_flags')).toBe(5000)
    expect(await countOf('unknown_flags', "name in ('newest', 'typo', 'old-5000')")).toBe(4)
    expect(await countOf('unknown_flags', "name in ('old-1', 'old-2')")).toBe(0)
  })

  test('requested by name in an evaluation become unknown flags too, within the bounds', async () => {
    now += MINUTE_MS
    const body = { context: {}, toggles: [...some(150, 'asked-'), 'flag'] }
    expect((await server.call({ as: PUBLIC, call: 'POST /api/frontend', body })).statusCode).toBe(200)
    expect(await countOf('unknown_flags', "name like 'asked-%'")).toBe(100)
    expect(await countOf('client_metrics', "feature_name = 'flag' and app_name = 'frontend-api'")).toBe(1)
  })

  scenarios(() => server, [
    { name: 'reading, anonymous', call: 'GET /api/admin/metrics/unknown-flags', status: 401 },
    { name: 'nor an SDK', as: 'client', call: 'GET /api/admin/metrics/unknown-flags', status: 403 },
  ] satisfies Scenario[])
})

describe('a token counts only for flags of its own projects', () => {
  test.each([
    { name: 'a client token', door: SECRET, as: TOKENS.client, counted: 0 },
    { name: 'a frontend token', door: PUBLIC, as: TOKENS.frontend, counted: 0 },
    { name: 'an admin token, which has all', door: SECRET, as: TOKENS.admin, counted: 1 },
  ] as const)('$name', async ({ door, as, counted }) => {
    await report(door, 'shop', toggles(['theirs']), as)
    expect(await countOf('client_metrics', "feature_name = 'theirs'")).toBe(counted)
    expect(await countOf('unknown_flags', "name = 'theirs'")).toBe(0)
    const seen = await server.db.row("select last_seen_at from features where name = 'theirs'")
    expect(seen?.last_seen_at !== null).toBe(counted === 1)
  })
})

describe('variants', () => {
  const stored = () => countOf('client_metrics_variants', "feature_name = 'flag' and app_name = 'variants'")
  const variants = (names: readonly string[]) => ({
    flag: { yes: 1, no: 0, variants: Object.fromEntries(names.map((name) => [name, 1])) },
  })

  test('count in full if the flag has them in any environment', async () => {
    const F = '/api/admin/projects/default/features/flag/environments'
    const of = (name: string) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'default' })
    const own = some(15, 'own-')
    await server.admin(`PUT ${F}/production/variants`, own.map(of))
    await server.admin(`POST ${F}/development/strategies`, { name: 'default', variants: [of('of a strategy')] })
    await report(PUBLIC, 'variants', variants([...own, 'of a strategy', 'disabled']))
    expect(await stored()).toBe(17)
  })

  test('have a limit of ten per hour if the flag does not have them', async () => {
    await report(PUBLIC, 'variants', variants(some(8, 'gone-')))
    expect(await stored()).toBe(17 + 8)
    await report(PUBLIC, 'variants', variants(some(30, 'gone-')))
    expect(await stored()).toBe(17 + 10)
    await report(PUBLIC, 'variants', variants(['own-1', 'gone-1', 'gone-20']))
    expect(await stored()).toBe(17 + 10)
    const sum = await server.db.row("select sum(count) as sum from client_metrics_variants where variant = 'gone-1'")
    expect(Number(sum?.sum)).toBe(3)
  })
})

describe('applications', () => {
  test.each([
    { door: PUBLIC, names: 60, kept: 50 },
    { door: SECRET, names: 1010, kept: 1000 },
  ] as const)('count by name up to $kept an hour with a $door token, and no count is lost', async (row) => {
    now += HOUR_MS
    for (const appName of some(row.names, 'app-')) await report(row.door, appName, toggles(['flag']))
    const hour = now - (now % HOUR_MS)
    expect(await countOf('client_metrics', `hour = ${hour} and app_name like 'app-%'`)).toBe(row.kept)
    const others = await server.db.row(
      `select yes from client_metrics where hour = ${hour} and app_name = 'other applications'`,
    )
    expect(Number(others?.yes)).toBe(row.names - row.kept)
  })

  test('register at most a hundred times a minute with a public token, without limit with a secret one', async () => {
    now += MINUTE_MS
    for (const id of some(130, 'public-')) await register(PUBLIC, 'page', id)
    for (const id of some(130, 'secret-')) await register(SECRET, 'page', id)
    expect(await countOf('client_instances', "instance_id like 'public-%'")).toBe(100)
    expect(await countOf('client_instances', "instance_id like 'secret-%'")).toBe(130)
  })

  test('bring at most a hundred strategies', async () => {
    await register(SECRET, 'many', 'a', { strategies: some(500, 'strategy-') })
    await server.server.flush()
    const details = (await server.call({ as: 'admin', call: 'GET /api/admin/metrics/applications/many' })).json()
    expect(details.strategies).toHaveLength(100)
  })

  test('have a limit of 5,000, processes of 20,000: public ones are dropped first, described ones stay', async () => {
    await server.db.rows(
      `insert into client_applications (app_name, strategies, first_seen_at, last_seen_at, by_public_token)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
       select 'public-' || i, '[]', ${now}, ${now + HOUR_MS}, 1 from n`,
    )
    await server.db.rows(
      `insert into client_instances (app_name, instance_id, environment, last_seen_at, by_public_token)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
       select 'public-' || (1 + i % 5000), 'i' || i, 'development', ${now + HOUR_MS}, 1 from n`,
    )
    await server.db.rows("update client_applications set description = 'the one' where app_name = 'public-4711'")
    await register(SECRET, 'late', 'a')
    expect(await countOf('client_applications')).toBe(5000)
    expect(await countOf('client_applications', "app_name in ('late', 'shop', 'many', 'page', 'public-4711')")).toBe(5)
    expect(await countOf('client_instances')).toBeLessThanOrEqual(20_000)
    expect(await countOf('client_instances', "app_name in ('late', 'shop', 'many')")).toBe(3)
    expect(await countOf('client_instances', 'app_name not in (select app_name from client_applications)')).toBe(0)
  })

  test('once reported with a secret token stay so after a report with a public one', async () => {
    await register(PUBLIC, 'late', 'a')
    expect(await countOf('client_applications', "app_name = 'late' and by_public_token = 0")).toBe(1)
    expect(await countOf('client_instances', "app_name = 'late' and by_public_token = 0")).toBe(1)
  })
})

test('300 reports of invented names leave no more than bounded rows behind', async () => {
  now += HOUR_MS
  const rows = async () =>
    (await countOf('client_metrics')) + (await countOf('client_metrics_variants')) + (await countOf('unknown_flags'))
  const before = await rows()
  for (const round of some(300, 'round-')) {
    const invented = {
      yes: 1,
      no: 0,
      variants: Object.fromEntries(some(30, `${round}-variant-`).map((name) => [name, 1])),
    }
    await report(PUBLIC, `app-${round}`, { ...toggles(some(30, `${round}-flag-`)), flag: invented })
  }
  // 50 applications and "other applications" for a single flag, each with ten unknown variants
  expect((await rows()) - before).toBeLessThanOrEqual(51 + 51 * 10)
  expect(await countOf('unknown_flags')).toBe(5000)
})
