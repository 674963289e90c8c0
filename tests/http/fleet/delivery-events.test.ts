import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Events for integrations: a change is in effect everywhere, or it is not after some minutes. */
const FLAG = '/api/admin/projects/default/features/checkout'
const OVERDUE_MINUTES = 3
const MINUTE_MS = 60_000
let server: TestServer
let now = Date.parse('2027-03-01T12:00:00Z')

beforeAll(async () => {
  const secretKey = randomBytes(32).toString('base64')
  server = await startServer({ secretKey, deliveryOverdueMinutes: OVERDUE_MINUTES }, () => now)
  await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
})
afterAll(() => server.close())

const tags = new Map<string, string>()

/** Polls as an SDK process does, with the tag of its last response and with a long interval. */
async function poll(appName: string, number: number, sdk = 'unleash-node-sdk:6.12.1'): Promise<void> {
  const tag = tags.get(appName)
  const headers = {
    'unleash-connection-id': `0f8fad5b-d9cb-469f-a165-${String(number).padStart(12, '0')}`,
    'unleash-appname': appName,
    'unleash-sdk': sdk,
    'unleash-interval': String(60 * MINUTE_MS),
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  }
  const reply = await server.call({ as: 'client', call: 'GET /api/client/features', headers })
  if (reply.statusCode === 200) tags.set(appName, String(reply.headers.etag))
}

const flip = (isOn: boolean) => server.admin(`POST ${FLAG}/environments/development/${isOn ? 'on' : 'off'}`)

/** Runs the check. Returns the types and data of the events that it has written. */
async function watch() {
  const last = await server.lastEventId()
  await server.server.watchDelivery()
  const rows = await server.db.rows('select type, data, environment from events where id > ? order by id', last)
  return rows.map(({ type, data, environment }) => ({
    type,
    environment,
    data: typeof data === 'string' ? JSON.parse(data) : data,
  }))
}

test('writes no events unless an integration receives them', async () => {
  await poll('till', 1)
  await flip(true)
  for (let count = 0; count < 2; count += 1) await poll('till', 1)
  expect(await watch()).toEqual([])
})

test('a change that all processes have is reported once', async () => {
  const body = {
    provider: 'webhook',
    enabled: true,
    description: 'pager',
    events: ['delivery-completed', 'delivery-overdue'],
    parameters: { url: 'https://hooks.example/' },
  }
  await server.admin('POST /api/admin/addons', body)
  expect(await watch()).toMatchObject([{ type: 'delivery-completed', data: { processes: 1, held: 1 } }])
  expect(await watch()).toEqual([])
})

test('a change that a process lacks is reported after the given minutes, and again when all have it', async () => {
  await poll('search', 2)
  await poll('search', 2)
  await flip(false)
  for (let count = 0; count < 2; count += 1) await poll('till', 1)
  now += OVERDUE_MINUTES * MINUTE_MS - 1
  expect(await watch()).toEqual([])
  now += 1
  expect(await watch()).toEqual([
    {
      type: 'delivery-overdue',
      environment: 'development',
      data: {
        event: expect.any(Number),
        processes: 2,
        held: 1,
        edges: 0,
        edgesHeld: 0,
        waitingFor: ['search'],
        seconds: OVERDUE_MINUTES * 60,
      },
    },
  ])
  expect(await watch()).toEqual([])
  for (let count = 0; count < 2; count += 1) await poll('search', 2)
  now += MINUTE_MS
  expect(await watch()).toMatchObject([{ type: 'delivery-completed', data: { processes: 2, held: 2, waitingFor: [] } }])
  expect(await watch()).toEqual([])
})

test('an edge that lacks the change is named', async () => {
  await poll('edge-eu', 3, 'burgee-edge:0.1.0')
  await poll('edge-eu', 3, 'burgee-edge:0.1.0')
  await flip(true)
  for (const [appName, number] of [
    ['till', 1],
    ['search', 2],
  ] as const) {
    for (let count = 0; count < 2; count += 1) await poll(appName, number)
  }
  now += OVERDUE_MINUTES * MINUTE_MS
  expect(await watch()).toMatchObject([
    { type: 'delivery-overdue', data: { held: 2, processes: 2, edges: 1, edgesHeld: 0, waitingFor: ['edge-eu'] } },
  ])
})

test('a change that was replaced by a later one is not reported any more', async () => {
  await flip(false)
  await flip(true)
  now += OVERDUE_MINUTES * MINUTE_MS
  const events = await watch()
  expect(events.map(({ type }) => type)).toEqual(['delivery-overdue'])
  await server.admin(`DELETE ${FLAG}`)
  expect(await watch()).toEqual([])
})
