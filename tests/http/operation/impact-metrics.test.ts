import { addPacked, createColumns, getWidth, MINUTES } from '@burgee/storage/queries/impact/impact-points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
/** 08:20 of some day. */
let now = 1_800_000_000_000 + 20 * 60_000
const MINUTE = 60_000
const SETTLED_MS = 20_000

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.admin('POST /api/admin/projects/default/features', { name: 'flag' })
})
afterAll(() => server.close())

const counter = (name: string, value: unknown, labels: object = { appName: 'shop', environment: 'production' }) => ({
  name,
  help: 'Help',
  type: 'counter',
  samples: [{ labels, value }],
})
const gauge = (name: string, value: number) => ({ ...counter(name, value), type: 'gauge' })

async function report(path: string, body: object, as = 'client', headers: Record<string, string> = {}) {
  const reply = await server.call({ as, call: `POST ${path}`, body, headers })
  expect([200, 202], reply.body).toContain(reply.statusCode)
}

/** Returns the stored values of a metric that are not 0, with the environment and the labels of their series. */
async function stored(name: string) {
  await server.server.flush()
  const rows = await server.db.rows(
    `select m.type, m.environment, s.labels, s.bounds, p.packed from impact_points p
      join impact_series s on s.id = p.series_id join impact_metrics m on m.id = s.metric_id
      where m.name = ? order by m.environment, s.labels`,
    name,
  )
  return rows.map(({ type, environment, labels, bounds, packed }) => {
    const width = getWidth(type as 'counter', JSON.parse(String(bounds)).length)
    const columns = createColumns(width, MINUTES)
    addPacked(columns, String(packed))
    const values = columns.map((column) => column.reduce((sum, value) => sum + value, 0))
    return { environment, labels: Object.fromEntries(JSON.parse(String(labels))), values }
  })
}

async function refused(reason: string): Promise<number> {
  const reply = await server.call({ as: 'admin', call: 'GET /internal-backstage/prometheus' })
  return Number(new RegExp(`burgee_impact_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(reply.body)?.[1])
}

describe('impact metrics', () => {
  test.each([
    ['/api/client/metrics', 'client', 'sdk'],
    ['/api/frontend/client/metrics', 'frontend', 'browser'],
    ['/api/proxy/client/metrics', 'frontend', 'browser'],
  ])('adds up reports to %s, in the environment of the token', async (path, as, origin) => {
    const name = `errors ${path}`
    for (const value of [2, 1]) await report(path, { appName: 'shop', impactMetrics: [counter(name, value)] }, as)
    expect(await stored(name)).toEqual([
      { environment: 'development', labels: { appName: 'shop', origin }, values: [3] },
    ])
  })

  test('keeps the origin of the edge or proxy of a bulk report', async () => {
    const impactMetrics = [
      counter('bulk', 1, { appName: 'shop', origin: 'edge' }),
      counter('bulk', 2, { appName: 'shop', origin: 'proxy' }),
      counter('bulk', 4, { appName: 'shop', origin: 'sdk' }),
      counter('bulk', 8, { appName: 'shop' }),
    ]
    await report('/api/client/metrics/bulk', { applications: [], metrics: [], impactMetrics, seenTokens: [] })
    expect(await stored('bulk')).toMatchObject([
      { labels: { origin: 'edge' }, values: [13] },
      { labels: { origin: 'proxy' }, values: [2] },
    ])
  })

  test.each([
    ['null for the bucket', { bucket: null }],
    ['no bucket', {}],
    ['an empty bucket', { bucket: { start: '2027-01-15T08:00:00Z', stop: '2027-01-15T08:01:00Z', toggles: {} } }],
  ])('accepts a report with %s', async (name, bucket) => {
    await report('/api/client/metrics', { appName: 'shop', ...bucket, impactMetrics: [counter(name, 1)] })
    expect(await stored(name)).toMatchObject([{ values: [1] }])
  })

  test('stores the last value of a gauge from each connection', async () => {
    const send = (value: number, id: string) =>
      report('/api/client/metrics', { appName: 'shop', impactMetrics: [gauge('mem', value)] }, 'client', {
        'unleash-connection-id': id,
        'unleash-interval': '60000',
      })
    await send(9, 'a')
    await send(5, 'a')
    await send(2, 'b')
    // on PostgreSQL, gauges are stored after all nodes have stored their reports
    now += MINUTE + SETTLED_MS
    expect(await stored('mem')).toMatchObject([{ values: [7, 2, 0] }])
  })

  test('keeps the counts and the good metrics of a report with bad metrics', async () => {
    const toggles = { flag: { yes: 3, no: 1 } }
    const bucket = { start: new Date(now - 1000).toISOString(), stop: new Date(now).toISOString(), toggles }
    const before = await refused('value')
    const impactMetrics = [null, counter('good', 1), counter('bad', -1), counter('n'.repeat(10_000), 1)]
    await report('/api/client/metrics', { appName: 'shop', bucket, impactMetrics })
    expect(await stored('good')).toMatchObject([{ values: [1] }])
    expect(await stored('bad')).toEqual([])
    expect(await refused('value')).toBe(before + 1)
    const usage = await server.call({ as: 'admin', call: 'GET /api/admin/client-metrics/features/flag/raw' })
    expect(usage.json().data).toMatchObject([{ featureName: 'flag', yes: 3, no: 1 }])
  })

  test.each(['text', 7, {}, [[]], null])('ignores metrics that are %j', async (impactMetrics) => {
    await report('/api/client/metrics', { appName: 'shop', impactMetrics })
  })

  test('stores 5,000 series as 200 and one for all others', async () => {
    const samples = Array.from({ length: 5000 }, (_, index) => ({ labels: { id: index }, value: 1 }))
    await report('/api/client/metrics', { appName: 'shop', impactMetrics: [{ ...counter('many', 1), samples }] })
    const series = await stored('many')
    expect(series).toHaveLength(201)
    expect(series.find(({ labels }) => labels.other === 'true')).toMatchObject({ values: [4800] })
    expect(await refused('series')).toBeGreaterThanOrEqual(4800)
  })

  test('stores labels with names of the prototype', async () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}')
    await report('/api/client/metrics', { appName: 'shop', impactMetrics: [counter('odd', 1, labels)] })
    const [series] = await stored('odd')
    expect(Object.entries(series?.labels ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['origin', 'sdk'],
    ])
  })
})
