import { describe, expect, test } from 'vitest'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/** Sessions that users and administrators list and end. */
const OWN = 'GET /api/admin/user/sessions'
const END = 'POST /api/admin/user/sessions/end'
const USERS = '/api/admin/user-admin'
const PASSWORD = 'a good password'
const MINUTE_MS = 60_000

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly isCurrent: boolean; readonly usedAt: string }[]
  readonly confirmation: string
}

async function withServer(work: (server: TestServer, clock: { now: number }) => Promise<void>) {
  const clock = { now: 1_800_000_000_000 }
  const server = await startServer({}, () => clock.now)
  try {
    await work(server, clock)
  } finally {
    await server.close()
  }
}

async function logIn(server: TestServer): Promise<string> {
  const body = { username: 'admin', password: PASSWORD }
  const reply = await server.call({ call: 'POST /auth/simple/login', body })
  return String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
}
const list = async (server: TestServer, cookie: string) =>
  (await server.call({ call: OWN, headers: { cookie } })).json() as Listed
const end = (server: TestServer, cookie: string, body: object) => server.call({ call: END, headers: { cookie }, body })
const statusOf = async (server: TestServer, cookie: string) =>
  (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).statusCode

describe('users', () => {
  test('list their own open sessions, without the session ids', () =>
    withServer(async (server, clock) => {
      const first = await logIn(server)
      clock.now += MINUTE_MS
      const second = await logIn(server)
      const { sessions, confirmation } = await list(server, second)
      expect(confirmation).toBe('password')
      expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false])
      expect(sessions[0]?.usedAt).toBe(new Date(clock.now).toISOString())
      for (const { id } of sessions) expect(await statusOf(server, first.replace(/=.*/, `=${id}`))).toBe(401)
    }))

  test('end one session or all others immediately, with their password', () =>
    withServer(async (server) => {
      const cookies = [await logIn(server), await logIn(server), await logIn(server), await logIn(server)] as const
      const [first, second, third, current] = cookies
      const before = await server.lastEventId()
      const ofFirst = (await list(server, first)).sessions.find(({ isCurrent }) => isCurrent)
      const one = await end(server, current, { sessions: [ofFirst?.id], currentPassword: PASSWORD })
      expect([one.statusCode, one.json()]).toEqual([200, { ended: 1 }])
      expect(await Promise.all(cookies.map((cookie) => statusOf(server, cookie)))).toEqual([401, 200, 200, 200])
      const again = await end(server, current, { sessions: [ofFirst?.id], currentPassword: PASSWORD })
      expect(again.json()).toEqual({ ended: 0 })
      const others = await end(server, current, { currentPassword: PASSWORD })
      expect(others.json()).toEqual({ ended: 2 })
      expect([await statusOf(server, second), await statusOf(server, third)]).toEqual([401, 401])
      expect(await statusOf(server, current)).toBe(200)
      expect(await server.eventsAfter(before)).toEqual(['user-updated', 'user-updated'])
    }))

  test.each<[string, object, number, string]>([
    ['without the password', {}, 400, 'ValidationError'],
    ['with a wrong password', { currentPassword: 'x' }, 401, 'PasswordMismatch'],
    ['with a misspelled property', { session: [], currentPassword: PASSWORD }, 400, 'ValidationError'],
  ])('%s end none', (_name, body, status, name) =>
    withServer(async (server) => {
      const [other, current] = [await logIn(server), await logIn(server)]
      const before = await server.lastEventId()
      const reply = await end(server, current, body)
      expect([reply.statusCode, reply.json().name]).toEqual([status, name])
      expect([await statusOf(server, other), await statusOf(server, current)]).toEqual([200, 200])
      expect(await server.eventsAfter(before)).toEqual([])
    }),
  )

  test('end sessions without a password for ten minutes after a login', () =>
    withServer(async (server, clock) => {
      const cookie = 'burgee-session=viewer-session'
      await server.db.rows("update users set password_hash = '' where username = 'viewer'")
      expect((await list(server, cookie)).confirmation).toBe('recent-login')
      clock.now += 11 * MINUTE_MS
      const late = await end(server, cookie, {})
      expect([late.statusCode, late.json().name]).toEqual([403, 'NoAccessError'])
      const viewer = await server.db.row("select id from users where username = 'viewer'")
      await addSession(server.db, 'second', Number(viewer?.id), clock.now)
      const recent = await end(server, 'burgee-session=second-session', {})
      expect(recent.json()).toEqual({ ended: 1 })
      expect(await statusOf(server, cookie)).toBe(401)
    }))

  test('end no session of another user', () =>
    withServer(async (server) => {
      const [victim, own] = [await logIn(server), 'burgee-session=viewer-session']
      const foreign = (await list(server, victim)).sessions[0]?.id
      const before = await server.lastEventId()
      expect((await end(server, own, { sessions: [foreign] })).json()).toEqual({ ended: 0 })
      expect(await server.eventsAfter(before)).toEqual([])
      expect(await statusOf(server, victim)).toBe(200)
    }))

  test('neither list nor end sessions with a personal token', () =>
    withServer(async (server) => {
      const cookie = await logIn(server)
      const body = { description: 'script', expiresAt: new Date(1_800_086_400_000).toISOString() }
      const made = await server.call({ call: 'POST /api/admin/user/tokens', headers: { cookie }, body })
      const { secret } = made.json()
      expect((await server.call({ as: secret, call: OWN })).statusCode).toBe(403)
      const ending = await server.call({ as: secret, call: END, body: { currentPassword: PASSWORD } })
      expect(ending.statusCode).toBe(403)
      expect(await statusOf(server, cookie)).toBe(200)
    }))
})

describe('administrators', () => {
  test('end the sessions of one user', () =>
    withServer(async (server) => {
      const cookie = await logIn(server)
      const before = await server.lastEventId()
      const reply = await server.call({ as: 'admin', call: `DELETE ${USERS}/1/sessions` })
      expect([reply.statusCode, reply.json()]).toEqual([200, { ended: 1 }])
      expect(await statusOf(server, cookie)).toBe(401)
      expect(await statusOf(server, 'burgee-session=viewer-session')).toBe(200)
      expect(await server.eventsAfter(before)).toEqual(['user-updated'])
      const again = await server.call({ as: 'admin', call: `DELETE ${USERS}/1/sessions` })
      expect(again.json()).toEqual({ ended: 0 })
      expect(await server.eventsAfter(before)).toEqual(['user-updated'])
      expect((await server.call({ as: 'admin', call: `DELETE ${USERS}/99/sessions` })).statusCode).toBe(404)
    }))

  test('end the sessions of all users except their own one', () =>
    withServer(async (server) => {
      const [other, cookie] = [await logIn(server), await logIn(server)]
      const reply = await server.call({ call: `DELETE ${USERS}/sessions`, headers: { cookie } })
      // two more sessions belong to the editor and the viewer
      expect([reply.statusCode, reply.json()]).toEqual([200, { ended: 3 }])
      expect(await statusOf(server, cookie)).toBe(200)
      for (const ended of [other, 'burgee-session=viewer-session', 'burgee-session=editor-session'])
        expect(await statusOf(server, ended)).toBe(401)
    }))

  test.each(['viewer', 'editor'])('only: %s gets 403', (as) =>
    withServer(async (server) => {
      for (const path of ['/1/sessions', '/sessions'])
        expect((await server.call({ as, call: `DELETE ${USERS}${path}` })).statusCode).toBe(403)
      expect(await statusOf(server, 'burgee-session=viewer-session')).toBe(200)
    }),
  )
})
