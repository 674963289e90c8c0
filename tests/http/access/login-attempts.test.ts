import { expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

const PASSWORD = 'a password nobody guesses'
const LOGIN = 'POST /auth/simple/login'
const admin = { username: 'admin', password: 'a good password' }

/** Runs `work` with a separate server whose clock stands still, so that no write is triggered by time. */
async function withServer(work: (server: TestServer) => Promise<void>) {
  const server = await startServer({ simpleLoginLimitPerMinute: 1000 }, () => 1_800_000_000_000)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

async function login(server: TestServer, body: object = admin) {
  const reply = await server.call({ call: LOGIN, body })
  return [reply.statusCode, reply.json().loginAttempts]
}

const fail = (server: TestServer, username = 'admin') => login(server, { username, password: 'wrong' })

async function stored(server: TestServer, username = 'admin') {
  return (await server.db.row('select login_attempts from users where username = ?', username))?.login_attempts
}

test('after three failures a login reports three, and the next one none', () =>
  withServer(async (server) => {
    for (let count = 0; count < 3; count += 1) expect(await fail(server)).toEqual([401, undefined])
    expect(await login(server)).toEqual([200, 3])
    expect(await stored(server)).toBe(0)
    expect((await server.admin('GET /api/admin/user-admin/1')).loginAttempts).toBe(0)
    expect(await login(server)).toEqual([200, 0])
    await server.server.flush()
    expect(await stored(server)).toBe(0)
  }))

test('failures that come at once are all counted', () =>
  withServer(async (server) => {
    await Promise.all(Array.from({ length: 8 }, () => fail(server)))
    expect(await login(server)).toEqual([200, 8])
    expect(await stored(server)).toBe(0)
  }))

test('lists of users and single users include every failure that has been answered', () =>
  withServer(async (server) => {
    const seen = async () => {
      const { users } = await server.admin('GET /api/admin/user-admin')
      return users.find(({ id }: { readonly id: number }) => id === 1).loginAttempts
    }
    for (let count = 1; count <= 20; count += 1) {
      expect(await fail(server)).toEqual([401, undefined])
      expect(await seen()).toBe(count)
    }
    expect(await fail(server)).toEqual([401, undefined])
    expect((await server.admin('GET /api/admin/user-admin/1')).loginAttempts).toBe(21)
  }))

test('a failure after a success starts a new count', () =>
  withServer(async (server) => {
    await fail(server)
    await login(server)
    await fail(server)
    await fail(server)
    expect(await login(server)).toEqual([200, 2])
  }))

test('each user has a separate count, shared by username and e-mail address', () =>
  withServer(async (server) => {
    const ann = { username: 'ann', email: 'ann@example.org', password: PASSWORD, rootRole: 3 }
    await server.admin('POST /api/admin/user-admin', ann)
    await fail(server, 'ann')
    await fail(server, 'Ann@Example.org')
    await fail(server)
    expect(await login(server, { username: 'ann', password: PASSWORD })).toEqual([200, 2])
    expect(await login(server)).toEqual([200, 1])
  }))

test('unknown names are not counted', () =>
  withServer(async (server) => {
    const users = () => server.db.rows('select * from users order by id')
    const before = await users()
    for (const name of ['nobody', '', 'ADMIN', "admin' --"]) await fail(server, name)
    await server.server.flush()
    expect(await users()).toEqual(before)
  }))

test('a failure just before the shutdown is stored', async () => {
  await withServer(async (server) => {
    await fail(server)
    await server.server.app.close()
    await server.server.close()
    expect(await stored(server)).toBe(1)
  })
})
