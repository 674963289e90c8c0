import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImpactData } from '@burgee/protocol/administration/impact-reading'
import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haveDebian } from '../../setup/debian.ts'
import { type ReadyProcess, runUntilReady } from '../../support/monitoring-process.ts'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Charts and safeguards read metrics from the Prometheus server of a team, and never write there. */
const MINUTE_MS = 60_000
const START = Date.parse('2027-01-01T00:00:00Z')
const SETTINGS = '/api/admin/impact-metrics/prometheus'
const FEATURES = '/api/admin/projects/default/features'
const ENVIRONMENT = `${FEATURES}/checkout/environments/development`
const DATA = `${ENVIRONMENT}/impact-metrics/prometheus`
/** Number of minutes that were recorded. The ratio of errors of `checkout` increases in the middle. */
const MINUTES = 60
const QUERY = 'errors_ratio{flag="$flag",env="$environment"}'
let now = START + 10 * MINUTE_MS
let server: TestServer

beforeAll(async () => {
  server = await startServer({ integrationAllowPrivateAddresses: true, secretKey: '0'.repeat(64) }, () => now)
  await server.admin(`POST ${FEATURES}`, { name: 'checkout' })
})
afterAll(() => server.close())

const read = (query: string): Promise<ImpactData> =>
  server.admin(`GET ${DATA}?${new URLSearchParams({ query, timeRange: 'hour' })}`)
const readValues = async (query: string) =>
  (await read(query)).series.map(({ points }) => points.map(([, value]) => value).filter((value) => value !== null))

describe('the settings', () => {
  const put = `PUT ${SETTINGS}`
  const invalid = (name: string, body: object, text: string) => ({
    name,
    as: 'admin',
    call: put,
    body,
    status: 400,
    text,
  })
  scenarios(
    () => server,
    [
      { name: 'require a login', call: put, body: { url: '' }, status: 401 },
      { name: 'require an administrator', as: 'editor', call: put, body: { url: '' }, status: 403 },
      { name: 'are readable by administrators only', as: 'editor', call: `GET ${SETTINGS}`, status: 403 },
      invalid('reject a user in the address', { url: 'http://me:secret@prometheus.example' }, 'url'),
      invalid('reject other protocols', { url: 'file:///etc/passwd' }, 'url'),
      invalid('reject a mask without a header', { url: 'http://p.example', authorization: '*****' }, 'authorization'),
      invalid('reject line feeds in the header', { url: 'http://p.example', authorization: 'a\nb' }, 'authorization'),
      {
        name: 'are empty at first',
        as: 'admin',
        call: `GET ${SETTINGS}`,
        status: 200,
        has: { url: '', authorization: '' },
      },
      {
        name: 'mask the header',
        as: 'admin',
        call: put,
        body: { url: 'http://p.example/prefix/', authorization: 'Bearer hidden' },
        status: 200,
        has: { url: 'http://p.example/prefix', authorization: '*****' },
        events: ['setting-created'],
      },
      {
        name: 'keep the header',
        as: 'admin',
        call: put,
        body: { url: 'http://p.example/other', authorization: '*****' },
        status: 200,
        events: ['setting-updated'],
      },
      invalid('send no header to another server', { url: 'http://q.example', authorization: '*****' }, 'authorization'),
    ],
  )

  test('encrypts the header, and events do not contain it', async () => {
    const stored = await server.db.row("select value from settings where name = 'impact.prometheus'")
    expect(String(stored?.value)).toMatch(/"sealed":"v1\./)
    const rows = await server.db.rows("select data, pre_data from events where type like 'setting-%'")
    expect(JSON.stringify([stored, rows])).not.toContain('hidden')
  })
})

describe('a server that misbehaves', () => {
  let answer: RequestListener = () => {}
  const requests: { url: string; authorization: string | undefined }[] = []
  const peer = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization })
    answer(request, response)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}/prefix`
    await server.admin(`PUT ${SETTINGS}`, { url, authorization: 'Bearer secret' })
  })
  afterAll(() => new Promise((resolve) => peer.close(resolve)))

  const ask = (query: string) => server.call({ as: 'admin', call: `GET ${DATA}?${new URLSearchParams({ query })}` })

  test.each<[name: string, status: number, answer: RequestListener, text: RegExp]>([
    [
      'an error',
      409,
      (_request, response) => response.writeHead(503).end('secret page'),
      /Prometheus responded with status 503/,
    ],
    [
      'a redirect',
      409,
      (_request, response) => response.writeHead(302, { location: '/' }).end(),
      /Prometheus responded with status 302/,
    ],
    ['another page', 409, (_request, response) => response.end('<html>'), /not from Prometheus/],
    ['a large reply', 400, (_request, response) => response.end('x'.repeat(5_000_000)), /larger than 4096 KiB/],
    ['an early end', 409, (request) => request.socket.destroy(), /could not be reached \(ECONNRESET\)/],
    [
      'a rejected query',
      400,
      (_request, response) => response.writeHead(400).end('{"status":"error","error":"parse error:\\nunexpected"}'),
      /rejects the query: parse error: unexpected/,
    ],
  ])('gets a clear error for %s', async (_name, status, how, text) => {
    answer = how
    const reply = await ask('up')
    expect(reply.statusCode).toBe(status)
    expect(reply.body).toMatch(text)
    expect(reply.body).not.toContain('secret')
  })

  test('gets only reads below its address, with the header', async () => {
    expect(requests.length).toBeGreaterThan(0)
    for (const { url, authorization } of requests) {
      expect(url).toMatch(/^\/prefix\/api\/v1\/query_range\?query=up&/)
      expect(authorization).toBe('Bearer secret')
    }
  })

  test('gets names of flags as parts of strings', async () => {
    answer = (_request, response) => response.end('{"data":{"result":[]}}')
    requests.length = 0
    await ask('a{f="$flag",e="$environment",x="$other"}')
    expect(new URLSearchParams(requests[0]?.url.split('?')[1]).get('query')).toBe(
      'a{f="checkout",e="development",x="$other"}',
    )
  })

  test('gives a safeguard no value by a reply of more than 256 KiB', async () => {
    answer = (_request, response) => response.end('x'.repeat(300_000))
    const { id } = await server.admin(`PUT ${ENVIRONMENT}/safeguards`, {
      impactMetric: { source: 'prometheus', metricName: 'Large', query: 'up' },
      triggerCondition: { operator: '>', threshold: 0 },
      action: { type: 'disableEnvironment' },
    })
    await server.server.applyDue()
    expect(server.logged.filter((line) => line.includes('larger than 256 KiB'))).toHaveLength(1)
    await server.admin(`DELETE ${ENVIRONMENT}/safeguards/${id}`)
  })

  test('returns at most 100 series, without values that are no numbers', async () => {
    const result = Array.from({ length: 150 }, (_, id) => ({
      metric: { id: String(id) },
      values: [[(START + 10 * MINUTE_MS) / 1000, id === 0 ? 'NaN' : '1']],
    }))
    answer = (_request, response) => response.end(JSON.stringify({ data: { result } }))
    const { series, isTruncated } = await read('up')
    expect([series.length, isTruncated]).toEqual([100, true])
    expect(series[0]?.points.every(([, value]) => value === null)).toBe(true)
  })
})

test('a private address needs the option of integrations', async () => {
  const strict = await startServer({}, () => now)
  try {
    await strict.admin(`POST ${FEATURES}`, { name: 'checkout' })
    await strict.admin(`PUT ${SETTINGS}`, { url: 'http://127.0.0.1:9090' })
    const reply = await strict.call({ as: 'admin', call: `GET ${DATA}?query=up` })
    expect([reply.statusCode, reply.body]).toEqual([
      409,
      expect.stringContaining('INTEGRATION_ALLOW_PRIVATE_ADDRESSES'),
    ])
  } finally {
    await strict.close()
  }
})

const INSTALLED = haveDebian(['prometheus', 'promtool'], ['prometheus'])

describe.skipIf(!INSTALLED)('Prometheus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-prometheus-'))
  let prometheus: ReadyProcess
  beforeAll(async () => {
    prometheus = await startRecorded(folder)
    await server.admin(`PUT ${SETTINGS}`, { url: `http://127.0.0.1:${prometheus.port}` })
  }, 60_000)
  afterAll(async () => {
    await prometheus.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('returns the points of a query, by minute', async () => {
    now = START + 32 * MINUTE_MS
    const [values = []] = await readValues(QUERY)
    expect(values.slice(-6)).toEqual([0.01, 0.01, 0.2, 0.2, 0.2, 0.2])
    expect(await readValues('avg_over_time(errors_ratio{flag="$flag"}[2m])')).toHaveLength(1)
    expect(await readValues('errors_ratio{flag="none"}')).toEqual([])
    const wrong = await server.call({ as: 'admin', call: `GET ${DATA}?query=${encodeURIComponent('sum(')}` })
    expect([wrong.statusCode, wrong.body]).toEqual([400, expect.stringContaining('parse error')])
  })

  test('trips a safeguard, and holds a plan while a query has no result', async () => {
    now = START + 20 * MINUTE_MS
    const step = (rollout: string) => ({
      name: rollout,
      transitionCondition: { intervalMinutes: 2 },
      strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
    })
    const milestones = ['25', '50', '75', '100'].map(step)
    const { id: templateId } = await server.admin('POST /api/admin/release-plan-templates', {
      name: 'Steps',
      milestones,
    })
    const plan: ReleasePlan = await server.admin(`POST ${ENVIRONMENT}/release-plans`, { templateId })
    await server.admin(`POST ${ENVIRONMENT}/on`)
    const set = (query: string, id?: string) =>
      server.admin(`PUT ${ENVIRONMENT}/release-plans/${plan.id}/safeguards`, {
        ...(id !== undefined && { id }),
        impactMetric: { source: 'prometheus', metricName: 'Ratio of errors', query },
        triggerCondition: { operator: '>', threshold: 0.1, forMinutes: 2 },
        action: { type: 'previousMilestone' },
      })
    const { id } = await set('errors_ratio{flag="none"}')
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        now += MINUTE_MS
        await server.server.applyDue()
      }
      const plans: readonly ReleasePlan[] = await server.admin(`GET ${ENVIRONMENT}/release-plans`)
      const [plan] = plans
      const active = plan?.milestones.find((one) => one.id === plan.activeMilestoneId)?.name
      return { active, ...plan?.safeguards[0] }
    }
    expect(await pass(4)).toMatchObject({ active: '25', status: 'waiting' })
    await set(QUERY, id)
    expect(await pass(1)).toMatchObject({ active: '50', status: 'watching' })
    expect(await pass(4)).toMatchObject({ active: '100', status: 'watching' })
    // the ratio increases at minute 30
    expect(await pass(2)).toMatchObject({ status: 'watching', trip: null })
    expect(await pass(1)).toMatchObject({ active: '75', status: 'tripped', trip: { value: 0.2, threshold: 0.1 } })
  })

  test('holds a plan while it cannot be reached, and rejects definitions that cannot work', async () => {
    const call = `PUT ${ENVIRONMENT}/safeguards`
    const body = {
      impactMetric: { source: 'prometheus', metricName: 'x', query: QUERY },
      triggerCondition: { operator: '<', threshold: 0.001 },
      action: { type: 'disableEnvironment' },
    }
    const without = await server.call({
      as: 'admin',
      call,
      body: { ...body, impactMetric: { source: 'prometheus', metricName: 'x' } },
    })
    expect([without.statusCode, without.body]).toEqual([400, expect.stringContaining('query')])
    const compared = { ...body, triggerCondition: { ...body.triggerCondition, compare: 'on-vs-off' } }
    expect((await server.call({ as: 'admin', call, body: compared })).statusCode).toBe(400)
    await server.admin(`PUT ${SETTINGS}`, { url: 'http://127.0.0.1:1' })
    const { id } = await server.admin(call, body)
    now += MINUTE_MS
    await server.server.applyDue()
    const [own] = (await server.admin(`GET ${ENVIRONMENT}/safeguards`)).filter((one: { id: string }) => one.id === id)
    expect(own).toMatchObject({ status: 'waiting', trip: null })
    expect(server.logged.filter((line) => line.includes('could not be reached'))).toHaveLength(1)
    await server.admin(`PUT ${SETTINGS}`, { url: `http://127.0.0.1:${prometheus.port}` })
    now += MINUTE_MS
    await server.server.applyDue()
  })
})

/** Starts Prometheus on recorded series. */
async function startRecorded(folder: string): Promise<ReadyProcess> {
  const lines = ['# TYPE errors_ratio gauge']
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const value = minute < MINUTES / 2 ? 0.01 : 0.2
    lines.push(`errors_ratio{flag="checkout",env="development"} ${value} ${START / 1000 + minute * 60}`)
  }
  const file = join(folder, 'recorded.txt')
  writeFileSync(file, `${[...lines, '# EOF'].join('\n')}\n`)
  const storage = join(folder, 'data')
  const made = spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, storage], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const config = join(folder, 'prometheus.yaml')
  writeFileSync(config, 'global: {}\n')
  return runUntilReady('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${storage}`,
    '--storage.tsdb.retention.time=100y',
  ])
}
