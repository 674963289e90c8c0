import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Usage of a token, which the page polls while a user is connecting an SDK. */
let server: TestServer
let now = Date.parse('2030-01-01T10:40:00Z')
const MINUTE = 60_000
const CALL = 'POST /api/admin/api-tokens/connection'
const as = 'viewer'

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.admin('POST /api/admin/projects/default/features', { name: 'checkout' })
})
afterAll(() => server.close())

async function connection(secret: string) {
  await server.server.flush()
  return (await server.call({ as, call: CALL, body: { secret } })).json()
}

const use = (call: string, headers: Record<string, string>, token: keyof typeof TOKENS = 'client') => {
  now += MINUTE
  return server.call({ as: token, call, headers })
}

describe('access to the connection of a token', () => {
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: CALL, body: { secret: TOKENS.client }, status: 401 },
      { name: 'an SDK', as: 'client', call: CALL, body: { secret: TOKENS.client }, status: 403 },
      { name: 'without a secret', as, call: CALL, body: {}, status: 400, text: '`secret`' },
      { name: 'with more than a secret', as, call: CALL, body: { secret: 'x', id: 1 }, status: 400, text: 'id' },
      {
        name: 'with a wrong secret',
        as,
        call: CALL,
        body: { secret: 'default:development.nope' },
        status: 404,
        events: [],
      },
      {
        name: 'with the secret of an unused token',
        as,
        call: CALL,
        body: { secret: ` ${TOKENS.production} ` },
        status: 200,
        has: { type: 'client', environment: 'production', projects: ['*'], seenAt: null, caller: null, flags: [] },
        events: [],
      },
    ],
  )
})

describe('the client of a token', () => {
  test.each([
    [
      'an SDK of a server',
      'GET /api/client/features',
      { 'unleash-appname': 'shop', 'unleash-instanceid': 'shop-1', 'unleash-sdk': 'unleash-node-sdk:6.12.1' },
      { appName: 'shop', instanceId: 'shop-1', sdkVersion: 'unleash-node-sdk:6.12.1' },
    ],
    [
      'one with a letter before it',
      'GET /api/client/features',
      { 'x-unleash-appname': 'old', 'x-unleash-connection-id': 'c-1', 'x-unleash-sdk': 'sdk:1' },
      { appName: 'old', instanceId: 'c-1', sdkVersion: 'sdk:1' },
    ],
    [
      'one that is too long',
      'GET /api/client/features',
      { 'unleash-appname': 'a'.repeat(5000) },
      { appName: 'a'.repeat(100), instanceId: null, sdkVersion: null },
    ],
  ])('%s', async (_who, call, headers, caller) => {
    expect((await use(call, headers)).statusCode).toBe(200)
    const at = new Date(now).toISOString()
    expect(await connection(TOKENS.client)).toMatchObject({ seenAt: at, caller: { ...caller, seenAt: at } })
  })

  test('a request without client headers does not replace the known client', async () => {
    await use('GET /api/client/features', { 'unleash-appname': 'named' })
    await server.server.flush()
    await use('GET /api/client/features', {})
    const at = new Date(now).toISOString()
    expect(await connection(TOKENS.client)).toMatchObject({ seenAt: at, caller: { appName: 'named' } })
  })

  test('a page, which has its name in the query', async () => {
    await use('GET /api/frontend?appName=page%20one&userId=7', { 'unleash-sdk': 'unleash-client-js:3.8.2' }, 'frontend')
    const caller = { appName: 'page one', sdkVersion: 'unleash-client-js:3.8.2' }
    expect(await connection(TOKENS.frontend)).toMatchObject({ type: 'frontend', caller })
  })

  test('however often a token is used, it has one row; none is left of a token that is gone', async () => {
    const rows = await server.db.rows(
      'select count(*) as rows, count(distinct token_id) as tokens from api_token_callers',
    )
    expect(rows.map((row) => Number(row.rows) - Number(row.tokens))).toEqual([0])
    const body = { tokenName: 'brief', type: 'client', environment: 'development', projects: ['*'] }
    const { secret, id } = await server.admin('POST /api/admin/api-tokens', body)
    await server.call({ as: secret, call: 'GET /api/client/features', headers: { 'unleash-appname': 'x' } })
    expect((await connection(secret)).caller.appName).toBe('x')
    await server.admin(`DELETE /api/admin/api-tokens/${id}`)
    expect(await server.db.rows('select token_id from api_token_callers where token_id = ?', id)).toEqual([])
  })
})

test('a token lists the flags it has reported, and marks nonexistent flags', async () => {
  await use('GET /api/client/features', { 'unleash-appname': 'counting' })
  expect((await connection(TOKENS.client)).flags).toEqual([])
  const toggles = { checkout: { yes: 3, no: 1 }, chekout: { yes: 0, no: 2 } }
  const bucket = { start: new Date(now).toISOString(), stop: new Date(now).toISOString(), toggles }
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: 'counting', bucket } })
  expect((await connection(TOKENS.client)).flags).toEqual([
    { name: 'checkout', project: 'default', exists: true, yes: 3, no: 1 },
    { name: 'chekout', project: null, exists: false, yes: 0, no: 0 },
  ])
  // counts are still reported after the hour changes, and a token of another project gets none of them
  now += 20 * MINUTE
  await use('GET /api/client/features', { 'unleash-appname': 'counting' })
  expect((await connection(TOKENS.client)).flags[0]).toMatchObject({ name: 'checkout', yes: 3 })
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  const body = { tokenName: 'shop', type: 'client', environment: 'development', projects: ['shop'] }
  const { secret } = await server.admin('POST /api/admin/api-tokens', body)
  await server.call({ as: secret, call: 'GET /api/client/features', headers: { 'unleash-appname': 'counting' } })
  const ofShop = await connection(secret)
  expect(ofShop.caller.appName).toBe('counting')
  expect(ofShop.flags.filter(({ exists }: { exists: boolean }) => exists)).toEqual([])
})

test('a token of a private project does not exist for non-members', async () => {
  await server.admin('POST /api/admin/projects', { id: 'secret', name: 'Secret', mode: 'private' })
  const { secret } = await server.admin('POST /api/admin/api-tokens', {
    tokenName: 'page',
    type: 'frontend',
    environment: 'development',
    projects: ['secret'],
  })
  const reply = await server.call({ as, call: CALL, body: { secret } })
  expect(reply.statusCode).toBe(404)
  expect(reply.body).not.toContain('page')
  expect(await server.admin(CALL, { secret })).toMatchObject({ tokenName: 'page', projects: ['secret'] })
})

test('flags counted long ago are not listed as in use', async () => {
  const headers = { 'unleash-appname': 'mended' }
  const flags = async (): Promise<{ name: string }[]> => {
    await server.server.flush()
    return (await server.admin(CALL, { secret: TOKENS.client })).flags
  }
  await use('GET /api/client/features', headers)
  const bucket = { start: new Date(now).toISOString(), stop: new Date(now).toISOString() }
  const body = { appName: 'mended', bucket: { ...bucket, toggles: { typo: { yes: 0, no: 1 } } } }
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body })
  expect((await flags()).map(({ name }) => name)).toEqual(['typo'])
  now += 180 * MINUTE
  await use('GET /api/client/features', headers)
  expect(await flags()).toEqual([])
})

// the query plan of PostgreSQL depends on the table's contents
test.skipIf(inject('driver') !== 'sqlite')('its counts are found by an index, however many others count', async () => {
  const plan = await server.db.rows(
    "explain query plan select * from client_metrics where app_name = 'x' and environment = 'y' and hour >= 7",
  )
  expect(JSON.stringify(plan)).toContain('client_metrics_by_app (app_name=? AND environment=? AND hour>?)')
})
