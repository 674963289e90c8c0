import type { ImpactData, ImpactMetricList } from '@burgee/protocol/administration/impact-reading'
import type { ImpactRow } from '@burgee/serving/impact/impact-sums'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
let server: TestServer
let now = Date.parse('2027-03-01T12:00:30Z')

beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

const counter = (name: string, value: number, labels: object = {}) => metric('counter', name, { labels, value })
function metric(type: string, name: string, sample: object) {
  return { name, help: `Help of ${name}`, type, samples: [sample] }
}

/** Reports metrics from one connection, and writes them. */
async function report(impactMetrics: readonly object[], connection = 'a'): Promise<void> {
  const headers = { 'unleash-connection-id': connection, 'unleash-interval': '60000' }
  const body = { appName: 'shop', impactMetrics }
  const reply = await server.call({ as: 'client', call: 'POST /api/client/metrics', body, headers })
  expect(reply.statusCode).toBe(202)
  await server.server.flush()
}

const read = (query: Readonly<Record<string, string>>): Promise<ImpactData> =>
  server.admin(`GET /api/admin/impact-metrics/data?${new URLSearchParams(query)}`)
/** Returns those values of the only series that are neither null nor 0. */
async function values(query: Readonly<Record<string, string>>): Promise<(number | null)[]> {
  const { series } = await read(query)
  expect(series).toHaveLength(1)
  return (series[0]?.points ?? []).map(([, value]) => value).filter((value) => value !== null && value !== 0)
}

describe('the points of a counter', () => {
  beforeAll(async () => {
    await report([counter('errors', 60, { appName: 'shop', variant: 'a' })])
    await report([counter('errors', 30, { appName: 'shop', variant: 'b' })])
    now += MINUTE
    await report([counter('errors', 6, { appName: 'bank', variant: 'a' })])
    now += MINUTE
  })

  test('contain counts, or rates per second, by minute', async () => {
    expect(await values({ metricName: 'errors', timeRange: 'hour' })).toEqual([90, 6])
    expect(await values({ metricName: 'errors', timeRange: 'hour', aggregationMode: 'rps' })).toEqual([1.5, 0.1])
    const { step, start, end, series } = await read({ metricName: 'unleash_counter_errors', timeRange: 'hour' })
    expect([step, series[0]?.points.length]).toEqual([60, 60])
    expect([start, end]).toEqual(['2027-03-01T11:03:00.000Z', '2027-03-01T12:03:00.000Z'])
    expect(series[0]?.points.at(-3)).toEqual([Date.parse('2027-03-01T12:00:00Z') / 1000, 90])
  })

  test('follow the selected labels', async () => {
    const labels = JSON.stringify({ appName: ['shop', 'none'], variant: ['*'], environment: ['development'] })
    const { series } = await read({ metricName: 'errors', timeRange: 'day', labels })
    const sums = series.map(({ labels, points }) => [
      labels.variant,
      Math.max(...points.map(([, value]) => value ?? 0)),
    ])
    expect(sums.sort()).toEqual([
      ['a', 60],
      ['b', 30],
    ])
    expect((await read({ metricName: 'errors', labels: '{"appName":["none"]}' })).series).toEqual([])
  })

  test.each(['day', 'week', 'month'])('add up to the same for a %s', async (timeRange) => {
    const all = await values({ metricName: 'errors', timeRange })
    expect(all.reduce((sum: number, value) => sum + (value ?? 0), 0)).toBe(96)
  })
})

test('a gauge is the sum or average over connections, and the average over time', async () => {
  for (let minute = 0; minute < 3; minute += 1) {
    await report([metric('gauge', 'memory', { labels: {}, value: 10 })], 'a')
    await report([metric('gauge', 'memory', { labels: {}, value: 30 })], 'b')
    now += MINUTE
  }
  await server.server.flush()
  for (const timeRange of ['hour', 'day', 'week']) {
    expect([...new Set(await values({ metricName: 'memory', timeRange, aggregationMode: 'sum' }))]).toEqual([40])
    expect([...new Set(await values({ metricName: 'memory', timeRange, aggregationMode: 'avg' }))]).toEqual([20])
  }
})

test('percentiles of a histogram lie within their bucket', async () => {
  const buckets = [
    { le: 10, count: 50 },
    { le: 100, count: 90 },
    { le: '+Inf', count: 100 },
  ]
  await report([metric('histogram', 'latency', { labels: {}, count: 100, sum: 2000, buckets })])
  const ask = (aggregationMode: string) => values({ metricName: 'latency', timeRange: 'hour', aggregationMode })
  expect(await ask('p50')).toEqual([10])
  expect(await ask('p95')).toEqual([100])
  expect(await ask('avg')).toEqual([20])
  expect(await ask('count')).toEqual([100])
  // another version of the application uses other histogram bounds
  await report([
    metric('histogram', 'latency', {
      labels: {},
      count: 100,
      sum: 1,
      buckets: [
        { le: 5, count: 100 },
        { le: '+Inf', count: 100 },
      ],
    }),
  ])
  // 150 of 200 observations are spread over the values up to 10
  expect(await ask('p50')).toEqual([4])
})

test('the rate of a step that has not ended is null', async () => {
  await report([counter('ticks', 60)])
  const last = async () => {
    const { series } = await read({ metricName: 'ticks', timeRange: 'hour', aggregationMode: 'rps' })
    return series[0]?.points.slice(-2).map(([, value]) => value)
  }
  expect(await last()).toEqual([0, null])
  now += MINUTE
  expect(await last()).toEqual([1, null])
})

test('a list of points says that it lacks series', async () => {
  for (let project = 0; project < 2; project += 1) {
    const rows = Array.from({ length: 60 }, (_, index): ImpactRow => {
      const identity = { name: 'many', help: '', type: 'counter', bounds: [] } as const
      return { ...identity, labels: [['id', `${project} ${index}`]], values: [1], isPublic: false }
    })
    await server.server.recordImpact({ environment: 'development', projects: [`project-${project}`] }, rows)
  }
  await server.server.flush()
  const { series, seriesCount, isTruncated } = await read({ metricName: 'many', labels: '{"id":["*"]}' })
  expect([series.length, seriesCount, isTruncated]).toEqual([100, 120, true])
  expect(await read({ metricName: 'many' })).toMatchObject({ isTruncated: false })
})

test('metrics above the limits of a list are reported as missing', async () => {
  const columns = 'id, metric_id, labels, bounds, last_seen_at'
  const [{ id } = {}] = await server.db.rows("select id from impact_metrics where name = 'many'")
  for (let part = 0; part < 5; part += 1) {
    const rows = Array.from({ length: 401 }, (_, index) => `('s-${part}-${index}', '${id}', '[]', '[]', ${now})`)
    await server.db.rows(`insert into impact_series (${columns}) values ${rows.join()}`)
  }
  expect(await read({ metricName: 'many' })).toMatchObject({ isTruncated: true })
  const list: ImpactMetricList = await server.admin('GET /api/admin/impact-metrics/metrics')
  expect(list.isTruncated).toBe(true)
  await server.db.rows("delete from impact_series where id like 's-%'")
})

test('metrics of a proxy in the process belong to its projects', async () => {
  const identity = { name: 'embedded', help: '', type: 'counter', labels: [], bounds: [] } as const
  const scope = { environment: 'development', projects: ['secret'] }
  await server.server.recordImpact(scope, [{ ...identity, values: [1], isPublic: true }])
  await server.server.flush()
  const rows = await server.db.rows("select source_projects from impact_metrics where name = 'embedded'")
  expect(rows.map(({ source_projects }) => JSON.parse(String(source_projects)))).toEqual([['secret']])
})

test('a metric without samples is listed with its type and help', async () => {
  await report([counter('idle', 0)])
  const { metrics }: ImpactMetricList = await server.admin('GET /api/admin/impact-metrics/metrics')
  expect(metrics.find(({ name }) => name === 'idle')).toMatchObject({
    metricName: 'unleash_counter_idle',
    type: 'counter',
    help: 'Help of idle',
    environment: 'development',
    labels: {},
  })
  expect(metrics.find(({ name }) => name === 'errors')?.labels).toMatchObject({
    appName: ['bank', 'shop'],
    origin: ['sdk'],
  })
  expect((await read({ metricName: 'idle' })).series).toEqual([])
})

describe('a request for points', () => {
  const call = 'GET /api/admin/impact-metrics/data'
  scenarios(
    () => server,
    [
      { name: 'requires a login', call: `${call}?metricName=errors`, status: 401 },
      { name: 'requires a name', as: 'admin', call, status: 400, text: 'metricName' },
      {
        name: 'rejects other ranges',
        as: 'admin',
        call: `${call}?metricName=a&timeRange=year`,
        status: 400,
        text: 'timeRange',
      },
      {
        name: 'rejects an aggregation of another type',
        as: 'admin',
        call: `${call}?metricName=errors&aggregationMode=p95`,
        status: 400,
        text: 'count, rps',
      },
      {
        name: 'rejects labels that are no JSON',
        as: 'admin',
        call: `${call}?metricName=a&labels=x`,
        status: 400,
        text: 'labels',
      },
      {
        name: 'rejects labels that are no lists',
        as: 'admin',
        call: `${call}?metricName=a&labels={"a":"b"}`,
        status: 400,
        text: 'labels',
      },
      {
        name: 'of an unknown metric has no series',
        as: 'viewer',
        call: `${call}?metricName=none`,
        status: 200,
        has: { series: [] },
      },
    ],
  )
})

test('old points are folded and stay readable, and are deleted after 90 days', async () => {
  const total = async () => {
    const all = await values({ metricName: 'folded', timeRange: 'month' })
    return all.reduce((sum: number, value) => sum + (value ?? 0), 0)
  }
  await report([counter('folded', 7)])
  const steps = async () =>
    (
      await server.db.rows(
        `select distinct p.step from impact_points p join impact_series s on s.id = p.series_id
          join impact_metrics m on m.id = s.metric_id where m.name = 'folded'`,
      )
    ).map(({ step }) => Number(step))
  for (const [days, step] of [
    [3, 15 * MINUTE],
    [14, 3 * HOUR],
  ] as const) {
    now += days * DAY
    await server.server.removeOld()
    expect([await steps(), await total()]).toEqual([[step], 7])
  }
  now += 91 * DAY
  await server.server.removeOld()
  expect(await steps()).toEqual([])
})
