import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { FORGED_CODE, type Forge, startForger } from './forger.ts'
import { CALLBACK, CLIENT, HOME, OTHER_CALLBACK, OTHER_CLIENT_ID, startProvider } from './provider.ts'
import { comeBack, cookiesOf, leave } from './sign-in.ts'

/** Attacks on single sign-on: every row ends without a session. */
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const EVIL = 'https://evil.example'
const HTTPS = { 'x-forwarded-proto': 'https' }

const provider = await startProvider()
const lenient = await startProvider(true, HOME, false)
const [forger, otherForger] = [await startForger(), await startForger()]
let server: TestServer
beforeAll(async () => {
  const limits = { simpleLoginLimitPerMinute: 10_000, createUserRateLimitPerMinute: 1000 }
  server = await startServer({ secretKey: KEY, serverUrl: HOME, trustProxy: ['127.0.0.1'], ...limits })
})
afterAll(async () => {
  await server.close()
  for (const one of [provider, lenient, forger, otherForger]) await one.close()
})

const set = (issuer: string) =>
  server.admin('POST /api/admin/auth/oidc/settings', {
    enabled: true,
    discoverUrl: issuer,
    ...CLIENT,
    autoCreate: true,
  })
const victim = { sub: 'victim', email: 'victim@example.com', email_verified: true }
const mallory = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
type Reply = Awaited<ReturnType<typeof comeBack>>
const hasSession = ({ headers }: Reply) => Object.keys(cookiesOf(headers)).some((name) => name.includes('session'))

/**
 * Performs a login with the real provider up to the return URL. `change` edits the authorization URL before it is
 * followed.
 */
async function loginAt(one: typeof provider, change: (url: URL) => void = () => {}) {
  const { to, cookie } = await leave(server)
  const url = new URL(to)
  change(url)
  return { back: new URL(await one.visit(url.href)), cookie, state: new URL(to).searchParams.get('state') ?? '' }
}

describe('a return URL', () => {
  beforeAll(async () => {
    await set(provider.issuer)
    provider.put(victim)
  })

  const CHANGES: readonly [name: string, change: (url: URL) => void][] = [
    ['with an empty state', (url) => url.searchParams.set('state', '')],
    ['with the state twice', (url) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
    ['with another state before its own', ({ searchParams }) => searchParams.append('state', 'x')],
    ['with two codes', (url) => url.searchParams.append('code', 'x')],
    ['without a code', (url) => url.searchParams.delete('code')],
    ['without the issuer that this provider always names', (url) => url.searchParams.delete('iss')],
    ['with an empty issuer', (url) => url.searchParams.set('iss', '')],
    ['with two issuers', (url) => url.searchParams.append('iss', EVIL)],
    ['with an ID token in the URL', (url) => url.searchParams.set('id_token', 'e30.e30.')],
    ['with a response as a token', (url) => url.searchParams.set('response', 'e30.e30.')],
    ['without anything', (url) => (url.search = '')],
  ]
  test.each(CHANGES)('%s is refused', async (_name, change) => {
    const { back, cookie } = await loginAt(provider)
    change(back)
    const reply = await comeBack(server, back.href, cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
  })

  test('leads to no route as a form of another page', async () => {
    const { back, cookie } = await loginAt(provider)
    const reply = await server.call({ call: `POST ${back.pathname}${back.search}`, headers: { cookie } })
    expect([reply.statusCode, hasSession(reply)]).toEqual([404, false])
  })

  test("causes a refusal with another user's code in a login of the victim", async () => {
    provider.put(mallory)
    const { back } = await loginAt(provider)
    provider.put(victim)
    const own = await leave(server)
    back.searchParams.set('state', new URL(own.to).searchParams.get('state') ?? '')
    const reply = await comeBack(server, back.href, own.cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
  })

  test("leaves the session of the browser as it is if another user's login ends there", async () => {
    const own = await loginAt(provider)
    const session = cookiesOf((await comeBack(server, own.back.href, own.cookie)).headers)['burgee-session']
    provider.put(mallory)
    const { back } = await loginAt(provider)
    provider.put(victim)
    const cookie = `burgee-session=${session}`
    const reply = await comeBack(server, back.href, cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([400, false])
    const me = await server.call({ call: 'GET /api/admin/user', headers: { cookie } })
    expect(me.json().user.email).toBe(victim.email)
  })
})

describe('an authorization URL', () => {
  beforeAll(() => provider.put(victim))

  test.each([
    ['a redirect to another host', { redirect_uri: `${EVIL}/auth/oidc/callback` }],
    ['a redirect to a path below', { redirect_uri: `${CALLBACK}/../../../evil` }],
    ['a redirect with a query', { redirect_uri: `${CALLBACK}?next=${EVIL}` }],
    ['a plain code challenge', { code_challenge_method: 'plain' }],
    ['no code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
  ] as [string, Record<string, string | undefined>][])('stops at the provider with %s', async (_name, parameters) => {
    await set(provider.issuer)
    const stopped = loginAt(provider, (url) => replace(url, parameters))
    // the provider shows an error, or returns without a code
    const codes = await stopped.then(
      ({ back }) => back.searchParams.getAll('code'),
      () => [],
    )
    expect(codes).toEqual([])
  })

  test.each([
    ['without the code challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with the code challenge of another login', { code_challenge: 'x'.repeat(43) }],
    ['with another nonce', { nonce: 'x'.repeat(43) }],
    ['without a nonce', { nonce: undefined }],
    ['for another client', { client_id: OTHER_CLIENT_ID }],
    ['that returns to another page of this host', { redirect_uri: OTHER_CALLBACK }],
    ['that asks for no ID token', { scope: 'email', nonce: undefined }],
    ['that returns the code after the fragment', { response_mode: 'fragment' }],
  ] as [string, Record<string, string | undefined>][])('%s leads to no session', async (_name, parameters) => {
    await set(lenient.issuer)
    lenient.put(victim)
    const { back, cookie, state } = await loginAt(lenient, (url) => replace(url, parameters))
    expect(`${back.search}${back.hash}`).toContain('code=')
    const url = new URL(`${CALLBACK}${back.search}`)
    expect(url.searchParams.get('state') ?? state).toBe(state)
    const reply = await comeBack(server, url.href, cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
  })

  test('unchanged leads to a session at the same provider', async () => {
    await set(lenient.issuer)
    const { back, cookie } = await loginAt(lenient)
    expect(hasSession(await comeBack(server, back.href, cookie))).toBe(true)
  })
})

describe('an ID token', () => {
  beforeAll(() => set(forger.issuer))
  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  async function forge(what: (nonce: string) => Forge) {
    const { to, cookie } = await leave(server)
    const { state = '', nonce = '' } = Object.fromEntries(new URL(to).searchParams)
    forger.put(what(nonce))
    const reply = await comeBack(server, `${CALLBACK}?code=${FORGED_CODE}&state=${state}`, cookie)
    forger.put({})
    return reply
  }

  const TOKENS: readonly [name: string, what: (nonce: string) => Forge][] = [
    ['signed with the public key as a secret', (nonce) => ({ nonce, alg: 'HS256 with the public key' })],
    ['signed with a key in its own header', (nonce) => ({ nonce, alg: 'embedded key' })],
    ['without a lifetime', (nonce) => ({ nonce, claims: { exp: undefined } })],
    ['that ends at a text', (nonce) => ({ nonce, claims: { exp: `${now() + hour}` } })],
    ['that is not valid yet', (nonce) => ({ nonce, claims: { nbf: now() + hour } })],
    ['for nobody', (nonce) => ({ nonce, claims: { aud: undefined } })],
    ['for an empty list', (nonce) => ({ nonce, claims: { aud: [] } })],
    ['for a longer client id', (nonce) => ({ nonce, claims: { aud: `${CLIENT.clientId}2` } })],
    ['without an issuer', (nonce) => ({ nonce, claims: { iss: undefined } })],
    ['of the same issuer with a slash', (nonce) => ({ nonce, claims: { iss: `${forger.issuer}/` } })],
    ['with two nonces', (nonce) => ({ nonce, claims: { nonce: [nonce, 'x'] } })],
    ['with a number as its subject', (nonce) => ({ nonce, claims: { sub: 7 } })],
  ]
  test.each(TOKENS)('%s is refused', async (_name, what) => {
    const reply = await forge(what)
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
  })

  test('causes a refusal in a later login', async () => {
    expect(hasSession(await forge((nonce) => ({ nonce })))).toBe(true)
    const token = forger.issued.at(-1) ?? ''
    const reply = await forge(() => ({ token }))
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
  })

  test('comes only from the provider where the login began', async () => {
    const { to, cookie } = await leave(server)
    const state = new URL(to).searchParams.get('state')
    await set(otherForger.issuer)
    await expect.poll(async () => new URL((await leave(server)).to).origin).toBe(otherForger.issuer)
    const reply = await comeBack(server, `${CALLBACK}?code=${FORGED_CODE}&state=${state}`, cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([403, false])
    expect(otherForger.codes).not.toContain(FORGED_CODE)
  })
})

describe('over HTTPS', () => {
  beforeAll(async () => {
    await set(provider.issuer)
    provider.put(victim)
  })
  const call = (url: string, cookie: string) => server.call({ call: `GET ${url}`, headers: { ...HTTPS, cookie } })
  const linesOf = ({ headers }: Reply) => [headers['set-cookie'] ?? []].flat().map(String)

  test('both cookies are tied to this host, and neither scripts nor other sites get them', async () => {
    const start = await call('/auth/oidc/login', '')
    const back = new URL(await provider.visit(String(start.headers.location)))
    const pending = linesOf(start)[0]?.split(';', 1)[0] ?? ''
    const end = await call(`${back.pathname}${back.search}`, pending)
    const lines = [...linesOf(start), ...linesOf(end)]
    expect(lines).toHaveLength(3)
    for (const line of lines)
      expect(line).toMatch(
        /^__Host-burgee-(sign-in|session)=[^;]*; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
      )
  })

  test('a cookie that a neighbouring host planted starts nothing', async () => {
    const { back, cookie } = await loginAt(provider)
    const reply = await call(`${back.pathname}${back.search}`, cookie)
    expect([reply.statusCode, hasSession(reply)]).toEqual([400, false])
  })
})

test.each([`${EVIL}/`, '//evil.example', '/\\evil.example', '/x\r\nset-cookie: a=b'])(
  'a planted cookie that continues at %j continues at /',
  async (next) => {
    await set(provider.issuer)
    provider.put(victim)
    const { back, cookie } = await loginAt(provider)
    const [name = '', value = ''] = cookie.split('=')
    const content = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as unknown[]
    content[4] = next
    const planted = `${name}=${Buffer.from(JSON.stringify(content)).toString('base64url')}`
    const reply = await comeBack(server, back.href, planted)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/'])
  },
)

test('a login ends the session that the browser had before', async () => {
  await set(provider.issuer)
  provider.put(mallory)
  const first = await loginAt(provider)
  const before = cookiesOf((await comeBack(server, first.back.href, first.cookie)).headers)['burgee-session']
  provider.put(victim)
  const { back, cookie } = await loginAt(provider)
  const reply = await comeBack(server, back.href, `${cookie}; burgee-session=${before}`)
  expect(cookiesOf(reply.headers)['burgee-session']).not.toBe(before)
  const me = await server.call({ call: 'GET /api/admin/user', headers: { cookie: `burgee-session=${before}` } })
  expect(me.statusCode).toBe(401)
})

function replace({ searchParams }: URL, parameters: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) searchParams.delete(name)
    else searchParams.set(name, value)
  }
}
