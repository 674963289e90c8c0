import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Safeguards that need the same values share one read of the database. */
const FEATURES = '/api/admin/projects/default/features'
const FLAGS = 4
const PER_FLAG = 10
const MINUTE_MS = 60_000

let server: TestServer
let now = Date.parse('2027-01-01T00:00:00Z')
const statements: string[] = []
beforeAll(async () => {
  server = await startServer({}, () => now, { onQuery: (text) => void statements.push(text) })
  for (let flag = 0; flag < FLAGS; flag += 1) {
    await server.admin(`POST ${FEATURES}`, { name: `flag-${flag}` })
    for (let index = 0; index < PER_FLAG; index += 1) await putSafeguard(`flag-${flag}`, index)
  }
})
afterAll(() => server.close())

/** Adds a safeguard on one of two metrics, with a different threshold each time. */
const putSafeguard = (flag: string, index: number) =>
  server.admin(`PUT ${FEATURES}/${flag}/environments/development/safeguards`, {
    impactMetric: { metricName: `errors_${index % 2}`, timeRange: 'hour', aggregationMode: 'count' },
    triggerCondition: { operator: '>', threshold: index },
    action: { type: 'disableEnvironment' },
  })

async function report(value: number): Promise<void> {
  const impactMetrics = [0, 1].map((index) => ({
    name: `errors_${index}`,
    help: '',
    type: 'counter',
    samples: [{ labels: { appName: 'shop' }, value }],
  }))
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'shop', impactMetrics } })
  await server.server.flush()
}

test('a minute of 40 safeguards on two metrics reads the points of two metrics', async () => {
  await report(4)
  now += 2 * MINUTE_MS
  statements.length = 0
  await server.server.applyDue()
  const reads = statements.filter((text) => text.startsWith('select') && text.includes('from "impact_points"'))
  expect(reads).toHaveLength(2)
})

test('each safeguard compares the shared value with its own threshold', async () => {
  await report(1)
  now += 2 * MINUTE_MS
  await server.server.applyDue()
  const tripped = async (flag: number) => {
    const rows = await server.admin(`GET ${FEATURES}/flag-${flag}/environments/development/safeguards`)
    return rows.filter((row: { trip: object | null }) => row.trip !== null).length
  }
  expect(await Promise.all(Array.from({ length: FLAGS }, (_, flag) => tripped(flag)))).toEqual([5, 5, 5, 5])
})
