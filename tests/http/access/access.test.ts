import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

let server: TestServer
let now = 1_800_000_000_000
const as = 'admin'
beforeAll(async () => {
  server = await startServer({ simpleLoginLimitPerMinute: 5 }, () => now)
})
afterAll(() => server.close())

const LOGIN = 'POST /auth/simple/login'
const good = { username: 'admin', password: 'a good password' }
const HOUR = 3_600_000

describe('login', () => {
  scenarios(() => server, [
    {
      name: 'a wrong password',
      call: LOGIN,
      body: { ...good, password: 'x' },
      status: 401,
      has: { name: 'PasswordMismatch' },
    },
    {
      name: 'an unknown user',
      call: LOGIN,
      body: { username: 'nobody', password: 'x' },
      status: 401,
      has: { name: 'PasswordMismatch' },
    },
    { name: 'another case', call: LOGIN, body: { ...good, username: 'Admin' }, status: 401 },
    { name: 'numbers', call: LOGIN, body: { username: 1, password: 2 }, status: 401 },
    { name: 'nulls', call: LOGIN, body: { username: null, password: null }, status: 401 },
    { name: 'a user without a password', call: LOGIN, body: { username: 'viewer', password: '' }, status: 401 },
    { name: 'no password', call: LOGIN, body: { username: 'admin' }, status: 400, text: 'password' },
    { name: 'something else', call: LOGIN, body: { ...good, admin: true }, status: 400, text: 'admin' },
    { name: 'an array', call: LOGIN, body: [], status: 400 },
    {
      name: 'a form',
      call: LOGIN,
      raw: 'username=admin',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      status: 415,
    },
    { name: 'no body', call: LOGIN, status: 415 },
    {
      name: 'the right one',
      call: LOGIN,
      body: good,
      status: 200,
      has: { id: 1, username: 'admin', isAPI: false, accountType: 'User', mustChangePassword: false, seenAt: null },
    },
  ] satisfies Scenario[])

  test('the cookie opens the admin API until logout', async () => {
    now += HOUR
    const login = await server.call({ call: LOGIN, body: good })
    const cookie = String(login.headers['set-cookie'])
    expect(cookie).toMatch(/^burgee-session=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax$/)
    const headers = { cookie: cookie.split(';', 1)[0] ?? '' }
    const me = await server.call({ call: 'GET /api/admin/user', headers })
    expect(me.json()).toMatchObject({ user: { username: 'admin' }, permissions: [{ permission: 'ADMIN' }], splash: {} })
    const despite = await server.call({ as: '*:*.wrong', call: 'GET /api/admin/user', headers })
    expect(despite.statusCode).toBe(200)
    const client = await server.call({ call: 'GET /api/client/features', headers })
    expect(client.statusCode).toBe(401)
    const out = await server.call({ call: 'POST /logout', headers })
    expect(out.statusCode).toBe(302)
    expect(out.headers).toMatchObject({ location: '/', 'clear-site-data': '"cookies", "storage"' })
    expect((await server.call({ call: 'GET /api/admin/user', headers })).statusCode).toBe(401)
  })

  test('sessions end: unused after 48 hours, used after twenty days', async () => {
    const login = await server.call({ call: LOGIN, body: good })
    const headers = { cookie: String(login.headers['set-cookie']).split(';', 1)[0] ?? '' }
    const status = async () => (await server.call({ call: 'GET /api/admin/user', headers })).statusCode
    for (let day = 0; day < 19; day += 1) {
      now += 24 * HOUR
      expect(await status()).toBe(200)
    }
    now += 24 * HOUR
    expect(await status()).toBe(401)
    const second = await server.call({ call: LOGIN, body: good })
    headers.cookie = String(second.headers['set-cookie']).split(';', 1)[0] ?? ''
    now += 49 * HOUR
    expect(await status()).toBe(401)
  })

  test('the database holds neither session ids nor passwords', async () => {
    const login = await server.call({ call: LOGIN, body: good })
    const id = /burgee-session=([^;]+)/.exec(String(login.headers['set-cookie']))?.[1] ?? 'none'
    const dump = JSON.stringify([
      await server.db.rows('select * from sessions'),
      await server.db.rows('select * from users'),
    ])
    expect(dump).not.toContain(id)
    expect(dump).not.toContain(good.password)
    expect(dump).toContain('scrypt$2$1$1$')
  })

  test('passwords are hashed at full cost by default', async () => {
    const costly = await startServer({}, Date.now, { passwordCost: undefined })
    const dump = JSON.stringify(await costly.db.rows('select * from users'))
    await costly.close()
    expect(dump).toContain('scrypt$32768$8$3$')
    expect(dump).not.toContain(good.password)
  })

  test('a user has at most five sessions, the oldest goes', async () => {
    const cookies: string[] = []
    for (let count = 0; count < 6; count += 1) {
      now += 60_001
      const login = await server.call({ call: LOGIN, body: good })
      cookies.push(String(login.headers['set-cookie']).split(';', 1)[0] ?? '')
    }
    const status = async (cookie = '') =>
      (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).statusCode
    expect(await status(cookies[0])).toBe(401)
    for (const cookie of cookies.slice(1)) expect(await status(cookie)).toBe(200)
  })

  test('the sixth login within a minute waits', async () => {
    now += HOUR
    const attempt = () => server.call({ call: LOGIN, body: { ...good, password: 'x' } })
    for (let count = 0; count < 5; count += 1) expect((await attempt()).statusCode).toBe(401)
    const refused = await server.call({ call: LOGIN, body: good })
    expect(refused.statusCode).toBe(429)
    expect(refused.body).toBe('Too many requests, please try again later.')
    expect(refused.headers['content-type']).toContain('text/plain')
    expect(Number(refused.headers['retry-after'])).toBe(60)
    expect((await server.call({ call: LOGIN, body: { username: 'other', password: 'x' } })).statusCode).toBe(401)
    now += 60_001
    expect((await server.call({ call: LOGIN, body: good })).statusCode).toBe(200)
  })
})

describe('the current user', () => {
  const ME = 'GET /api/admin/user'
  test('editor and viewer', async () => {
    // their sessions expired when the test advanced the clock above
    for (const name of ['editor', 'viewer']) {
      const user = await server.db.row('select id from users where username = ?', name)
      await addSession(server.db, name, Number(user?.id), now)
    }
    const editor = (await server.call({ as: 'editor', call: ME })).json()
    expect(editor.permissions).toContainEqual({ permission: 'CREATE_SEGMENT' })
    expect(editor.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'default' })
    const inEnvironment = { permission: 'UPDATE_FEATURE_ENVIRONMENT', project: 'default', environment: 'production' }
    expect(editor.permissions).toContainEqual(inEnvironment)
    expect((await server.call({ as: 'viewer', call: ME })).json()).toMatchObject({ permissions: [], feedback: [] })
  })
  scenarios(() => server, [
    { name: 'anonymous', call: ME, status: 401, text: '/auth/simple/login' },
    { name: 'an empty header', call: ME, headers: { authorization: '' }, status: 401 },
    { name: 'a bad cookie', call: ME, headers: { cookie: 'burgee-session=x' }, status: 401 },
    { name: 'a client token', as: 'client', call: ME, status: 403 },
    {
      name: 'an admin token',
      as,
      call: ME,
      status: 200,
      has: {
        user: { isAPI: true, username: 'admin', environment: '*', projects: ['*'], internalAdminTokenUserId: -42 },
        permissions: [{ permission: 'ADMIN' }],
      },
    },
  ] satisfies Scenario[])
  test('the secret is not echoed', async () => {
    expect((await server.call({ as, call: ME })).body).not.toContain(TOKENS.admin)
  })
})

describe('API tokens', () => {
  const T = '/api/admin/api-tokens'
  const token = (extra: object = {}) => ({ type: 'client', tokenName: 't', environment: 'development', ...extra })
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${T}`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `GET ${T}`, status: 403, text: 'READ_CLIENT_API_TOKEN' },
    {
      name: 'an editor may not make any',
      as: 'editor',
      call: `POST ${T}`,
      body: token(),
      status: 403,
      text: 'CREATE_CLIENT_API_TOKEN',
    },
    { name: 'an editor may not remove any', as: 'editor', call: `DELETE ${T}/x`, status: 403 },
    { name: 'no name', as, call: `POST ${T}`, body: { type: 'client' }, status: 400, text: 'tokenName' },
    { name: 'an unknown type', as, call: `POST ${T}`, body: token({ type: 'root' }), status: 400, text: 'type' },
    {
      name: 'all environments',
      as,
      call: `POST ${T}`,
      body: token({ environment: '*' }),
      status: 400,
      text: 'environment',
    },
    {
      name: 'an unknown environment',
      as,
      call: `POST ${T}`,
      body: token({ environment: 'nope' }),
      status: 400,
      text: 'nope',
    },
    {
      name: 'an unknown project',
      as,
      call: `POST ${T}`,
      body: token({ projects: ['nope'] }),
      status: 400,
      text: 'nope',
    },
    { name: 'no project', as, call: `POST ${T}`, body: token({ projects: [] }), status: 400, text: 'project' },
    { name: 'no date', as, call: `POST ${T}`, body: token({ expiresAt: 'never' }), status: 400, text: 'expiresAt' },
    {
      name: 'client',
      as,
      call: `POST ${T}`,
      body: token({ projects: ['default'] }),
      status: 201,
      has: {
        tokenName: 't',
        type: 'client',
        environment: 'development',
        project: 'default',
        projects: ['default'],
        alias: null,
      },
      text: '"secret":"default:development.',
      events: ['api-token-created'],
    },
    {
      name: 'all projects win',
      as,
      call: `POST ${T}`,
      body: token({ projects: ['default', '*'] }),
      status: 201,
      has: { project: '*', projects: ['*'] },
      text: '"secret":"*:development.',
      events: ['api-token-created'],
    },
    {
      name: 'frontend in capitals',
      as,
      call: `POST ${T}`,
      body: token({ type: 'FRONTEND' }),
      status: 201,
      has: { type: 'frontend' },
      events: ['api-token-created'],
    },
    {
      name: 'admin',
      as,
      call: `POST ${T}`,
      body: token({ type: 'admin', environment: '*' }),
      status: 201,
      has: { type: 'admin', environment: '*' },
      text: '"secret":"*:*.',
      events: ['api-token-created'],
    },
    { name: 'remove an unknown one', as, call: `DELETE ${T}/nope`, status: 200, empty: true },
  ] satisfies Scenario[])

  test('an editor sees the tokens of SDKs, an admin all, and no reader a secret', async () => {
    const seen = async (who: string) => (await server.call({ as: who, call: `GET ${T}` })).json().tokens
    const types = (tokens: { type: string }[]) => new Set(tokens.map((one) => one.type))
    expect(types(await seen('editor'))).toEqual(new Set(['client', 'frontend']))
    expect(types(await seen('admin'))).toEqual(new Set(['admin', 'client', 'frontend']))
    const text = JSON.stringify([
      await seen('admin'),
      await server.db.rows('select * from api_tokens'),
      await server.db.rows('select * from events'),
    ])
    for (const secret of Object.values(TOKENS)) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\.[0-9a-f]{56}/)
  })

  test.each(['its secret', 'its id'])('a token removed by %s stops at once', async (by) => {
    const made = (await server.call({ as, call: `POST ${T}`, body: token() })).json()
    expect(made.secret).toMatch(/^\*:development\.[0-9a-f]{56}$/)
    const use = async () => (await server.call({ as: made.secret, call: 'GET /api/client/features' })).statusCode
    expect(await use()).toBe(200)
    const named = by === 'its id' ? made.id : encodeURIComponent(made.secret)
    const last = await server.lastEventId()
    expect((await server.call({ as, call: `DELETE ${T}/${named}` })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['api-token-deleted'])
    expect(await use()).toBe(401)
  })

  test('the list shows when a token was last used', async () => {
    const { id, secret } = (await server.call({ as, call: `POST ${T}`, body: token() })).json()
    const seenAt = async () => {
      await server.server.flush()
      const { tokens } = (await server.call({ as, call: `GET ${T}` })).json()
      return tokens.find((one: { id: string }) => one.id === id).seenAt
    }
    expect(await seenAt()).toBeNull()
    await server.call({ as: secret, call: 'GET /api/client/features' })
    expect(await seenAt()).toBe(new Date(now).toISOString())
  })

  test('an expired token stops at once', async () => {
    const expiresAt = new Date(now + 1000).toISOString()
    const { secret } = (await server.call({ as, call: `POST ${T}`, body: token({ expiresAt }) })).json()
    const use = async () => (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode
    expect(await use()).toBe(200)
    now += 1000
    expect(await use()).toBe(401)
  })
})

test('a wall clock that is set forward does not make the database appear down', async () => {
  now += HOUR
  const reply = await server.call({ call: 'GET /ready' })
  expect(reply.json()).toMatchObject({ health: 'GOOD' })
})

describe('paths that do not exist', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: 'GET /api/nope', status: 401, has: { name: 'AuthenticationRequired' } },
    { name: 'an admin', as, call: 'GET /api/nope', status: 404, has: { name: 'NotFoundError' }, text: '/api/nope' },
    { name: 'a client token', as: 'client', call: 'GET /api/client/nope', status: 404 },
    { name: 'client API, anonymous', call: 'GET /api/client/nope', status: 401 },
    { name: 'another method', as, call: 'PATCH /api/admin/projects', status: 404, has: { name: 'NotFoundError' } },
    { name: 'OPTIONS', call: 'OPTIONS /api/admin/projects', status: 401 },
    { name: 'outside the API', call: 'GET /internal-backstage/nope', status: 404 },
    { name: 'health', call: 'GET /health', status: 200, has: { health: 'GOOD' } },
    { name: 'ready', call: 'GET /ready', status: 200, has: { health: 'GOOD' } },
  ] satisfies Scenario[])
})

describe('an internal error', () => {
  test('answers 500 with an id that the log has with the cause, and reveals nothing else', async () => {
    await server.db.rows('alter table tag_types rename column name to name_away')
    const reply = await server.call({
      as,
      call: 'POST /api/admin/projects/default/features',
      body: { name: 'late', tags: [{ type: 'simple', value: 'xx' }] },
    })
    await server.db.rows('alter table tag_types rename column name_away to name')
    expect(reply.statusCode).toBe(500)
    const { id, name, message } = reply.json()
    expect(name).toBe('UnknownError')
    expect(message).toContain(id)
    expect(reply.body).not.toMatch(/tag_types|column|sql/i)
    const line = server.logged.find((text) => text.includes(id))
    expect(line).toMatch(/column.*name/)
    const flag = await server.call({ as, call: 'GET /api/admin/projects/default/features/late' })
    expect(flag.statusCode).toBe(404)
  })
})

describe('below a base path', () => {
  test('everything moves', async () => {
    const moved = await startServer({ baseUriPath: '/flags' })
    try {
      const status = async (call: string, who?: string) =>
        (await moved.call({ call, ...(who === undefined ? {} : { as: who }) })).statusCode
      expect(await status('GET /flags/health')).toBe(200)
      expect(await status('GET /health')).toBe(404)
      expect(await status('GET /flags/api/admin/projects', 'admin')).toBe(200)
      expect(await status('GET /flags/api/nope')).toBe(401)
      const client = await moved.call({ call: 'GET /flags/api/client/features' })
      expect(Object.keys(client.json())).toEqual(['message'])
      const login = await moved.call({ call: 'POST /flags/auth/simple/login', body: good })
      expect(String(login.headers['set-cookie'])).toContain('Path=/flags;')
    } finally {
      await moved.close()
    }
  })
})
