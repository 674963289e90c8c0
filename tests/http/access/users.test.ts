import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const U = '/api/admin/user-admin'
const GOOD = 'a password nobody guesses'

const admin = (call: string, body?: unknown) => server.admin(call, body)

async function login(username: string, password: string) {
  const reply = await server.call({ call: 'POST /auth/simple/login', body: { username, password } })
  return { status: reply.statusCode, cookie: String(reply.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '' }
}

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('users', () => {
  const make = `POST ${U}`
  const user = (extra: object = {}) => ({ username: 'ann', rootRole: 2, password: GOOD, ...extra })
  scenarios(() => server, [
    { name: 'list, anonymous', call: `GET ${U}`, status: 401 },
    { name: 'list by a viewer', as: 'viewer', call: `GET ${U}`, status: 403, has: { permissions: ['ADMIN'] } },
    { name: 'list by an editor', as: 'editor', call: `GET ${U}`, status: 403 },
    {
      name: 'list',
      as,
      call: `GET ${U}`,
      status: 200,
      has: { users: [{ username: 'admin' }, {}, {}], rootRoles: [{ id: 1, name: 'Admin' }, { id: 2 }, { id: 3 }] },
    },
    { name: 'make by an editor', as: 'editor', call: make, body: user(), status: 403 },
    { name: 'no name', as, call: make, body: { rootRole: 2 }, status: 400, text: 'username' },
    { name: 'two alphabets', as, call: make, body: user({ username: '\u0430nn' }), status: 400, text: 'username' },
    { name: 'a dot at the end', as, call: make, body: user({ email: 'a@b.test.' }), status: 400, text: 'email' },
    { name: 'no role', as, call: make, body: { username: 'x' }, status: 400, text: 'rootRole' },
    { name: 'an unknown role', as, call: make, body: user({ rootRole: 9 }), status: 400, text: 'rootRole' },
    { name: 'something else', as, call: make, body: user({ isAdmin: true }), status: 400, text: 'isAdmin' },
    { name: 'no e-mail address', as, call: make, body: user({ email: 'ann' }), status: 400, text: 'email' },
    {
      name: 'a short password',
      as,
      call: make,
      body: user({ password: 'short' }),
      status: 400,
      has: { name: 'PasswordWeakError' },
      text: '10 characters',
    },
    { name: 'that user is not there', as, call: `GET ${U}/search?q=ann`, status: 200, has: [] },
    {
      name: 'with a password',
      as,
      call: make,
      body: user({ email: 'Ann@example.com', name: 'Ann' }),
      status: 201,
      has: { id: 4, username: 'ann', rootRole: 2, emailSent: false, seenAt: null },
      events: ['user-created'],
    },
    { name: 'the same username', as, call: make, body: user(), status: 409, has: { name: 'NameExistsError' } },
    {
      name: 'the same e-mail address',
      as,
      call: make,
      body: { email: 'ann@EXAMPLE.com', rootRole: 'Viewer' },
      status: 409,
    },
    {
      name: 'by e-mail and role name, without a password',
      as,
      call: make,
      body: { email: 'bob@example.com', rootRole: 'Viewer' },
      status: 201,
      has: { id: 5, rootRole: 3 },
      events: ['user-created'],
    },
    {
      name: 'with a role in an unknown project',
      as,
      call: make,
      body: { username: 'cyd', rootRole: 3, projectRoles: [{ project: 'nowhere', role: 5 }] },
      status: 404,
      text: 'nowhere',
    },
    {
      name: 'with a global role in a project',
      as,
      call: make,
      body: { username: 'cyd', rootRole: 3, projectRoles: [{ project: 'default', role: 1 }] },
      status: 400,
      text: 'no project role',
    },
    {
      name: 'an e-mail address as username',
      as,
      call: make,
      body: { username: 'ANN@example.com', rootRole: 3 },
      status: 409,
    },
    {
      name: 'a username that looks so',
      as,
      call: make,
      body: { username: 'Eve@x.test', rootRole: 3 },
      status: 201,
      events: ['user-created'],
    },
    {
      name: 'a username as e-mail address',
      as,
      call: make,
      body: { email: 'eve@x.test', rootRole: 3 },
      status: 409,
    },
    { name: 'a change to it', as, call: `PUT ${U}/4`, body: { email: 'eve@X.test' }, status: 409 },
    { name: 'one', as, call: `GET ${U}/4`, status: 200, has: { username: 'ann', email: 'Ann@example.com' } },
    { name: 'an unknown one', as, call: `GET ${U}/99`, status: 404 },
    { name: 'a word as id', as, call: `GET ${U}/ann`, status: 404 },
    { name: 'a huge id', as, call: `GET ${U}/99999999999`, status: 404 },
    { name: 'search', as, call: `GET ${U}/search?q=EXAMPLE`, status: 200, has: [{ id: 4 }, { id: 5 }] },
    { name: 'search for one letter', as, call: `GET ${U}/search?q=a`, status: 200, has: [] },
    { name: 'search for a pattern', as, call: `GET ${U}/search?q=%25%25`, status: 200, has: [] },
    {
      name: 'change',
      as,
      call: `PUT ${U}/4`,
      body: { name: 'Anna', rootRole: 3 },
      status: 200,
      has: { name: 'Anna', rootRole: 3 },
      events: ['user-updated'],
    },
    { name: 'the same again', as, call: `PUT ${U}/4`, body: { name: 'Anna' }, status: 200 },
    { name: 'a taken e-mail address', as, call: `PUT ${U}/4`, body: { email: 'BOB@example.com' }, status: 409 },
    {
      name: 'the own e-mail address in another case',
      as,
      call: `PUT ${U}/4`,
      body: { email: 'ANN@example.com' },
      status: 200,
      events: ['user-updated'],
    },
    { name: 'change of an unknown one', as, call: `PUT ${U}/99`, body: { name: 'x' }, status: 404 },
    {
      name: 'the last admin keeps the role',
      as,
      call: `PUT ${U}/1`,
      body: { rootRole: 3 },
      status: 409,
      has: { name: 'ConflictError' },
    },
    { name: 'the last admin stays', as, call: `DELETE ${U}/1`, status: 409 },
    {
      name: 'with a second admin',
      as,
      call: `PUT ${U}/4`,
      body: { rootRole: 'Admin' },
      status: 200,
      events: ['user-updated'],
    },
    {
      name: 'the first may go back',
      as,
      call: `PUT ${U}/1`,
      body: { rootRole: 2 },
      status: 200,
      events: ['user-updated'],
    },
    { name: 'and the second then stays', as, call: `DELETE ${U}/4`, status: 409 },
    { name: 'the first again', as, call: `PUT ${U}/1`, body: { rootRole: 1 }, status: 200, events: ['user-updated'] },
    { name: 'remove', as, call: `DELETE ${U}/5`, status: 200, empty: true, events: ['user-deleted'] },
    { name: 'remove again', as, call: `DELETE ${U}/5`, status: 404 },
    {
      name: 'a user in the history',
      as,
      call: `PUT ${U}/4`,
      body: { rootRole: 2 },
      status: 200,
      events: ['user-updated'],
    },
  ] satisfies Scenario[])

  test('events and lists never hold passwords', async () => {
    const rows = JSON.stringify([await server.db.rows('select * from events'), await admin(`GET ${U}`)])
    expect(rows).not.toContain(GOOD)
    expect(rows).not.toContain('scrypt')
  })

  test('a deleted user loses access immediately', async () => {
    const { id } = await admin(make, user({ username: 'leaver' }))
    const { cookie } = await login('leaver', GOOD)
    const status = async () => (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).statusCode
    expect(await status()).toBe(200)
    await admin(`DELETE ${U}/${id}`)
    expect(await status()).toBe(401)
  })
})

describe('passwords', () => {
  const check = `POST ${U}/validate-password`
  const weak = [
    '',
    'short',
    'ninechars',
    'password123',
    'PASSWORD123',
    'password123!!',
    'unleash4all',
    '1234567890',
    'aaaaaaaaaaaa',
    'abababababab',
    'abcdefghijk',
    '0987654321',
    '9876543210',
    'Summer2024!',
    'sunflower1999',
    '2026-Winter',
    'welcome12345',
    'adminadmin',
  ]
  scenarios(() => server, [
    ...weak.map((password) => ({
      name: `${JSON.stringify(password)} is weak`,
      as,
      call: check,
      body: { password },
      status: 400,
      has: { name: 'PasswordWeakError', details: [{ path: 'body/password' }] },
    })),
    ...['correct battery', 'kühles Bier 🍺', 'onlylowercaseletters', '12 41 98 55 02'].map((password) => ({
      name: `${password} is not`,
      as,
      call: check,
      body: { password },
      status: 200,
    })),
    { name: 'check without one', as, call: check, body: {}, status: 400, has: { name: 'ValidationError' } },
    {
      name: 'set by an editor',
      as: 'editor',
      call: `POST ${U}/4/change-password`,
      body: { password: GOOD },
      status: 403,
    },
    { name: 'set a weak one', as, call: `POST ${U}/4/change-password`, body: { password: 'qwertyuiop' }, status: 400 },
    { name: 'set for nobody', as, call: `POST ${U}/99/change-password`, body: { password: GOOD }, status: 404 },
    {
      name: 'set',
      as,
      call: `POST ${U}/4/change-password`,
      body: { password: 'another good password' },
      status: 200,
      empty: true,
      events: ['user-updated'],
    },
    {
      name: 'a token has no password',
      as,
      call: 'POST /api/admin/user/change-password',
      body: { oldPassword: 'x', password: GOOD },
      status: 403,
      has: { name: 'InvalidOperationError' },
    },
  ] satisfies Scenario[])

  test('a password set by an admin ends all sessions', async () => {
    const before = await login('ann', 'another good password')
    expect(before.status).toBe(200)
    await admin(`POST ${U}/4/change-password`, { password: GOOD })
    expect((await server.call({ call: 'GET /api/admin/user', headers: { cookie: before.cookie } })).statusCode).toBe(
      401,
    )
    expect((await login('ann', 'another good password')).status).toBe(401)
    expect((await login('ann', GOOD)).status).toBe(200)
  })

  test('changing one’s own password requires the old one and ends all other sessions', async () => {
    const [here, there] = [await login('ann', GOOD), await login('ann', GOOD)]
    const change = async (body: object) =>
      (await server.call({ call: 'POST /api/admin/user/change-password', body, headers: { cookie: here.cookie } }))
        .statusCode
    const next = 'the next good password'
    expect(await change({ oldPassword: 'wrong', password: next })).toBe(401)
    expect(await change({ oldPassword: GOOD, password: 'short' })).toBe(400)
    expect(await change({ oldPassword: GOOD, password: GOOD })).toBe(400)
    expect(await change({ oldPassword: GOOD, password: 'ann@example.com' })).toBe(400)
    expect(await change({ oldPassword: GOOD, password: next, confirmPassword: 'other' })).toBe(400)
    expect(await change({ oldPassword: GOOD, password: next, confirmPassword: next })).toBe(200)
    const status = async (cookie: string) =>
      (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).statusCode
    expect([await status(here.cookie), await status(there.cookie)]).toEqual([200, 401])
  })
})

describe('a generated password', () => {
  const start = async (given: object) => {
    const fresh = await startServer({ defaultAdminPassword: '', ...given })
    const { username = '', password = '' } = fresh.server.firstLogin ?? {}
    const reply = await fresh.call({ call: 'POST /auth/simple/login', body: { username, password } })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const status = async (call: string, body?: object) =>
      (await fresh.call({ call, headers: { cookie }, ...(body === undefined ? {} : { body }) })).statusCode
    return { fresh, password, status, cookie }
  }

  test('must be changed before anything else', async () => {
    const { fresh, password, status, cookie } = await start({})
    try {
      expect(await status('GET /api/admin/user')).toBe(200)
      const refused = await fresh.call({ call: 'GET /api/admin/projects', headers: { cookie } })
      expect(refused.statusCode).toBe(403)
      expect(refused.json()).toMatchObject({ name: 'NoAccessError', passwordChangeRequired: true })
      expect(await status('POST /api/admin/user/tokens', { description: 'x', expiresAt: '2999-01-01' })).toBe(403)
      expect(await status('POST /api/admin/user/change-password', { oldPassword: password, password: GOOD })).toBe(200)
      expect(await status('GET /api/admin/projects')).toBe(200)
      const me = await fresh.call({ call: 'GET /api/admin/user', headers: { cookie } })
      expect(me.json().user.mustChangePassword).toBe(false)
    } finally {
      await fresh.close()
    }
  })

  test('may be one that an admin made up, for a new user or an old one', async () => {
    const body = { username: 'cleo', rootRole: 3, password: GOOD, mustChangePassword: true }
    const made = await admin(`POST ${U}`, body)
    expect(made.mustChangePassword).toBe(true)
    const projects = async ({ cookie }: { cookie: string }) =>
      (await server.call({ call: 'GET /api/admin/projects', headers: { cookie } })).statusCode
    const first = await login('cleo', GOOD)
    expect(await projects(first)).toBe(403)
    const change = { oldPassword: GOOD, password: 'an own good password' }
    await server.call({ call: 'POST /api/admin/user/change-password', body: change, headers: { cookie: first.cookie } })
    expect(await projects(first)).toBe(200)
    await admin(`POST ${U}/${made.id}/change-password`, { password: GOOD, mustChangePassword: true })
    expect(await projects(await login('cleo', GOOD))).toBe(403)
    await admin(`POST ${U}/${made.id}/change-password`, { password: 'a password that may stay' })
    expect(await projects(await login('cleo', 'a password that may stay'))).toBe(200)
  })

  test('remains valid for automated installs that set the option', async () => {
    const { fresh, status } = await start({ enforcePasswordChange: false })
    try {
      expect(await status('GET /api/admin/projects')).toBe(200)
    } finally {
      await fresh.close()
    }
  })
})

describe('the profile of the current user', () => {
  const mine = 'PUT /api/admin/user/profile'
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: mine, body: { name: 'x' }, status: 401 },
      {
        name: 'an API token is not a user',
        as,
        call: mine,
        body: { name: 'x' },
        status: 403,
        has: { name: 'InvalidOperationError' },
      },
      { name: 'no name', as: 'viewer', call: mine, body: {}, status: 400, text: 'name' },
      { name: 'a long one', as: 'viewer', call: mine, body: { name: 'x'.repeat(201) }, status: 400, text: 'name' },
      {
        name: 'neither my role nor my username is mine to change',
        as: 'viewer',
        call: mine,
        body: { name: 'x', rootRole: 1 },
        status: 400,
        text: 'rootRole',
      },
      {
        name: 'a name',
        as: 'viewer',
        call: mine,
        body: { name: ' Vera View ' },
        status: 200,
        has: { username: 'viewer', name: 'Vera View', rootRole: 3 },
        events: ['user-updated'],
      },
      { name: 'the same', as: 'viewer', call: mine, body: { name: 'Vera View' }, status: 200, events: [] },
      {
        name: 'it is so',
        as: 'viewer',
        call: 'GET /api/admin/user',
        status: 200,
        has: { user: { name: 'Vera View' } },
      },
      { name: 'none again', as: 'viewer', call: mine, body: { name: '' }, status: 200, events: ['user-updated'] },
    ],
  )
})

describe('my own tokens', () => {
  const T = '/api/admin/user/tokens'
  const later = new Date(Date.now() + 3_600_000).toISOString()
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${T}`, status: 401 },
    { name: 'an API token is not a user', as, call: `GET ${T}`, status: 403, has: { name: 'InvalidOperationError' } },
    { name: 'none', as: 'viewer', call: `GET ${T}`, status: 200, has: { pats: [] } },
    {
      name: 'no description',
      as: 'viewer',
      call: `POST ${T}`,
      body: { expiresAt: later },
      status: 400,
      text: 'description',
    },
    { name: 'no end', as: 'viewer', call: `POST ${T}`, body: { description: 'x' }, status: 400, text: 'expiresAt' },
    {
      name: 'an end in the past',
      as: 'viewer',
      call: `POST ${T}`,
      body: { description: 'x', expiresAt: '2001-01-01' },
      status: 400,
      text: 'future',
    },
    { name: 'no date', as: 'viewer', call: `POST ${T}`, body: { description: 'x', expiresAt: 'soon' }, status: 400 },
    {
      name: 'make',
      as: 'viewer',
      call: `POST ${T}`,
      body: { description: 'x', expiresAt: later },
      status: 201,
      has: { id: 1, description: 'x', expiresAt: later, seenAt: null },
      text: '"secret":"user:',
      events: ['pat-created'],
    },
    {
      name: 'the same description',
      as: 'viewer',
      call: `POST ${T}`,
      body: { description: 'x', expiresAt: later },
      status: 409,
    },
    { name: "somebody else's", as: 'editor', call: `DELETE ${T}/1`, status: 404 },
    { name: 'a word as id', as: 'viewer', call: `DELETE ${T}/x`, status: 404 },
    { name: 'list', as: 'viewer', call: `GET ${T}`, status: 200, has: { pats: [{ id: 1, description: 'x' }] } },
    { name: 'remove', as: 'viewer', call: `DELETE ${T}/1`, status: 200, empty: true, events: ['pat-deleted'] },
    { name: 'remove again', as: 'viewer', call: `DELETE ${T}/1`, status: 404 },
  ] satisfies Scenario[])

  test('have the permissions of their user until they are deleted', async () => {
    const { secret, id } = (
      await server.call({ as: 'editor', call: `POST ${T}`, body: { description: 'y', expiresAt: later } })
    ).json()
    const status = async (call: string) => (await server.call({ as: `Bearer ${secret}`, call })).statusCode
    expect(await status('GET /api/admin/user')).toBe(200)
    expect(await status('POST /api/admin/projects/default/features/x/environments/development/on')).toBe(404)
    expect(await status(`GET ${U}`)).toBe(403)
    const rows = JSON.stringify([
      await server.db.rows('select * from personal_tokens'),
      await server.db.rows('select * from events'),
    ])
    expect(rows).not.toContain(secret)
    await server.call({ as: 'editor', call: `DELETE ${T}/${id}` })
    expect(await status('GET /api/admin/user')).toBe(401)
  })
})

describe('a personal token', () => {
  test('cannot be removed by others, and expires', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const timed = await startServer({}, () => now)
    try {
      const T = '/api/admin/user/tokens'
      const make = async (who: string) =>
        (
          await timed.call({
            as: who,
            call: `POST ${T}`,
            body: { description: 'x', expiresAt: '2026-01-01T00:30:00Z' },
          })
        ).json()
      const mine = await make('viewer')
      await make('editor')
      expect((await timed.call({ as: 'editor', call: `DELETE ${T}/${mine.id}` })).statusCode).toBe(404)
      const status = async () => (await timed.call({ as: mine.secret, call: 'GET /api/admin/user' })).statusCode
      expect(await status()).toBe(200)
      now += 1_800_000
      expect(await status()).toBe(401)
    } finally {
      await timed.close()
    }
  })
})

describe('the state of the UI per user', () => {
  scenarios(() => server, [
    { name: 'feedback, anonymous', call: 'POST /api/admin/feedback', body: {}, status: 401 },
    { name: 'feedback by a token', as, call: 'POST /api/admin/feedback', body: { feedbackId: 'a' }, status: 403 },
    {
      name: 'feedback without id',
      as: 'viewer',
      call: 'POST /api/admin/feedback',
      body: {},
      status: 400,
      text: 'feedbackId',
    },
    {
      name: 'feedback',
      as: 'viewer',
      call: 'POST /api/admin/feedback',
      body: { feedbackId: 'a' },
      status: 200,
      has: { feedbackId: 'a', neverShow: false, userId: 3 },
    },
    {
      name: 'never again',
      as: 'viewer',
      call: 'PUT /api/admin/feedback/a',
      body: { neverShow: true },
      status: 200,
      has: { neverShow: true },
    },
    {
      name: 'a page',
      as: 'viewer',
      call: 'POST /api/admin/splash/new',
      status: 200,
      has: { splashId: 'new', seen: true, userId: 3 },
    },
    { name: 'the same page', as: 'viewer', call: 'POST /api/admin/splash/new', status: 200 },
    { name: 'a page that every object has', as: 'viewer', call: 'POST /api/admin/splash/constructor', status: 200 },
    { name: 'a page by a token', as, call: 'POST /api/admin/splash/new', status: 403 },
    {
      name: 'it is all in who I am',
      as: 'viewer',
      call: 'GET /api/admin/user',
      status: 200,
      has: {
        feedback: [{ userId: 3, feedbackId: 'a', neverShow: true, given: expect.any(String) }],
        splash: { new: true, constructor: true },
      },
    },
    {
      name: 'and in no other profile',
      as: 'editor',
      call: 'GET /api/admin/user',
      status: 200,
      has: { feedback: [], splash: {} },
    },
  ] satisfies Scenario[])
})

describe('the session cookie over TLS', () => {
  test.each([
    ['', /^__Host-burgee-session=[\w-]{43}; Path=\/; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/],
    ['/flags', /^__Secure-burgee-session=[\w-]{43}; Path=\/flags; Max-Age=172800; HttpOnly; SameSite=Lax; Secure$/],
  ])('below "%s" is bound to this host', async (baseUriPath, pattern) => {
    const secure = await startServer({ secureCookies: true, baseUriPath })
    try {
      const body = { username: 'admin', password: 'a good password' }
      const first = await secure.call({ call: `POST ${baseUriPath}/auth/simple/login`, body })
      const header = String(first.headers['set-cookie'])
      expect(header).toMatch(pattern)
      const cookie = header.split(';', 1)[0] ?? ''
      const status = async (value: string) =>
        (await secure.call({ call: `GET ${baseUriPath}/api/admin/user`, headers: { cookie: value } })).statusCode
      expect(await status(cookie)).toBe(200)
      expect(await status(cookie.replace(/^__(Host|Secure)-/, ''))).toBe(401)
      const second = await secure.call({ call: `POST ${baseUriPath}/auth/simple/login`, body, headers: { cookie } })
      const next = String(second.headers['set-cookie']).split(';', 1)[0] ?? ''
      expect(next).not.toBe(cookie)
      expect([await status(cookie), await status(next)]).toEqual([401, 200])
    } finally {
      await secure.close()
    }
  })
})

test('a user with project roles is created with them, or not at all', async () => {
  const other = await startServer()
  try {
    const last = await other.lastEventId()
    const projectRoles = [{ project: 'default', role: 5 }]
    const { id } = await other.admin(`POST ${U}`, { username: 'member', rootRole: 3, projectRoles })
    expect(await other.eventsAfter(last)).toEqual(['user-created', 'project-access-user-roles-updated'])
    const { users } = await other.admin('GET /api/admin/projects/default/access')
    expect(users).toContainEqual(expect.objectContaining({ id, roles: [5] }))
    const body = { username: 'nobody', rootRole: 3, projectRoles: [...projectRoles, { project: 'none', role: 5 }] }
    expect((await other.call({ as, call: `POST ${U}`, body })).statusCode).toBe(404)
    expect(await other.admin(`GET ${U}/search?q=nobody`)).toEqual([])
  } finally {
    await other.close()
  }
})
