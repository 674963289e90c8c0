import { createLogger, type LogLevel } from '@burgee/kit/log/logger'
import { describe, expect, inject, test } from 'vitest'
import { emptyPlace } from '../../support/place.ts'
import { type SampledSchema, sampleOf } from '../contract/sample-body.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/** Runs `work` against a server whose output is written by the real logger. */
async function withLog(
  logLevel: LogLevel,
  json: boolean,
  work: (server: TestServer, lines: string[]) => Promise<void>,
) {
  const lines: string[] = []
  const options = { json, secrets: () => [], write: (line: string) => lines.push(line), clock: Date.now }
  // streams are disabled, because an event stream would not end
  const server = await startServer({ logLevel, simpleLoginLimitPerMinute: 10_000, maxStreams: 0 }, Date.now, {
    logger: createLogger({ ...options, level: logLevel }),
    securityLogger: createLogger({ ...options, level: 'info' }),
    // the logged steps include creating the tables
    place: await emptyPlace(),
  })
  try {
    await work(server, lines)
  } finally {
    await server.close()
  }
}

const admin = { username: 'admin', password: 'a good password' }
const METRICS = {
  appName: 'app',
  instanceId: 'i',
  bucket: { start: new Date().toISOString(), stop: new Date().toISOString(), toggles: { f: { yes: 1, no: 0 } } },
}

/** Log line that each step writes. */
const STEPS: readonly (readonly [string, RegExp])[] = [
  ['migrations', /^\S+ DEBUG: Migrated: 0001-projects/],
  ['changes, with their events', /^\S+ DEBUG: Changed: feature-created \(\d+\)/],
  [
    'requests, by the pattern of their route',
    /^\S+ DEBUG: POST \/api\/admin\/projects\/:projectId\/features 201 in [\d.]+ ms/,
  ],
  ['requests of hot routes', /^\S+ DEBUG: GET \/api\/frontend 200 in [\d.]+ ms/],
  ['requests of no route', /^\S+ DEBUG: POST unknown 404 in [\d.]+ ms/],
  ['sessions', /^\S+ DEBUG: Created a session of user 1/],
  [
    'downloads that are put together',
    /^\S+ DEBUG: A download for the environment "development" was assembled: revision \d+, \d+ bytes/,
  ],
  ['engines of front ends', /^\S+ DEBUG: Configuration 1 is in use, from upstream: 1 feature/],
  ['usage that is written', /^\S+ DEBUG: Wrote usage: 1 count/],
  ['failed logins that are written', /^\S+ DEBUG: Wrote failed logins of 1 user/],
  ['looks for flags that have outlived their type', /^\S+ DEBUG: Detecting flags past their expected lifetime/],
  ['the stop', /^\S+ DEBUG: Stopping/],
]

async function play(server: TestServer) {
  await server.admin('POST /api/admin/projects/default/features', { name: 'f' })
  await server.call({ call: 'POST /auth/simple/login', body: { ...admin, password: 'wrong' } })
  await server.call({ call: 'POST /auth/simple/login', body: admin })
  await server.call({ as: 'client', call: 'GET /api/client/features' })
  await server.call({ as: 'frontend', call: 'GET /api/frontend?userId=7' })
  await server.call({ as: 'client', call: 'POST /api/client/metrics', body: METRICS })
  await server.call({ call: 'POST /nothing-here' })
  await server.server.markOverdue()
  await server.server.flush()
  await server.server.close()
}

describe('at the level debug', () => {
  test('each step is logged', () =>
    withLog('debug', false, async (server, lines) => {
      await play(server)
      for (const [step, pattern] of STEPS)
        expect([step, lines.find((line) => pattern.test(line))]).toEqual([step, expect.any(String)])
    }))

  test('JSON has the same in one object each', () =>
    withLog('debug', true, async (server, lines) => {
      await play(server)
      const told = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'debug')
      expect(told.length).toBeGreaterThan(STEPS.length)
      for (const entry of told) expect(Object.keys(entry).sort()).toEqual(['args', 'level', 'message', 'time'])
    }))
})

test.each(['info', 'warn'] as const)('at the level %s no step is logged or formatted', async (level) => {
  const said: string[] = []
  const debug = (message: string) => void said.push(message)
  const quiet = () => {}
  const logger = { debug, info: quiet, warn: quiet, error: quiet, fatal: quiet }
  const server = await startServer({ logLevel: level, securityLog: false }, Date.now, { logger })
  await play(server)
  await server.close()
  expect(said).toEqual([])
})

describe('no line contains a secret', () => {
  const SECRET = 'a-secret-nobody-may-read'
  /** Every part of a request that could contain a secret. */
  const headers = {
    cookie: `burgee-session=${SECRET}; other=${SECRET}`,
    referer: `http://localhost/?token=${SECRET}`,
    'user-agent': SECRET,
    'x-api-key': SECRET,
  }
  const secrets = [SECRET, ...Object.values(TOKENS).map((token) => token.split('.')[1] ?? ''), admin.password]

  // lines have the same arguments in both formats, so one format is enough for the second database
  test.each(inject('driver') === 'sqlite' ? [true, false] : [true])(
    'whatever is requested, and by any caller; JSON: %s',
    (json) =>
      withLog('debug', json, async (server, lines) => {
        const login = await server.call({ call: 'POST /auth/simple/login', body: admin })
        const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? ''
        const { secret } = await server.admin('POST /api/admin/api-tokens', {
          type: 'client',
          tokenName: 'sdk',
          environment: 'development',
        })
        const routes = server.server.routes.filter(({ url }) => url !== '/logout')
        const fields = ['password', 'oldPassword', 'confirmPassword', 'token', 'secret']
        const whole = Object.fromEntries(fields.map((name) => [name, SECRET]))
        // a user types the password into the username field
        await server.call({ call: 'POST /auth/simple/login', body: { username: SECRET, password: SECRET } })
        for (const route of routes) {
          const url = route.url.replaceAll(/:\w+|\*/g, SECRET)
          const call = `${route.method} ${url}?token=${SECRET}&secret=${SECRET}`
          const sent = route.body === undefined ? {} : { body: sampleOf(route.body as SampledSchema, whole) }
          await server.call({ call, ...sent, headers })
          await server.call({ as: `*:*.${SECRET}`, call, ...sent })
          await server.call({ as: `user:${SECRET}`, call, ...sent })
          for (const as of ['admin', 'client', 'frontend'] as const) await server.call({ as, call, ...sent, headers })
          await server.call({ call, ...sent, headers: { ...headers, cookie } })
        }
        await server.server.flush()
        expect(lines.length).toBeGreaterThan(7 * routes.length)
        const all = [...secrets, secret.split('.')[1], cookie.split('=')[1]]
        expect(lines.filter((line) => all.some((one) => line.includes(String(one))))).toEqual([])
      }),
    300_000,
  )
})
