import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Retention removes old data, but nothing that is still referenced. */
const DAY = 86_400_000
const HOUR = 3_600_000
const START = Date.parse('2030-01-01T00:00:00Z')
let now = START
let server: TestServer
const as = 'admin'
const RAW = '/api/admin/client-metrics/features/used/raw'

beforeAll(async () => {
  server = await startServer({ serverMetrics: true }, () => now)
  for (const name of ['used', 'first-on']) {
    await server.call({ as, call: 'POST /api/admin/projects/default/features', body: { name } })
  }
})
afterAll(() => server.close())

const count = async (table: string) => Number((await server.db.row(`select count(*) as count from ${table}`))?.count)

async function report(yes: number): Promise<void> {
  const bucket = {
    start: new Date(now - 1000),
    stop: new Date(now),
    toggles: { used: { yes, no: 1, variants: { a: yes } } },
  }
  const body = { appName: 'shop', instanceId: 'one', bucket }
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body })
  await server.call({
    as: 'client',
    call: 'POST /api/client/register',
    body: { appName: 'shop', instanceId: 'one', strategies: [], started: new Date(now), interval: 1000 },
  })
  await server.server.flush()
}

interface Row {
  readonly timestamp: string
  readonly yes: number
  readonly no: number
  readonly variants: Readonly<Record<string, number>>
}

async function usage(hoursBack: number): Promise<Row[]> {
  const { data } = (await server.call({ as, call: `GET ${RAW}?hoursBack=${hoursBack}` })).json() as { data: Row[] }
  return data
}

const sum = (rows: readonly Row[]) => rows.reduce((total, { yes }) => total + yes, 0)

describe('usage', () => {
  test('stays hourly for a week and becomes daily after it, with the same sums', async () => {
    for (let hour = 0; hour < 48; hour += 1) {
      await report(hour + 1)
      now += HOUR
    }
    const before = await usage(72)
    expect(before.length).toBe(48)
    now = START + 8 * DAY + HOUR
    await server.server.removeOld()
    const after = await usage(24 * 14)
    expect(sum(after)).toBe(sum(before))
    expect(after.map(({ timestamp }) => timestamp)).toEqual([
      ...Array.from({ length: 24 }, (_, index) => new Date(START + (47 - index) * HOUR).toISOString()),
      '2030-01-01T00:00:00.000Z',
    ])
    expect(after.at(-1)).toMatchObject({ yes: 300, no: 24, variants: { a: 300 } })
    now += DAY
    await server.server.removeOld()
    expect((await usage(24 * 14)).map(({ yes, variants }) => [yes, variants.a])).toEqual([
      [876, 876],
      [300, 300],
    ])
    expect([await count('client_metrics'), await count('client_metrics_variants')]).toEqual([2, 2])
    await server.server.removeOld()
    expect(await count('client_metrics')).toBe(2)
  })

  test('a partially requested day is answered whole, once it is a sum', async () => {
    now = START + 9 * DAY + 12 * HOUR
    expect(sum(await usage(9 * 24))).toBe(1176)
    expect(sum(await usage(8 * 24))).toBe(876)
    expect(sum(await usage(7 * 24))).toBe(0)
  })

  test('goes after ninety days', async () => {
    now = START + 91 * DAY + HOUR
    await server.server.removeOld()
    expect([await count('client_metrics'), await count('client_metrics_variants')]).toEqual([1, 1])
    now += DAY
    await server.server.removeOld()
    expect([await count('client_metrics'), await count('client_metrics_variants')]).toEqual([0, 0])
  })

  test('more than one batch of an hour', async () => {
    const at = startOfDay(now) + 5 * HOUR
    const values = Array.from({ length: 450 }, (_, index) => `('development', 'shop', 'flag-${index}', ${at}, 2, 1)`)
    await server.db.rows(
      `insert into client_metrics (environment, app_name, feature_name, hour, yes, no) values ${values.join(', ')}`,
    )
    now += 9 * DAY
    await server.server.removeOld()
    expect(
      await server.db.rows('select hour, count(*) as count, sum(yes) as yes from client_metrics group by hour'),
    ).toEqual([{ hour: startOfDay(at), count: 450, yes: 900 }].map((row) => expect.objectContaining(row)))
    now += 100 * DAY
    await server.server.removeOld()
    expect(await count('client_metrics')).toBe(0)
  })
})

const startOfDay = (time: number) => time - (time % DAY)

describe('SDK registrations', () => {
  test('expire thirty days after the last report, unless users have described them', async () => {
    await report(1)
    const unknown = { start: new Date(now), stop: new Date(now), toggles: { nobody: { yes: 1, no: 0 } } }
    await server.call({
      as: 'client',
      call: 'POST /api/client/metrics',
      body: { appName: 'other', instanceId: 'x', bucket: unknown },
    })
    const registration = { appName: 'described', instanceId: 'x', strategies: [], started: new Date(now), interval: 1 }
    await server.call({ as: 'client', call: 'POST /api/client/register', body: registration })
    await server.server.flush()
    await server.call({ as, call: 'POST /api/admin/metrics/applications/described', body: { description: 'ours' } })
    now += 30 * DAY
    await server.server.removeOld()
    expect([await count('client_instances'), await count('unknown_flags')]).toEqual([2, 1])
    now += 1
    await server.server.removeOld()
    expect(await server.db.rows('select app_name from client_applications')).toEqual([{ app_name: 'described' }])
    expect([await count('client_instances'), await count('unknown_flags')]).toEqual([0, 0])
    expect(await server.db.rows('select app_name from client_application_reach')).toEqual([{ app_name: 'described' }])
  })
})

describe('change requests', () => {
  test('go two years after they were decided, with what they hold; open ones stay', async () => {
    const made = async (state: string, times: object) => {
      const row = await server.db.row(
        `insert into change_requests (project, environment, title, state, state_times, created_by_user_id, created_by, created_at)
          values ('default', 'production', ?, ?, ?, 1, 'x', ?) returning id`,
        ...[`${state} ${JSON.stringify(times)}`, state, JSON.stringify(times), now - 900 * DAY],
      )
      await server.db.rows(
        "insert into change_request_comments (request_id, text, created_by_user_id, created_by, created_at) values (?, 'c', 1, 'x', 1)",
        Number(row?.id),
      )
    }
    for (let n = 0; n < 25; n += 1) await made('Applied', { Applied: now - 731 * DAY })
    await made('Applied', { Applied: now - 729 * DAY })
    await made('Rejected', { Rejected: now - 731 * DAY })
    await made('Cancelled', { Draft: now - 900 * DAY, Cancelled: now - 1 })
    await made('In review', { 'In review': now - 899 * DAY })
    await server.server.removeOld()
    const left = await server.db.rows('select state from change_requests order by id')
    expect(left.map(({ state }) => state)).toEqual(['Applied', 'Cancelled', 'In review'])
    expect(await count('change_request_comments')).toBe(3)
    await server.db.rows('delete from change_requests')
  })
})

describe('access that has run out', () => {
  test('sessions and links go at once, tokens after thirty days, each with an event', async () => {
    const made = async (type: string, days: number) =>
      server.call({
        as,
        call: 'POST /api/admin/api-tokens',
        body: { tokenName: `${type}-${days}`, type, environment: 'development', expiresAt: new Date(now + days * DAY) },
      })
    await made('client', 1)
    await made('client', 5)
    const row = await server.db.row('select id from users')
    await server.db.rows(
      `insert into sessions (hash, user_id, created_at, used_at, expires_at) values ('gone', ${row?.id}, 1, 1, 1)`,
    )
    await server.db.rows(
      `insert into reset_tokens (hash, user_id, created_by, created_at, expires_at) values ('gone', ${row?.id}, 'x', 1, 1)`,
    )
    await server.db.rows(
      `insert into personal_tokens (user_id, description, hash, expires_at, created_at) values (${row?.id}, 'mine', 'x', ${now + DAY}, 1)`,
    )
    await server.server.removeOld()
    expect(await server.db.rows("select hash from sessions where hash = 'gone'")).toEqual([])
    expect(await server.db.rows('select hash from reset_tokens')).toEqual([])
    const last = await server.lastEventId()
    now += 31 * DAY
    await server.server.removeOld()
    expect(await server.eventsAfter(last)).toEqual(['api-token-deleted', 'pat-deleted'])
    expect(await server.db.rows("select name from api_tokens where name like 'client-%'")).toEqual([
      { name: 'client-5' },
    ])
  })
})

test('presence rows are removed after a minute', async () => {
  const [gone, here] = await server.db.rows('select id from users order by id limit 2')
  const insert = 'insert into flag_presences (user_id, feature_name, seen_at) values (?, ?, ?)'
  await server.db.rows(insert, Number(gone?.id), 'used', now - 60_000)
  await server.db.rows(insert, Number(here?.id), 'used', now - 59_999)
  await server.server.removeOld()
  expect(await server.db.rows('select user_id from flag_presences')).toEqual([{ user_id: here?.id }])
})

describe('events', () => {
  test('go after two years, but those that something hangs on', async () => {
    const put = (name: string) =>
      server.call({ as, call: `PUT /api/admin/projects/default/features/${name}`, body: { description: String(now) } })
    const turn = (name: string, to: string) =>
      server.call({ as, call: `POST /api/admin/projects/default/features/${name}/environments/production/${to}` })
    await server.call({ as, call: 'POST /api/admin/environments', body: { name: 'quiet', type: 'test' } })
    await turn('first-on', 'on')
    const first = await server.lastEventId()
    await turn('first-on', 'off')
    await turn('first-on', 'on')
    for (let change = 0; change < 320; change += 1) {
      now += 1
      await put('used')
    }
    const revision = async () => (await download()).headers.etag
    // a wrong timestamp of one event must not prevent the removal of later events
    await server.db.rows(`update events set created_at = ${now + 900 * DAY} where id = 1`)
    const before = await revision()
    const since = (id: number) => count(`events where id >= ${id}`)
    const events = await since(first)
    now += 729 * DAY
    await server.server.removeOld()
    const newest = await server.lastEventId()
    expect(await since(first)).toBe(events + 1)
    now += 2 * DAY
    await server.server.removeOld()
    const kept = (await server.db.rows('select id from events order by id')).map(({ id }) => Number(id))
    expect(kept.filter((id) => id > newest - 100)).toHaveLength(100)
    expect(kept).toContain(first)
    expect(kept.length).toBeLessThan(115)
    expect(await revision()).toBe(before)
    expect(server.logged.filter((line) => /restored|replaced/.test(line))).toEqual([])
    for (const reach of ['', 'production']) {
      const row = await server.db.row('select max(id) as id from events where reach = ?', reach)
      expect([reach, Number(row?.id)]).not.toEqual([reach, 0])
    }
    // nothing is left to remove, and changes are still possible
    await server.server.removeOld()
    expect(await count('events')).toBe(kept.length)
    await put('used')
    expect(await revision()).not.toBe(before)
  })

  const download = () => server.call({ as: TOKENS.client, call: 'GET /api/client/features' })

  test('never expire with 0', async () => {
    const other = await startServer({ eventRetentionDays: 0 }, () => now)
    const before = await other.lastEventId()
    now += 5000 * DAY
    await other.server.removeOld()
    expect(await other.lastEventId()).toBeGreaterThanOrEqual(before)
    expect(Number((await other.db.row('select count(*) as count from events'))?.count)).toBeGreaterThanOrEqual(before)
    await other.close()
  })
})

test('series say how much there is', async () => {
  const { body } = await server.call({ call: 'GET /internal-backstage/prometheus' })
  expect(body).toMatch(/^burgee_rows\{table="events"\} 1\d\d$/m)
  expect(Number(/^burgee_database_bytes (\d+)$/m.exec(body)?.[1])).toBeGreaterThan(50_000)
})

test.runIf(inject('driver') === 'sqlite')('the file gives room back', async () => {
  const pages = async () => Number(Object.values((await server.db.row('PRAGMA page_count')) ?? {})[0])
  const free = async () => Number(Object.values((await server.db.row('PRAGMA freelist_count')) ?? {})[0])
  await server.db.rows(`insert into unknown_flags (name, app_name, environment, last_seen_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
    select i || hex(zeroblob(300)), 'shop', 'development', 1 from n`)
  const full = await pages()
  await server.server.removeOld()
  expect(await pages()).toBeLessThan(full / 2)
  expect(await free()).toBe(0)
})

test.runIf(inject('driver') === 'postgres')('nodes that clean up at once count nothing twice', async () => {
  const at = startOfDay(now) + 5 * HOUR
  const values = Array.from({ length: 900 }, (_, index) => `('development', 'shop', 'flag-${index}', ${at}, 2, 1)`)
  await server.db.rows(
    `insert into client_metrics (environment, app_name, feature_name, hour, yes, no) values ${values.join(', ')}`,
  )
  now += 9 * DAY
  await Promise.all([1, 2, 3].map(() => server.server.removeOld()))
  await server.server.removeOld()
  expect(
    await server.db.row('select count(*) as count, sum(yes) as yes, min(hour) as hour from client_metrics'),
  ).toMatchObject({
    count: 900,
    yes: 1800,
    hour: startOfDay(at),
  })
})
