import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { monotonicClock, PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { FirstPassword } from '@burgee/server/admin/access/people/first-password'
import { storePassword } from '@burgee/server/admin/access/people/user-admin'
import { openDatabase } from '@burgee/server/boot/open-database'
import { firstStart } from '@burgee/server/boot/start/first-start'
import { createSessions, type Sessions } from '@burgee/server/core/access/logins/sessions'
import { createPasswords, deriveByScrypt } from '@burgee/server/core/access/passwords/passwords'
import { execute, record } from '@burgee/server/core/execute'
import type { World } from '@burgee/server/core/world'
import { openBroadcast } from '@burgee/server/delivery/events/shared-broadcast'
import { findUserByLogin, insertUser } from '@burgee/storage/queries/access/users'
import { describe, expect, test } from 'vitest'
import { emptyPlace, NO_SECRETS } from '../../support/place.ts'
import { optionsOf, startServer, type TestServer } from '../scenario.ts'

const LOGIN = 'POST /auth/simple/login'
const good = { username: 'admin', password: 'a good password' }
const ME = 'GET /api/admin/user'
const DAY_MS = 86_400_000

/** Runs `work` with a separate server whose clock stands still. */
async function withServer(given: object, work: (server: TestServer, clock: { now: number }) => Promise<void>) {
  const clock = { now: 1_800_000_000_000 }
  const server = await startServer(given, () => clock.now)
  try {
    await work(server, clock)
  } finally {
    await server.close()
  }
}

async function login(server: TestServer, body: object = good, headers: Record<string, string> = {}) {
  const reply = await server.call({ call: LOGIN, body, headers })
  const cookie = String(reply.headers['set-cookie'] ?? '').split(';', 1)[0] ?? ''
  const left = [reply.headers['ratelimit-limit'], reply.headers['ratelimit-remaining']].map(Number)
  return { status: reply.statusCode, cookie, left, reply }
}

const statusOf = async (server: TestServer, cookie: string) =>
  (await server.call({ call: ME, headers: { cookie } })).statusCode

describe('limits of logins', () => {
  test.each([
    ['set forward', DAY_MS],
    ['set back', -DAY_MS],
  ])('last a minute while the system clock is %s', async (_how, setByMs) => {
    let [wallMs, passedMs] = [1_800_000_000_000, 0]
    const server = await startServer({ simpleLoginLimitPerMinute: 1 }, () => wallMs, {
      monotonic: monotonicClock(() => passedMs),
    })
    try {
      expect((await login(server)).status).toBe(200)
      wallMs += setByMs
      expect((await login(server)).status).toBe(429)
      passedMs += 60_000
      expect((await login(server)).status).toBe(200)
    } finally {
      await server.close()
    }
  })

  test('appear in the headers of every reply', () =>
    withServer({ simpleLoginLimitPerMinute: 3 }, async (server) => {
      const first = await login(server)
      expect(first.reply.headers).toMatchObject({
        'ratelimit-policy': '3;w=60',
        'ratelimit-limit': '3',
        'ratelimit-remaining': '2',
        'ratelimit-reset': '60',
      })
      const wrong = await login(server, { ...good, password: 'x' })
      expect([wrong.status, wrong.left]).toEqual([401, [3, 1]])
      expect(wrong.reply.json()).toMatchObject({ name: 'PasswordMismatch', id: expect.any(String) })
      const broken = await login(server, {})
      expect([broken.status, broken.left]).toEqual([400, [30, 27]])
      expect((await login(server)).left).toEqual([3, 0])
      const refused = await login(server)
      expect([refused.status, refused.left]).toEqual([429, [3, 0]])
      expect(refused.reply.body).toBe('Too many requests, please try again later.')
      expect(refused.reply.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-reset': '60' })
      expect(refused.reply.headers['set-cookie']).toBeUndefined()
      expect((await login(server, { ...good, username: 'ADMIN' })).status).toBe(429)
    }))

  test('apply per address to any names, also to bodies that are not read', () =>
    withServer({ simpleLoginLimitPerMinute: 1 }, async (server, clock) => {
      for (let count = 0; count < 10; count += 1) {
        expect((await login(server, { username: `name ${count}`, password: 'x' })).status).toBe(401)
      }
      expect((await login(server)).status).toBe(429)
      const unread = await server.call({ call: 'POST //AUTH/simple/login/', raw: '{' })
      expect(unread.statusCode).toBe(429)
      clock.now += 60_000
      expect((await login(server)).status).toBe(200)
    }))

  test('apply per account to guesses from any address', () =>
    withServer({ simpleLoginLimitPerMinute: 1, trustProxy: true }, async (server) => {
      const from = (address: string, username = 'admin') =>
        login(server, { ...good, username }, { 'x-forwarded-for': address })
      for (let count = 0; count < 10; count += 1) expect((await from(`192.0.2.${count}`)).status).toBe(200)
      expect((await from('192.0.2.100')).status).toBe(429)
      expect((await from('192.0.2.101', 'viewer')).status).toBe(401)
    }))

  test('count the username and the e-mail address of an account together', () =>
    withServer({ simpleLoginLimitPerMinute: 2, trustProxy: true }, async (server) => {
      await server.admin('PUT /api/admin/user-admin/1', { email: 'boss@example.com' })
      const from = async (address: string, username: string) =>
        (await login(server, { username, password: 'x' }, { 'x-forwarded-for': address })).status
      expect([
        await from('192.0.2.1', 'admin'),
        await from('192.0.2.1', 'boss@example.com'),
        await from('192.0.2.1', 'BOSS@example.com'),
        await from('192.0.2.1', 'admin'),
      ]).toEqual([401, 401, 429, 429])
      for (let count = 0; count < 18; count += 1) {
        const username = count % 2 === 0 ? 'admin' : 'boss@example.com'
        expect(await from(`198.51.100.${count}`, username)).toBe(401)
      }
      expect([await from('203.0.113.1', 'admin'), await from('203.0.113.1', 'boss@example.com')]).toEqual([429, 429])
    }))

  test('ignore attempts on an account from an address that is already limited', () =>
    withServer({ simpleLoginLimitPerMinute: 2, trustProxy: true }, async (server) => {
      const from = (address: string) => login(server, good, { 'x-forwarded-for': address })
      const seen: number[] = []
      for (let count = 0; count < 20; count += 1) seen.push((await from('192.0.2.1')).status)
      expect(seen).toEqual([200, 200, ...Array.from({ length: 18 }, () => 429)])
      expect((await from('192.0.2.2')).status).toBe(200)
    }))

  test('hold for the old password that comes with a new one', () =>
    withServer({ simpleLoginLimitPerMinute: 2 }, async (server) => {
      const change = async (oldPassword: string) =>
        (
          await server.call({
            as: 'viewer',
            call: 'POST /api/admin/user/change-password',
            body: { oldPassword, password: 'x' },
          })
        ).statusCode
      expect([await change('a'), await change('b'), await change('c')]).toEqual([401, 401, 429])
    }))

  test('forwarded addresses count only where they are trusted, and a network of IPv6 is one', () =>
    withServer({ simpleLoginLimitPerMinute: 1 }, async (server) => {
      const headers = (address: string) => ({ 'x-forwarded-for': address })
      expect((await login(server, good, headers('192.0.2.1'))).status).toBe(200)
      expect((await login(server, good, headers('192.0.2.2'))).status).toBe(429)
      await withServer({ simpleLoginLimitPerMinute: 1, trustProxy: ['127.0.0.1'] }, async (behind) => {
        const status = async (address: string, username: string) =>
          (await login(behind, { username, password: 'x' }, headers(address))).status
        for (let count = 0; count < 10; count += 1) {
          expect(await status(`2001:db8::${count}`, `name ${count}`)).toBe(401)
        }
        expect(await status('2001:db8::ffff', 'another')).toBe(429)
        expect(await status('2001:db8:0:1::1', 'another')).toBe(401)
      })
    }))
})

describe('limits of other routes', () => {
  const started = '2026-01-01T00:00:00.000Z'
  const register = { appName: 'app', interval: 10, started, strategies: [] }
  const metrics = { appName: 'app', bucket: { start: started, stop: started, toggles: {} } }
  const bulk = { applications: [], metrics: [] }
  test.each<[string, string, string, object, number]>([
    ['registerClientRateLimitPerMinute', 'client', '/api/client/register', register, 202],
    ['clientMetricsRateLimitPerMinute', 'client', '/api/client/metrics', metrics, 202],
    ['clientMetricsRateLimitPerMinute', 'client', '/api/client/metrics/bulk', bulk, 202],
    ['registerFrontendRateLimitPerMinute', 'frontend', '/api/frontend/client/register', register, 200],
    ['frontendMetricsRateLimitPerMinute', 'frontend', '/api/frontend/client/metrics', metrics, 200],
    ['createUserRateLimitPerMinute', 'admin', '/api/admin/user-admin', { email: 'a@example.com', rootRole: 3 }, 201],
  ])('%s of %s at %s', (option, as, path, body, status) =>
    withServer({ [option]: 2 }, async (server, clock) => {
      const call = `POST ${path}`
      const first = await server.call({ as, call, body })
      expect([first.statusCode, first.body]).toEqual([status, first.body])
      expect(first.headers).toMatchObject({ 'ratelimit-policy': '2;w=60', 'ratelimit-remaining': '1' })
      const nobody = await server.call({ call, body })
      expect([nobody.statusCode, nobody.headers['ratelimit-remaining']]).toEqual([401, '0'])
      const refused = await server.call({ as, call, body })
      expect([refused.statusCode, refused.body]).toEqual([429, 'Too many requests, please try again later.'])
      expect(refused.headers).toMatchObject({ 'retry-after': '60', 'content-type': 'text/plain; charset=utf-8' })
      clock.now += 60_000
      expect((await server.call({ as: 'viewer', call: 'GET /api/admin/projects' })).headers).not.toHaveProperty(
        'ratelimit-limit',
      )
      expect((await server.call({ as, call, body })).statusCode).not.toBe(429)
    }),
  )

  test('default to 6,000 SDK reports and 20 new users', () =>
    withServer({}, async (server) => {
      const policy = async (as: string, path: string, body: object) =>
        (await server.call({ as, call: `POST ${path}`, body })).headers['ratelimit-policy']
      expect(await policy('client', '/api/client/register', register)).toBe('6000;w=60')
      expect(await policy('client', '/api/client/metrics', metrics)).toBe('6000;w=60')
      expect(await policy('frontend', '/api/frontend/client/metrics', metrics)).toBe('6000;w=60')
      expect(await policy('admin', '/api/admin/user-admin', {})).toBe('20;w=60')
    }))
})

describe('sessions', () => {
  test('all of a user end with one logout, those of others stay', () =>
    withServer({}, async (server) => {
      const [here, there] = [await login(server), await login(server)]
      expect(here.cookie).not.toBe(there.cookie)
      expect([await statusOf(server, here.cookie), await statusOf(server, there.cookie)]).toEqual([200, 200])
      const headers = { cookie: here.cookie, accept: 'application/json' }
      const out = await server.call({ call: 'POST /logout', headers })
      expect([out.statusCode, out.json()]).toEqual([200, { location: '/' }])
      expect(String(out.headers['set-cookie'])).toMatch(/^burgee-session=; Path=\/; Max-Age=0;/)
      expect([await statusOf(server, here.cookie), await statusOf(server, there.cookie)]).toEqual([401, 401])
      expect((await server.call({ as: 'viewer', call: ME })).statusCode).toBe(200)
    }))

  test('have a maximum per user, and a new one ends the oldest', () =>
    withServer({ maxParallelSessions: 2 }, async (server, clock) => {
      const cookies: string[] = []
      for (let count = 0; count < 3; count += 1) {
        clock.now += 1
        cookies.push((await login(server)).cookie)
      }
      expect(await Promise.all(cookies.map((cookie) => statusOf(server, cookie)))).toEqual([401, 200, 200])
      await withServer({ maxParallelSessions: 1 }, async (single) => {
        const [first, second] = [await login(single), await login(single)]
        expect([await statusOf(single, first.cookie), await statusOf(single, second.cookie)]).toEqual([401, 200])
      })
    }))

  test('a login never adopts a session id sent by the browser', () =>
    withServer({}, async (server) => {
      const planted = 'burgee-session=planted-by-somebody-else'
      const { cookie } = await login(server, good, { cookie: planted })
      expect(cookie).not.toBe(planted)
      expect([await statusOf(server, planted), await statusOf(server, cookie)]).toEqual([401, 200])
    }))

  test.each<[string, object, Record<string, string>, RegExp]>([
    ['without TLS', {}, {}, /^burgee-session=[^;]+;.*SameSite=Lax$/],
    ['TLS claimed by an untrusted peer', {}, { 'x-forwarded-proto': 'https' }, /^burgee-session=[^;]+;.*SameSite=Lax$/],
    [
      'by TLS that a trusted proxy saw',
      { trustProxy: ['127.0.0.1'] },
      { 'x-forwarded-proto': 'https' },
      /^__Host-burgee-session=[^;]+; Path=\/;.*; Secure$/,
    ],
    ['by a trusted proxy without TLS', { trustProxy: true }, { 'x-forwarded-proto': 'http' }, /^burgee-session=/],
  ])('%s have their cookie', (_how, given, headers, pattern) =>
    withServer(given, async (server) => {
      const { reply, cookie } = await login(server, good, headers)
      expect(String(reply.headers['set-cookie'])).toMatch(pattern)
      expect((await server.call({ call: ME, headers: { ...headers, cookie } })).statusCode).toBe(200)
      const out = await server.call({ call: 'POST /logout', headers: { ...headers, cookie } })
      expect(String(out.headers['set-cookie']).split('=', 1)[0]).toBe(cookie.split('=', 1)[0])
    }),
  )
})

test('events name the address that a trusted proxy saw', () =>
  withServer({ trustProxy: ['127.0.0.1'] }, async (server) => {
    const headers = { 'x-forwarded-for': '198.51.100.7, 192.0.2.9' }
    const call = 'POST /api/admin/projects/default/features'
    for (const [as, name] of [
      ['admin', 'a'],
      ['editor', 'b'],
    ]) {
      const last = await server.lastEventId()
      await server.call({ as: String(as), call, body: { name }, headers })
      const row = await server.db.row('select address from events where id > ?', last)
      expect(row?.address).toBe('192.0.2.9')
    }
  }))

/** A password that is replaced while it is being checked must neither open a session nor change the password. */
async function replacedMeanwhile(
  world: World,
  sessions: Sessions,
  during: (work: () => Promise<void>) => void,
): Promise<void> {
  const before = String((await findUserByLogin(world.db.reader, 'admin'))?.password_hash)
  during(() =>
    record(world, async (tx) => {
      await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', 1).execute()
    }),
  )
  await expect(sessions.login(good)).rejects.toMatchObject({ name: 'PasswordMismatch' })
  const author = { name: 'admin', userId: 1, address: null, grants: [{ permission: 'ADMIN' }], hidden: [] }
  const stored = execute(world, author, storePassword, { id: 1, hash: 'a third', endsTokens: false, checked: before })
  await expect(stored).rejects.toMatchObject({ name: 'PasswordMismatch' })
  expect(await world.db.reader.selectFrom('sessions').select('hash').execute()).toEqual([])
  expect((await findUserByLogin(world.db.reader, 'admin'))?.password_hash).toBe('another')
}

test('a login costs the same work for known and unknown names', async () => {
  const place = await emptyPlace()
  const db = await openDatabase(optionsOf(place.options), { clock: Date.now })
  const broadcast = await openBroadcast(db, { logger: SILENT, clock: Date.now, monotonic: PROCESS_CLOCK })
  try {
    const world = {
      db,
      broadcast,
      clock: Date.now,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      secrets: NO_SECRETS,
    }
    let hashed = 0
    let meanwhile = async () => {}
    const passwords = createPasswords(async (...given) => {
      hashed += 1
      const key = await deriveByScrypt(...given)
      await meanwhile()
      return key
    })
    const password = new FirstPassword(passwords, good.password, randomBytes)
    const options = { ...good, isNameGiven: false, tokens: [], content: undefined }
    await firstStart(world, { passwords, options, password })
    await record(world, async (tx) => {
      const empty = { email: null, name: null, password_hash: '', must_change_password: 0, login_attempts: 0 }
      await insertUser(tx, {
        ...empty,
        username: 'invited',
        root_role: 3,
        address_verified: 1,
        created_at: 0,
        seen_at: null,
      })
    })
    const failed: number[] = []
    const sessions = createSessions(world, passwords, {
      ttlHours: 1,
      maxPerUser: 5,
      failed: { record: (id) => failed.push(id), settled: async () => {} },
    })
    const costs: [string, number][] = []
    for (const username of ['admin', 'invited', 'nobody', '']) {
      const before = hashed
      await expect(sessions.login({ username, password: 'wrong' })).rejects.toMatchObject({ name: 'PasswordMismatch' })
      costs.push([username, hashed - before])
    }
    expect(costs).toEqual([
      ['admin', 1],
      ['invited', 1],
      ['nobody', 1],
      ['', 1],
    ])
    expect(failed).toEqual([1, 2])
    await replacedMeanwhile(world, sessions, (work) => {
      meanwhile = work
    })
  } finally {
    await broadcast.close()
    await db.close()
    await place.remove()
  }
})

describe('e-mail addresses with letters beyond ASCII', () => {
  const PASSWORD = 'a password nobody guesses'
  const person = { email: 'ÄNNA@example.com', password: PASSWORD, rootRole: 2 }

  test('identify one account, work for logins, and appear in the history', () =>
    withServer({}, async (server) => {
      const create = (body: object) => server.call({ as: 'admin', call: 'POST /api/admin/user-admin', body })
      expect((await create(person)).statusCode).toBe(201)
      for (const email of [person.email, 'ÄNNA@Example.COM']) {
        const again = await create({ ...person, email })
        expect([email, again.statusCode, again.json().name]).toEqual([email, 409, 'NameExistsError'])
        expect([email, (await login(server, { username: email, password: PASSWORD })).status]).toEqual([email, 200])
      }
      const { cookie } = await login(server, { username: person.email, password: PASSWORD })
      const flag = { call: 'POST /api/admin/projects/default/features', body: { name: 'f' }, headers: { cookie } }
      expect((await server.call(flag)).statusCode).toBe(201)
      const call = `GET /api/admin/search/events?query=${encodeURIComponent('ÄNNA@ex')}`
      expect((await server.call({ as: 'admin', call })).json()).toMatchObject({
        total: 2,
        events: [
          { type: 'feature-created', createdBy: person.email },
          { type: 'user-created', data: { email: person.email } },
        ],
      })
    }))
})
