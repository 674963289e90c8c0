import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../../scenario.ts'

let server: TestServer
const as = 'admin'
const U = '/api/admin/user-admin'
const MINE = 'PUT /api/admin/user/profile'
const GOOD = 'a password nobody guesses'
const NEXT = 'another one nobody guesses'
const ids: Record<string, number> = {}

beforeAll(async () => {
  server = await startServer({ simpleLoginLimitPerMinute: 5, passwordResetLimitPerMinute: 1000 })
  for (const username of ['ann', 'bob', 'eve', 'ida']) {
    const body = { username, email: `${username}@example.com`, name: username, rootRole: 3, password: GOOD }
    ids[username] = (await server.admin(`POST ${U}`, body)).id
  }
})
afterAll(() => server.close())

const HOST = { host: 'localhost', origin: 'http://localhost' }
const logIn = async (username: string, password = GOOD) => {
  const reply = await server.call({ call: 'POST /auth/simple/login', body: { username, password } })
  expect(reply.statusCode, reply.body).toBe(200)
  return { cookie: String(reply.headers['set-cookie']).split(';', 1)[0] ?? '', ...HOST }
}
const profile = async (headers: Record<string, string>) =>
  (await server.call({ call: 'GET /api/admin/user/profile', headers })).json() as { emailChange: string }

describe('my e-mail address', () => {
  let mine: Record<string, string>
  beforeAll(async () => {
    mine = await logIn('ann')
  })
  const put = (body: object) => server.call({ call: MINE, body, headers: mine })

  test.each([
    ['no address', { email: 'ann', currentPassword: GOOD }, 400, 'email'],
    ['an empty one', { email: '', currentPassword: GOOD }, 400, 'email'],
    ['one with a name around it', { email: 'Ann <ann@b.example>', currentPassword: GOOD }, 400, 'email'],
    ['one with a dot at its end', { email: 'ann@b.example.', currentPassword: GOOD }, 400, 'email'],
    ['one in two alphabets', { email: '\u0430nn@b.example', currentPassword: GOOD }, 400, 'several alphabets'],
    ['one that looks like another', { email: 'b0b@example.com', currentPassword: GOOD }, 409, 'looks like'],
    ['a long one', { email: `${'x'.repeat(250)}@b.example`, currentPassword: GOOD }, 400, 'email'],
    ['a username, which is not mine to change', { username: 'anna' }, 400, 'username'],
    ['nothing', {}, 400, 'name'],
    ['a password alone', { currentPassword: GOOD }, 400, 'name'],
    ['without the password', { email: 'ann@b.example' }, 400, 'currentPassword'],
    ['with a wrong password', { email: 'ann@b.example', currentPassword: NEXT }, 401, 'PasswordMismatch'],
    ['with an empty password', { email: 'ann@b.example', currentPassword: '' }, 401, 'PasswordMismatch'],
    ['of another user, in another case', { email: 'BOB@example.com', currentPassword: GOOD }, 409, 'NameExistsError'],
  ])('%s', async (_name, body, status, text) => {
    const last = await server.lastEventId()
    const reply = await put(body)
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringContaining(text)])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('guesses of the password are limited', async () => {
    const guess = (currentPassword: string) => put({ email: 'ann@c.example', currentPassword })
    const replies = []
    for (let index = 0; index < 5; index++) replies.push((await guess('a wrong password')).statusCode)
    expect(replies.at(-1)).toBe(429)
    expect((await guess(GOOD)).statusCode).toBe(429)
    // changes that need no password are still possible
    expect((await put({ name: 'Ann', email: 'ann@example.com' })).statusCode).toBe(200)
  })
})

describe("changing one's own e-mail address", () => {
  test('appears in the history, applies to logins, and needs the password only if the address changes', async () => {
    const headers = await logIn('bob')
    expect((await profile(headers)).emailChange).toBe('password')
    const last = await server.lastEventId()
    const body = { name: 'Bob B.', email: 'bob@new.example', currentPassword: GOOD }
    const reply = await server.call({ call: MINE, body, headers })
    expect(reply.json()).toMatchObject({ name: 'Bob B.', email: 'bob@new.example', username: 'bob' })
    expect(await server.eventsAfter(last)).toEqual(['user-updated'])
    const { events } = await server.admin('GET /api/admin/search/events?type=IS:user-updated&limit=1')
    expect(events[0]).toMatchObject({
      createdByUserId: ids.bob,
      data: { email: 'bob@new.example', name: 'Bob B.' },
      preData: { email: 'bob@example.com', name: 'bob' },
    })
    expect(JSON.stringify(events[0])).not.toContain(GOOD)
    const same = { email: 'bob@new.example' }
    expect((await server.call({ call: MINE, body: same, headers })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['user-updated'])
    await logIn('BOB@new.example')
    // the previous address can be used by others
    await server.admin(`POST ${U}`, { email: 'bob@example.com', rootRole: 3, password: GOOD })
  })

  test('ends open password links, but not if an administrator changes the address', async () => {
    const linkFor = async (id: string) => {
      const { resetPasswordUrl } = await server.admin(`POST ${U}/reset-password`, { id })
      return new URL(resetPasswordUrl).searchParams.get('token') ?? ''
    }
    const isGood = async (token: string) =>
      (await server.call({ call: `GET /auth/reset/validate?token=${encodeURIComponent(token)}` })).statusCode === 200
    const token = await linkFor('ida')
    await server.admin(`PUT ${U}/${ids.ida}`, { email: 'ida@office.example' })
    expect(await isGood(token)).toBe(true)
    const headers = await logIn('ida')
    const body = { email: 'ida@home.example', currentPassword: GOOD }
    expect((await server.call({ call: MINE, body, headers })).statusCode).toBe(200)
    expect(await isGood(token)).toBe(false)
    expect(await isGood(await linkFor('ida@home.example'))).toBe(true)
  })

  test('fails with a personal token, which can change the name', async () => {
    const headers = await logIn('eve')
    const token = { description: 'script', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const { secret } = (await server.call({ call: 'POST /api/admin/user/tokens', body: token, headers })).json()
    const put = (body: object) => server.call({ call: MINE, body, headers: { authorization: secret } })
    expect((await put({ name: 'Eve' })).statusCode).toBe(200)
    const reply = await put({ email: 'eve@new.example', currentPassword: GOOD })
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'NoAccessError'])
  })

  test.each([
    ['a directory manages', "update users set scim_id = 'x-1' where username = 'eve'", 'directory'],
    [
      'single sign-on identifies',
      "insert into sso_identities (issuer, subject, user_id, created_at) select 'https://id', 'eve', id, 0 from users where username = 'eve'",
      'single-sign-on',
    ],
  ])('fails for a user whom %s, except through an administrator', async (_who, sql, emailChange) => {
    const headers = await logIn('eve')
    await server.db.rows(sql)
    expect((await profile(headers)).emailChange).toBe(emailChange)
    const body = { email: 'eve@new.example', currentPassword: GOOD }
    const reply = await server.call({ call: MINE, body, headers })
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'InvalidOperationError'])
    expect(reply.body).toContain('ask an administrator')
    expect((await server.call({ call: MINE, body: { name: 'E.' }, headers })).statusCode).toBe(200)
    await server.admin(`PUT ${U}/${ids.eve}`, { email: `eve-${emailChange}@new.example` })
    await server.db.rows("update users set scim_id = null where username = 'eve'")
  })

  test('costs the user the password once a directory assigns the address to someone else', async () => {
    await server.admin('POST /api/admin/scim-settings', { enabled: true })
    const { token } = await server.admin('POST /api/admin/scim-settings/generate-new-token')
    const headers = await logIn('ida')
    const ida = ids.ida as number
    const reply = await server.call({
      call: `PUT /scim/v2/Users/${ida}`,
      body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'ida@home.example', active: true },
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
    })
    expect(reply.statusCode, reply.body).toBe(200)
    expect((await server.call({ call: 'GET /api/admin/user', headers })).statusCode).toBe(401)
    const login = { username: 'ida@home.example', password: GOOD }
    expect((await server.call({ call: 'POST /auth/simple/login', body: login })).statusCode).toBe(401)
  })
})

describe('callers without a personal account', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: MINE, body: { email: 'x@b.example' }, status: 401 },
    {
      name: 'an API token is not a user',
      as,
      call: MINE,
      body: { email: 'x@b.example' },
      status: 403,
      has: { name: 'InvalidOperationError' },
    },
  ] satisfies Scenario[])
})
