import { addPacked, createColumns, getWidth, MINUTES } from '@burgee/storage/queries/impact/impact-points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKENS } from '../../http/scenario.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { nodeSdk, webSdk } from '../../support/sdks.ts'
import { until } from '../../support/wait.ts'
import { EDGE_TOKENS, type EdgeScene, startScene } from './edge-scene.ts'

/** The official SDKs report impact metrics to a server, an edge and a proxy; all values arrive at the server. */
let scene: EdgeScene
let proxy: TestProxy
beforeAll(async () => {
  scene = await startScene({ METRICS_INTERVAL_SECONDS: '1' })
  proxy = await startProxy({
    flagUrl: `${scene.serverUrl}/api`,
    flagApiToken: TOKENS.client,
    expServerSideSdkConfig: { tokens: [KEY] },
    metricsInterval: 200,
  })
})
afterAll(async () => {
  await proxy.close()
  await scene.close()
})

/** Returns the sum of each series of a metric, with the labels that were not set by the application. */
async function stored(name: string) {
  await scene.server.server.flush()
  const rows = await scene.server.db.rows(
    `select m.type, m.environment, s.labels, s.bounds, p.packed from impact_points p
      join impact_series s on s.id = p.series_id join impact_metrics m on m.id = s.metric_id where m.name = ?`,
    name,
  )
  const sums = new Map<string, number[]>()
  for (const { type, environment, labels, bounds, packed } of rows) {
    const { origin, feature, appName } = Object.fromEntries(JSON.parse(String(labels)))
    const columns = createColumns(getWidth(type as 'counter', JSON.parse(String(bounds)).length), MINUTES)
    addPacked(columns, String(packed))
    const key = JSON.stringify({ environment, appName, origin, feature })
    const before = sums.get(key) ?? []
    sums.set(
      key,
      columns.map((column, index) => column.reduce((sum, value) => sum + value, before[index] ?? 0)),
    )
  }
  return [...sums].map(([key, values]) => ({ ...JSON.parse(key), values }))
}

const ends = {
  server: { url: () => `${scene.serverUrl}/api`, token: TOKENS.client, origin: 'sdk' },
  edge: { url: () => `${scene.edge.url}/api`, token: TOKENS.client, origin: 'edge' },
  proxy: { url: () => `${proxy.url}/proxy`, token: KEY, origin: 'proxy' },
}

describe('the Node SDK', () => {
  test.each(Object.entries(ends))('reports through the %s', async (end, { url, token, origin }) => {
    const appName = `node-${end}`
    const sdk = nodeSdk({ url: url(), appName, customHeaders: { Authorization: token } })
    const { impactMetrics } = sdk
    const [errors, latency] = [`errors_${end}`, `latency_${end}`]
    try {
      await until(() => sdk.isSynchronized())
      impactMetrics.defineCounter(errors, 'Errors')
      impactMetrics.defineHistogram(latency, 'Latency', [10, 100])
      for (const count of [2, 3]) impactMetrics.incrementCounter(errors, count)
      for (const value of [5, 50, 500]) impactMetrics.observeHistogram(latency, value)
      const from = { environment: 'development', appName, origin }
      await until(async () => (await stored(latency)).length > 0)
      expect(await stored(errors)).toEqual([{ ...from, values: [5] }])
      expect(await stored(latency)).toEqual([{ ...from, values: [555, 1, 1, 1] }])
    } finally {
      sdk.destroy()
    }
  })
})

describe('the web SDK', () => {
  test.each([
    ['server', () => `${scene.serverUrl}/api/frontend`, TOKENS.frontend, 'browser'],
    ['edge', () => `${scene.edge.url}/api/frontend`, TOKENS.frontend, 'browser'],
    ['edge at /proxy', () => `${scene.edge.url}/proxy`, EDGE_TOKENS.clientKey, 'browser'],
    ['proxy', () => `${proxy.url}/proxy`, KEY, 'proxy'],
  ])('reports through the %s', async (end, url, clientKey, origin) => {
    const appName = `web-${end.replaceAll(/\W/g, '')}`
    const sdk = webSdk({ url: url(), appName, clientKey })
    const name = `clicks_${appName}`
    try {
      await sdk.start()
      sdk.impactMetrics.defineCounter(name, 'Clicks')
      sdk.impactMetrics.incrementCounter(name, 4)
      await until(async () => (await stored(name)).length > 0)
      expect(await stored(name)).toMatchObject([{ appName, origin, values: [4] }])
    } finally {
      sdk.stop()
    }
  })
})

test.each(Object.entries(ends))(
  'a report without a bucket reaches the server through the %s',
  async (end, { url, token }) => {
    const name = `no_bucket_${end}`
    const samples = [{ labels: { appName: 'py', environment: 'wrong' }, value: 2 }]
    for (const bucket of [null, undefined]) {
      const reply = await fetch(`${url()}/client/metrics`, {
        method: 'POST',
        headers: { authorization: token, 'content-type': 'application/json' },
        body: JSON.stringify({ appName: 'py', bucket, impactMetrics: [{ name, help: '', type: 'counter', samples }] }),
      })
      expect([200, 202]).toContain(reply.status)
    }
    await until(async () => (await stored(name)).some(({ values }) => values[0] === 4))
  },
)
