import { IMPACT_REFUSALS } from '@burgee/serving/impact/impact-refusals'
import { afterEach, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'
import { PROXY_HEADERS } from '../support/proxy-headers.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'

/** Metrics for Prometheus: each metric with its labels, and the rule that callers cannot create more of them. */
let proxy: TestProxy | undefined
afterEach(() => proxy?.close())

const headers = { authorization: KEY, 'content-type': 'application/json' }
const series = async (): Promise<Map<string, number>> => {
  const text = await (await fetch(`${proxy?.url}/proxy/internal-backstage/prometheus`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

test('evaluations, requests, failures and drops are counted, with bounded labels', async () => {
  const features = ['a', 'b', 'c'].map((name) => ({ name, enabled: true, strategies: [] }))
  const upstream = await startUpstream({ version: 2, features })
  proxy = await startProxy({ flagUrl: upstream.url, refreshInterval: 20, metricsInterval: 20 })
  const { url } = proxy
  await fetch(`${url}/proxy`, { headers })
  await fetch(`${url}/proxy`, { method: 'POST', headers, body: JSON.stringify({ toggles: ['a', 'x'.repeat(1000)] }) })
  await fetch(`${url}/PROXY/?userId=7`, { headers })
  await fetch(`${url}/proxy`)
  for (let index = 0; index < 50; index += 1) await fetch(`${url}/nowhere/${index}`, { method: 'OPTIONS' })
  for (let index = 0; index < 50; index += 1) await fetch(`${url}/nowhere/${index}`)
  await until(async () => ((await series()).get('last_metrics_update_epoch_timestamp_ms') ?? 0) > 0)
  upstream.answerWith((_request, response) => void response.writeHead(500).end())
  await fetch(`${url}/proxy`, { method: 'POST', headers, body: '{"toggles":["a"]}' })
  const failures = (kind: string) => `burgee_proxy_upstream_failures_total{kind="${kind}"}`
  await until(async () => {
    const seen = await series()
    return seen.has(failures('features')) && seen.has(failures('metrics'))
  })

  const seen = await series()
  expect(Object.fromEntries(seen)).toMatchObject({
    unleash_proxy_up: 1,
    burgee_proxy_ready: 1,
    burgee_proxy_stale: 0,
    burgee_proxy_features: 3,
    burgee_proxy_state_revision: 1,
    burgee_proxy_evaluations_total: 3 + 2 + 3 + 1,
    burgee_proxy_metrics_dropped_total: 1,
    'burgee_proxy_http_requests_total{route="/proxy",status="200"}': 4,
    'burgee_proxy_http_requests_total{route="/proxy",status="401"}': 1,
    'burgee_proxy_http_requests_total{route="unknown",status="204"}': 50,
    'burgee_proxy_http_requests_total{route="unknown",status="404"}': 50,
  })
  expect(seen.get('burgee_proxy_state_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(seen.get('last_metrics_fetch_epoch_timestamp_ms')).toBeGreaterThan(0)
  expect(seen.size).toBeLessThan(25 + IMPACT_REFUSALS.length)
  await upstream.close()
})

const DIRECT = ['x-forwarded-proto', 'http'] as const
const FORWARDED = [
  ...PROXY_HEADERS.map(([name, value]) => ({ isAllowed: false, name, value, status: 404 })),
  { isAllowed: false, name: DIRECT[0], value: DIRECT[1], status: 200 },
  { isAllowed: true, name: 'x-forwarded-for', value: '203.0.113.7', status: 200 },
]
test.each(FORWARDED)(
  'FORWARDED_METRICS=$isAllowed returns $status for a metrics request with $name',
  async ({ isAllowed, name, value, status }) => {
    const upstream = await startUpstream({ version: 2, features: [] })
    proxy = await startProxy({ flagUrl: upstream.url, ...(isAllowed ? { forwardedMetrics: true } : {}) })
    const { url } = proxy
    const asked = { headers: { [name]: value } }
    await until(async () => (await fetch(`${url}/proxy/health`, asked)).status === 200)
    expect((await fetch(`${url}/proxy/internal-backstage/prometheus`, asked)).status).toBe(status)
  },
)
