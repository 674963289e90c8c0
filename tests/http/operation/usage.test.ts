import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const HOUR = 3_600_000
/** 08:20 of some day. */
let now = 1_800_000_000_000 + 20 * 60_000
const as = 'admin'
const U = '/api/admin/client-metrics/features'
beforeAll(async () => {
  server = await startServer({}, () => now)
  for (const name of ['flag', 'other', 'constructor']) {
    await server.admin('POST /api/admin/projects/default/features', { name })
  }
})
afterAll(() => server.close())

const iso = (time: number) => new Date(time).toISOString()
const hourOf = (time: number) => iso(time - (time % HOUR))

/** Reports one flag's counts from an application, in the environment of the token. */
async function report(token: string, appName: string, toggles: object, time = now): Promise<void> {
  const bucket = { start: iso(time - 1000), stop: iso(time), toggles }
  const reply = await server.call({ as: token, call: 'POST /api/client/metrics', body: { appName, bucket } })
  expect(reply.statusCode, reply.body).toBe(202)
}

async function raw(query = '', feature = 'flag') {
  await server.server.flush()
  const reply = await server.call({ as, call: `GET ${U}/${feature}/raw${query}` })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

describe('usage of a flag', () => {
  test('comes by hour, environment, application and variant, newest first', async () => {
    await report('client', 'shop', { flag: { yes: 3, no: 1, variants: { blue: 2, green: 1 } } })
    await report('client', 'shop', { flag: { yes: 1, no: 0, variants: { blue: 1 } } })
    await report('client', 'app', { flag: { yes: 2, no: 5 }, other: { yes: 9, no: 9 } })
    await report('production', 'shop', { flag: { yes: 7, no: 0 } })
    const before = now - 2 * HOUR
    await report('client', 'shop', { flag: { yes: 1, no: 1 } }, before)
    const row = { featureName: 'flag', environment: 'development', variants: {} }
    expect(await raw()).toEqual({
      version: 1,
      maturity: 'stable',
      featureName: 'flag',
      data: [
        { ...row, appName: 'app', timestamp: hourOf(now), yes: 2, no: 5 },
        { ...row, appName: 'shop', timestamp: hourOf(now), yes: 4, no: 1, variants: { blue: 3, green: 1 } },
        { ...row, appName: 'shop', environment: 'production', timestamp: hourOf(now), yes: 7, no: 0 },
        { ...row, appName: 'shop', timestamp: hourOf(before), yes: 1, no: 1 },
      ],
    })
  })

  test('stops at the largest safe integer for the sum of several applications', async () => {
    await server.admin('POST /api/admin/projects/default/features', { name: 'full' })
    const most = Number.MAX_SAFE_INTEGER
    for (const app of ['one', 'two']) await report('client', app, { full: { yes: most, no: most } })
    await server.server.flush()
    const reply = await server.call({ as, call: `GET ${U}/full` })
    expect(reply.json().lastHourUsage).toMatchObject([{ yes: most, no: most }])
    expect(reply.body).toContain('"yes":9007199254740991,')
  })

  test('covers the current and the last hour, summed over applications', async () => {
    await server.server.flush()
    await report('client', 'late', { flag: { yes: 2, no: 2 } }, now - HOUR)
    await server.server.flush()
    const reply = await server.call({ as: 'viewer', call: `GET ${U}/flag` })
    expect(reply.json()).toEqual({
      version: 1,
      maturity: 'stable',
      featureName: 'flag',
      lastHourUsage: [
        { environment: 'development', timestamp: hourOf(now), yes: 6, no: 6 },
        { environment: 'production', timestamp: hourOf(now), yes: 7, no: 0 },
        { environment: 'development', timestamp: hourOf(now - HOUR), yes: 2, no: 2 },
      ],
      seenApplications: ['app', 'late', 'shop'],
    })
  })

  test('goes back the requested number of hours', async () => {
    const times = async (query: string) =>
      [...new Set((await raw(query)).data.map((row: { timestamp: string }) => row.timestamp))] as string[]
    expect(await times('?hoursBack=1')).toEqual([hourOf(now), hourOf(now - HOUR)])
    expect(await times('?hoursBack=2')).toHaveLength(3)
    now += 47 * HOUR
    await renewSessions()
    expect(await times('')).toEqual([hourOf(now - 47 * HOUR), hourOf(now - 48 * HOUR)])
    expect(await times('?hoursBack=2160')).toHaveLength(3)
    now += 2 * HOUR
    expect(await times('')).toEqual([])
    expect((await server.call({ as, call: `GET ${U}/flag` })).json()).toMatchObject({
      lastHourUsage: [],
      seenApplications: [],
    })
  })

  test('has names as they are, whatever they are', async () => {
    await report('client', 'shop', { constructor: { yes: 1, no: 0, variants: { toString: 1 } } })
    const { data } = await raw('', 'constructor')
    expect(data).toMatchObject([{ featureName: 'constructor', yes: 1, variants: { toString: 1 } }])
    const odd = "'; drop table features; --"
    await report('client', odd, { flag: { yes: 2, no: 0 }, [odd]: { yes: 2, no: 0 } })
    expect((await raw('?hoursBack=1')).data).toMatchObject([{ appName: odd, yes: 2 }])
    expect((await raw('', encodeURIComponent(odd))).data).toEqual([])
  })

  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${U}/flag`, status: 401 },
    { name: 'anonymous, by hour', call: `GET ${U}/flag/raw`, status: 401 },
    { name: 'a client token', as: 'client', call: `GET ${U}/flag`, status: 403 },
    {
      name: 'a flag without requests',
      as,
      call: `GET ${U}/none`,
      status: 200,
      has: { lastHourUsage: [], seenApplications: [] },
    },
    { name: 'by hour', as, call: `GET ${U}/none/raw`, status: 200, has: { featureName: 'none', data: [] } },
    ...['0', '-1', '1.5', 'x', '2161', '1e9', ''].map((value) => ({
      name: `hoursBack=${value}`,
      as,
      call: `GET ${U}/flag/raw?hoursBack=${value}`,
      status: 400,
      has: { name: 'ValidationError' },
      text: 'hoursBack',
    })),
    { name: 'hoursBack twice', as, call: `GET ${U}/flag/raw?hoursBack=1&hoursBack=2`, status: 400, text: 'hoursBack' },
  ] satisfies Scenario[])
})

/** Renews the sessions of the tests, which last an hour. */
async function renewSessions(): Promise<void> {
  for (const name of ['editor', 'viewer']) {
    const user = await server.db.row('select id from users where username = ?', name)
    await addSession(server.db, name, Number(user?.id), now)
  }
}
