import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const now = Date.parse('2026-01-01T00:00:00Z')
const as = 'admin'
const T = '/api/admin/user/tokens'
const U = '/api/admin/user-admin'
const CHANGE = '/api/admin/user/change-password'
const PASSWORD = 'a password nobody guesses'
const OTHER = 'another password nobody guesses'
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
  const given = { personalTokensLimit: 3, personalTokenLifetimeDays: 30, simpleLoginLimitPerMinute: 1000 }
  server = await startServer(given, () => now)
})
afterAll(() => server.close())

const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString()
let made = 0

/** Creates a user with two personal tokens and a session. */
async function person(rootRole = 3) {
  made += 1
  const username = `person-${made}`
  const { id } = await server.admin(`POST ${U}`, { username, rootRole, password: PASSWORD })
  const headers = await logIn(username, PASSWORD)
  const secrets: string[] = []
  for (const description of ['one', 'two']) {
    const reply = await server.call({ call: `POST ${T}`, body: { description, expiresAt: inDays(1) }, headers })
    secrets.push(reply.json().secret as string)
  }
  /** Returns the distinct statuses of both tokens at the admin API and at the client API. */
  const statuses = async () => {
    const calls = ['GET /api/admin/user', 'GET /api/client/features']
    const all = secrets.flatMap((secret) => calls.map((call) => server.call({ as: secret, call })))
    return [...new Set((await Promise.all(all)).map((reply) => reply.statusCode))]
  }
  return { id: id as number, username, headers, secret: secrets[0] ?? '', statuses }
}

async function logIn(username: string, password: string) {
  const login = await server.call({ call: 'POST /auth/simple/login', body: { username, password } })
  return { cookie: String(login.headers['set-cookie']).split(';', 1)[0] ?? '' }
}

/** Follows a password-reset link as the user for whom it was created. */
async function follow(username: string, body: object) {
  const { resetPasswordUrl } = await server.admin(`POST ${U}/reset-password`, { id: username, ...body })
  const token = new URL(resetPasswordUrl).searchParams.get('token')
  return server.call({ call: 'POST /auth/reset/password', body: { token, password: OTHER } })
}

type Who = Awaited<ReturnType<typeof person>>
const own = (who: Who, more: object) =>
  server.call({
    call: `POST ${CHANGE}`,
    body: { oldPassword: PASSWORD, password: OTHER, ...more },
    headers: who.headers,
  })
const byAdmin = (who: Who, more: object) =>
  server.call({ as, call: `POST ${U}/${who.id}/change-password`, body: { password: OTHER, ...more } })

describe('personal tokens', () => {
  const keep = { deletePersonalTokens: false }
  const end = { deletePersonalTokens: true }
  test.each<[string, (who: Who) => Promise<{ statusCode: number }>, 'go on' | 'end']>([
    ['their person changes the password', (who) => own(who, {}), 'go on'],
    ['their person changes the password and wants to keep them', (who) => own(who, keep), 'go on'],
    ['their person changes the password and wants them to end', (who) => own(who, end), 'end'],
    ['an administrator sets the password', (who) => byAdmin(who, {}), 'end'],
    ['an administrator sets the password with the option', (who) => byAdmin(who, end), 'end'],
    ['an administrator sets the password and keeps them', (who) => byAdmin(who, keep), 'go on'],
    ['a link of an administrator is used', (who) => follow(who.username, {}), 'end'],
    ['a link of an administrator is used that ends them', (who) => follow(who.username, end), 'end'],
    ['a link of an administrator is used that keeps them', (who) => follow(who.username, keep), 'go on'],
  ])('when %s: %3$s', async (_when, change, then) => {
    const who = await person()
    expect(await who.statuses()).toEqual([200])
    const last = await server.lastEventId()
    expect((await change(who)).statusCode).toBe(200)
    expect(await who.statuses()).toEqual([then === 'end' ? 401 : 200])
    const ends = (await server.eventsAfter(last)).filter((type) => type === 'pat-deleted')
    expect(ends).toHaveLength(then === 'end' ? 2 : 0)
  })

  test('end with their user, and no other user is affected', async () => {
    const [gone, other] = [await person(), await person()]
    await server.admin(`DELETE ${U}/${gone.id}`)
    expect([await gone.statuses(), await other.statuses()]).toEqual([[401], [200]])
    expect(await server.db.rows('select id from personal_tokens where user_id = ?', gone.id)).toEqual([])
  })

  test('go on where the password was refused', async () => {
    const who = await person()
    const change = (body: object) => server.call({ call: `POST ${CHANGE}`, body, headers: who.headers })
    expect((await change({ oldPassword: 'wrong', password: OTHER, ...end })).statusCode).toBe(401)
    expect((await change({ oldPassword: PASSWORD, password: 'weak', ...end })).statusCode).toBe(400)
    expect((await byAdmin(who, { password: 'weak' })).statusCode).toBe(400)
    expect(await who.statuses()).toEqual([200])
  })

  test('end at the use of a link, not when it is made', async () => {
    const who = await person()
    await server.admin(`POST ${U}/reset-password`, { id: who.username })
    expect(await who.statuses()).toEqual([200])
  })

  test('a value that is not a boolean is rejected and changes nothing', async () => {
    const who = await person()
    for (const refused of [
      await own(who, { deletePersonalTokens: 'x' }),
      await byAdmin(who, { deletePersonalTokens: {} }),
    ]) {
      expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('deletePersonalTokens')])
    }
    expect(await who.statuses()).toEqual([200])
  })
})

describe('a personal token', () => {
  test('cannot create personal tokens, with a reason; a session can, and can create API tokens', async () => {
    const who = await person(1)
    const body = { description: 'three', expiresAt: inDays(1) }
    const last = await server.lastEventId()
    const refused = await server.call({ as: who.secret, call: `POST ${T}`, body })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { name: 'NoAccessError' }])
    expect(refused.json().message).toContain('personal token')
    expect(await server.eventsAfter(last)).toEqual([])
    const token = { type: 'client', tokenName: 'by a program', environment: 'development' }
    const api = await server.call({ as: who.secret, call: 'POST /api/admin/api-tokens', body: token })
    expect(api.statusCode).toBe(201)
    expect((await server.call({ call: `POST ${T}`, body, headers: who.headers })).statusCode).toBe(201)
  })

  test('yields to a session in the same request', async () => {
    const who = await person()
    const headers = { ...who.headers, authorization: who.secret }
    const body = { description: 'three', expiresAt: inDays(1) }
    expect((await server.call({ call: `POST ${T}`, body, headers })).statusCode).toBe(201)
  })
})

describe('bounds of personal tokens', () => {
  let headers: Record<string, string> = {}
  let id = 0
  beforeAll(async () => {
    ;({ headers, id } = await person())
  })
  const wish = (description: string, expiresAt: string) =>
    server.call({ call: `POST ${T}`, body: { description, expiresAt }, headers })

  test.each([
    ['as long as may be', 30, 201],
    ['a day more, as clocks differ', 31, 201],
    ['longer', 32, 400],
    ['never', 3_000_000, 400],
  ])('one for a time, %s → %3$d', async (name, days, status) => {
    await server.db.rows('delete from personal_tokens where user_id = ?', id)
    const reply = await wish(name, inDays(days))
    expect([reply.statusCode, reply.body]).toEqual([
      status,
      expect.stringContaining(status === 400 ? '30 days' : 'user:'),
    ])
    if (status === 400) expect(reply.json().details[0].path).toBe('body/expiresAt')
  })

  test('a person has as many as the limit, and one more once one has gone or run out', async () => {
    await server.db.rows('delete from personal_tokens where user_id = ?', id)
    const statuses = []
    for (const name of ['a', 'b', 'c', 'd']) statuses.push((await wish(name, inDays(1))).statusCode)
    expect(statuses).toEqual([201, 201, 201, 400])
    expect((await wish('d', inDays(1))).json().message).toContain('3')
    const { pats } = (await server.call({ call: `GET ${T}`, headers })).json()
    expect((await server.call({ call: `DELETE ${T}/${pats[0].id}`, headers })).statusCode).toBe(200)
    expect((await wish('d', inDays(1))).statusCode).toBe(201)
    await server.db.rows('update personal_tokens set expires_at = ? where id = ?', now - 1, pats[1].id)
    expect((await wish('e', inDays(1))).statusCode).toBe(201)
    const { headers: others } = await person()
    const body = { description: 'a', expiresAt: inDays(1) }
    expect((await server.call({ call: `POST ${T}`, body, headers: others })).statusCode).toBe(201)
  })

  test('grant the last free place to one of several concurrent requests', async () => {
    await server.db.rows('delete from personal_tokens where user_id = ?', id)
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => wish(name, inDays(1))))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, 201, 201, 400, 400])
  })
})

describe('the history', () => {
  scenarios(() => server, [
    {
      name: 'names who ended tokens, never their secrets',
      as,
      call: 'GET /api/admin/search/events?type=IS:pat-deleted&limit=1',
      status: 200,
      has: { events: [{ type: 'pat-deleted', preData: { description: expect.any(String) } }] },
    },
  ] satisfies Scenario[])
})
