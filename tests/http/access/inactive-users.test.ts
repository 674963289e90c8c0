import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
let now = Date.parse('2026-01-01T00:00:00Z')
const as = 'admin'
const U = '/api/admin/user-admin'
const I = `${U}/inactive`
const PASSWORD = 'a password nobody guesses'
const DAY_MS = 24 * 3_600_000

beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

const at = (time: number) => new Date(time).toISOString()

async function add(username: string, rootRole = 3): Promise<number> {
  const body = { username, rootRole, password: PASSWORD }
  return (await server.call({ as, call: `POST ${U}`, body })).json().id
}

async function login(username: string): Promise<string> {
  const reply = await server.call({ call: 'POST /auth/simple/login', body: { username, password: PASSWORD } })
  return String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
}

async function inactive() {
  return (await server.call({ as, call: `GET ${I}` })).json().inactiveUsers as { id: number; username: string }[]
}

const names = async () => (await inactive()).map((user) => user.username)

describe('inactive users', () => {
  scenarios(() => server, [
    { name: 'list, anonymous', call: `GET ${I}`, status: 401 },
    { name: 'list, by an editor', as: 'editor', call: `GET ${I}`, status: 403, has: { permissions: ['ADMIN'] } },
    { name: 'none', as, call: `GET ${I}`, status: 200, has: { version: 1, inactiveUsers: [] } },
    { name: 'removal, anonymous', call: `POST ${I}/delete`, body: { ids: [] }, status: 401 },
    { name: 'removed by an editor', as: 'editor', call: `POST ${I}/delete`, body: { ids: [] }, status: 403 },
    { name: 'without a list', as, call: `POST ${I}/delete`, body: {}, status: 400, text: '`ids`' },
    { name: 'by name', as, call: `POST ${I}/delete`, body: { ids: ['ann'] }, status: 400, text: 'ids/0' },
    { name: 'nobody at all', as, call: `POST ${I}/delete`, body: { ids: [] }, status: 200, empty: true },
    { name: 'an active one', as, call: `POST ${I}/delete`, body: { ids: [3] }, status: 400, text: '3 is not inactive' },
    { name: 'an unknown one', as, call: `POST ${I}/delete`, body: { ids: [99] }, status: 400, text: '99' },
  ] satisfies Scenario[])

  test('have had no login, session or token use for 180 days', async () => {
    const start = now
    for (const name of ['never', 'once', 'by-login', 'by-session', 'by-token']) await add(name)
    await login('once')
    const cookie = await login('by-token')
    const wish = { description: 'x', expiresAt: at(now + 300 * DAY_MS) }
    const pat = await server.call({ call: 'POST /api/admin/user/tokens', body: wish, headers: { cookie } })
    now += 100 * DAY_MS
    await login('by-login')
    const row = await server.db.row("select id from users where username = 'by-session'")
    await addSession(server.db, 'long', Number(row?.id), now)
    await server.call({ as: pat.json().secret, call: 'GET /api/admin/user' })
    await server.server.flush()
    const tokenUse = now
    now = start + 180 * DAY_MS
    expect(await names()).toEqual([])
    now += 1
    expect(await names()).toEqual(['admin', 'editor', 'viewer', 'never', 'once'])
    const once = (await inactive()).find((user) => user.username === 'once')
    const times = { seenAt: at(start), createdAt: at(start), patSeenAt: null }
    expect(once).toEqual({ id: expect.any(Number), username: 'once', ...times })
    now = start + 290 * DAY_MS
    const byToken = (await inactive()).find((user) => user.username === 'by-token')
    expect(byToken).toMatchObject({ seenAt: at(start), patSeenAt: at(tokenUse) })
    now = start + 181 * DAY_MS
  })

  test('deletes all or none, with one event each', async () => {
    const [never, once] = (await inactive()).filter((user) => ['never', 'once'].includes(user.username))
    const last = await server.lastEventId()
    const remove = async (...ids: unknown[]) =>
      (await server.call({ as, call: `POST ${I}/delete`, body: { ids } })).statusCode
    expect(await remove(never?.id, 99)).toBe(400)
    expect(await names()).toContain('never')
    expect(await remove(never?.id, once?.id, never?.id)).toBe(200)
    expect(await names()).toEqual(['admin', 'editor', 'viewer'])
    expect(await server.eventsAfter(last)).toEqual(['user-deleted', 'user-deleted'])
    expect(await remove(never?.id)).toBe(400)
  })

  test('the last admin stays, and admins cannot remove themselves', async () => {
    const call = `POST ${I}/delete`
    const last = await server.call({ as, call, body: { ids: [1, 2] } })
    expect([last.statusCode, last.json().name]).toEqual([409, 'ConflictError'])
    expect(await names()).toEqual(['admin', 'editor', 'viewer'])
    const second = await add('second', 1)
    const cookie = await login('second')
    now += 190 * DAY_MS
    await server.db.rows('update sessions set used_at = ?, expires_at = ? where user_id = ?', now, now + DAY_MS, second)
    const own = await server.call({ call, body: { ids: [second] }, headers: { cookie } })
    expect([own.statusCode, own.body]).toEqual([400, expect.stringContaining('your own account')])
    const other = await server.call({ call, body: { ids: [1] }, headers: { cookie } })
    expect(other.statusCode).toBe(200)
  })

  test('count by the option', async () => {
    let time = now
    const short = await startServer({ userInactivityThresholdDays: 1 }, () => time)
    try {
      time += DAY_MS + 1
      const reply = await short.call({ as, call: `GET ${I}` })
      expect(reply.json().inactiveUsers).toHaveLength(3)
    } finally {
      await short.close()
    }
  })
})
