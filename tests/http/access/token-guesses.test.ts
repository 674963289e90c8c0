import { describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Token guessing: callers with many failed attempts get 429, while callers with valid tokens are unaffected. */
async function withServer(given: object, work: (server: TestServer, clock: { now: number }) => Promise<void>) {
  const clock = { now: 1_800_000_000_000 }
  const server = await startServer(given, () => clock.now)
  try {
    await work(server, clock)
  } finally {
    await server.close()
  }
}

let count = 0
/** Returns an unknown token, a different one each time. */
const wrong = () => `default:development.guess-${count++}`
const TOO_MANY = 'Too many requests, please try again later.'

describe('wrong tokens', () => {
  test.each<[string, string, object | undefined, string]>([
    ['the client API', 'GET /api/client/features', undefined, TOKENS.client],
    ['the frontend API', 'GET /api/frontend', undefined, TOKENS.frontend],
    ['reports', 'POST /api/client/metrics', {}, TOKENS.client],
    ['the admin API', 'GET /api/admin/projects', undefined, TOKENS.admin],
    ['what is not there', 'GET /api/admin/nothing-here', undefined, TOKENS.admin],
  ])('count against a limit at %s; valid credentials do not', (_where, call, body, good) =>
    withServer({ tokenGuessLimitPerMinute: 2 }, async (server, clock) => {
      const request = { call, ...(body === undefined ? {} : { body }) }
      const before = (await server.call({ ...request, as: good })).statusCode
      const first = await server.call({ ...request, as: wrong() })
      expect([first.statusCode, first.headers['ratelimit-policy'], first.headers['ratelimit-remaining']]).toEqual([
        ...[401, '2;w=60', '1'],
      ])
      expect((await server.call({ ...request, as: wrong() })).statusCode).toBe(401)
      const refused = await server.call({ ...request, as: wrong() })
      expect([refused.statusCode, refused.body]).toEqual([429, TOO_MANY])
      expect(refused.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'retry-after': '60',
        'ratelimit-limit': '2',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '60',
      })
      expect((await server.call({ ...request, as: good })).statusCode).toBe(before)
      expect(before).not.toBe(429)
      clock.now += 60_000
      expect((await server.call({ ...request, as: wrong() })).statusCode).toBe(401)
    }),
  )

  test('count together over all routes, per address, including personal tokens', () =>
    withServer({ tokenGuessLimitPerMinute: 3, trustProxy: true }, async (server) => {
      const from = async (address: string, as: string, call: string) =>
        (await server.call({ as, call, headers: { 'x-forwarded-for': address } })).statusCode
      expect(await from('192.0.2.1', wrong(), 'GET /api/client/features')).toBe(401)
      expect(await from('192.0.2.1', wrong(), 'GET /api/frontend')).toBe(401)
      expect(await from('192.0.2.1', `user:${'0'.repeat(56)}`, 'GET /api/admin/projects')).toBe(401)
      expect(await from('192.0.2.1', wrong(), 'GET /api/admin/projects')).toBe(429)
      expect(await from('192.0.2.2', wrong(), 'GET /api/admin/projects')).toBe(401)
    }))

  test('do not include missing tokens and good ones of another type', () =>
    withServer({ tokenGuessLimitPerMinute: 1 }, async (server) => {
      for (const as of [undefined, '', 'client', 'frontend']) {
        for (let times = 0; times < 2; times++) {
          const reply = await server.call({ ...(as === undefined ? {} : { as }), call: 'GET /api/admin/projects' })
          const status = as === 'client' || as === 'frontend' ? 403 : 401
          expect([as, reply.statusCode, reply.headers['ratelimit-limit']]).toEqual([as, status, undefined])
        }
      }
    }))

  test('do not keep a session out', () =>
    withServer({ tokenGuessLimitPerMinute: 1 }, async (server) => {
      const call = 'GET /api/admin/user'
      for (const status of [401, 429]) expect((await server.call({ as: wrong(), call })).statusCode).toBe(status)
      const headers = { cookie: 'burgee-session=editor-session', authorization: wrong() }
      expect((await server.call({ call, headers })).statusCode).toBe(200)
    }))

  test('have a limit of a hundred by default', () =>
    withServer({}, async (server) => {
      const reply = await server.call({ as: wrong(), call: 'GET /api/client/features' })
      expect(reply.headers['ratelimit-policy']).toBe('100;w=60')
    }))
})

describe('validation requests of proxies', () => {
  const ask = (server: TestServer, tokens: readonly string[], address = '192.0.2.1') =>
    server.call({ call: 'POST /edge/validate', body: { tokens }, headers: { 'x-forwarded-for': address } })

  test('have a limit per address', () =>
    withServer({ edgeValidateLimitPerMinute: 2, trustProxy: true }, async (server, clock) => {
      const first = await ask(server, [TOKENS.client])
      expect([first.statusCode, first.headers['ratelimit-policy'], first.headers['ratelimit-remaining']]).toEqual([
        ...[200, '2;w=60', '1'],
      ])
      expect((await ask(server, [TOKENS.client])).statusCode).toBe(200)
      const refused = await ask(server, [TOKENS.client])
      expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([429, TOO_MANY, '60'])
      expect((await ask(server, [TOKENS.client], '192.0.2.2')).statusCode).toBe(200)
      clock.now += 60_000
      expect((await ask(server, [TOKENS.client])).statusCode).toBe(200)
    }))

  test('count each wrong token as a guess, and still accept valid tokens', () =>
    withServer({ tokenGuessLimitPerMinute: 3, trustProxy: true }, async (server) => {
      const same = wrong()
      expect((await ask(server, [wrong(), same, same])).json()).toEqual({ tokens: [] })
      expect((await ask(server, [wrong()])).statusCode).toBe(200)
      const refused = await ask(server, [wrong()])
      expect([refused.statusCode, refused.body, refused.headers['ratelimit-limit']]).toEqual([429, TOO_MANY, '3'])
      const mixed = await ask(server, [wrong(), TOKENS.frontend])
      expect([mixed.statusCode, mixed.json().tokens.length]).toEqual([200, 1])
      expect((await ask(server, [TOKENS.client])).json().tokens).toHaveLength(1)
      expect((await ask(server, [])).statusCode).toBe(200)
      const elsewhere = { as: wrong(), call: 'GET /api/frontend', headers: { 'x-forwarded-for': '192.0.2.1' } }
      expect((await server.call(elsewhere)).statusCode).toBe(429)
    }))

  test('have a limit of 600 by default', () =>
    withServer({}, async (server) => {
      expect((await ask(server, [])).headers['ratelimit-policy']).toBe('600;w=60')
    }))
})

test('guesses of links that set passwords are limited as well, and a good one is not', () =>
  withServer({ tokenGuessLimitPerMinute: 2 }, async (server) => {
    const look = async (token: string) =>
      (await server.call({ call: `GET /auth/reset/validate?token=${encodeURIComponent(token)}` })).statusCode
    const { id } = await server.admin('POST /api/admin/user-admin', {
      username: 'ann',
      rootRole: 3,
      password: 'x1y2z3a4b5',
    })
    const made = await server.admin('POST /api/admin/user-admin/reset-password', { id: 'ann' })
    const good = String(made.resetPasswordUrl).split('token=')[1] ?? ''
    expect([typeof id, await look('a'), await look('b'), await look('c'), await look(good)]).toEqual([
      ...['number', 401, 401, 429, 200],
    ])
  }))
