import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Login history: recorded successes and failures, retention, and who may read it. */
const DAY_MS = 86_400_000
const START = Date.parse('2030-01-01T00:00:00Z')
const CALL = 'GET /api/admin/logins'
const FAILED = 'The combination of username and password is not valid.'
let now = START
let server: TestServer
beforeAll(async () => {
  server = await startServer({ simpleLoginLimitPerMinute: 2 }, () => now)
})
afterAll(() => server.close())

const login = async (username: string, password: string) =>
  (await server.call({ call: 'POST /auth/simple/login', body: { username, password } })).statusCode
const AS_IF_MANY_WERE_BETWEEN = {
  sqlite:
    "insert into login_history (id, username, auth_type, created_at, successful) values (200000, '', 'simple', 1, 0)",
  postgres: "select setval(pg_get_serial_sequence('login_history', 'id'), 200000)",
}
const WRITES = {
  sqlite: {
    end: "create trigger ended before insert on login_history begin select raise(abort, 'ended'); end",
    begin: 'drop trigger ended',
  },
  postgres: {
    end: 'alter table login_history add constraint ended check (id < 0) not valid',
    begin: 'alter table login_history drop constraint ended',
  },
}
const rows = async () => Number((await server.db.row('select count(*) as count from login_history'))?.count)

describe('the history of logins', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: CALL, status: 401 },
    { name: 'is not for editors', as: 'editor', call: CALL, status: 403, text: 'ADMIN' },
    { name: 'is empty at first', as: 'admin', call: CALL, status: 200, has: { events: [] } },
    { name: 'is no table then', as: 'admin', call: CALL, headers: { accept: 'text/csv' }, status: 204 },
  ] satisfies Scenario[])

  test('logs names of accounts, but never other text typed as a name', async () => {
    expect(await login('admin', 'a good password')).toBe(200)
    now += 1000
    expect(await login('admin', 'wrong')).toBe(401)
    expect(await login('my secret typed too early', 'x')).toBe(401)
    expect(await login('admin', 'a good password')).toBe(429)
    const { events } = (await server.call({ as: 'admin', call: CALL })).json()
    const of = { auth_type: 'simple', ip: '127.0.0.1', created_at: '2030-01-01T00:00:01.000Z', successful: false }
    expect(events).toEqual([
      { id: 4, username: '', ...of, failure_reason: 'Too many logins' },
      { id: 3, username: '', ...of, failure_reason: FAILED },
      { id: 2, username: 'admin', ...of, failure_reason: FAILED },
      {
        id: 1,
        username: 'admin',
        ...of,
        created_at: new Date(START).toISOString(),
        successful: true,
        failure_reason: null,
      },
    ])
    const table = await server.call({ as: 'admin', call: CALL, headers: { accept: 'text/csv' } })
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(table.body.split('\n').slice(0, 2)).toEqual([
      '"id","username","auth_type","created_at","successful","ip","failure_reason"',
      '4,"","simple","2030-01-01T00:00:01.000Z",false,"127.0.0.1","Too many logins"',
    ])
  })

  test('keeps entries for thirty days', async () => {
    now = START + 30 * DAY_MS + 500
    await server.server.removeOld()
    expect(await rows()).toBe(3)
    now += 1000
    await server.server.removeOld()
    expect(await rows()).toBe(0)
  })

  test('keeps only the last entries of a flood', async () => {
    for (const name of ['first', 'second', 'third']) await login(name, 'x')
    await server.admin(CALL)
    await server.db.rows(AS_IF_MANY_WERE_BETWEEN[inject('driver')])
    now += 60_000
    await login('admin', 'a good password')
    expect((await server.admin(CALL)).events.map(({ username }: { username: string }) => username)).toContain('admin')
    expect(await rows()).toBeLessThan(3)
  })

  test('goes on after the database could not be written for long', async () => {
    await server.db.rows(WRITES[inject('driver')].end)
    for (let count = 0; count < 1001; count += 1) {
      // reaches the limit per minute
      if (count % 20 === 0) now += 60_000
      await login('first', 'x')
    }
    await server.admin(CALL)
    expect(await rows()).toBeLessThan(3)
    await server.db.rows(WRITES[inject('driver')].begin)
    // the in-memory state may lack the last change that another process made to the database
    for (let count = 0; count < 3; count += 1) {
      now += 60_000
      await login('first', 'x')
      await server.admin(CALL)
    }
    expect(await rows()).toBeGreaterThan(1000)
  })
})
