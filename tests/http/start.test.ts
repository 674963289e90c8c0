import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SILENT } from '@burgee/kit/logger'
import { parseOptions } from '@burgee/kit/options'
import { createServer } from '@burgee/server'
import { SERVER_OPTIONS } from '@burgee/server/options'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { optionsOf } from './scenario.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'burgee-start-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const start = (given: object) =>
  createServer({
    options: optionsOf({ port: 0, host: '127.0.0.1', ...given }),
    clock: Date.now,
    random: randomBytes,
    logger: SILENT,
  })

describe('the first start', () => {
  test('makes an administrator whose password must be changed, once', async () => {
    const dataDir = join(root, 'first')
    const server = await start({ dataDir })
    expect(server.isNew).toBe(true)
    const login = server.firstLogin
    expect(login?.username).toBe('admin')
    expect(login?.password).toMatch(/^[\w-]{20}$/)
    const reply = await server.app.inject({ method: 'POST', url: '/auth/simple/login', payload: login ?? {} })
    expect(reply.json()).toMatchObject({ mustChangePassword: true })
    await server.close()
    const second = await start({ dataDir, initAdminApiTokens: ['*:*.later'] })
    expect(second.isNew).toBe(false)
    expect(second.firstLogin).toBeUndefined()
    const late = await second.app.inject({ url: '/api/admin/projects', headers: { authorization: '*:*.later' } })
    expect(late.statusCode).toBe(401)
    await second.close()
    const db = new DatabaseSync(join(dataDir, 'burgee.sqlite'))
    expect(
      db
        .prepare('select type from events')
        .all()
        .map((row) => row.type),
    ).toEqual(['user-created'])
    expect(db.prepare('select count(*) as n from users').get()?.n).toBe(1)
    db.close()
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(statSync(join(dataDir, 'burgee.sqlite')).mode & 0o077).toBe(0)
  })

  test('takes name, password and tokens from the configuration, and repeats no password', async () => {
    const server = await start({
      dataDir: join(root, 'configured'),
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
  ])('%s is an error that names the place and not the secret, and leaves nothing', async (name, given, message) => {
    const dataDir = join(root, `bad ${name}`)
    const failure = await start({ dataDir, ...given }).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect((failure as Error).message).toMatch(message)
    expect(String((failure as Error).stack) + JSON.stringify(failure)).not.toContain('hidden-part')
    const server = await start({ dataDir })
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
    const server = await start({ dataDir: join(root, 'demo') })
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
  test('listens, ends what is in flight, writes usage and frees its directory', async () => {
    const dataDir = join(root, 'running')
    const token = '*:*.admin-secret'
    const server = await start({ dataDir, initAdminApiTokens: [token] })
    const { url } = await server.listen()
    const health = await fetch(`${url}/health`)
    expect(await health.json()).toEqual({ health: 'GOOD' })
    const time = new Date().toISOString()
    await server.recordMetrics('development', 'app', { start: time, stop: time, toggles: { f: { yes: 3 } } })
    const inFlight = fetch(`${url}/api/admin/projects`, { headers: { authorization: token } })
    await Promise.all([
      inFlight.then((reply) => expect(reply.status).toBe(200)),
      new Promise((resolve) => setTimeout(resolve, 20)).then(() => server.close()),
    ])
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    await server.close()
    const db = new DatabaseSync(join(dataDir, 'burgee.sqlite'))
    expect(db.prepare('select yes from client_metrics').get()?.yes).toBe(3)
    db.close()
    const again = await start({ dataDir })
    await again.close()
  })

  test('an address that is taken is an error, and the directory is free again', async () => {
    const first = await start({ dataDir: join(root, 'one') })
    const { port } = await first.listen()
    const second = await start({ dataDir: join(root, 'two'), port })
    await expect(second.listen()).rejects.toThrow('EADDRINUSE')
    await second.close()
    await first.close()
    await (await start({ dataDir: join(root, 'two') })).close()
  })
})
