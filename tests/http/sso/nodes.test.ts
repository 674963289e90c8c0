import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { CLIENT, HOME, startProvider } from './provider.ts'
import { signInAdmin } from './sign-in.ts'

/** Settings changed on one server take effect on the others with the same database, promptly and without a restart. */
const A = '/api/admin'
const OIDC = `${A}/auth/oidc/settings`
const provider = await startProvider()
afterAll(() => provider.close())
const SETTINGS = { enabled: true, discoverUrl: provider.issuer, ...CLIENT, emailDomains: 'example.com' }

describe.runIf(inject('driver') === 'postgres')('the second of two servers on one PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof readyPlace>>
  let first: TestServer
  let second: TestServer
  const start = async () => {
    const options = {
      secretKey: '1'.repeat(64),
      serverUrl: HOME,
      simpleLoginLimitPerMinute: 1000,
      apiTokenSecrets: 'readable',
    }
    const server = await startServer(options, Date.now, { place: { ...place, remove: async () => {} } })
    // the next server on this database recreates them
    await server.db.rows("delete from users where username in ('editor', 'viewer')")
    return server
  }
  beforeAll(async () => {
    place = await readyPlace()
    first = await start()
    second = await start()
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    await place.remove()
  })

  const status = async (call: string, body?: object) =>
    (await second.call({ call, ...(body === undefined ? {} : { body }) })).statusCode
  const login = () => status('POST /auth/simple/login', { username: 'admin', password: 'a good password' })

  test('learns that single sign-on is on, with all its settings', async () => {
    expect(await status('GET /auth/oidc/login')).toBe(404)
    const { isSetByEnvironment: _own, ...set } = await first.admin(`POST ${OIDC}`, SETTINGS)
    await until(async () => (await second.admin(`GET ${OIDC}`)).enabled === true)
    expect(await second.admin(`GET ${OIDC}`)).toMatchObject({ ...set, secret: CLIENT.secret })
    expect(await second.admin(`GET ${A}/instance-admin/statistics`)).toMatchObject({ OIDCenabled: true })
  })

  test('learns that passwords are off, and on again', async () => {
    expect(await login()).toBe(200)
    await signInAdmin(first, provider)
    expect(await second.admin(`GET ${OIDC}`)).toMatchObject({ isTested: true })
    await first.admin(`POST ${A}/auth/simple/settings`, { disabled: true })
    await until(async () => (await login()) !== 200)
    expect(await second.admin(`GET ${A}/ui-config`)).toMatchObject({ disablePasswordAuth: true })
    await first.admin(`POST ${A}/auth/simple/settings`, { disabled: false })
    await until(async () => (await login()) === 200)
  })

  test('the last of several changes in short order', async () => {
    for (const emailDomains of ['a', 'b', 'c', 'last']) await first.admin(`POST ${OIDC}`, { ...SETTINGS, emailDomains })
    await until(async () => (await second.admin(`GET ${OIDC}`)).emailDomains === 'last')
  })

  test('learns that single sign-on is off', async () => {
    await first.admin(`POST ${OIDC}`, { ...SETTINGS, enabled: false })
    await until(async () => (await status('GET /auth/oidc/login')) === 404)
  })

  test('learns that SCIM is on, its current token, and that it is off', async () => {
    const users = async (token: string) =>
      (await second.call({ as: `Bearer ${token}`, call: 'GET /scim/v2/Users' })).statusCode
    await first.admin(`POST ${A}/scim-settings`, { enabled: true })
    const { token } = await first.admin(`POST ${A}/scim-settings/generate-new-token`)
    await until(async () => (await users(token)) === 200)
    const { token: next } = await first.admin(`POST ${A}/scim-settings/generate-new-token`)
    await until(async () => (await users(next)) === 200)
    expect(await users(token)).toBe(401)
    await first.admin(`POST ${A}/scim-settings`, { enabled: false })
    await until(async () => (await users(next)) === 401)
  })
})
