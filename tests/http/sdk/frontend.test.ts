import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

let server: TestServer
const as = 'frontend'
const P = '/api/admin/projects/default/features'
const E = (name: string) => `${P}/${name}/environments/development`
const G = 'GET /api/frontend'

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
  for (const name of ['on', 'off', 'for-seven', 'from-here', 'coloured', 'with-variant']) {
    await admin(`POST ${P}`, { name, impressionData: name === 'on' })
  }
  const constrained = (contextName: string, values: string[]) => ({
    name: 'default',
    constraints: [{ contextName, operator: 'IN', values }],
  })
  await admin(`POST ${E('for-seven')}/strategies`, constrained('userId', ['7']))
  await admin(`POST ${E('from-here')}/strategies`, { name: 'remoteAddress', parameters: { IPs: '127.0.0.1' } })
  await admin(`POST ${E('coloured')}/strategies`, constrained('colour', ['red']))
  await admin(`POST ${E('with-variant')}/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '100' },
    variants: [{ name: 'blue', weight: 1, payload: { type: 'json', value: '{}' } }],
  })
  for (const name of ['on', 'for-seven', 'from-here', 'coloured', 'with-variant']) await admin(`POST ${E(name)}/on`)
})
afterAll(() => server.close())

const named = (...names: string[]) => ({ toggles: names.map((name) => ({ name, enabled: true })) })
const blue = {
  name: 'blue',
  enabled: true,
  payload: { type: 'json', value: '{}' },
  feature_enabled: true,
  featureEnabled: true,
}
const OK = { status: 200, text: 'OK' }
const POST = 'POST /api/frontend'
const OTHERS = named('from-here', 'on', 'with-variant')
const SEVEN = named('for-seven', 'from-here', 'on', 'with-variant')
const RED = named('coloured', 'from-here', 'on', 'with-variant')

describe('evaluation', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: G, status: 401, has: { message: expect.stringContaining('API token') } },
    { name: 'a wrong token', as: 'default:development.wrong', call: G, status: 401 },
    { name: 'a client token', as: 'client', call: G, status: 403, has: { message: expect.stringContaining('type') } },
    { name: 'an admin token', as: 'admin', call: G, status: 200 },
    { name: 'a session', as: 'editor', call: G, status: 401 },
    { name: 'flags that are on', as, call: G, status: 200, has: named('from-here', 'on', 'with-variant') },
    {
      name: 'a flag as a whole',
      as,
      call: G,
      status: 200,
      has: {
        toggles: [
          {},
          {
            name: 'on',
            enabled: true,
            impressionData: true,
            variant: { name: 'disabled', enabled: false, feature_enabled: true },
          },
          { variant: blue },
        ],
      },
    },
    {
      name: 'a user',
      as,
      call: `${G}?userId=7`,
      status: 200,
      has: named('for-seven', 'from-here', 'on', 'with-variant'),
    },
    {
      name: 'a property',
      as,
      call: `${G}?properties[colour]=red`,
      status: 200,
      has: named('coloured', 'from-here', 'on', 'with-variant'),
    },
    {
      name: 'a property at the top',
      as,
      call: `${G}?colour=red`,
      status: 200,
      has: named('coloured', 'from-here', 'on', 'with-variant'),
    },
    { name: 'another address', as, call: `${G}?remoteAddress=10.0.0.1`, status: 200, has: named('on', 'with-variant') },
    {
      name: 'a forwarded address is not believed',
      as,
      call: G,
      headers: { 'x-forwarded-for': '10.0.0.1' },
      status: 200,
      has: named('from-here', 'on', 'with-variant'),
    },
    {
      name: 'another environment is not heard',
      as,
      call: `${G}?environment=production`,
      status: 200,
      has: named('from-here', 'on', 'with-variant'),
    },
    { name: 'names that every object has', as, call: `${G}?__proto__=x&properties[constructor]=y`, status: 200 },
    { name: 'a nested user', as, call: `${G}?userId[a]=1`, status: 400, has: { name: 'ValidationError' } },
    {
      name: 'the older path',
      as,
      call: 'GET /api/proxy?userId=7',
      status: 200,
      has: named('for-seven', 'from-here', 'on', 'with-variant'),
    },
    { name: 'the older path, anonymous', call: 'GET /api/proxy', status: 401, has: { message: expect.any(String) } },
    {
      name: 'all',
      as,
      call: `${G}/all`,
      status: 200,
      has: {
        toggles: [
          { name: 'coloured', enabled: false },
          {},
          {},
          { name: 'off', enabled: false, variant: { name: 'disabled', enabled: false, feature_enabled: false } },
          {},
          {},
        ],
      },
    },
    { name: 'all, anonymous', call: `${G}/all`, status: 401 },
    {
      name: 'all by body',
      as,
      call: 'POST /api/frontend/all',
      body: { context: { userId: '7' } },
      status: 200,
      has: { toggles: [{}, { name: 'for-seven', enabled: true }, {}, {}, {}, {}] },
    },
    {
      name: 'by body',
      as,
      call: 'POST /api/frontend',
      body: { context: { userId: '7' } },
      status: 200,
      has: named('for-seven', 'from-here', 'on', 'with-variant'),
    },
    {
      name: 'by an empty body',
      as,
      call: 'POST /api/frontend',
      body: {},
      status: 200,
      has: named('from-here', 'on', 'with-variant'),
    },
    { name: 'a context of its own', as, call: POST, body: { userId: '7' }, status: 200, has: SEVEN },
    { name: 'a number in it', as, call: POST, body: { userId: 7 }, status: 200, has: SEVEN },
    { name: 'everybody where it says nothing', as, call: POST, body: {}, status: 200, has: OTHERS },
    {
      name: 'a name that it does not know is a property',
      as,
      call: POST,
      body: { colour: 'red' },
      status: 200,
      has: RED,
    },
    { name: 'its properties', as, call: POST, body: { properties: { colour: 'red' } }, status: 200, has: RED },
    {
      name: 'its properties before its names',
      as,
      call: POST,
      body: { colour: 'blue', properties: { colour: 'red' } },
      status: 200,
      has: RED,
    },
    {
      name: 'a context within the body before one beside it',
      as,
      call: POST,
      body: { userId: '8', context: { userId: '7' } },
      status: 200,
      has: SEVEN,
    },
    {
      name: 'an empty context within the body before one beside it',
      as,
      call: POST,
      body: { userId: '7', context: {} },
      status: 200,
      has: OTHERS,
    },
    {
      name: 'an address of its own',
      as,
      call: POST,
      body: { remoteAddress: '10.0.0.1' },
      status: 200,
      has: named('on', 'with-variant'),
    },
    {
      name: 'all flags for a separate context',
      as,
      call: `${POST}/all`,
      body: { userId: '7' },
      status: 200,
      text: '"for-seven","enabled":true',
    },
    { name: 'the older path', as, call: 'POST /api/proxy', body: { userId: '7' }, status: 200, has: SEVEN },
    { name: 'an object as user', as, call: POST, body: { userId: {} }, status: 400, text: 'userId' },
    { name: 'a list as properties', as, call: POST, body: { properties: ['a'] }, status: 400, text: 'properties' },
    {
      name: 'names that every object has',
      as,
      call: POST,
      raw: '{"__proto__":"x","constructor":"y","userId":"7"}',
      status: 200,
      has: SEVEN,
    },
    { name: 'a text as context', as, call: 'POST /api/frontend', body: { context: 'x' }, status: 400, text: 'context' },
    { name: 'text', as, call: 'POST /api/frontend', raw: '{}', headers: { 'content-type': 'text/plain' }, status: 415 },
    {
      name: 'listed flags, on or off',
      as,
      call: 'POST /api/frontend',
      body: { toggles: ['off', 'on', 'nope'] },
      status: 200,
      has: {
        toggles: [
          { name: 'off', enabled: false },
          { name: 'on', enabled: true },
          { name: 'nope', enabled: false },
        ],
      },
    },
    { name: 'what is not here', as, call: `${G}/features`, status: 404 },
  ] satisfies Scenario[])

  test('replies must be revalidated, and have a tag', async () => {
    const reply = await server.call({ as, call: `${G}?userId=7` })
    expect(reply.headers['cache-control']).toBe('no-cache')
    const headers = { 'if-none-match': String(reply.headers.etag) }
    expect((await server.call({ as, call: `${G}?userId=7`, headers })).statusCode).toBe(304)
  })

  test('listed flags count as requested', async () => {
    await server.server.flush()
    const rows = await server.db.rows(
      "select feature_name, yes, no from client_metrics where app_name = 'frontend-api' order by 1",
    )
    expect(rows.map(({ feature_name, yes, no }) => [feature_name, Number(yes), Number(no)])).toEqual([
      ['off', 0, 1],
      ['on', 1, 0],
    ])
    expect(await server.db.rows('select name from unknown_flags')).toContainEqual({ name: 'nope' })
  })

  test('a change is seen by the next request, in its environment and project only', async () => {
    const names = async (who: string) =>
      (await server.call({ as: who, call: G })).json().toggles.map((toggle: { name: string }) => toggle.name)
    const token = (extra: object) => admin('POST /api/admin/api-tokens', { type: 'frontend', tokenName: 't', ...extra })
    const production = (await token({ environment: 'production' })).secret
    const wide = (await token({ environment: 'development' })).secret
    expect(await names(production)).toEqual([])
    await admin(`POST ${E('off')}/on`)
    for (const who of [as, wide]) expect(await names(who)).toContain('off')
    expect(await names(production)).toEqual([])
    await admin(`POST ${E('off')}/off`)
    for (const who of [as, wide]) expect(await names(who)).not.toContain('off')
  })

  test('so is one that reaches every environment', async () => {
    await admin(`POST ${P}`, { name: 'leaver' })
    await admin(`POST ${E('leaver')}/on`)
    expect((await server.call({ as, call: G })).body).toContain('leaver')
    await admin(`DELETE ${P}/leaver`)
    expect((await server.call({ as, call: G })).body).not.toContain('leaver')
  })

  test('many requests at once after a change agree', async () => {
    await admin(`POST ${E('off')}/on`)
    const replies = await Promise.all(Array.from({ length: 20 }, () => server.call({ as, call: G })))
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1)
    expect(replies[0]?.body).toContain('"off"')
    await admin(`POST ${E('off')}/off`)
  })

  test('a removed token stops at once', async () => {
    const { secret, id } = await admin('POST /api/admin/api-tokens', {
      type: 'frontend',
      tokenName: 't',
      environment: 'development',
    })
    expect((await server.call({ as: secret, call: G })).statusCode).toBe(200)
    await admin(`DELETE /api/admin/api-tokens/${id}`)
    expect((await server.call({ as: secret, call: G })).statusCode).toBe(401)
  })

  test('a forwarded address counts if the proxy is trusted', async () => {
    const behind = await startServer({ trustProxy: true })
    try {
      const call = (name: string, body?: unknown) =>
        behind.call({ as: 'admin', call: name, ...(body === undefined ? {} : { body }) })
      await call(`POST ${P}`, { name: 'far' })
      await call(`POST ${E('far')}/strategies`, { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } })
      await call(`POST ${E('far')}/on`)
      const reply = await behind.call({ as, call: G, headers: { 'x-forwarded-for': '10.0.0.1' } })
      expect(reply.json()).toMatchObject(named('far'))
    } finally {
      await behind.close()
    }
  })
})

describe('reports', () => {
  const time = new Date().toISOString()
  const M = 'POST /api/frontend/client/metrics'
  const R = 'POST /api/frontend/client/register'
  const metrics = {
    appName: 'web',
    bucket: { start: time, stop: time, toggles: { on: { yes: 2, no: 1, variants: { a: 1 } } } },
  }
  const hello = { appName: 'web', instanceId: 'i', interval: 1000, started: time, strategies: [], sdkVersion: 'js:1' }
  scenarios(() => server, [
    { name: 'metrics, anonymous', call: M, body: metrics, status: 401 },
    { name: 'metrics by a client token', as: 'client', call: M, body: metrics, status: 403 },
    { name: 'metrics without application', as, call: M, body: {}, status: 400, text: 'appName' },
    { name: 'metrics without body', as, call: M, status: 415 },
    { name: 'metrics', as, call: M, body: metrics, ...OK },
    { name: 'metrics on the older path', as, call: M.replace('frontend', 'proxy'), body: metrics, ...OK },
    { name: 'register, anonymous', call: R, body: hello, status: 401 },
    { name: 'register without application', as, call: R, body: {}, status: 400, text: 'appName' },
    { name: 'register', as, call: R, body: hello, ...OK },
  ] satisfies Scenario[])

  test('reach the database', async () => {
    await server.server.flush()
    const [row] = await server.db.rows("select yes, no, environment from client_metrics where app_name = 'web'")
    expect([Number(row?.yes), Number(row?.no), row?.environment]).toEqual([4, 2, 'development'])
    const [seen] = await server.db.rows(
      "select sdk_version from client_instances where app_name = 'web' and instance_id = 'i'",
    )
    expect(seen?.sdk_version).toBe('js:1')
  })
})

describe('pages of other origins', () => {
  const origin = { origin: 'https://shop.example' }
  const headersOf = async (call: string, headers: Record<string, string>, who: string = as) => {
    const reply = await server.call({ ...(who === '' ? {} : { as: who }), call, headers })
    return { status: reply.statusCode, ...reply.headers }
  }

  test.each([G, `${G}/all`, 'GET /api/proxy', 'POST /api/frontend'])('may call %s', async (call) => {
    const seen = await headersOf(call, origin)
    expect(seen['access-control-allow-origin']).toBe('*')
    expect(seen['access-control-expose-headers']).toBe('ETag')
    expect(seen).not.toHaveProperty('access-control-allow-credentials')
    const ask = await headersOf(
      call.replace(/^\w+/, 'OPTIONS'),
      { ...origin, 'access-control-request-headers': 'authorization' },
      '',
    )
    expect(ask).toMatchObject({
      status: 204,
      'access-control-allow-headers': 'authorization',
      'access-control-max-age': '86400',
    })
    expect(ask['access-control-allow-methods']).toContain('POST')
  })

  test('see why they are refused', async () => {
    expect(await headersOf(G, origin, '')).toMatchObject({ status: 401, 'access-control-allow-origin': '*' })
  })

  test.each(['GET /api/admin/user', 'GET /api/client/features', 'GET /health'])('may not call %s', async (call) => {
    expect(await headersOf(call, origin, 'admin')).not.toHaveProperty('access-control-allow-origin')
  })

  test('allows only listed origins, immediately', async () => {
    await admin('POST /api/admin/ui-config/cors', { frontendApiOrigins: ['https://shop.example'] })
    const own = await headersOf(G, origin)
    expect(own).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-credentials': 'true',
    })
    expect(String(own.vary)).toContain('Origin')
    const other = await headersOf(G, { origin: 'https://evil.example' })
    expect(other).not.toHaveProperty('access-control-allow-origin')
    expect(other.status).toBe(200)
    await admin('POST /api/admin/ui-config/cors', { frontendApiOrigins: [] })
    expect(await headersOf(G, origin)).not.toHaveProperty('access-control-allow-origin')
    await admin('POST /api/admin/ui-config/cors', { frontendApiOrigins: ['*'] })
  })

  test('come from the configuration until they are set', async () => {
    const configured = await startServer({ frontendApiOrigins: ['https://a.example'] })
    try {
      const reply = await configured.call({ as, call: G, headers: { origin: 'https://a.example' } })
      expect(reply.headers['access-control-allow-origin']).toBe('https://a.example')
    } finally {
      await configured.close()
    }
  })
})

describe('tokens for the frontend API', () => {
  const V = 'POST /edge/validate'
  scenarios(() => server, [
    { name: 'no body', call: V, status: 415 },
    { name: 'no list', call: V, body: {}, status: 400, text: 'tokens' },
    { name: 'too many', call: V, body: { tokens: Array.from({ length: 101 }, () => 'x') }, status: 400 },
    { name: 'none', call: V, body: { tokens: ['x', '', '__proto__'] }, status: 200, has: { tokens: [] } },
    {
      name: 'some',
      call: V,
      body: { tokens: ['x', TOKENS.client, TOKENS.frontend, TOKENS.client] },
      status: 200,
      has: {
        tokens: [
          { token: TOKENS.client, type: 'client', projects: ['default'], environment: 'development' },
          { token: TOKENS.frontend, type: 'frontend', projects: ['default'], environment: 'development' },
        ],
      },
    },
  ] satisfies Scenario[])
})

describe('listed flags, last as they count', () => {
  scenarios(
    () => server,
    [
      {
        name: 'listed flags for a context of its own',
        as,
        call: POST,
        body: { userId: '7', toggles: ['for-seven', 'off'] },
        status: 200,
        has: {
          toggles: [
            { name: 'for-seven', enabled: true },
            { name: 'off', enabled: false },
          ],
        },
      },
    ],
  )
})

describe('limits', () => {
  scenarios(() => server, [
    {
      name: 'as many names as may be, repeated ones too',
      as,
      call: 'POST /api/frontend',
      body: { toggles: Array(10_000).fill('on') },
      status: 200,
      has: { toggles: Array(10_000).fill({ name: 'on', enabled: true }) },
    },
    {
      name: 'more names than allowed',
      as,
      call: 'POST /api/frontend',
      body: { toggles: Array(10_001).fill('a') },
      status: 400,
      has: { name: 'ValidationError', message: expect.stringMatching(/toggles.*10000/) },
    },
    {
      name: 'a body of nearly two megabytes',
      as,
      call: 'POST /api/frontend',
      body: { context: { note: 'x'.repeat(2_000_000) } },
      status: 200,
    },
    {
      name: 'metrics of nearly two megabytes',
      as,
      call: 'POST /api/frontend/client/metrics',
      body: {
        appName: 'x'.repeat(2_000_000),
        bucket: { start: '2026-11-22T00:00:00Z', stop: '2026-11-22T00:01:00Z', toggles: {} },
      },
      status: 200,
    },
    {
      name: 'a body that is too long',
      as,
      call: 'POST /api/frontend',
      body: { context: { note: 'x'.repeat(2_097_152) } },
      status: 413,
    },
  ] satisfies Scenario[])
})
