import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
let now = Date.parse('2026-01-01T00:00:00Z')
const as = 'admin'
const T = '/api/admin/user/tokens'
const U = '/api/admin/user-admin'
const LOGIN = 'POST /auth/simple/login'
const PASSWORD = 'a password nobody guesses'
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
  server = await startServer({}, () => now)
  await server.call({ as, call: 'POST /api/admin/projects/default/features', body: { name: 'flag' } })
})
afterAll(() => server.close())

const at = (time: number) => new Date(time).toISOString()
let made = 0

/** Creates a user with a personal token and a session. */
async function person(rootRole: number, extra: object = {}) {
  made += 1
  const body = { username: `person-${made}`, rootRole, password: PASSWORD, ...extra }
  const { id } = (await server.call({ as, call: `POST ${U}`, body })).json()
  const login = await server.call({ call: LOGIN, body: { username: body.username, password: PASSWORD } })
  const headers = { cookie: String(login.headers['set-cookie']).split(';', 1)[0] ?? '' }
  const wish = { description: 'mine', expiresAt: at(now + DAY_MS) }
  const token = (await server.call({ call: `POST ${T}`, body: wish, headers })).json()
  const status = async (call: string, sent?: object) =>
    (await server.call({ as: token.secret, call, ...(sent === undefined ? {} : { body: sent }) })).statusCode
  return { id: id as number, headers, token: token as { id: number; secret: string }, status, username: body.username }
}

describe('a personal token', () => {
  test('opens the SDK API of all projects, but not the frontend API', async () => {
    const { token, status } = await person(3)
    await server.call({ as, call: 'POST /api/admin/projects', body: { id: 'shop', name: 'Shop' } })
    await server.call({ as, call: 'POST /api/admin/projects/shop/features', body: { name: 'basket' } })
    const names = async (query = '') => {
      const reply = await server.call({ as: `Bearer ${token.secret}`, call: `GET /api/client/features${query}` })
      return reply.json().features.map((feature: { name: string }) => feature.name)
    }
    expect(await names()).toEqual(['basket', 'flag'])
    expect(await names('?project=shop')).toEqual(['basket'])
    const started = at(now)
    const register = { appName: 'app', interval: 10, started, strategies: [] }
    expect(await status('POST /api/client/register', register)).toBe(202)
    expect(await status('GET /api/frontend')).toBe(403)
    expect(await status('POST /api/frontend/client/register', register)).toBe(403)
  })

  test.each(['GET /api/admin/user', 'GET /api/client/features'])('shows when it was last used, by %s', async (call) => {
    const { token, headers, status } = await person(3)
    const seenAt = async () => {
      await server.server.flush()
      const [pat] = (await server.call({ call: `GET ${T}`, headers })).json().pats
      return pat.seenAt
    }
    expect(await seenAt()).toBeNull()
    expect(await status('GET /api/frontend')).toBe(403)
    expect(await seenAt()).toBeNull()
    const first = at(now)
    expect(await status(call)).toBe(200)
    expect(await seenAt()).toBe(first)
    now += 59_999
    await status(call)
    expect(await seenAt()).toBe(first)
    now += 1
    await status(call)
    expect(await seenAt()).toBe(at(now))
    const rows = await server.db.rows(
      'select seen_at from personal_tokens where id <> ? and seen_at = ?',
      token.id,
      now,
    )
    expect(rows).toEqual([])
  })

  test.each<[string, (who: Awaited<ReturnType<typeof person>>) => Promise<unknown> | undefined]>([
    ['it is removed', ({ token, headers }) => server.call({ call: `DELETE ${T}/${token.id}`, headers })],
    ['its person is removed', ({ id }) => server.call({ as, call: `DELETE ${U}/${id}` })],
    [
      'it has run out',
      () => {
        now += DAY_MS
        return undefined
      },
    ],
  ])('stops at once when %s', async (_when, end) => {
    const who = await person(3)
    const both = async () => [await who.status('GET /api/admin/user'), await who.status('GET /api/client/features')]
    expect(await both()).toEqual([200, 200])
    await end(who)
    expect(await both()).toEqual([401, 401])
  })

  test('loses permissions as soon as its user loses them', async () => {
    const { id, status } = await person(1)
    expect(await status(`GET ${U}`)).toBe(200)
    await server.call({ as, call: `PUT ${U}/${id}`, body: { rootRole: 'Viewer' } })
    expect(await status(`GET ${U}`)).toBe(403)
    expect(await status('GET /api/client/features')).toBe(200)
  })

  test('does nothing while the password of its person must be changed', async () => {
    const { id, status } = await person(3)
    const body = { password: 'made up by an admin', mustChangePassword: true, deletePersonalTokens: false }
    expect((await server.call({ as, call: `POST ${U}/${id}/change-password`, body })).statusCode).toBe(200)
    expect([await status('GET /api/admin/projects'), await status('GET /api/client/features')]).toEqual([403, 403])
  })

  test('appears in events as its user with an address, and never with its secret', async () => {
    const { id, username, token, status } = await person(2)
    const last = await server.lastEventId()
    expect(await status('POST /api/admin/projects/default/features', { name: 'by-token' })).toBe(201)
    const row = await server.db.row('select * from events where id > ?', last)
    expect(row).toMatchObject({ type: 'feature-created', created_by: username, created_by_user_id: id })
    expect(row?.address).toBe('127.0.0.1')
    const dump = JSON.stringify([
      await server.db.rows('select * from personal_tokens'),
      await server.db.rows('select * from events'),
    ])
    expect(dump).not.toContain(token.secret.slice('user:'.length))
  })
})
