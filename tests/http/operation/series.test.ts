import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { PROXY_HEADERS } from '../../support/proxy-headers.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Metrics for Prometheus: each metric with its labels, and the rule that no caller can create more of them. */
const URL = '/internal-backstage/prometheus'
const P = '/api/admin/projects/default/features'
const PASSWORD = 'a good password'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await counted()
})
afterAll(() => server.close())

async function series(of = server): Promise<Map<string, number>> {
  const reply = await of.server.app.inject({ url: URL })
  const lines = reply.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('counters of failures start at 0 before the first one', async () => {
  const names = ['burgee_database_query_errors_total', 'burgee_logins_total', 'burgee_integration_deliveries_total']
  const fresh = await startServer()
  const lines = [...(await series(fresh)).keys()]
  expect(names.filter((name) => !lines.some((line) => line.startsWith(`${name}{`)))).toEqual([])
  await fresh.close()
})

/** Returns how much each metric increases during an operation. Omits unchanged ones. */
async function growth(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await series()
  await work()
  const after = [...(await series())].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(after.filter(([, more]) => more !== 0))
}

/**
 * Waits until the first counts, which need a separate thread or connection, are complete. Before that, some metrics are
 * missing and a caller is waiting.
 */
async function counted(of = server): Promise<void> {
  await until(async () => {
    const now = await series(of)
    const waiting = [...now].filter(([name]) => name.startsWith('burgee_database_waiting'))
    return now.has('projects_total') && waiting.every(([, callers]) => callers === 0)
  })
}

const admin = (call: string, body: unknown = {}) => server.admin(call, body)
const requests = (route: string, method: string, status: number) =>
  `burgee_http_requests_total{route="${route}",method="${method}",status="${status}"}`

describe('series', () => {
  test('have the text format 0.0.4, need no token, and are not cached', async () => {
    const reply = await server.call({ call: `GET ${URL}` })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8; version=0.0.4')
    expect(reply.headers['cache-control']).toBe('no-store')
    const names = new Set<string>()
    for (const line of reply.body.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^# HELP \w+ \S.*$|^# TYPE \w+ (counter|gauge|histogram)$|^\w+(\{(\w+="[^"]*",?)+\})? -?[\d.e+-]+$/,
      )
      if (line.startsWith('# TYPE ')) {
        expect(names.has(line)).toBe(false)
        names.add(line)
      }
    }
  })

  test('count replies by pattern, method and status, and how long they took', async () => {
    const seen = await growth(async () => {
      await admin(`POST ${P}`, { name: 'counted' })
      for (const name of ['counted', 'COUNTED', 'nobody']) await server.call({ as: 'admin', call: `GET ${P}/${name}` })
      await server.call({ call: `GET ${P}/counted` })
    })
    const route = '/api/admin/projects/:projectId/features/:featureName'
    expect(seen).toMatchObject({
      [requests(route, 'GET', 200)]: 1,
      [requests(route, 'GET', 404)]: 2,
      [requests(route, 'GET', 401)]: 1,
      [requests('/api/admin/projects/:projectId/features', 'POST', 201)]: 1,
      [`burgee_http_request_duration_seconds_count{route="${route}",method="GET"}`]: 4,
      [`burgee_http_request_duration_seconds_bucket{route="${route}",method="GET",le="+Inf"}`]: 4,
    })
  })

  test('count the events that were written, by type, and say the last one', async () => {
    const last = await server.lastEventId()
    const seen = await growth(async () => {
      await admin(`POST ${P}`, { name: 'eventful' })
      await admin(`POST ${P}/eventful/environments/development/on`)
      await admin(`POST ${P}/eventful/environments/development/on`)
    })
    const written = await server.eventsAfter(last)
    expect(written).toEqual(['feature-created', 'feature-strategy-add', 'feature-environment-enabled'])
    for (const type of written) expect(seen[`burgee_events_total{type="${type}"}`]).toBe(1)
    expect((await series()).get('burgee_revision')).toBe(await server.lastEventId())
  })

  test('count downloads that were sent or not modified, evaluations of front ends, and what was put together', async () => {
    let etag = ''
    const F = 'GET /api/client/features'
    const seen = await growth(async () => {
      etag = String((await server.call({ as: 'client', call: F })).headers.etag)
      for (let time = 0; time < 2; time += 1) {
        const reply = await server.call({ as: 'client', call: F, headers: { 'if-none-match': etag } })
        expect(reply.statusCode).toBe(304)
      }
      await server.call({ as: 'production', call: F })
      await server.call({ as: 'frontend', call: 'GET /api/frontend' })
      await server.call({ as: 'frontend', call: 'POST /api/frontend', body: { toggles: ['eventful', 'made-up'] } })
    })
    const downloads = (environment: string, result: string) =>
      `burgee_client_downloads_total{environment="${environment}",result="${result}"}`
    const flags = (await server.db.row('select count(*) as n from features'))?.n
    expect(seen).toMatchObject({
      [downloads('development', 'sent')]: 1,
      [downloads('development', 'not-modified')]: 2,
      [downloads('production', 'sent')]: 1,
      [requests('/api/client/features', 'GET', 304)]: 2,
      'burgee_frontend_evaluations_total{environment="development"}': Number(flags) + 2,
      // one per environment: evaluations for front ends need no document text
      burgee_client_snapshots_total: 2,
    })
    expect((await series()).get('burgee_client_snapshot_bytes')).toBeGreaterThan(100)
  })

  test('count reports of usage that were accepted, and names that were dropped', async () => {
    const bucket = (names: string[]) => {
      const now = new Date().toISOString()
      return { start: now, stop: now, toggles: Object.fromEntries(names.map((name) => [name, { yes: 1, no: 0 }])) }
    }
    const seen = await growth(async () => {
      for (const names of [
        ['eventful', 'no-such-flag'],
        ['eventful', 'x'.repeat(501)],
      ]) {
        const body = { appName: 'app', bucket: bucket(names) }
        expect((await server.call({ as: 'client', call: 'POST /api/client/metrics', body })).statusCode).toBe(202)
      }
      await server.server.flush()
    })
    expect(seen).toMatchObject({ burgee_usage_reports_total: 2, burgee_usage_dropped_total: 1 })
    expect((await series()).get('burgee_usage_waiting')).toBe(0)
  })

  test('count logins that succeeded and failed', async () => {
    const seen = await growth(async () => {
      for (const password of [PASSWORD, 'wrong', 'wrong again']) {
        await server.call({ call: 'POST /auth/simple/login', body: { username: 'admin', password } })
      }
      await server.call({ call: 'POST /auth/simple/login', body: { username: 'nobody', password: 'wrong' } })
      await server.call({ call: 'POST /auth/simple/login', body: {} })
    })
    expect(seen).toMatchObject({
      'burgee_logins_total{result="success"}': 1,
      'burgee_logins_total{result="failure"}': 3,
    })
  })

  test('count queries, those that fail by kind, and connections where they are pooled', async () => {
    const seen = await growth(async () => {
      await server.call({ as: 'admin', call: 'GET /api/admin/projects' })
      const twice = { username: 'twice', password: 'nothing to guess here', rootRole: 3 }
      for (let time = 0; time < 2; time += 1) {
        await server.call({ as: 'admin', call: 'POST /api/admin/user-admin', body: twice })
      }
    })
    expect(seen.burgee_database_query_duration_seconds_count).toBeGreaterThan(1)
    await counted()
    const now = await series()
    const pools = [...now].filter(([name]) => name.startsWith('burgee_database_connections'))
    expect(pools).toHaveLength(6)
    expect(pools.reduce((sum, [, value]) => sum + value, 0)).toBeGreaterThan(0)
    for (const pool of ['writing', inject('driver') === 'sqlite' ? 'scanning' : 'counting', 'reading']) {
      expect(now.get(`burgee_database_waiting{pool="${pool}"}`)).toBe(0)
    }
  })

  test('count queries that the database refused', async () => {
    await server.db.rows('alter table feature_favorites rename column feature_name to feature_away')
    const seen = await growth(async () => {
      const call = `POST ${P}/eventful/favorites`
      expect((await server.call({ as: 'viewer', call, body: {} })).statusCode).toBe(500)
    })
    expect(seen['burgee_database_query_errors_total{kind="other"}']).toBe(1)
  })

  test('say what the process uses and which build it is', async () => {
    const now = await series()
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_uptime_seconds']) {
      expect(now.get(name)).toBeGreaterThan(0)
    }
    expect(now.has('nodejs_eventloop_lag_p99_seconds')).toBe(true)
    expect([...now].filter(([name]) => name.startsWith('burgee_build_info{version="'))).toEqual([
      [expect.stringContaining(process.version), 1],
    ])
  })
})

describe('names that callers make up', () => {
  /** Creates one of each object whose name callers choose. */
  const everything = async (name: string) => {
    const bucket = {
      start: '2026-01-01T00:00:00Z',
      stop: '2026-01-01T01:00:00Z',
      toggles: { [name]: { yes: 1, no: 0 } },
    }
    const calls: Parameters<TestServer['call']>[0][] = [
      { call: `GET /${name}` },
      { call: `GET /api/${name}` },
      { as: 'admin', call: `GET /api/${name}/${name}` },
      { call: `OPTIONS /api/frontend/${name}` },
      { call: `DELETE /${name}` },
      { as: name, call: 'GET /api/client/features' },
      { as: 'admin', call: `GET ${P}/${name}` },
      { as: 'admin', call: `GET /api/admin/projects/${name}/features` },
      { as: 'admin', call: `POST ${P}/${name}/environments/${name}/on`, body: {} },
      { as: 'client', call: `GET /api/client/features?namePrefix=${name}` },
      { as: 'client', call: `GET /api/client/features?project=${name}&tag=simple:${name}` },
      { as: 'client', call: 'GET /api/client/features', headers: { 'unleash-appname': name, 'user-agent': name } },
      { as: 'client', call: 'POST /api/client/metrics', body: { appName: name, environment: name, bucket } },
      {
        as: 'client',
        call: 'POST /api/client/register',
        body: { appName: name, instanceId: name, interval: 1, started: '2026-01-01T00:00:00Z', strategies: [name] },
      },
      { as: 'frontend', call: `GET /api/frontend?environment=${name}&appName=${name}&userId=${name}` },
      { as: 'frontend', call: 'POST /api/frontend', body: { toggles: [name], context: { environment: name } } },
      { call: 'POST /auth/simple/login', body: { username: name, password: name } },
    ]
    for (const call of calls) await server.call(call)
    const method = name.length % 2 === 0 ? 'PROPFIND' : 'TRACE'
    await server.server.app.inject({ method: method as 'GET', url: `/${name}` })
  }

  test('do not add series, regardless of their number', async () => {
    await everything('first')
    await everything('second')
    await server.server.flush()
    const before = [...(await series()).keys()]
    for (let index = 0; index < 20; index += 1) await everything(`made-up-${'x'.repeat(index)}`)
    await server.server.flush()
    expect([...(await series()).keys()].toSorted()).toEqual(before.toSorted())
  })
})

describe('switched off', () => {
  test('nothing is there, also not in the description; below a base path it is there', async () => {
    const off = await startServer({ serverMetrics: false })
    const below = await startServer({ baseUriPath: '/flags' })
    try {
      expect((await off.server.app.inject({ url: URL })).statusCode).toBe(404)
      expect((await off.server.app.inject({ url: '/docs/openapi.json' })).body).not.toContain(URL)
      expect((await below.server.app.inject({ url: URL })).statusCode).toBe(404)
      await below.server.app.inject({ url: '/flags/health' })
      const text = (await below.server.app.inject({ url: `/flags${URL}` })).body
      expect(text).toContain(requests('/health', 'GET', 200))
    } finally {
      await off.close()
      await below.close()
    }
  })
})

describe('behind a reverse proxy', () => {
  let direct: TestServer
  beforeAll(async () => {
    direct = await startServer({ trustProxy: true })
  })
  afterAll(() => direct.close())

  test.each(PROXY_HEADERS)('answers a request with %s like an unknown path by default', async (name, value) => {
    const sent = { headers: { [name]: value } }
    const reply = await direct.call({ call: `GET ${URL}`, ...sent })
    const unknown = await direct.call({ call: 'GET /internal-backstage/unknown', ...sent })
    const shape = { status: 404, name: 'NotFoundError' }
    expect([reply, unknown].map((one) => ({ status: one.statusCode, name: one.json().name }))).toEqual([shape, shape])
    expect((await direct.call({ call: `HEAD ${URL}`, ...sent })).statusCode).toBe(404)
    expect((await direct.call({ call: 'GET /ready', ...sent })).statusCode).toBe(200)
  })

  test('serves direct requests, also those of a service mesh', async () => {
    const reply = await direct.call({ call: `GET ${URL}`, headers: { 'x-forwarded-proto': 'http' } })
    expect(reply.statusCode).toBe(200)
  })

  test('FORWARDED_METRICS=true serves forwarded requests', async () => {
    const open = await startServer({ forwardedMetrics: true })
    try {
      const reply = await open.call({ call: `GET ${URL}`, headers: { 'x-forwarded-for': '203.0.113.7' } })
      expect(reply.statusCode).toBe(200)
    } finally {
      await open.close()
    }
  })
})

/** Metric names that Unleash dashboards use. Source: wire protocol */
describe('under the established names', () => {
  const D = '/api/admin/projects/default/features'
  test('count changes and usage of flags, by names of flags that there are', async () => {
    const seen = await growth(async () => {
      await admin(`POST ${D}`, { name: 'charted' })
      await admin(`POST ${D}/charted/environments/production/on`)
      const toggles = { charted: { yes: 3, no: 2 }, 'no-such-flag': { yes: 5, no: 5 } }
      const bucket = { start: new Date().toISOString(), stop: new Date().toISOString(), toggles }
      await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'app', bucket } })
      await server.server.flush()
    })
    const labels = 'toggle="charted",project="default",environment="production",environmentType'
    const updates = Object.keys(seen).filter((name) => name.startsWith(`feature_toggle_update_total{${labels}`))
    expect(updates).toHaveLength(1)
    const made = 'toggle="charted",project="default",environment="n/a",environmentType="n/a",action="created"'
    expect(seen).toMatchObject({
      [`feature_toggle_update_total{${made}}`]: 1,
      'feature_toggle_usage_total{toggle="charted",active="true",appName="app"}': 3,
      'feature_toggle_usage_total{toggle="charted",active="false",appName="app"}': 2,
    })
    expect([...(await series()).keys()].filter((name) => name.includes('no-such-flag'))).toEqual([])
  })

  test('say the same as ours of replies and queries', async () => {
    const seen = await growth(() => server.call({ as: 'admin', call: `GET ${D}/nobody` }))
    const path = 'path="/api/admin/projects/:projectId/features/:featureName",method="GET",status="404"'
    expect(seen[`http_request_duration_milliseconds_count{${path}}`]).toBe(1)
    expect(seen[`http_request_duration_milliseconds_sum{${path}}`]).toBeGreaterThan(0)
    const all = await series()
    const count = 'query_duration_seconds_count'
    expect(all.get(`db_${count}`)).toBe(all.get(`burgee_database_${count}`))
    for (const name of ['max', 'min', 'free', 'used', 'pending_creates', 'pending_acquires']) {
      expect([name, all.get(`db_pool_${name}`)]).toEqual([name, expect.any(Number)])
    }
  })

  test('say what there is, as of the last minute', async () => {
    const own = await startServer()
    const statistics = await own.admin('GET /api/admin/instance-admin/statistics')
    await until(async () => (await series(own)).has('users_total'))
    const all = await series(own)
    await own.close()
    const { users, projects, environments, segments, contextFields, roles, groups } = statistics
    const seen = ['users', 'projects', 'environments', 'segments', 'context', 'roles', 'groups'].map((name) =>
      all.get(`${name}_total`),
    )
    expect(seen).toEqual([users, projects, environments, segments, contextFields, roles, groups])
    const single = ['service_accounts_total', 'strategies_total', 'feature_toggles_archived_total', 'saml_enabled']
    const changes = [30, 60, 90].map((days) => `production_changes_${days}`)
    const active = [7, 30, 60, 90].map((days) => `users_active_${days}`)
    for (const name of [...single, 'oidc_enabled', ...changes, ...active])
      expect([name, all.has(name)]).toEqual([name, true])
    for (const name of [
      'feature_toggles_total{version=',
      'api_tokens_total{type="client"}',
      'client_apps_total{range="7d"}',
    ]) {
      expect([...all.keys()].filter((line) => line.startsWith(name))).toHaveLength(1)
    }
  })
})
