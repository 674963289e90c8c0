import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type Forge, startForger } from './forger.ts'
import { CLIENT, HOME, OTHER_CLIENT_ID, startProvider } from './provider.ts'
import { signIn, signInAdmin } from './sign-in.ts'

/**
 * Single sign-on settings are stored only if the provider accepts them. Password login can be disabled only after a
 * login through the provider.
 */
const SETTINGS = '/api/admin/auth/oidc/settings'
const SIMPLE = '/api/admin/auth/simple/settings'
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const as = 'admin'

const provider = await startProvider()
const forger = await startForger()
let server: TestServer
beforeAll(async () => {
  server = await startServer({ secretKey: KEY, serverUrl: HOME, simpleLoginLimitPerMinute: 1000 })
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await forger.close()
})

const fixture = (name: string) => readFileSync(new URL(`../../proxy/fixtures/${name}`, import.meta.url))
const GOOD = { enabled: true, discoverUrl: provider.issuer, ...CLIENT, autoCreate: true }
const post = (body: object) => server.call({ as, call: `POST ${SETTINGS}`, body })
const switchOff = () => server.call({ as, call: `POST ${SIMPLE}`, body: { disabled: true } })

/** Sends settings, and expects a 400 and that nothing is stored. */
async function expectRefused(body: object, { path, reason }: { readonly path: string; readonly reason: string }) {
  const before = await server.admin(`GET ${SETTINGS}`)
  const last = await server.lastEventId()
  const reply = await post(body)
  expect([reply.statusCode, reply.json().details]).toEqual([400, [expect.objectContaining({ path })]])
  expect(reply.json().message).toContain(reason)
  expect(await server.eventsAfter(last)).toEqual([])
  expect(await server.admin(`GET ${SETTINGS}`)).toEqual(before)
}

describe('settings are refused, with the reason, if', () => {
  const url = 'body/discoverUrl'
  test.each<[string, object, string, string]>([
    ['nothing listens there', { discoverUrl: 'http://127.0.0.1:9' }, url, 'ECONNREFUSED'],
    ['the document is not there', { discoverUrl: `${provider.issuer}/realms/none` }, url, 'status 404'],
    ['the client is unknown', { clientId: 'nobody' }, 'body/clientId', 'client id or secret'],
    ['the secret is another one', { secret: 'a secret of somebody else' }, 'body/clientId', 'client id or secret'],
    ['ID tokens are signed otherwise', { idTokenSigningAlgorithm: 'RS512' }, 'body/idTokenSigningAlgorithm', 'RS512'],
  ])('%s', async (_name, change, path, reason) => {
    await expectRefused({ ...GOOD, ...change }, { path, reason })
  })

  test.each<[string, Forge, string, string]>([
    ['the document names another issuer', { document: { issuer: 'https://evil.example' } }, url, 'another issuer'],
    [
      'the login page is a file',
      { document: { authorization_endpoint: 'file:///etc/passwd' } },
      url,
      'no usable login page',
    ],
    [
      'the login page has no TLS',
      { document: { authorization_endpoint: 'http://evil.example/a' } },
      url,
      'without TLS',
    ],
    ['there is no login page', { document: { authorization_endpoint: undefined } }, url, 'no usable login page'],
    ['there are no keys', { keys: [] }, url, 'no RSA key'],
    ['keys are for encryption', { keys: [{ kty: 'RSA', use: 'enc' }] }, url, 'no RSA key'],
    ['keys have no address', { document: { jwks_uri: undefined } }, url, 'jwks_uri'],
    ['keys are elsewhere', { document: { jwks_uri: 'http://evil.example/keys' } }, url, 'keys of the provider'],
    ['the token endpoint fails', { refusal: { status: 503, error: 'server_error' } }, url, 'status 503'],
    [
      'the client may not log people in',
      { refusal: { status: 400, error: 'unauthorized_client' } },
      'body/clientId',
      'client id',
    ],
    ['the client is refused without a code', { refusal: { status: 401 } }, 'body/clientId', 'client id'],
    ['replies are too large', { padding: 2_000_000 }, url, 'larger than a megabyte'],
    ['replies redirect', { redirects: true }, url, 'status 302'],
    ['replies are web pages', { isWebPage: true }, url, 'its answer is not the expected document'],
  ])('%s', async (_name, forge, path, reason) => {
    forger.put(forge)
    await expectRefused({ ...GOOD, discoverUrl: forger.issuer }, { path, reason })
    forger.put({})
    expect(JSON.stringify(server.logged)).not.toContain(CLIENT.secret)
  })

  test.each<[string, object, string]>([
    ['emailDomains', { emailDomains: ' , ,' }, 'body/emailDomains'],
    ['emailDomains', { emailDomains: ' ' }, 'body/emailDomains'],
    ['acrValues', { acrValues: '  \t' }, 'body/acrValues'],
    ['acrValues', { acrValues: ' ', enabled: false }, 'body/acrValues'],
  ])('%s would restrict nothing: %j', async (property, change, path) => {
    await expectRefused({ ...GOOD, ...change }, { path, reason: property })
  })

  test('its certificate is not trusted', async () => {
    const untrusted = createServer({ key: fixture('self-signed-key.pem'), cert: fixture('self-signed.pem') })
    untrusted.listen(0, '127.0.0.1')
    await once(untrusted, 'listening')
    const { port } = untrusted.address() as AddressInfo
    const reason = 'certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'
    await expectRefused({ ...GOOD, discoverUrl: `https://127.0.0.1:${port}` }, { path: url, reason })
    untrusted.close()
    await once(untrusted, 'close')
  })

  test('the provider is away, but only where a login depends on what is changed', async () => {
    const other = await startProvider()
    const stored = { ...GOOD, discoverUrl: other.issuer }
    await server.admin(`POST ${SETTINGS}`, stored)
    await other.close()
    await expectRefused({ ...stored, acrValues: 'urn:mfa' }, { path: url, reason: 'ECONNREFUSED' })
    expect((await post({ ...stored, autoCreate: false })).statusCode).toBe(200)
    expect((await post({ ...stored, enabled: false })).statusCode).toBe(200)
    await expectRefused(stored, { path: url, reason: 'ECONNREFUSED' })
  })
})

describe('passwords', () => {
  const refusal = async () => {
    const reply = await switchOff()
    return [reply.statusCode, reply.statusCode === 200 || reply.json().message]
  }
  const NOT_TESTED = [409, expect.stringContaining('No administrator has logged in')]
  const isTested = async () => (await server.admin(`GET ${SETTINGS}`)).isTested

  test('stay on until an administrator has logged in through single sign-on', async () => {
    expect(await refusal()).toEqual([409, expect.stringContaining('enable single sign-on first')])
    await server.admin(`POST ${SETTINGS}`, GOOD)
    expect([await refusal(), await isTested()]).toEqual([NOT_TESTED, false])
    const viewer = { sub: 'ann', email: 'ann@example.com', email_verified: true }
    expect((await signIn(server, provider, viewer)).statusCode).toBe(302)
    expect([await refusal(), await isTested()]).toEqual([NOT_TESTED, false])
    await signInAdmin(server, provider)
    expect(await isTested()).toBe(true)
  })

  test.each<[string, object, boolean]>([
    ['another client', { clientId: OTHER_CLIENT_ID }, false],
    ['other domains', { emailDomains: 'example.org' }, false],
    ['another kind of login', { acrValues: 'urn:mfa' }, false],
    ['a further scope', { addGroupsScope: true }, false],
    ['accounts at the first login', { autoCreate: false }, true],
    ['single sign-out', { enableSingleSignOut: true }, true],
  ])('need another login after a change of %s: %o', async (_name, change, isStillTested) => {
    await server.admin(`POST ${SETTINGS}`, { ...GOOD, ...change })
    expect(await isTested()).toBe(isStillTested)
    await server.admin(`POST ${SETTINGS}`, GOOD)
    expect(await isTested()).toBe(true)
  })

  test('stay on once that administrator is none any more', async () => {
    await server.db.rows("update users set root_role = 3 where email = 'root@example.com'")
    expect([await refusal(), await isTested()]).toEqual([NOT_TESTED, false])
    await server.db.rows("update users set root_role = 1 where email = 'root@example.com'")
  })

  test('passwords are off after such a login, and settings that logins depend on are then locked', async () => {
    expect(await refusal()).toEqual([200, true])
    const change = await post({ ...GOOD, clientId: OTHER_CLIENT_ID })
    expect([change.statusCode, change.json().message]).toEqual([
      409,
      expect.stringContaining('enable password logins first'),
    ])
    expect((await post({ ...GOOD, enableSingleSignOut: true })).statusCode).toBe(200)
    expect((await signIn(server, provider, { sub: 'root', email: 'root@example.com' })).statusCode).toBe(302)
    await server.admin(`POST ${SIMPLE}`, { disabled: false })
    expect((await post({ ...GOOD, clientId: OTHER_CLIENT_ID })).statusCode).toBe(200)
  })
})
