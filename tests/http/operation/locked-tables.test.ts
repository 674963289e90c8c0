import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Changes while another session of PostgreSQL holds a lock on a table, such as `alter table` or `vacuum full`. */
const FEATURES = '/api/admin/projects/default/features'
const FLAG = `${FEATURES}/checkout`
const HELD = 'it is busy: another session holds a lock for too long'

describe.runIf(inject('driver') === 'postgres')('while another session locks a table', () => {
  let server: TestServer
  let other: Client
  beforeAll(async () => {
    const place = await readyPlace()
    server = await startServer({}, Date.now, { place: { ...place, remove: async () => {} } })
    await server.admin(`POST ${FEATURES}`, { name: 'checkout' })
    other = new Client({ connectionString: place.options.databaseUrl })
    await other.connect()
    return async () => {
      await other.end()
      await place.remove()
    }
  })
  afterAll(() => server.close())

  const CHANGES = [
    { change: 'a flag is created', call: `POST ${FEATURES}`, body: { name: 'another' } },
    { change: 'a flag is switched on', call: `POST ${FLAG}/environments/development/on`, body: {} },
    { change: 'a flag is archived', call: `DELETE ${FLAG}` },
  ]
  const change = ({ call, body }: (typeof CHANGES)[number]) =>
    server.call({ as: 'admin', call, ...(body === undefined ? {} : { body }) })
  const readiness = async () => (await server.call({ call: 'GET /ready' })).json()

  test('changes are refused together with 503 while SDKs are served, and succeed once it is released', async () => {
    const download = async () => (await server.call({ as: 'client', call: 'GET /api/client/features' })).json().features
    const served = await download()
    const last = await server.lastEventId()
    await other.query('begin; lock table features in access exclusive mode')
    const replies = await Promise.all(CHANGES.map(change))
    for (const reply of replies) {
      expect(reply.statusCode).toBe(503)
      expect(reply.headers['retry-after']).toBe('5')
      expect(reply.json().message).toBe(`The database is temporarily unavailable: ${HELD}`)
    }
    expect(await readiness()).toMatchObject({ health: 'DEGRADED', database: expect.stringContaining(HELD) })
    expect(await download()).toEqual(served)
    await other.query('rollback')
    await until(async () => (await readiness()).health === 'GOOD')
    expect(await server.eventsAfter(last)).toEqual([])
    for (const one of CHANGES) expect((await change(one)).statusCode).toBeLessThan(300)
  })

  test('a signal gets 503 and trips its safeguard when repeated; impact metrics are accepted and stored later', async () => {
    await server.admin(`POST ${FEATURES}`, { name: 'guarded' })
    const guarded = `${FEATURES}/guarded/environments/production`
    const endpoint = await server.admin('POST /api/admin/signal-endpoints', { name: 'alerts' })
    await server.admin(`POST ${guarded}/on`)
    await server.admin(`PUT ${guarded}/safeguards`, {
      impactMetric: { metricName: 'Errors', source: 'alert' },
      action: { type: 'disableEnvironment' },
    })
    const send = () =>
      server.call({
        as: `Bearer ${endpoint.token}`,
        call: 'POST /api/signal-endpoint/alerts',
        body: { rule: 'Errors' },
      })
    const isOn = async () => (await server.admin(`GET ${guarded}`)).enabled
    const samples = [{ labels: { appName: 'shop' }, value: 7 }]
    const impactMetrics = [{ name: 'errors', help: '', type: 'counter', samples }]
    await other.query('begin; lock table feature_environments, impact_points in access exclusive mode')
    const refused = await send()
    const report = { appName: 'shop', impactMetrics }
    const reported = await server.call({ as: 'client', call: 'POST /api/client/metrics', body: report })
    await other.query('rollback')
    expect([refused.statusCode, refused.headers['retry-after'], reported.statusCode]).toEqual([503, '5', 202])
    await until(async () => (await readiness()).health === 'GOOD')
    expect([await isOn(), (await send()).statusCode, await isOn()]).toEqual([true, 202, false])
    await server.server.flush()
    const query = 'metricName=errors&timeRange=hour&aggregationMode=count'
    const { series } = await server.admin(`GET /api/admin/impact-metrics/data?${query}`)
    expect(JSON.stringify(series)).toMatch(/\[\d+,7\]/)
  })
})
