import { randomBytes } from 'node:crypto'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { parseOptions } from '@burgee/kit/options/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { keptLog } from '../../support/kept-log.ts'
import { CHEAP } from '../../support/password-cost.ts'
import { type EmptyPlace, emptyPlace } from '../../support/place.ts'
import { optionsOf } from '../scenario.ts'

const places: EmptyPlace[] = []
afterAll(() => Promise.all(places.map((place) => place.remove())))

/** Creates an empty database, which is removed at the end. */
async function place(): Promise<EmptyPlace> {
  const made = await emptyPlace()
  places.push(made)
  return made
}

const start = (given: object, logger = SILENT) =>
  createServer({
    options: optionsOf({ port: 0, host: '127.0.0.1', ...given }),
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger,
    passwordCost: CHEAP,
  })

describe('the first start', () => {
  test('creates an administrator once, whose password must be changed', async () => {
    const { options, look } = await place()
    const server = await start(options)
    expect(server.isNew).toBe(true)
    const login = server.firstLogin
    expect(login?.username).toBe('admin')
    expect(login?.password).toMatch(/^[\w-]{20}$/)
    const payload = { username: login?.username, password: login?.password }
    const reply = await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload })
    expect(reply.json()).toMatchObject({ mustChangePassword: true })
    await server.close()
    const second = await start({ ...options, initAdminApiTokens: ['*:*.later'] })
    expect(second.isNew).toBe(false)
    expect(second.firstLogin).toBeUndefined()
    const late = await second.app.inject({ url: '/api/admin/projects', headers: { authorization: '*:*.later' } })
    expect(late.statusCode).toBe(401)
    await second.close()
    const db = await look()
    const [first, ...more] = await db.rows('select type, created_by, data from events')
    expect([first, more]).toMatchObject([{ type: 'user-created', created_by: 'system' }, []])
    const state = { id: 1, username: 'admin', email: null, name: null, rootRole: 1 }
    expect(JSON.parse(String(first?.data))).toEqual(state)
    expect(await db.rows('select username from users')).toEqual([{ username: 'admin' }])
    await db.close()
    const { dataDir } = options
    if (dataDir === undefined) return
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(statSync(join(dataDir, 'burgee.sqlite')).mode & 0o077).toBe(0)
  })

  test('closes a directory that others may read, and what is in it, once', async () => {
    const { dataDir } = (await place()).options
    if (dataDir === undefined) return
    chmodSync(dataDir, 0o755)
    const warnings: string[] = []
    const logger = { ...SILENT, warn: (line: string) => void warnings.push(line) }
    const open = async () => {
      const options = optionsOf({ dataDir, port: 0, defaultAdminPassword: 'nothing to guess here' })
      const server = await createServer({
        options,
        clock: Date.now,
        monotonic: PROCESS_CLOCK,
        random: randomBytes,
        logger,
        passwordCost: CHEAP,
      })
      await server.close()
      return warnings.splice(0)
    }
    expect(await open()).toEqual([expect.stringMatching(/was accessible to other users .* access was removed/)])
    chmodSync(join(dataDir, 'burgee.sqlite'), 0o644)
    expect(await open()).toEqual([expect.stringContaining('burgee.sqlite was accessible')])
    expect(await open()).toEqual([])
    for (const name of ['', 'burgee.sqlite']) expect(statSync(join(dataDir, name)).mode & 0o007).toBe(0)
  })

  test('takes name, password and tokens from the configuration, and repeats no password', async () => {
    const server = await start({
      ...(await place()).options,
      defaultAdminUsername: 'boss',
      defaultAdminPassword: 'given once',
      initClientApiTokens: ['default:development.unleash-insecure-api-token', '*:production.b'],
      initFrontendApiTokens: ['*:development.c'],
    })
    expect(server.firstLogin).toEqual({ username: 'boss', password: undefined, made: 'configured' })
    const payload = { username: 'boss', password: 'given once' }
    const login = await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload })
    expect(login.json()).toMatchObject({ mustChangePassword: false })
    const features = await server.app.inject({
      url: '/api/client/features',
      headers: { authorization: 'default:development.unleash-insecure-api-token' },
    })
    expect(features.statusCode).toBe(200)
    await server.close()
  })

  test('warns of guessable configured tokens at each start, without showing the secret', async () => {
    const { options } = await place()
    const strong = randomBytes(16).toString('hex')
    const given = {
      ...options,
      defaultAdminPassword: 'nothing to guess here',
      initAdminApiTokens: [`*:*.${strong}`, '*:*.unleash-insecure-admin-api-token'],
      initClientApiTokens: [`default:development.${strong}`],
      initFrontendApiTokens: ['*:development.c'],
    }
    for (const _time of ['first', 'second']) {
      const lines: string[] = []
      const logger = { ...SILENT, warn: (line: string) => void lines.push(line) }
      const server = await createServer({
        options: optionsOf(given),
        clock: Date.now,
        monotonic: PROCESS_CLOCK,
        random: randomBytes,
        logger,
        passwordCost: CHEAP,
      })
      await server.close()
      expect(lines.filter((line) => line.startsWith('INIT_'))).toEqual([
        'INIT_ADMIN_API_TOKENS: token 2 has a secret of about 64 bits, which can be guessed: use 128 or more, as generated by `openssl rand -hex 32`.',
        'INIT_FRONTEND_API_TOKENS: token 1 has a secret of about 0 bits, which can be guessed: use 128 or more, as generated by `openssl rand -hex 32`.',
      ])
      expect(lines.join()).not.toMatch(/insecure/)
      expect(lines.join()).not.toContain(strong)
    }
  })

  test.each([
    [
      'an admin token of one project',
      { initAdminApiTokens: ['*:*.fine', 'default:development.hidden-part'] },
      /INIT_ADMIN_API_TOKENS: token 2 is not an admin token/,
    ],
    [
      'a client token for all environments',
      { initClientApiTokens: ['*:*.hidden-part'] },
      /INIT_CLIENT_API_TOKENS: token 1 is not a client token/,
    ],
    [
      'a token without grammar',
      { initFrontendApiTokens: ['hidden-part'] },
      /INIT_FRONTEND_API_TOKENS: token 1 must look like/,
    ],
    [
      'an unknown environment',
      { initClientApiTokens: ['default:development.ok', 'default:mars.hidden-part'] },
      /INIT_CLIENT_API_TOKENS: token 2: There is no environment "mars"/,
    ],
    [
      'an unknown project',
      { initClientApiTokens: ['mars:development.hidden-part'] },
      /INIT_CLIENT_API_TOKENS: token 1: There is no project "mars"/,
    ],
    [
      'the same token twice',
      {
        initClientApiTokens: ['default:development.hidden-part'],
        initFrontendApiTokens: ['default:development.hidden-part'],
      },
      /INIT_FRONTEND_API_TOKENS: token 1 is given twice/,
    ],
    ['a short password', { defaultAdminPassword: 'hidden-pa' }, /DEFAULT_ADMIN_PASSWORD: .*at least 10 characters/],
    ['a well-known password', { defaultAdminPassword: 'unleash4all' }, /DEFAULT_ADMIN_PASSWORD: The password/],
    [
      'a password with the name of the administrator',
      { defaultAdminUsername: 'hidden-part', defaultAdminPassword: 'hidden-part1' },
      /DEFAULT_ADMIN_PASSWORD: The password/,
    ],
  ])('%s is an error that names the place and not the secret, and leaves nothing', async (_name, given, message) => {
    const { options } = await place()
    const failure = await start({ ...options, ...given }).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect((failure as Error).message).toMatch(message)
    expect(String((failure as Error).stack) + JSON.stringify(failure)).not.toContain('hidden-part')
    const server = await start(options)
    expect(server.isNew).toBe(true)
    await server.close()
  })
})

/** Starts a server on a database that has been used before, and returns the server's warnings. */
async function startAgain(given: object): Promise<{ server: Awaited<ReturnType<typeof start>>; warned: string[] }> {
  const warned: string[] = []
  const options = optionsOf({ port: 0, host: '127.0.0.1', ...given })
  const logger = { ...SILENT, warn: (line: string) => void warned.push(line) }
  const server = await createServer({
    options,
    clock: Date.now,
    monotonic: PROCESS_CLOCK,
    random: randomBytes,
    logger,
    passwordCost: CHEAP,
  })
  return { server, warned: warned.filter((line) => !line.includes('was accessible to other users')) }
}

type Started = Awaited<ReturnType<typeof start>>
const logIn = async (server: Started, username: string, password: string) =>
  (await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload: { username, password } })).statusCode

describe('a later start before the first login with the generated password', () => {
  const isAlone = inject('driver') === 'sqlite'

  test('generates a new one if no other server runs, and waits if servers start together', async () => {
    const { options, look } = await place()
    const first = await start(options)
    const lost = first.firstLogin
    await first.close()
    const { server } = await startAgain(options)
    expect(server.isNew).toBe(false)
    const shown = server.firstLogin
    expect(shown).toEqual(
      isAlone
        ? { username: 'admin', password: expect.stringMatching(/^[\w-]{20}$/), made: 'anew' }
        : { username: 'admin', password: undefined, made: 'elsewhere' },
    )
    expect(await logIn(server, 'admin', lost?.password ?? '')).toBe(isAlone ? 401 : 200)
    if (isAlone) expect(await logIn(server, 'admin', shown?.password ?? '')).toBe(200)
    await server.close()
    const db = await look()
    const events = await db.rows('select type, created_by from events order by id')
    const made = { type: 'user-created', created_by: 'system' }
    expect(events).toEqual(isAlone ? [made, { type: 'user-updated', created_by: 'system' }] : [made])
    await db.close()
  })

  test('on PostgreSQL generates a new one after ten minutes, once among servers that start together', async () => {
    const { options } = await place()
    await (await start(options)).close()
    const inAWhile = () => Date.now() + 10 * 60_000 + 1000
    const world = {
      options: optionsOf({ port: 0, ...options }),
      clock: inAWhile,
      monotonic: PROCESS_CLOCK,
      random: randomBytes,
      logger: SILENT,
      passwordCost: CHEAP,
    }
    const nodes = isAlone ? [await createServer(world)] : await Promise.all([1, 2, 3].map(() => createServer(world)))
    const made = nodes.map(({ firstLogin }) => firstLogin?.made).sort()
    expect(made).toEqual(isAlone ? ['anew'] : ['anew', 'elsewhere', 'elsewhere'])
    const [shown] = nodes.flatMap(({ firstLogin }) => firstLogin?.password ?? [])
    for (const node of nodes) expect(await logIn(node, 'admin', shown ?? '')).toBe(200)
    for (const node of nodes) await node.close()
  })

  test('takes the one that is configured now', async () => {
    const { options } = await place()
    await (await start(options)).close()
    const { server, warned } = await startAgain({ ...options, defaultAdminPassword: 'given a little late' })
    expect(server.firstLogin).toEqual({ username: 'admin', password: undefined, made: 'configured' })
    expect(await logIn(server, 'admin', 'given a little late')).toBe(200)
    expect(warned).toEqual([])
    await server.close()
    const again = await startAgain(options)
    expect(again.server.firstLogin).toBeUndefined()
    await again.server.close()
  })

  test.each<{ name: string; before: object; meanwhile?: (server: Started, password: string) => Promise<unknown> }>([
    {
      name: 'a user has logged in with it',
      before: {},
      meanwhile: (server, password) => logIn(server, 'admin', password),
    },
    { name: 'it was configured', before: { defaultAdminPassword: 'a configured one' } },
    {
      name: 'an administrator has set another one',
      before: { initAdminApiTokens: ['*:*.admin-secret'] },
      meanwhile: (server) =>
        server.app.inject({
          method: 'POST',
          url: '/api/admin/user-admin/1/change-password',
          headers: { authorization: '*:*.admin-secret' },
          payload: { password: 'set by somebody else 7', mustChangePassword: true },
        }),
    },
    {
      name: 'the administrator is gone',
      before: { initAdminApiTokens: ['*:*.admin-secret'] },
      meanwhile: async (server) => {
        const call = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
          server.app.inject({
            method,
            url: `/api/admin/user-admin${url}`,
            headers: { authorization: '*:*.admin-secret' },
            ...(payload === undefined ? {} : { payload }),
          })
        await call('POST', '', { username: 'other', password: 'a password of 2026', rootRole: 1 })
        expect((await call('DELETE', '/1')).statusCode).toBe(200)
      },
    },
  ])('generates no new one if $name', async ({ before, meanwhile }) => {
    const { options } = await place()
    const first = await start({ ...options, ...before })
    await meanwhile?.(first, first.firstLogin?.password ?? '')
    await first.close()
    const { server } = await startAgain(options)
    expect(server.firstLogin).toBeUndefined()
    await server.close()
  })
})

describe('variables of the first start, on a later one', () => {
  // a strong token, because a weak token would cause a different warning
  const STRONG = '7d1f0c9ab3e85264f0b1d97a3c5e6286'
  const TOKENS_THEN = {
    initAdminApiTokens: [`*:*.${STRONG}-known-one`],
    initClientApiTokens: [`default:development.${STRONG}-known-two`],
    initFrontendApiTokens: [`default:development.${STRONG}-known-three`],
  }
  const THEN = { defaultAdminUsername: 'boss', defaultAdminPassword: 'the one of then', ...TOKENS_THEN }

  test.each<{ name: string; now: object; warns: (RegExp | string)[] }>([
    { name: 'the same ones: nothing is ignored', now: THEN, warns: [] },
    { name: 'none', now: {}, warns: [] },
    {
      name: 'another admin token',
      now: { ...THEN, initAdminApiTokens: [`*:*.${STRONG}-known-one`, `*:*.${STRONG}-hidden-part`] },
      warns: [/^INIT_ADMIN_API_TOKENS: token 2 .*not created.*first start.*POST \/api\/admin\/api-tokens/],
    },
    {
      name: 'others of each kind',
      now: {
        initAdminApiTokens: [`*:*.${STRONG}-hidden-part`],
        initClientApiTokens: [`default:development.${STRONG}-hidden-part`],
        initFrontendApiTokens: [
          `default:production.${STRONG}-hidden-part`,
          `default:development.${STRONG}-known-three`,
        ],
      },
      warns: [/^INIT_ADMIN_API_TOKENS: token 1, INIT_CLIENT_API_TOKENS: token 1, INIT_FRONTEND_API_TOKENS: token 1 /],
    },
    {
      name: 'another password',
      now: { ...THEN, defaultAdminPassword: 'hidden-part' },
      warns: [/^DEFAULT_ADMIN_PASSWORD .*no effect.*"boss".*burgee reset-password boss/],
    },
    {
      name: 'another name',
      now: { ...THEN, defaultAdminUsername: 'chief' },
      warns: [/^DEFAULT_ADMIN_USERNAME .*no effect.*"chief"/],
    },
  ])('$name', async ({ now, warns }) => {
    const { options, look } = await place()
    const first = await start({ ...options, ...THEN })
    expect(await logIn(first, 'boss', 'the one of then')).toBe(200)
    await first.close()
    const { server, warned } = await startAgain({ ...options, ...now })
    expect(warned).toEqual(warns.map((warning) => expect.stringMatching(warning)))
    expect(warned.join()).not.toContain('hidden-part')
    expect(await logIn(server, 'boss', 'the one of then')).toBe(200)
    await server.close()
    const db = await look()
    expect(await db.rows('select type from events')).toHaveLength(4)
    await db.close()
  })

  test('a password that was changed since is not warned about at each restart', async () => {
    const { options } = await place()
    const first = await start({ ...options, ...THEN })
    const reply = await first.app.inject({
      method: 'POST',
      url: '/api/admin/user-admin/1/change-password',
      headers: { authorization: `*:*.${STRONG}-known-one` },
      payload: { password: 'changed in the meantime' },
    })
    expect(reply.statusCode).toBe(200)
    await first.close()
    const { server, warned } = await startAgain({ ...options, ...THEN })
    expect(warned).toEqual([])
    expect(await logIn(server, 'boss', 'changed in the meantime')).toBe(200)
    await server.close()
  })

  test('a token that was removed since is named, and not made again', async () => {
    const { options } = await place()
    const first = await start({ ...options, ...THEN })
    const headers = { authorization: `*:*.${STRONG}-known-one` }
    const list = await first.app.inject({ url: '/api/admin/api-tokens', headers })
    const { tokens } = list.json() as { tokens: { id: string; type: string }[] }
    const { id = '' } = tokens.find(({ type }) => type === 'client') ?? {}
    expect((await first.app.inject({ method: 'DELETE', url: `/api/admin/api-tokens/${id}`, headers })).statusCode).toBe(
      200,
    )
    await first.close()
    const { server, warned } = await startAgain({ ...options, ...THEN })
    expect(warned).toEqual([expect.stringMatching(/^INIT_CLIENT_API_TOKENS: token 1 /)])
    await server.close()
  })
})

describe('options', () => {
  test('come from the variables that people have', () => {
    const env = {
      HTTP_PORT: '1234',
      UNLEASH_DEFAULT_ADMIN_USERNAME: 'u',
      UNLEASH_DEFAULT_ADMIN_PASSWORD: 'p',
      INIT_CLIENT_API_TOKENS: 'a, b',
      BASE_URI_PATH: 'flags/',
    }
    expect(parseOptions(SERVER_OPTIONS, { env })).toMatchObject({
      port: 1234,
      defaultAdminUsername: 'u',
      defaultAdminPassword: 'p',
      initClientApiTokens: ['a', 'b'],
      baseUriPath: '/flags',
      dataDir: './data',
      logLevel: 'warn',
    })
  })
})

describe('the demo', () => {
  test('has four flags, and a second time nothing happens', async () => {
    const server = await start((await place()).options)
    await server.seedDemo()
    const scope = { environment: 'development', projects: ['*'] }
    const { document, revision } = await server.features(scope)
    expect(document.features.map(({ name, enabled }) => [name, enabled])).toEqual([
      ['beta-banner', true],
      ['dark-mode', false],
      ['new-checkout', true],
      ['staff-tools', true],
    ])
    const checkout = document.features.find((feature) => feature.name === 'new-checkout')
    expect(checkout?.variants?.map((variant) => variant.payload?.type)).toEqual(['string', 'json'])
    expect(document.segments).toMatchObject([{ id: 1, name: 'staff' }])
    await server.seedDemo()
    expect((await server.features(scope)).revision).toBe(revision)
    await server.close()
  })
})

describe('environments that are on without an enabled strategy, as an older database may hold them', () => {
  test.each([
    [0, undefined],
    [
      2,
      'Flags that are on without an enabled strategy (2), and how SDKs evaluate them: f10 in development (on for everyone), f11 in',
    ],
    [23, 'f28 in development (on for everyone), f29 in development (off) and 3 more. Give each'],
  ])('%i of them: one warning names them, at most 20', async (count, text) => {
    const { options, look } = await place()
    const server = await start({ ...options, initAdminApiTokens: ['*:*.admin'] })
    const admin = async (url: string, payload: object = {}) => {
      const request = { method: 'POST', url, payload, headers: { authorization: '*:*.admin' } } as const
      expect((await server.app.inject(request)).statusCode).toBeLessThan(300)
    }
    const P = '/api/admin/projects/default/features'
    for (const index of Array(count + 1).keys()) {
      await admin(P, { name: `f${index + 10}` })
      await admin(`${P}/f${index + 10}/environments/development/on`)
    }
    await server.close()
    const db = await look()
    const left = `f${count + 10}`
    await db.rows("update feature_strategies set disabled = 1 where feature_name like '%9' and feature_name <> ?", left)
    await db.rows("delete from feature_strategies where feature_name not like '%9' and feature_name <> ?", left)
    await db.close()
    const { logger, lines } = keptLog()
    const again = await start(options, logger)
    await again.close()
    const said = lines.filter((line) => line.includes('without an enabled strategy'))
    expect(said).toEqual(text === undefined ? [] : [expect.stringContaining(text)])
    expect(said.join()).not.toContain(left)
  })

  test('archived ones are off for SDKs, and are not named', async () => {
    const { options, look } = await place()
    await (await start(options)).close()
    const db = await look()
    await db.rows(
      "insert into features (name, project, type, created_at, archived_at) values ('gone', 'default', 'release', 0, 1)",
    )
    await db.rows("insert into feature_environments values ('gone', 'production', 1, '[]', null)")
    await db.close()
    const { logger, lines } = keptLog()
    await (await start(options, logger)).close()
    expect(lines.filter((line) => line.includes('enabled strategy'))).toEqual([])
  })
})

describe('a running server', () => {
  test('listens, ends what is in flight, writes usage and frees its database', async () => {
    const { options, look } = await place()
    const token = '*:*.admin-secret'
    const server = await start({ ...options, initAdminApiTokens: [token] })
    const { url } = await server.listen()
    const health = await fetch(`${url}/health`)
    expect(await health.json()).toEqual({ health: 'GOOD' })
    const made = await fetch(`${url}/api/admin/projects/default/features`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'f' }),
    })
    expect(made.status).toBe(201)
    const time = new Date().toISOString()
    await server.recordMetrics({ environment: 'development', projects: ['*'] }, 'app', {
      start: time,
      stop: time,
      toggles: { f: { yes: 3 } },
    })
    const arrived = new Promise<void>((resolve) => server.app.server.once('request', () => resolve()))
    const inFlight = fetch(`${url}/api/admin/projects`, { headers: { authorization: token } })
    await Promise.all([inFlight.then((reply) => expect(reply.status).toBe(200)), arrived.then(() => server.close())])
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    await server.close()
    const db = await look()
    expect(await db.rows('select yes from client_metrics')).toEqual([{ yes: 3 }])
    await db.close()
    const again = await start(options)
    await again.close()
  })

  test('an address that is taken is an error, and the database is free again', async () => {
    const [{ options: one }, { options: two }] = [await place(), await place()]
    const first = await start(one)
    const { port } = await first.listen()
    const second = await start({ ...two, port })
    await expect(second.listen()).rejects.toThrow(`Port ${port} (PORT, --port) is in use (EADDRINUSE)`)
    await second.close()
    await first.close()
    await (await start(two)).close()
  })
})
