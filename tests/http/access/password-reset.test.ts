import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
let now = Date.parse('2026-01-01T00:00:00Z')
const as = 'admin'
const U = '/api/admin/user-admin'
const R = '/auth/reset'
const GOOD = 'a password nobody guesses'
const NEXT = 'another one nobody guesses'
const HOUR = 3_600_000

beforeAll(async () => {
  const limits = { simpleLoginLimitPerMinute: 1000, passwordResetLimitPerMinute: 1000 }
  server = await startServer({ ...limits, serverUrl: 'https://flags.example.com/' }, () => now)
  await server.call({
    as,
    call: `POST ${U}`,
    body: { username: 'ann', email: 'Ann@example.com', name: 'Ann', rootRole: 2, password: GOOD },
  })
})
afterAll(() => server.close())

const linkOf = async (id: string) =>
  (await server.call({ as, call: `POST ${U}/reset-password`, body: { id } })).json().resetPasswordUrl as string
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
const validate = (token: string) => server.call({ call: `GET ${R}/validate?token=${encodeURIComponent(token)}` })
const set = (token: string, password = NEXT) => server.call({ call: `POST ${R}/password`, body: { token, password } })
const login = async (username: string, password: string) => {
  const reply = await server.call({ call: 'POST /auth/simple/login', body: { username, password } })
  return { status: reply.statusCode, cookie: String(reply.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '' }
}
const isIn = async (cookie: string) =>
  (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).statusCode === 200

describe('a password-reset link', () => {
  const make = `POST ${U}/reset-password`
  scenarios(() => server, [
    { name: 'anonymous', call: make, body: { id: 'ann' }, status: 401 },
    {
      name: 'by an editor',
      as: 'editor',
      call: make,
      body: { id: 'ann' },
      status: 403,
      has: { permissions: ['ADMIN'] },
    },
    { name: 'for nobody', as, call: make, body: {}, status: 400, text: '`id`' },
    { name: 'for an unknown user', as, call: make, body: { id: 'bob' }, status: 404, text: 'bob' },
    {
      name: 'by username',
      as,
      call: make,
      body: { id: 'ann' },
      status: 200,
      text: '{"resetPasswordUrl":"https://flags.example.com/reset-password?token=',
      events: ['user-updated'],
    },
    {
      name: 'by e-mail address',
      as,
      call: make,
      body: { id: 'ANN@example.com' },
      status: 200,
      events: ['user-updated'],
    },
  ] satisfies Scenario[])

  test('shows its user, sets a password once, and ends all sessions', async () => {
    const before = await login('ann', GOOD)
    const token = tokenOf(await linkOf('ann'))
    const owner = await validate(token)
    expect([owner.statusCode, owner.json()]).toEqual([
      200,
      {
        id: 4,
        name: 'Ann',
        username: 'ann',
        email: 'Ann@example.com',
        token,
        createdBy: 'admin',
        role: { id: 2, name: 'Editor', type: 'root', description: expect.any(String) },
      },
    ])
    const last = await server.lastEventId()
    const done = await set(token)
    expect([done.statusCode, done.body]).toEqual([200, ''])
    expect(await isIn(before.cookie)).toBe(false)
    expect((await login('ann', GOOD)).status).toBe(401)
    expect((await login('ann', NEXT)).status).toBe(200)
    const row = await server.db.row('select * from events where id > ?', last)
    const state = { id: 4, username: 'ann', email: 'Ann@example.com', name: 'Ann', rootRole: 2 }
    expect(row).toMatchObject({ type: 'user-updated', created_by: 'Ann@example.com', created_by_user_id: 4 })
    expect([row?.address, JSON.parse(String(row?.data)), JSON.parse(String(row?.pre_data))]).toEqual([
      '127.0.0.1',
      { ...state, passwordChanged: true },
      state,
    ])
    for (const again of [await set(token), await validate(token)]) {
      expect([again.statusCode, again.json()]).toMatchObject([
        401,
        { name: 'InvalidTokenError', message: 'Token was not valid' },
      ])
    }
    expect(await server.eventsAfter(last)).toEqual(['user-updated'])
  })

  test('survives a weak password, and not a second link, another password or its person', async () => {
    const first = tokenOf(await linkOf('ann'))
    for (const weak of ['short', 'ann@example.com', 'qwertyuiop']) {
      const reply = await set(first, weak)
      expect([reply.statusCode, reply.json().name]).toEqual([400, 'PasswordWeakError'])
    }
    expect((await validate(first)).statusCode).toBe(200)
    const second = tokenOf(await linkOf('ann'))
    expect((await validate(first)).statusCode).toBe(401)
    await server.call({ as, call: `POST ${U}/4/change-password`, body: { password: GOOD } })
    expect((await validate(second)).statusCode).toBe(401)
    const body = { username: 'leaver', rootRole: 3 }
    const { id } = (await server.call({ as, call: `POST ${U}`, body })).json()
    const third = tokenOf(await linkOf('leaver'))
    expect((await validate(third)).statusCode).toBe(200)
    await server.call({ as, call: `DELETE ${U}/${id}` })
    expect([(await validate(third)).statusCode, (await set(third)).statusCode]).toEqual([401, 401])
  })

  test('expires after a day', async () => {
    const token = tokenOf(await linkOf('ann'))
    now += 24 * HOUR - 1
    expect((await validate(token)).statusCode).toBe(200)
    now += 1
    expect([(await validate(token)).statusCode, (await set(token)).statusCode]).toEqual([401, 401])
  })

  test('works once, even for two concurrent uses', async () => {
    const token = tokenOf(await linkOf('ann'))
    const replies = await Promise.all([
      set(token, 'the first of two passwords'),
      set(token, 'the second of two passwords'),
    ])
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 401])
  })

  test('ends that a password must be changed', async () => {
    await server.call({ as, call: `POST ${U}/4/change-password`, body: { password: GOOD, mustChangePassword: true } })
    await set(tokenOf(await linkOf('ann')))
    const { cookie } = await login('ann', NEXT)
    expect((await server.call({ call: 'GET /api/admin/projects', headers: { cookie } })).statusCode).toBe(200)
  })

  test('appears only in its response', async () => {
    const token = tokenOf(await linkOf('ann'))
    expect(token).toMatch(/^[\w-]{43}$/)
    await server.call({ call: `GET ${R}/validate?token=${token}x` })
    const stored = ['events', 'reset_tokens', 'users'].map((table) => server.db.rows(`select * from ${table}`))
    expect(JSON.stringify(await Promise.all(stored))).not.toContain(token)
    expect(server.logged.join('\n')).not.toContain(token)
    const [row] = await server.db.rows('select data, created_by, address from events order by id desc limit 1')
    expect(row).toMatchObject({ created_by: 'admin', address: '127.0.0.1' })
    expect(JSON.parse(String(row?.data))).toMatchObject({ id: 4, resetLinkMade: true })
  })
})

describe('the public password routes', () => {
  scenarios(() => server, [
    { name: 'a link without a token', call: `GET ${R}/validate`, status: 400, text: 'token' },
    { name: 'a made-up token', call: `GET ${R}/validate?token=x`, status: 401, has: { name: 'InvalidTokenError' } },
    { name: 'a strong one', call: `POST ${R}/validate-password`, body: { password: GOOD }, status: 200, empty: true },
    {
      name: 'a weak one',
      call: `POST ${R}/validate-password`,
      body: { password: 'password123' },
      status: 400,
      has: { name: 'PasswordWeakError' },
    },
    {
      name: 'a common word and a year',
      call: `POST ${R}/validate-password`,
      body: { password: 'Summer2024!' },
      status: 400,
      has: { message: 'The password is a common word with a year or a sequence of digits.' },
    },
    { name: 'a form', call: `POST ${R}/password`, raw: 'a=b', headers: { 'content-type': 'text/plain' }, status: 415 },
    { name: 'no token', call: `POST ${R}/password`, body: { password: GOOD }, status: 400, text: '`token`' },
    { name: 'no password', call: `POST ${R}/password`, body: { token: 'x' }, status: 400, text: '`password`' },
    { name: 'a bad token', call: `POST ${R}/password`, body: { token: 'x', password: 'short' }, status: 401 },
    { name: 'mail to nobody', call: `POST ${R}/password-email`, body: {}, status: 400, text: '`email`' },
  ] satisfies Scenario[])

  test('send no e-mail without a mail server, and do not reveal who has an account', async () => {
    const last = await server.lastEventId()
    const ask = async (email: string) => {
      const reply = await server.call({ call: `POST ${R}/password-email`, body: { email } })
      const { id: _id, ...body } = reply.json()
      return { status: reply.statusCode, body }
    }
    const [known, unknown] = [await ask('ann@example.com'), await ask('nobody@example.com')]
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({
      status: 404,
      body: { name: 'NotFoundError', message: expect.stringContaining('no e-mail') },
    })
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('have a limit per minute', async () => {
    const limited = await startServer({ passwordResetLimitPerMinute: 2 }, () => now)
    try {
      const call = async (path: string) => (await limited.call({ call: `POST ${R}/${path}`, body: {} })).statusCode
      expect([await call('password'), await call('password-email'), await call('password')]).toEqual([400, 400, 429])
    } finally {
      await limited.close()
    }
  })
})

describe('an invitation', () => {
  test('lets a user without a password set the first one', async () => {
    const body = { email: 'new@example.com', rootRole: 'Viewer', sendEmail: true }
    const made = (await server.call({ as, call: `POST ${U}`, body })).json()
    expect(made).toMatchObject({ emailSent: false, rootRole: 3 })
    expect(made.inviteLink).toMatch(/^https:\/\/flags\.example\.com\/new-user\?token=[\w-]{43}$/)
    expect((await login('new@example.com', '')).status).toBe(401)
    const token = tokenOf(made.inviteLink)
    expect((await validate(token)).json()).toMatchObject({ id: made.id, email: 'new@example.com', createdBy: 'admin' })
    expect((await set(token)).statusCode).toBe(200)
    expect((await login('new@example.com', NEXT)).status).toBe(200)
    expect(JSON.stringify(await server.db.rows('select * from events'))).not.toContain(token)
  })

  test('does not exist for users with a password', async () => {
    const body = { username: 'with-password', rootRole: 3, password: GOOD }
    const made = (await server.call({ as, call: `POST ${U}`, body })).json()
    expect(made).not.toHaveProperty('inviteLink')
    expect(await server.db.rows('select * from reset_tokens where user_id = ?', made.id)).toEqual([])
  })

  test.each<[{ baseUriPath?: string; serverUrl?: string }, string]>([
    [{ baseUriPath: '/flags' }, 'http://localhost:0/flags/new-user?'],
    [{ baseUriPath: '/flags', serverUrl: 'https://a.example' }, 'https://a.example/flags/new-user?'],
    [{ baseUriPath: '/flags', serverUrl: 'https://a.example/flags/' }, 'https://a.example/flags/new-user?'],
    [{ serverUrl: 'https://a.example/behind' }, 'https://a.example/behind/new-user?'],
  ])('leads to where people reach the server: %j', async (given, start) => {
    const moved = await startServer(given)
    try {
      const base = given.baseUriPath ?? ''
      const body = { username: 'x', rootRole: 3 }
      const made = (await moved.call({ as, call: `POST ${base}${U}`, body })).json()
      expect(made.inviteLink.startsWith(start), made.inviteLink).toBe(true)
      const config = (await moved.call({ as, call: `GET ${base}/api/admin/ui-config` })).json()
      expect(`${config.unleashUrl}/new-user?`).toBe(start)
    } finally {
      await moved.close()
    }
  })
})
