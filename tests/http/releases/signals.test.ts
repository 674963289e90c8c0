import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { scenarios, startServer, type TestServer } from '../scenario.ts'

/** Alerts from other systems trip safeguards. */
const FEATURES = '/api/admin/projects/default/features'
const ENDPOINTS = '/api/admin/signal-endpoints'
const RULE = 'HighErrorRate'
let server: TestServer
let token = ''
let flag = ''
let count = 0

beforeAll(async () => {
  server = await startServer()
  token = (await server.admin(`POST ${ENDPOINTS}`, { name: 'prometheus' })).token
})
afterAll(() => server.close())
beforeEach(async () => {
  count += 1
  flag = `flag-${count}`
  await server.admin(`POST ${FEATURES}`, { name: flag })
  await server.admin(`POST ${environment()}/on`)
  const body = { impactMetric: { metricName: RULE, source: 'alert' }, action: { type: 'disableEnvironment' } }
  await server.admin(`PUT ${environment()}/safeguards`, body)
})

const environment = () => `${FEATURES}/${flag}/environments/development`
const isOn = async (): Promise<boolean> => (await server.admin(`GET ${environment()}`)).enabled
async function send(body: object, as = `Bearer ${token}`): Promise<number> {
  return (await server.call({ as, call: 'POST /api/signal-endpoint/prometheus', body })).statusCode
}
const alert = (labels: object, status = 'firing') => ({
  status,
  labels: { alertname: RULE, ...labels },
  annotations: { summary: '12 % of requests fail' },
  startsAt: '2027-01-01T00:00:00Z',
})

describe('a signal', () => {
  test('trips the safeguards of its flag and environment once if Alertmanager sends it', async () => {
    const labels = { burgee_flag: flag, burgee_environment: 'development' }
    const webhook = { version: '4', status: 'firing', receiver: 'burgee', alerts: [alert(labels)] }
    const last = await server.lastEventId()
    expect(await send(webhook)).toBe(202)
    expect(await send(webhook)).toBe(202)
    expect(await server.eventsAfter(last)).toEqual(['safeguard-tripped', 'feature-environment-disabled'])
    const [safeguard] = await server.admin(`GET ${environment()}/safeguards`)
    expect(safeguard).toMatchObject({
      status: 'tripped',
      trip: { value: null, threshold: null, detail: `${RULE}: 12 % of requests fail` },
    })
    expect(await isOn()).toBe(false)
  })

  test.each([
    ['of another flag', () => alert({ burgee_flag: 'other' })],
    ['of another environment', () => alert({ burgee_environment: 'production' })],
    ['of another rule', () => alert({ alertname: 'Other' })],
    ['that is resolved', () => alert({}, 'resolved')],
    ['without a name', () => ({ ...alert({}), labels: {} })],
  ])('with an alert %s trips nothing', async (_name, build) => {
    expect(await send({ alerts: [build()] })).toBe(202)
    expect(await isOn()).toBe(true)
  })

  test('names its rule if another system sends it', async () => {
    expect(await send({ rule: RULE, flag, status: 'resolved' })).toBe(202)
    expect(await isOn()).toBe(true)
    expect(await send({ rule: RULE, flag, message: 'late' })).toBe(202)
    expect(await isOn()).toBe(false)
  })

  test.each(['', 'Bearer wrong', 'Bearer signal:wrong'])('requires its token, not "%s"', async (as) => {
    expect(await send({ rule: RULE }, as)).toBe(401)
    expect(await isOn()).toBe(true)
  })

  test('trips safeguards in maintenance mode, in which only people change nothing', async () => {
    await server.admin('POST /api/admin/maintenance', { enabled: true })
    try {
      expect(await send({ rule: RULE, flag })).toBe(202)
      expect(await isOn()).toBe(false)
    } finally {
      await server.admin('POST /api/admin/maintenance', { enabled: false })
    }
  })

  test('fails after its endpoint was deleted', async () => {
    const own = await server.admin(`POST ${ENDPOINTS}`, { name: 'short-lived' })
    const call = { as: `Bearer ${own.token}`, call: 'POST /api/signal-endpoint/short-lived', body: { rule: 'x' } }
    expect((await server.call(call)).statusCode).toBe(202)
    await server.admin(`DELETE ${ENDPOINTS}/short-lived`)
    expect((await server.call(call)).statusCode).toBe(401)
  })
})

test('the token is stored as a hash and shown once', async () => {
  const rows = await server.db.rows('select * from signal_endpoints')
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(await server.admin(`GET ${ENDPOINTS}`))).not.toContain(token)
})

describe('signal endpoints', () => {
  scenarios(
    () => server,
    [
      { name: 'are listed for administrators', as: 'editor', call: `GET ${ENDPOINTS}`, status: 403 },
      { name: 'have unique names', as: 'admin', call: `POST ${ENDPOINTS}`, body: { name: 'prometheus' }, status: 409 },
      {
        name: 'have names that fit into a path',
        as: 'admin',
        call: `POST ${ENDPOINTS}`,
        body: { name: 'a/b' },
        status: 400,
        text: 'name',
      },
      {
        name: 'answer 404 for an unknown name',
        as: 'admin',
        call: `DELETE ${ENDPOINTS}/none`,
        status: 404,
        text: 'none',
      },
    ],
  )
})
