import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Prometheus can scrape impact metrics if an option exposes them. */
const URL = '/internal-backstage/impact/metrics'
let server: TestServer
let now = Date.parse('2027-01-01T00:00:00Z')

beforeAll(async () => {
  server = await startServer({ exposeImpactMetrics: true, impactMetricsLimit: 5, impactSeriesLimit: 3 }, () => now)
})
afterAll(() => server.close())

async function report(...impactMetrics: object[]): Promise<void> {
  const reply = await server.call({
    as: 'client',
    call: 'POST /api/client/metrics',
    body: { appName: 'shop', impactMetrics },
  })
  expect(reply.statusCode).toBe(202)
  await server.server.flush()
}
const metric = (type: string, name: string, ...samples: object[]) => ({ name, help: 'Help', type, samples })
const read = async (): Promise<string[]> => {
  const reply = await server.server.app.inject({ url: URL })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
  return reply.body.split('\n')
}

test('sums of counters and histograms only increase, also after they are written', async () => {
  const buckets = [
    { le: 10, count: 1 },
    { le: '+Inf', count: 2 },
  ]
  const labels = { appName: 'shop', __name__: 'x', le: '5', 'a-b': 'a"b' }
  for (let round = 0; round < 2; round += 1) {
    await report(
      metric('counter', 'errors', { labels, value: 2 }),
      metric('histogram', 'latency', { labels: {}, count: 2, sum: 50, buckets }),
    )
    now += 60_000
  }
  const lines = await read()
  expect(lines).toContain('# TYPE unleash_counter_errors counter')
  expect(lines).toContain(
    'unleash_counter_errors{_label__name__="x",a_b="a\\"b",appName="shop",_labelle="5",origin="sdk",environment="development"} 4',
  )
  expect(lines.filter((line) => line.startsWith('unleash_histogram_latency'))).toEqual([
    'unleash_histogram_latency_bucket{origin="sdk",environment="development",le="10"} 2',
    'unleash_histogram_latency_bucket{origin="sdk",environment="development",le="+Inf"} 4',
    'unleash_histogram_latency_sum{origin="sdk",environment="development"} 100',
    'unleash_histogram_latency_count{origin="sdk",environment="development"} 4',
  ])
})

test('a gauge disappears after it is no longer reported', async () => {
  await report(metric('gauge', 'memory', { labels: {}, value: 7 }))
  // on PostgreSQL, gauges are stored after all nodes have stored their reports
  now += 80_000
  await server.server.flush()
  expect(await read()).toContain('unleash_gauge_memory{origin="sdk",environment="development"} 7')
  now += 600_000
  expect((await read()).join()).not.toContain('memory')
})

test('names that Prometheus does not distinguish give no duplicates, and the bounds hold', async () => {
  const samples = Array.from({ length: 20 }, (_, id) => ({ labels: { id: String(id) }, value: 1 }))
  await report(metric('counter', 'a-b', { labels: {}, value: 1 }), metric('counter', 'a_b', { labels: {}, value: 1 }))
  await report(metric('counter', 'many', ...samples))
  const lines = await read()
  expect(lines.filter((line) => line.startsWith('unleash_counter_a_b'))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('unleash_counter_many')).length).toBeLessThanOrEqual(4)
})

test('nothing is exposed by default', async () => {
  const closed = await startServer()
  try {
    expect((await closed.server.app.inject({ url: URL })).statusCode).toBe(404)
  } finally {
    await closed.close()
  }
})
