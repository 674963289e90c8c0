import { randomBytes } from 'node:crypto'
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SILENT } from '@burgee/kit/logger'
import { parseOptions } from '@burgee/kit/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { afterAll, describe, expect, test } from 'vitest'
import { type EmptyPlace, emptyPlace } from '../support/place.ts'
import { optionsOf, startServer } from './scenario.ts'

const places: EmptyPlace[] = []
afterAll(() => Promise.all(places.map((place) => place.remove())))

/** An empty database, removed at the end. */
async function place(): Promise<EmptyPlace> {
  const made = await emptyPlace()
  places.push(made)
  return made
}

const start = (given: object) =>
  createServer({
    options: optionsOf({ port: 0, host: '127.0.0.1', ...given }),
    clock: Date.now,
    random: randomBytes,
    logger: SILENT,
  })

describe('the first start', () => {
  test('makes an administrator whose password must be changed, once', async () => {
    const { options, look } = await place()
    const server = await start(options)
    expect(server.isNew).toBe(true)
    const login = server.firstLogin
    expect(login?.username).toBe('admin')
    expect(login?.password).toMatch(/^[\w-]{20}$/)
    const reply = await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload: login ?? {} })
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
      const server = await createServer({ options, clock: Date.now, random: randomBytes, logger })
      await server.close()
      return warnings.splice(0)
    }
    expect(await open()).toEqual([expect.stringMatching(/was open to other users .* closed/)])
    chmodSync(join(dataDir, 'burgee.sqlite'), 0o644)
    expect(await open()).toEqual([expect.stringContaining('burgee.sqlite was open')])
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
    expect(server.firstLogin).toEqual({ username: 'boss', password: undefined })
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

  test.each([
    ['hunter2', 1],
    ['unleash4all', 1],
    ['nothing to guess here', 0],
  ])('a configured password that is weak works, and is warned about: %s', async (defaultAdminPassword, warnings) => {
    const weak = await startServer({ defaultAdminPassword })
    try {
      const body = { username: 'admin', password: defaultAdminPassword }
      expect((await weak.call({ call: 'POST /auth/simple/login', body })).statusCode).toBe(200)
      const lines = weak.logged.filter((line) => line.startsWith('warn') && line.includes('weak'))
      expect(lines).toHaveLength(warnings)
      expect(weak.logged.join()).not.toContain(defaultAdminPassword)
    } finally {
      await weak.close()
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

describe('a running server', () => {
  test('listens, ends what is in flight, writes usage and frees its database', async () => {
    const { options, look } = await place()
    const token = '*:*.admin-secret'
    const server = await start({ ...options, initAdminApiTokens: [token] })
    const { url } = await server.listen()
    const health = await fetch(`${url}/health`)
    expect(await health.json()).toEqual({ health: 'GOOD' })
    const time = new Date().toISOString()
    await server.recordMetrics('development', 'app', { start: time, stop: time, toggles: { f: { yes: 3 } } })
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
    await expect(second.listen()).rejects.toThrow('EADDRINUSE')
    await second.close()
    await first.close()
    await (await start(two)).close()
  })
})
