import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

const MINUTE_MS = 60_000
const body = { environment: 'development', minutes: 1 }
let now = Date.parse('2030-01-01T00:00:00Z')
let server: TestServer
beforeAll(async () => {
  server = await startServer({ testRunsLimit: 5, projectTestRunsLimit: 3 }, () => now)
  await server.admin('POST /api/admin/projects', { id: 'other', name: 'Other' })
})
afterAll(() => server.close())

const runsOf = (project: string) => `/api/admin/projects/${project}/test-runs`
const start = (project: string) => server.call({ as: 'admin', call: `POST ${runsOf(project)}`, body })

test('a project and the installation have a maximum of test runs, until some end', async () => {
  // started at the same time: the limit is exact
  const started = await Promise.all([1, 2, 3, 4].map(() => start('default')))
  expect(started.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 201, 429])
  const last = await server.lastEventId()
  expect((await start('default')).body).toContain('PROJECT_TEST_RUNS_LIMIT')
  expect(await server.eventsAfter(last)).toEqual([])
  expect((await start('other')).statusCode).toBe(201)
  expect((await start('other')).statusCode).toBe(201)
  expect((await start('other')).body).toContain('The installation has 5 test runs, the maximum (TEST_RUNS_LIMIT)')
  const { testRuns } = await server.admin(`GET ${runsOf('default')}`)
  await server.admin(`DELETE ${runsOf('default')}/${testRuns[0].id}`)
  expect((await start('other')).statusCode).toBe(201)
  now += MINUTE_MS
  expect(await server.admin(`GET ${runsOf('default')}`)).toEqual({ testRuns: [] })
  expect((await start('default')).statusCode).toBe(201)
  const [{ count } = { count: -1 }] = await server.db.rows('select count(*) as count from test_runs')
  expect(Number(count), 'rows: expired runs are deleted').toBe(1)
})
