import { randomBytes } from 'node:crypto'
import { SILENT } from '@burgee/kit/log/logger'
import { resetPassword } from '@burgee/server/boot/reset-password'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../support/wait.ts'
import { CREDENTIAL_TABLES } from '../access/credential-tables.ts'
import { optionsOf, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'
import { FORGED_CODE, type Forge, startForger } from './forger.ts'
import { CALLBACK, CLIENT, HOME, OTHER_CLIENT_ID, type Somebody, startProvider } from './provider.ts'
import { comeBack as comeBackTo, cookiesOf, leave as leaveFrom, signInAdmin, signIn as signInAt } from './sign-in.ts'

/** Single sign-on with a real provider, and with one that forges tokens. */
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
const SETTINGS = '/api/admin/auth/oidc/settings'
const SIMPLE = '/api/admin/auth/simple/settings'
const U = '/api/admin/user-admin'
const SERIES = '/internal-backstage/prometheus'
const GOOD = 'a password nobody guesses'
const as = 'admin'

const provider = await startProvider()
const forger = await startForger()
let server: TestServer
beforeAll(async () => {
  const limits = { simpleLoginLimitPerMinute: 10_000, createUserRateLimitPerMinute: 1000 }
  server = await startServer({ secretKey: KEY, serverUrl: HOME, ...limits })
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await forger.close()
})

const set = (more: object = {}) =>
  server.admin(`POST ${SETTINGS}`, {
    enabled: true,
    discoverUrl: provider.issuer,
    ...CLIENT,
    autoCreate: true,
    ...more,
  })
const leave = (next?: string) => leaveFrom(server, next)
const comeBack = (url: string, cookie: string) => comeBackTo(server, url, cookie)
const signIn = (who: Somebody, next?: string) => signInAt(server, provider, who, next)

async function sessionOf(who: Somebody): Promise<string> {
  const reply = await signIn(who)
  expect(reply.statusCode, reply.body).toBe(302)
  return `burgee-session=${cookiesOf(reply.headers)['burgee-session']}`
}
/** Creates a password-reset link as an administrator. Returns a function that sets a password with it. */
async function openResetLink(id: string) {
  const { resetPasswordUrl } = await server.admin(`POST ${U}/reset-password`, { id })
  const token = new URL(resetPasswordUrl).searchParams.get('token')
  return () => server.call({ call: 'POST /auth/reset/password', body: { token, password: `${GOOD} again` } })
}
const meOf = async (cookie: string) => (await server.call({ call: 'GET /api/admin/user', headers: { cookie } })).json()
const ann = { sub: 'ann-1', email: 'ann@example.com', email_verified: true, name: 'Ann' }

/** Returns the single sign-on state in the instance statistics and in the Prometheus metrics. */
const isToldOn = async () => (await server.admin('GET /api/admin/instance-admin/statistics')).OIDCenabled

describe('settings', () => {
  const body = { enabled: true, discoverUrl: provider.issuer, ...CLIENT }
  const as = 'admin'
  const call = `POST ${SETTINGS}`
  scenarios(() => server, [
    { name: 'before anything is set', as, call: `GET ${SETTINGS}`, status: 200, has: { enabled: false, secret: '' } },
    { name: 'of an editor', as: 'editor', call, body, status: 403, text: 'ADMIN' },
    { name: 'sign-in while it is off', call: 'GET /auth/oidc/login', status: 404, text: 'not set up' },
    { name: 'callback while it is off', call: 'GET /auth/oidc/callback?code=x', status: 404, text: 'not set up' },
    { name: 'without an id', as, call, body: { ...body, clientId: undefined }, status: 400, text: 'clientId' },
    { name: 'with an empty secret', as, call, body: { ...body, secret: '' }, status: 400, text: 'body/secret' },
    { name: 'with a mask of nothing', as, call, body: { ...body, secret: '*****' }, status: 400, text: 'body/secret' },
    { name: 'in the clear', as, call, body: { ...body, discoverUrl: 'http://id.example' }, status: 400, text: 'https' },
    { name: 'of a file', as, call, body: { ...body, discoverUrl: 'file:///etc/passwd' }, status: 400, text: 'https' },
    {
      name: 'with a user',
      as,
      call,
      body: { ...body, discoverUrl: 'https://u:p@id.example' },
      status: 400,
      text: 'https',
    },
    {
      name: 'groups without a place',
      as,
      call,
      body: { ...body, enableGroupSyncing: true },
      status: 400,
      text: 'groupJsonPath',
    },
    { name: 'another role', as, call, body: { ...body, defaultRootRoleId: 4 }, status: 400, text: 'rootRole' },
    { name: 'a key of another kind', as, call, body: { ...body, samlThing: 1 }, status: 400, text: 'samlThing' },
    {
      name: 'good ones',
      as,
      call,
      body,
      status: 200,
      has: { enabled: true, secret: '*****', defaultRootRole: 'Viewer' },
      events: ['setting-created'],
    },
    { name: 'the same, masked', as, call, body: { ...body, secret: '*****' }, status: 200, events: [] },
    {
      name: 'another id, masked',
      as,
      call,
      body: { ...body, clientId: OTHER_CLIENT_ID, secret: '*****' },
      status: 200,
      has: { clientId: OTHER_CLIENT_ID, secret: '*****' },
      events: ['setting-updated'],
    },
    ...['https://other.example/realm', `${provider.issuer}1`, ''].map((discoverUrl) => ({
      name: `another provider, masked: "${discoverUrl}"`,
      as,
      call,
      body: { ...body, enabled: false, discoverUrl, secret: '*****' },
      status: 400,
      text: 'body/secret',
      events: [],
    })),
    {
      name: 'SAML off',
      as,
      call: 'POST /api/admin/auth/saml/settings',
      body: { enabled: false },
      status: 200,
      has: { enabled: false },
    },
    {
      name: 'SAML on',
      as,
      call: 'POST /api/admin/auth/saml/settings',
      body: { enabled: true, entityId: 'x' },
      status: 400,
      text: 'not supported',
    },
    { name: 'SAML read', as, call: 'GET /api/admin/auth/saml/settings', status: 200, has: { enabled: false } },
    {
      name: 'Google on',
      as,
      call: 'POST /api/admin/auth/google/settings',
      body: { enabled: true },
      status: 400,
      text: 'not supported',
    },
    { name: 'Google read', as, call: 'GET /api/admin/auth/google/settings', status: 200, has: { enabled: false } },
    { name: 'passwords read', as, call: `GET ${SIMPLE}`, status: 200, has: { disabled: false } },
    { name: 'passwords of nobody', as, call: `POST ${SIMPLE}`, body: {}, status: 400, text: 'disabled' },
    {
      name: 'passwords on, as they are',
      as,
      call: `POST ${SIMPLE}`,
      body: { enabled: true },
      status: 200,
      has: { disabled: false },
    },
  ] satisfies Scenario[])

  test('figures tell that it is on', async () => {
    expect(await isToldOn()).toBe(true)
    await until(async () => /^oidc_enabled 1$/m.test((await server.call({ call: `GET ${SERIES}` })).body))
    await set({ enabled: false })
    expect(await isToldOn()).toBe(false)
  })

  test('the secret is nowhere but sealed', async () => {
    const stored = await Promise.all(['events', 'settings'].map((table) => server.db.rows(`select * from ${table}`)))
    expect(JSON.stringify(stored)).toContain('v1.')
    expect(`${JSON.stringify(stored)} ${server.logged.join()}`).not.toContain(CLIENT.secret)
  })
})

describe('a sign-in', () => {
  beforeAll(() => set())

  test('creates an account, found again by its subject and not by its address', async () => {
    const last = await server.lastEventId()
    const cookie = await sessionOf(ann)
    expect((await meOf(cookie)).user).toMatchObject({ email: 'ann@example.com', name: 'Ann', rootRole: 3 })
    expect(await server.eventsAfter(last)).toEqual(['user-created'])
    const again = await sessionOf({ ...ann, email: 'ann@new.example' })
    expect((await meOf(again)).user).toMatchObject({ email: 'ann@example.com' })
    expect(await server.eventsAfter(last)).toEqual(['user-created'])
    expect(server.logged.join('\n')).toMatch(
      /login .*result=success status=302 actor=ann@example\.com .*route=\/auth\/oidc\/callback/,
    )
    // users without a password cannot log in with one
    const login = { username: 'ann@example.com', password: '' }
    expect((await server.call({ call: 'POST /auth/simple/login', body: login })).statusCode).toBe(401)
  })

  test('reads claims that only the user-info endpoint has', async () => {
    const other = await startProvider(false)
    try {
      await set({ discoverUrl: other.issuer })
      other.put({ sub: 'bob', email: 'bob@example.com', email_verified: true })
      const { to, cookie } = await leave()
      expect((await comeBack(await other.visit(to), cookie)).statusCode).toBe(302)
    } finally {
      await other.close()
      await set()
    }
  })

  test('works while the user-info endpoint fails, keeping the groups that cannot be read', async () => {
    const other = await startProvider(false)
    const enter = async (who: Somebody) => {
      other.put(who)
      const { to, cookie } = await leave()
      return (await comeBack(await other.visit(to), cookie)).statusCode
    }
    const groups = () =>
      server.db.rows(
        "select g.name from groups g join group_members m on m.group_id = g.id join sso_identities i on i.user_id = m.user_id where i.subject = 'uif'",
      )
    try {
      await set({ discoverUrl: other.issuer, enableGroupSyncing: true, addGroupsScope: true, groupJsonPath: 'groups' })
      await server.db.rows(
        `insert into groups (name, mappings_sso, created_by, created_at) values ('kept', '["k"]', 'x', 0)`,
      )
      const uif = { sub: 'uif', email: 'uif@example.com', email_verified: true, groups: ['k'] }
      expect([await enter(uif), await groups()]).toEqual([302, [{ name: 'kept' }]])
      other.breakUserInfo(true)
      expect([await enter(uif), await groups()]).toEqual([302, [{ name: 'kept' }]])
      // a first login without an address is rejected
      expect(await enter({ ...uif, sub: 'new', email: 'new@example.com' })).toBe(403)
    } finally {
      await other.close()
      await set()
    }
  })

  test('uses PKCE, state and nonce, fresh each time', async () => {
    const [one, two] = [await leave(), await leave()]
    const [a, b] = [one, two].map(({ to }) => Object.fromEntries(new URL(to).searchParams))
    expect(a).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect([name, a?.[name]]).toEqual([name, expect.stringMatching(/^[\w-]{43}$/)])
      expect(a?.[name]).not.toBe(b?.[name])
    }
    const reply = await server.call({ call: 'GET /auth/oidc/login', headers: { host: 'evil.example' } })
    expect(new URL(String(reply.headers.location)).searchParams.get('redirect_uri')).toBe(CALLBACK)
    expect(String(reply.headers['set-cookie'])).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax/)
  })

  const FOREIGN: readonly [name: string, headers: Record<string, string>][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['another site over plain HTTP', { referer: 'http://evil.example/x' }],
  ]
  test.each(FOREIGN)('a link on %s leads to the login page and starts no login', async (_name, headers) => {
    for (const [next, to] of [
      ['', '/login'],
      ['?next=/projects', '/login?next=%2Fprojects'],
      ['?next=//evil.example', '/login'],
    ] as const) {
      const reply = await server.call({ call: `GET /auth/oidc/login${next}`, headers })
      expect([reply.statusCode, reply.headers.location, reply.headers['set-cookie']]).toEqual([302, to, undefined])
    }
  })

  test.each([
    ['same-origin', 'a page of the server'],
    ['none', 'the address bar'],
  ])('%s: %s starts a login', async (site) => {
    const reply = await server.call({ call: 'GET /auth/oidc/login', headers: { 'sec-fetch-site': site } })
    expect(String(reply.headers.location)).toContain('code_challenge')
  })

  test.each([
    ['/projects?x=1', '/projects?x=1'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/%0d%0aSet-Cookie:x=1', '/%0d%0aSet-Cookie:x=1'],
    ['/\r\nx', '/'],
    ['/café?q=日本#ü', '/caf%C3%A9?q=%E6%97%A5%E6%9C%AC#%C3%BC'],
    ['/.//evil.example', '/'],
    ['/'.padEnd(400, '日'), '/'],
  ])('continues at %j → %s', async (next, to) => {
    const reply = await signIn(ann, `?next=${encodeURIComponent(next)}`)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, to])
  })

  test('works once, neither again nor in another browser', async () => {
    provider.put(ann)
    const { to, cookie } = await leave()
    const back = await provider.visit(to)
    const stranger = await leave()
    expect((await comeBack(back, stranger.cookie)).statusCode).toBe(403)
    expect((await comeBack(back, '')).statusCode).toBe(400)
    const first = await comeBack(back, cookie)
    expect(first.statusCode).toBe(302)
    expect(cookiesOf(first.headers)).toMatchObject({ 'burgee-sign-in': '' })
    const again = await comeBack(back, cookie)
    expect([again.statusCode, cookiesOf(again.headers)['burgee-session']]).toEqual([403, undefined])
  })

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43)), 403],
    ['no state', (url: URL) => url.searchParams.delete('state'), 403],
    ['a made-up code', (url: URL) => url.searchParams.set('code', 'x'), 403],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example'), 403],
    ['an error', (url: URL) => url.searchParams.set('error', 'access_denied'), 403],
  ] as [string, (url: URL) => void, number][])('not with %s', async (_name, change, status) => {
    provider.put(ann)
    const { to, cookie } = await leave()
    const url = new URL(await provider.visit(to))
    change(url)
    const reply = await comeBack(url.href, cookie)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(reply.body).not.toContain('access_denied')
  })
})

describe('the account of a sign-in', () => {
  beforeAll(() => set({ emailDomains: 'example.com, example.org' }))
  const create = (body: object) => server.admin(`POST ${U}`, { rootRole: 2, ...body })

  test('has the verified address of a password account, and is linked to it', async () => {
    const { id } = await create({ email: 'Carl@example.com', password: GOOD })
    const last = await server.lastEventId()
    const cookie = await sessionOf({ sub: 'carl', email: 'carl@example.com', email_verified: true })
    expect((await meOf(cookie)).user).toMatchObject({ id, rootRole: 2 })
    expect(await server.eventsAfter(last)).toEqual(['user-updated'])
    // at the provider, the address now belongs to someone else
    const other = await signIn({ sub: 'carl-2', email: 'carl@example.com', email_verified: true })
    expect([other.statusCode, other.body]).toEqual([403, expect.stringContaining('belongs to another user')])
  })

  test('belongs to the owner of the address if it came by an invite link, and earlier credentials end', async () => {
    const { secret } = await server.admin('POST /api/admin/invite-link/tokens', {
      name: 'all',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    const email = 'vic@example.com'
    const body = { email, password: GOOD }
    expect((await server.call({ call: `POST /invite/${secret}/signup`, body })).statusCode).toBe(201)
    const login = () => server.call({ call: 'POST /auth/simple/login', body: { username: email, password: GOOD } })
    const cookie = `burgee-session=${cookiesOf((await login()).headers)['burgee-session']}`
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const pat = await server.call({
      call: 'POST /api/admin/user/tokens',
      body: { description: 'mine', expiresAt },
      headers: { cookie, host: 'flags.example', origin: HOME },
    })
    expect(pat.statusCode, pat.body).toBe(201)
    const last = await server.lastEventId()
    const own = await sessionOf({ sub: 'vic', email, email_verified: true })
    expect((await meOf(own)).user).toMatchObject({ email })
    expect(await server.eventsAfter(last)).toEqual(['user-updated', 'pat-deleted'])
    const after = await Promise.all([
      login(),
      server.call({ call: 'GET /api/admin/projects', headers: { cookie } }),
      server.call({ call: 'GET /api/admin/projects', headers: { authorization: pat.json().secret } }),
    ])
    expect(after.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  })

  test('loses everything that leads to a login if its address was unverified', async () => {
    const made = { name: 'strange', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const { secret } = await server.admin('POST /api/admin/invite-link/tokens', made)
    const email = 'xenia@example.com'
    const signup = await server.call({ call: `POST /invite/${secret}/signup`, body: { email, password: GOOD } })
    const { id } = signup.json()
    const until = Date.now() + 3_600_000
    const rows = {
      sessions: { hash: 'x1', user_id: id, created_at: 1, used_at: Date.now(), expires_at: until },
      personal_tokens: { hash: 'x2', user_id: id, description: 'mine', created_at: 1, expires_at: until },
      reset_tokens: { hash: 'x3', user_id: id, created_by: 'x', created_at: 1, expires_at: until },
      known_networks: { network_hash: 'x4', user_id: id, seen_at: Date.now() },
      sso_identities: { issuer: 'https://stranger.example', subject: 'x5', user_id: id, created_at: 1 },
    }
    expect(Object.keys(rows).sort()).toEqual([...CREDENTIAL_TABLES].sort())
    for (const [table, row] of Object.entries(rows)) {
      const marks = Object.keys(row).map(() => '?')
      const into = `insert into ${table} (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`
      await server.db.rows(into, ...Object.values(row))
    }
    await sessionOf({ sub: 'xenia', email, email_verified: true })
    const left = await Promise.all(
      CREDENTIAL_TABLES.map((table) => server.db.rows(`select * from ${table} where user_id = ?`, id)),
    )
    const old = JSON.stringify(left).match(/"x[1-5]"/g)
    expect(old).toBeNull()
    expect(await server.db.row('select password_hash from users where id = ?', id)).toEqual({ password_hash: '' })
    const own = await server.db.rows('select issuer, subject from sso_identities where user_id = ?', id)
    expect(own).toEqual([{ issuer: provider.issuer, subject: 'xenia' }])
  })

  test('stays unverified after an invite link when an administrator changes its address', async () => {
    const made = { name: 'moved', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
    const { secret } = await server.admin('POST /api/admin/invite-link/tokens', made)
    const body = { email: 'yann@stranger.example', password: GOOD }
    const signup = await server.call({ call: `POST /invite/${secret}/signup`, body })
    expect(signup.statusCode, signup.body).toBe(201)
    const row = await server.db.row('select id from users where email = ?', body.email)
    await server.admin(`PUT /api/admin/user-admin/${row?.id}`, { email: 'yann@example.com' })
    const login = () =>
      server.call({ call: 'POST /auth/simple/login', body: { username: 'yann@example.com', password: GOOD } })
    const cookie = `burgee-session=${cookiesOf((await login()).headers)['burgee-session']}`
    const own = await sessionOf({ sub: 'yann', email: 'yann@example.com', email_verified: true })
    expect((await meOf(own)).user).toMatchObject({ email: 'yann@example.com' })
    const after = [await login(), await server.call({ call: 'GET /api/admin/projects', headers: { cookie } })]
    expect(after.map(({ statusCode }) => statusCode)).toEqual([401, 401])
  })

  test('belongs to the owner of the address if another user claimed it, too', async () => {
    await create({ username: 'mallory', password: GOOD })
    const login = () => server.call({ call: 'POST /auth/simple/login', body: { username: 'mallory', password: GOOD } })
    const cookie = `burgee-session=${cookiesOf((await login()).headers)['burgee-session']}`
    const headers = { cookie, host: 'flags.example', origin: HOME }
    const body = { email: 'wilma@example.com', currentPassword: GOOD }
    expect((await server.call({ call: 'PUT /api/admin/user/profile', body, headers })).statusCode).toBe(200)
    const last = await server.lastEventId()
    const own = await sessionOf({ sub: 'wilma', email: 'wilma@example.com', email_verified: true })
    expect((await meOf(own)).user).toMatchObject({ email: 'wilma@example.com' })
    expect(await server.eventsAfter(last)).toEqual(['user-updated'])
    expect((await login()).statusCode).toBe(401)
    expect((await server.call({ call: 'GET /api/admin/projects', headers: { cookie } })).statusCode).toBe(401)
    // from then on, the user's address comes from the provider
    const mine = { cookie: own, host: 'flags.example', origin: HOME }
    const profile = (await server.call({ call: 'GET /api/admin/user/profile', headers: mine })).json()
    expect(profile.emailChange).toBe('single-sign-on')
    const next = { email: 'else@example.com' }
    const reply = await server.call({ call: 'PUT /api/admin/user/profile', body: next, headers: mine })
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining('comes from single sign-on')])
  })

  test('loses its open invite and reset links if it has no password', async () => {
    await create({ email: 'inge@example.com' })
    const use = await openResetLink('inge@example.com')
    await create({ email: 'olga@example.com', password: GOOD })
    const useOther = await openResetLink('olga@example.com')
    await sessionOf({ sub: 'inge', email: 'inge@example.com', email_verified: true })
    await sessionOf({ sub: 'olga', email: 'olga@example.com', email_verified: true })
    const after = [await use(), await useOther()]
    expect(after.map(({ statusCode }) => statusCode)).toEqual([401, 200])
    // later links are a decision of an administrator, which later logins respect
    const again = await openResetLink('inge@example.com')
    await sessionOf({ sub: 'inge', email: 'inge@example.com', email_verified: true })
    expect((await again()).statusCode).toBe(200)
  })

  test('cannot be created in maintenance mode; existing accounts still work', async () => {
    await server.admin('POST /api/admin/maintenance', { enabled: true })
    const last = await server.lastEventId()
    const reply = await signIn({ sub: 'mia', email: 'mia@example.com', email_verified: true })
    const known = await signIn({ sub: 'carl', email: 'carl@example.com', email_verified: true })
    expect(await server.eventsAfter(last)).toEqual([])
    await server.admin('POST /api/admin/maintenance', { enabled: false })
    expect([reply.statusCode, reply.body]).toEqual([503, expect.stringContaining('maintenance')])
    expect(known.statusCode).toBe(302)
  })

  test('needs its default role, which cannot be deleted while it is the default', async () => {
    const made = await server.admin('POST /api/admin/roles', { type: 'root-custom', name: 'gone', permissions: [] })
    const { id } = made.roles
    await set({ defaultRootRoleId: id })
    const refused = await server.call({ as, call: `DELETE /api/admin/roles/${id}` })
    expect([refused.statusCode, refused.json().message]).toEqual([400, expect.stringContaining('single sign-on')])
    await server.db.rows('delete from roles where id = ?', id)
    const reply = await signIn({ sub: 'mia', email: 'mia@example.com', email_verified: true })
    await set({ emailDomains: 'example.com, example.org' })
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining('role')])
  })

  test("cannot be created if the address is another user's username", async () => {
    await create({ username: 'Una@example.com', password: GOOD })
    const reply = await signIn({ sub: 'una', email: 'una@example.com', email_verified: true })
    expect([reply.statusCode, reply.body]).toEqual([409, expect.stringContaining('already a user')])
  })

  test.each([
    [
      'an address that is not verified',
      { email: 'dora@example.com', email_verified: false },
      'not confirm that the e-mail address is verified',
    ],
    [
      'an address without a verification claim',
      { email: 'dora@example.com' },
      'not confirm that the e-mail address is verified',
    ],
    ['no address', { email_verified: true }, 'returned no e-mail address'],
    ['what is not an address', { email: 'a b@c <x>', email_verified: true }, 'returned no e-mail address'],
    ['a dot at the end', { email: 'dora@example.com.', email_verified: true }, 'returned no e-mail address'],
    ['another domain', { email: 'dora@evil.example', email_verified: true }, 'domain'],
    ['a domain that only ends so', { email: 'dora@evilexample.com', email_verified: true }, 'domain'],
  ])('does not exist for %s', async (_name, claims, text) => {
    await create({ email: 'dora@example.com', password: GOOD }).catch(() => {})
    const last = await server.lastEventId()
    const reply = await signIn({ sub: `x ${text}`, ...claims })
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining(text)])
    expect(cookiesOf(reply.headers)['burgee-session']).toBeUndefined()
    expect(await server.eventsAfter(last)).toEqual([])
    expect(server.logged.at(-1)).toMatch(/login-failed .*reason=NoAccount/)
  })

  test('gets created only if enabled, with the configured role', async () => {
    await set({ autoCreate: false })
    const reply = await signIn({ sub: 'eve', email: 'eve@example.com', email_verified: true })
    expect([reply.statusCode, reply.body]).toEqual([
      403,
      expect.stringContaining('There is no account for eve@example.com'),
    ])
    await set({ autoCreate: true, defaultRootRole: 'Editor', trustEmail: true })
    const cookie = await sessionOf({ sub: 'eve', email: 'eve@example.com' })
    expect((await meOf(cookie)).user).toMatchObject({ rootRole: 2 })
  })

  test('stays closed to users deactivated by a directory, and the login history shows it', async () => {
    const eve = { sub: 'eve', email: 'eve@example.com', email_verified: true }
    await server.db.rows("update users set active = 0 where email = 'eve@example.com'")
    const refused = await signIn(eve)
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('was deactivated')])
    await server.db.rows("update users set active = 1 where email = 'eve@example.com'")
    await sessionOf(eve)
    const [good, bad] = (await server.admin('GET /api/admin/logins')).events
    expect(good).toMatchObject({
      username: 'eve@example.com',
      auth_type: 'oidc',
      successful: true,
      failure_reason: null,
    })
    expect(bad).toMatchObject({ username: '', auth_type: 'oidc', successful: false })
    expect(bad.failure_reason).toContain('was deactivated')
  })
})

describe('groups', () => {
  const groupsOf = async (sub: string) => {
    const rows = await server.db.rows(
      'select g.name from groups g join group_members m on m.group_id = g.id join sso_identities i on i.user_id = m.user_id where i.subject = ? order by g.name',
      sub,
    )
    return rows.map(({ name }) => name)
  }

  test('follow the token at each login, and those that people gave by hand stay', async () => {
    for (const [name, mappings] of [
      ['dev', ['d', 'd2']],
      ['ops', ['o']],
      ['hand', ['h']],
    ] as const) {
      const json = JSON.stringify(mappings)
      await server.db.rows(
        `insert into groups (name, mappings_sso, created_by, created_at) values (?, '${json}', 'x', 0)`,
        name,
      )
    }
    await set({ enableGroupSyncing: true, groupJsonPath: 'realm.roles' })
    const who = (...roles: string[]) => ({
      sub: 'gus',
      email: 'gus@example.com',
      email_verified: true,
      realm: { roles },
    })
    const last = await server.lastEventId()
    await sessionOf(who('d2', 'o', 'unknown'))
    expect(await groupsOf('gus')).toEqual(['dev', 'ops'])
    expect(await server.eventsAfter(last)).toEqual(['user-created', 'group-user-added', 'group-user-added'])
    const user = await server.db.row("select user_id from sso_identities where subject = 'gus'")
    await server.db.rows(
      "insert into group_members (group_id, user_id, joined_at, created_by) select id, ?, 0, 'admin' from groups where name = 'hand'",
      Number(user?.user_id),
    )
    await sessionOf(who('o'))
    expect(await groupsOf('gus')).toEqual(['hand', 'ops'])
    await sessionOf({ sub: 'gil', email: 'gil@example.com', email_verified: true, realm: { roles: ['o'] } })
    const members = await server.db.rows(
      "select i.subject, m.position from group_members m join groups g on g.id = m.group_id join sso_identities i on i.user_id = m.user_id where g.name = 'ops' order by m.position",
    )
    expect(members, 'a new member is the last').toEqual([
      { subject: 'gus', position: 1 },
      { subject: 'gil', position: 2 },
    ])
    const { realm: _realm, ...without } = who()
    await sessionOf(without)
    expect(await groupsOf('gus')).toEqual(['hand'])
  })

  test('remain with a user who would be the last admin without them, with an error page', async () => {
    await server.db.rows(
      "insert into groups (name, mappings_sso, root_role, created_by, created_at) values ('roots', '[\"r\"]', 1, 'x', 0)",
    )
    const who = (...roles: string[]) => ({
      sub: 'root',
      email: 'r@example.com',
      email_verified: true,
      realm: { roles },
    })
    await sessionOf(who('r'))
    const admins = await server.db.rows('select id from users where root_role = 1')
    await server.db.rows('update users set root_role = 3 where root_role = 1')
    const last = await server.lastEventId()
    const reply = await signIn(who())
    for (const { id } of admins) await server.db.rows('update users set root_role = 1 where id = ?', Number(id))
    expect([reply.statusCode, reply.headers['content-type'], reply.body]).toEqual([
      ...[409, 'text/html; charset=utf-8', expect.stringContaining('last admin')],
    ])
    expect(cookiesOf(reply.headers)).toEqual({ 'burgee-sign-in': '' })
    expect(await server.eventsAfter(last)).toEqual([])
    expect(server.logged.join('\n')).toMatch(/login-failed .*status=409 .*reason=ConflictError/)
  })
})

describe('a valid token', () => {
  beforeAll(() => set({ discoverUrl: forger.issuer }))
  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  async function forge(what: (nonce: string) => Forge) {
    const { to, cookie } = await leave()
    const { state = '', nonce = '' } = Object.fromEntries(new URL(to).searchParams)
    forger.put(what(nonce))
    const reply = await comeBack(`${CALLBACK}?code=${FORGED_CODE}&state=${state}`, cookie)
    forger.put({})
    return reply
  }

  test('good is taken', async () => {
    const reply = await forge((nonce) => ({ nonce }))
    expect([reply.statusCode, cookiesOf(reply.headers)['burgee-session']]).toEqual([302, expect.any(String)])
  })

  test.each([
    ['for another login', () => ({ nonce: 'x' })],
    ['for no login', () => ({})],
    ['not signed', (nonce) => ({ nonce, alg: 'none' })],
    ['signed with the secret', (nonce) => ({ nonce, alg: 'HS256' })],
    ['signed with another key', (nonce) => ({ nonce, alg: 'other key' })],
    ['past its time', (nonce) => ({ nonce, claims: { exp: now() - hour, iat: now() - 2 * hour } })],
    ['for another server', (nonce) => ({ nonce, claims: { aud: 'other' } })],
    [
      'for several, requested by another one',
      (nonce) => ({ nonce, claims: { aud: [CLIENT.clientId, 'b'], azp: 'b' } }),
    ],
    ['of another provider', (nonce) => ({ nonce, claims: { iss: 'https://evil.example' } })],
    ['without a subject', (nonce) => ({ nonce, claims: { sub: undefined } })],
    ['with an oversized subject', (nonce) => ({ nonce, claims: { sub: 'x'.repeat(5000) } })],
    ['too large', (nonce) => ({ nonce, padding: 2_000_000 })],
    ['somewhere else', (nonce) => ({ nonce, redirects: true })],
  ] as [string, (nonce: string) => Forge][])('%s is refused', async (_name, what) => {
    const last = await server.lastEventId()
    const reply = await forge(what)
    expect(reply.statusCode, reply.body).toBe(403)
    expect(cookiesOf(reply.headers)['burgee-session']).toBeUndefined()
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test.each([
    ['none', {}, 403],
    ['another one', { acr: '0' }, 403],
    ['several', { acr: ['urn:mfa'] }, 403],
    ['the beginning of one', { acr: 'urn' }, 403],
    ['the first', { acr: 'urn:mfa' }, 302],
    ['the second', { acr: 'urn:key' }, 302],
  ])('naming %s of the requested contexts gets the matching status', async (_name, claims, status) => {
    await set({ discoverUrl: forger.issuer, acrValues: 'urn:mfa urn:key' })
    const reply = await forge((nonce) => ({ nonce, claims }))
    await set({ discoverUrl: forger.issuer })
    expect([reply.statusCode, cookiesOf(reply.headers)['burgee-session'] !== undefined]).toEqual([
      status,
      status === 302,
    ])
  })

  test('the discovery document is fetched once in ten minutes', async () => {
    const askedBy = async (count: number) => {
      const before = forger.asked.length
      await Promise.all(Array.from({ length: count }, () => leave()))
      return forger.asked.length - before
    }
    // changed settings take effect a moment later
    await expect.poll(() => askedBy(1)).toBe(0)
    expect(await askedBy(3)).toBe(0)
  })

  test('a provider that is away is a page, and works again when it is back', async () => {
    const other = await startProvider()
    await set({ discoverUrl: other.issuer })
    await other.close()
    const reply = await server.call({ call: 'GET /auth/oidc/login' })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8'])
    expect(reply.body).not.toContain(new URL(other.issuer).host)
    await set({ discoverUrl: forger.issuer })
    expect((await server.call({ call: 'GET /auth/oidc/login' })).statusCode).toBe(302)
  })
})

describe('the page of a failed login', () => {
  beforeAll(() => set())
  const referenceIn = (body: string) => /<code>([0-9a-f]{10})<\/code>/.exec(body)?.[1]
  const linksIn = (body: string) => [...body.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)

  test.each([
    {
      name: 'a rejected login',
      fail: async () => {
        provider.put(ann)
        const { to, cookie } = await leave('?next=/projects?a=%22b%26c')
        const url = new URL(await provider.visit(to))
        url.searchParams.set('error', 'access_denied')
        return comeBack(url.href, cookie)
      },
      status: 403,
      text: 'did not confirm this login',
      links: ['/auth/oidc/login?next=%2Fprojects%3Fa%3D%2522b%26c', '/login?next=%2Fprojects%3Fa%3D%2522b%26c'],
    },
    {
      name: 'a return in another browser',
      fail: () => comeBack(`${CALLBACK}?code=x`, ''),
      status: 400,
      text: 'started in another browser',
      links: ['/auth/oidc/login', '/login'],
    },
    {
      name: 'a login without an account',
      fail: () => signIn({ sub: 'nora', email: 'nora@evil.example' }),
      status: 403,
      text: 'not confirm that the e-mail address is verified',
      links: ['/auth/oidc/login', '/login'],
    },
  ])('names the reason of $name, a reference that is in the log, and the ways on', async ({ fail, ...expected }) => {
    const { statusCode, body } = await fail()
    expect([statusCode, body]).toEqual([expected.status, expect.stringContaining(expected.text)])
    expect(body).toContain('<svg')
    expect(body).not.toMatch(/<script|access_denied/)
    expect(linksIn(body)).toEqual(expected.links)
    const reference = referenceIn(body)
    expect(reference).toBeDefined()
    expect(server.logged.filter((line) => line.includes(`reference=${reference}`))).toHaveLength(1)
  })

  test('offers no password while password logins are disabled', async () => {
    await signInAdmin(server, provider)
    await server.admin(`POST ${SIMPLE}`, { disabled: true })
    const { body } = await comeBack(`${CALLBACK}?code=x`, '')
    await server.admin(`POST ${SIMPLE}`, { disabled: false })
    expect(linksIn(body)).toEqual(['/auth/oidc/login'])
  })
})

describe('a logout', () => {
  const logout = (cookie: string, headers = {}) =>
    server.call({ call: 'POST /logout', headers: { cookie, host: 'flags.example', origin: HOME, ...headers } })

  test('leads to the provider if enabled, and only for users who came from there', async () => {
    await set({ enableSingleSignOut: true })
    const session = await sessionOf(ann)
    const stored = await server.db.rows('select id_token from sessions where id_token is not null')
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.every(({ id_token }) => /^v1\./.test(String(id_token)))).toBe(true)
    const reply = await logout(session)
    const to = new URL(String(reply.headers.location))
    expect([reply.statusCode, to.origin]).toEqual([302, provider.issuer])
    expect(to.searchParams.get('post_logout_redirect_uri')).toBe(`${HOME}/`)
    expect(to.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    const asJson = await logout(await sessionOf(ann), { accept: 'application/json' })
    expect([asJson.statusCode, asJson.json().location]).toEqual([200, expect.stringContaining(provider.issuer)])
    const login = { username: 'carl@example.com', password: GOOD }
    const own = await server.call({ call: 'POST /auth/simple/login', body: login })
    const home = await logout(`burgee-session=${cookiesOf(own.headers)['burgee-session']}`)
    expect([home.statusCode, home.headers.location]).toEqual([302, '/'])
  })

  test('stays here where it is not', async () => {
    await set()
    expect((await logout(await sessionOf(ann))).headers.location).toBe('/')
  })
})

describe('passwords switched off', () => {
  test('stay refused and hidden, and one login method always remains enabled', async () => {
    await server.admin(`POST ${SETTINGS}`, {
      enabled: false,
      discoverUrl: provider.issuer,
      clientId: 'burgee',
      secret: '*****',
    })
    const nobody = await server.call({ as, call: `POST ${SIMPLE}`, body: { disabled: true } })
    expect([nobody.statusCode, nobody.json().message]).toEqual([409, expect.stringContaining('No user could log in')])
    await set()
    await signInAdmin(server, provider)
    await server.admin(`POST ${U}`, { username: 'forgetful', rootRole: 3, password: GOOD })
    const reset = await openResetLink('forgetful')
    await server.admin(`POST ${SIMPLE}`, { disabled: true })
    expect((await server.admin(`GET /api/admin/ui-config`)).disablePasswordAuth).toBe(true)
    const lastReset = await server.lastEventId()
    const unset = await reset()
    expect([unset.statusCode, unset.json()]).toEqual([
      403,
      expect.objectContaining({ name: 'NoAccessError', message: expect.stringContaining('logins are disabled') }),
    ])
    expect(await server.eventsAfter(lastReset)).toEqual([])
    const unknown = (await server.call({ call: 'GET /api/admin/user' })).json()
    expect(unknown).toMatchObject({
      defaultHidden: true,
      options: [{ type: 'oidc', path: '/auth/oidc/login', message: expect.any(String) }],
    })
    const login = { username: 'admin', password: 'a good password' }
    const refused = await server.call({ call: 'POST /auth/simple/login', body: login })
    expect([refused.statusCode, refused.json().message]).toEqual([403, expect.stringContaining('reset-password')])
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const link = await server.admin('POST /api/admin/invite-link/tokens', { name: 'late', expiresAt })
    const signup = { call: `POST /invite/${link.secret}/signup`, body: { email: 'late@example.com', password: GOOD } }
    const lastBefore = await server.lastEventId()
    const late = await server.call(signup)
    expect([late.statusCode, late.json().message]).toEqual([
      403,
      expect.stringContaining('Password logins are disabled'),
    ])
    expect(await server.eventsAfter(lastBefore)).toEqual([])
    const off = await server.call({ as, call: `POST ${SETTINGS}`, body: { ...CLIENT, enabled: false } })
    expect([off.statusCode, off.json().message]).toEqual([409, expect.stringContaining('No user could log in')])
    await sessionOf(ann)
    // recovery by an operator who has access to the machine
    const recovery = {
      options: optionsOf(server.databaseOptions),
      clock: Date.now,
      random: randomBytes,
      logger: SILENT,
    }
    await server.admin(`POST ${U}`, { username: 'zoe', rootRole: 3, password: GOOD })
    expect(await resetPassword(recovery, 'zoe')).toMatchObject({ name: 'zoe', isPasswordLoginOff: true })
    const last = await server.lastEventId()
    const { password, isPasswordLoginOff } = await resetPassword({ ...recovery, enablePasswordLogin: true }, 'zoe')
    expect([isPasswordLoginOff, await server.eventsAfter(last)]).toEqual([false, ['user-updated', 'setting-updated']])
    login.username = 'zoe'
    login.password = password
    await until(async () => (await server.call({ call: 'POST /auth/simple/login', body: login })).statusCode === 200)
    // the link was refused, not used
    expect((await reset()).statusCode).toBe(200)
  })
})

test('settings by variables enable single sign-on and cannot be changed', async () => {
  const given = { oidcDiscoverUrl: provider.issuer, oidcClientId: CLIENT.clientId, oidcClientSecret: CLIENT.secret }
  const other = await startServer({ ...given, serverUrl: HOME, oidcAutoCreate: true })
  try {
    expect(await other.admin(`GET ${SETTINGS}`)).toMatchObject({
      enabled: true,
      isSetByEnvironment: true,
      secret: '*****',
    })
    expect(await other.admin('GET /api/admin/instance-admin/statistics')).toMatchObject({ OIDCenabled: true })
    const change = await other.call({ as, call: `POST ${SETTINGS}`, body: { enabled: false, ...CLIENT } })
    expect([change.statusCode, change.json().message]).toEqual([409, expect.stringContaining('OIDC_DISCOVER_URL')])
    const reply = await other.call({ call: 'GET /auth/oidc/login' })
    provider.put(ann)
    const cookie = `burgee-sign-in=${cookiesOf(reply.headers)['burgee-sign-in']}`
    const back = await provider.visit(String(reply.headers.location))
    expect((await other.call({ call: `GET ${back.slice(HOME.length)}`, headers: { cookie } })).statusCode).toBe(302)
  } finally {
    await other.close()
  }
  await expect(startServer({ oidcClientId: 'x' })).rejects.toThrow('are needed together')
  await expect(startServer({ ...given, oidcDiscoverUrl: 'http://id.example' })).rejects.toThrow('https')
})
