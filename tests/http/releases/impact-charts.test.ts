import { MAX_FLAG_CHARTS } from '@burgee/protocol/administration/impact-chart'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Saved charts of impact metrics: those of the installation, and those of a flag. */
const SHARED = '/api/admin/impact-metrics/config'
const FEATURES = '/api/admin/projects/default/features'
const ERRORS = { metricName: 'unleash_counter_errors', timeRange: 'hour', aggregationMode: 'rps' }
let server: TestServer
let ofFlag = ''
let count = 0

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  await server.admin(`POST ${FEATURES}`, { name: `flag-${count}` })
  ofFlag = `${FEATURES}/flag-${count}/impact-metrics/config`
})

const list = async (path: string): Promise<{ id: string }[]> => (await server.admin(`GET ${path}`)).configs

test.each([
  ['the whole installation', () => SHARED],
  ['a flag', () => ofFlag],
])('a chart of %s is saved, replaced and deleted, each with an event', async (_of, path) => {
  const first = await server.lastEventId()
  const labelSelectors = { appName: ['shop'] }
  const body = { ...ERRORS, title: 'Errors of the shop', labelSelectors, environment: 'production' }
  const saved = await server.call({ as: 'admin', call: `POST ${path()}`, body })
  expect(saved.statusCode).toBe(201)
  const { id } = saved.json()
  const expected = {
    ...body,
    id,
    displayName: 'errors',
    type: 'counter',
    step: '1m',
    yAxisMin: 'auto',
    mode: 'write',
  }
  expect(saved.json()).toEqual(expected)
  expect(await list(path())).toEqual([expected])
  const replaced = await server.call({
    as: 'admin',
    call: `POST ${path()}`,
    body: { ...expected, timeRange: 'week', yAxisMin: 'zero' },
  })
  expect([replaced.statusCode, replaced.json()]).toEqual([
    200,
    { ...expected, timeRange: 'week', step: '3h', yAxisMin: 'zero' },
  ])
  expect(await list(path())).toHaveLength(1)
  expect((await server.call({ as: 'admin', call: `DELETE ${path()}/${id}` })).statusCode).toBe(204)
  expect(await list(path())).toEqual([])
  expect(await server.eventsAfter(first)).toEqual([
    'impact-metric-created',
    'impact-metric-updated',
    'impact-metric-deleted',
  ])
})

test('the aggregation defaults to the first one of the type, if the name contains the type', async () => {
  const read = async (metricName: string) => {
    const { aggregationMode, type, displayName } = await server.admin(`POST ${ofFlag}`, { metricName })
    return [aggregationMode, type, displayName]
  }
  expect(await read('unleash_histogram_latency')).toEqual(['p50', 'histogram', 'latency'])
  expect(await read('latency')).toEqual([undefined, 'unknown', 'latency'])
})

test('a chart belongs to one flag, or to none', async () => {
  const { id } = await server.admin(`POST ${ofFlag}`, ERRORS)
  const other = `${FEATURES}/flag-${count - 1}/impact-metrics/config`
  for (const path of [SHARED, other]) {
    expect((await server.call({ as: 'admin', call: `DELETE ${path}/${id}` })).statusCode).toBe(404)
    expect((await server.call({ as: 'admin', call: `POST ${path}`, body: { ...ERRORS, id } })).statusCode).toBe(404)
    expect(await list(path)).not.toContainEqual(expect.objectContaining({ id }))
  }
  expect(await list(ofFlag)).toHaveLength(1)
})

test('a flag has a limited number of charts, of which each can still be replaced', async () => {
  let id = ''
  for (let index = 0; index < MAX_FLAG_CHARTS; index += 1) ({ id } = await server.admin(`POST ${ofFlag}`, ERRORS))
  const full = await server.call({ as: 'admin', call: `POST ${ofFlag}`, body: ERRORS })
  expect(full.statusCode).toBe(403)
  expect(full.json()).toMatchObject({ name: 'InvalidOperationError' })
  expect((await server.call({ as: 'admin', call: `POST ${ofFlag}`, body: { ...ERRORS, id } })).statusCode).toBe(200)
})

test('the charts of a flag end with the flag', async () => {
  await server.admin(`POST ${ofFlag}`, ERRORS)
  const name = `flag-${count}`
  await server.admin(`DELETE ${FEATURES}/${name}`)
  expect(await list(ofFlag)).toHaveLength(1)
  expect((await server.call({ as: 'admin', call: `POST ${ofFlag}`, body: ERRORS })).statusCode).toBe(404)
  await server.admin(`DELETE /api/admin/archive/${name}`)
  expect((await server.call({ as: 'admin', call: `GET ${ofFlag}` })).statusCode).toBe(404)
  expect(await server.db.rows('select id from impact_charts where feature_name = ?', name)).toEqual([])
})

test('a chart names no metric of other private projects, and its reply does not reveal such a metric', async () => {
  await server.admin('POST /api/admin/projects', { id: 'secret', name: 'secret', mode: 'private' })
  const token = { tokenName: 'secret', type: 'client', environment: 'development', projects: ['secret'] }
  const { secret: as } = await server.admin('POST /api/admin/api-tokens', token)
  const sample = { name: 'hush', help: 'h', type: 'counter', samples: [{ labels: {}, value: 1 }] }
  const report = (by: string, impactMetrics = [sample]) =>
    server.call({ as: by, call: 'POST /api/client/metrics', body: { appName: 'shop', impactMetrics } })
  expect((await report(as)).statusCode).toBe(202)
  await server.server.flush()
  const save = (by: string, metricName: string, path = SHARED) =>
    server.call({ as: by, call: `POST ${path}`, body: { metricName, timeRange: 'day' } })
  const first = await server.lastEventId()
  for (const path of [SHARED, ofFlag]) {
    const refused = await save('admin', 'hush', path)
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Only private projects report this metric: save the chart at a flag of one of these projects',
    ])
  }
  expect(await server.eventsAfter(first)).toEqual([])
  await server.admin('POST /api/admin/projects/secret/features', { name: 'secret-flag' })
  const own = await save('admin', 'hush', '/api/admin/projects/secret/features/secret-flag/impact-metrics/config')
  expect(own.statusCode).toBe(201)
  // an editor who may not see the project gets the same replies as for an unknown metric, also in lists
  expect((await save('editor', 'hush')).statusCode).toBe(201)
  expect((await save('editor', 'none')).statusCode).toBe(201)
  const listed = async (by: string) =>
    (await server.call({ as: by, call: `GET ${SHARED}` }))
      .json()
      .configs.map((one: { displayName: string }) => one.displayName)
  expect(await listed('editor')).toEqual(expect.arrayContaining(['hush', 'none']))
  // a metric that other projects report as well is public
  expect((await report('client')).statusCode).toBe(202)
  await server.server.flush()
  expect((await save('admin', 'hush')).statusCode).toBe(201)
})

scenarios(
  () => server,
  [
    ...[SHARED, `${FEATURES}/none/impact-metrics/config`].flatMap((path) => [
      {
        name: `refuses an unknown range at ${path}`,
        as: 'admin',
        call: `POST ${path}`,
        body: { ...ERRORS, timeRange: 'year' },
        status: 400,
      },
      {
        name: `refuses a chart without a metric at ${path}`,
        as: 'admin',
        call: `POST ${path}`,
        body: { timeRange: 'day' },
        status: 400,
      },
    ]),
    {
      name: 'refuses an aggregation that the type does not have',
      as: 'admin',
      call: `POST ${SHARED}`,
      body: { ...ERRORS, aggregationMode: 'p95' },
      status: 400,
      has: {
        details: [
          { message: '"aggregationMode" of a counter must be one of count, rps', path: 'body/aggregationMode' },
        ],
      },
    },
    {
      name: 'has no charts of an unknown flag',
      as: 'admin',
      call: `GET ${FEATURES}/none/impact-metrics/config`,
      status: 404,
    },
  ],
)
