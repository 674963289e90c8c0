import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Invite links: who may create them, how long they are valid, and who signs up with them. */
let server: TestServer
const START = Date.parse('2030-01-31T00:00:00Z')
const DAY = 86_400_000
let now = START
const LINKS = '/api/admin/invite-link/tokens'
const PASSWORD = 'a password nobody guesses'
const as = 'admin'
const TOKENS: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer(
    {
      secretKey: '1'.repeat(64),
      serverUrl: 'https://flags.example.com',
      createUserRateLimitPerMinute: 1000,
      simpleLoginLimitPerMinute: 1000,
    },
    () => now,
  )
  TOKENS.good = (await make()).secret
})
afterAll(() => server.close())

const later = (ms: number) => new Date(now + ms).toISOString()
const make = (expiresAt = later(DAY), name = 'inv') => server.admin(`POST ${LINKS}`, { name, expiresAt })
const signup = (secret: string | undefined, body: object) =>
  server.call({ call: `POST /invite/${secret}/signup`, body: { password: PASSWORD, ...body } })
const validate = async (secret: string | undefined) =>
  (await server.call({ call: `GET /invite/${secret}/validate` })).statusCode
const newest = async () => (await server.admin('GET /api/admin/search/events?limit=1')).events[0]

describe('a link', () => {
  test('lists its secret, its URL and the users who signed up with it', async () => {
    const { secret, id, ...rest } = await make()
    expect(secret).toMatch(/^[\da-f]{32}$/)
    const shown = {
      name: 'inv',
      enabled: true,
      createdBy: 'admin',
      createdAt: new Date(now).toISOString(),
      expiresAt: later(DAY),
      url: `https://flags.example.com/new-user?invite=${secret}`,
      role: { id: 3, name: 'Viewer', type: 'root' },
      projectRoles: [],
      users: [],
    }
    expect(rest).toEqual(shown)
    expect(await server.admin(`GET ${LINKS}/${secret}`)).toEqual({ id, secret, ...shown })
    expect((await server.admin(`GET ${LINKS}`)).tokens).toContainEqual({ id, secret, ...shown })
  })

  test('expires within a month, both when created and when changed', async () => {
    // February has no 31st
    const month = '2030-03-03T00:00:00.000Z'
    const { secret, expiresAt } = await make('2040-01-01T00:00:00Z')
    const changed = await server.admin(`PUT ${LINKS}/${secret}`, { expiresAt: '2040-01-01T00:00:00Z' })
    expect([expiresAt, changed.expiresAt]).toEqual([month, month])
  })

  test('has no event that contains its secret', async () => {
    const { secret, id } = await make(later(2 * DAY), 'silent')
    expect(await newest()).toMatchObject({ type: 'public-signup-token-created', data: { id, name: 'silent' } })
    await server.admin(`PUT ${LINKS}/${secret}`, { enabled: false })
    await server.admin(`PUT ${LINKS}/${secret}`, { enabled: true })
    await signup(secret, { email: 'silent@example.com' })
    const rows = await server.db.rows('select data, pre_data from events')
    expect(JSON.stringify(rows).includes(secret)).toBe(false)
    expect(server.logged.filter((line) => line.includes(secret))).toEqual([])
  })

  scenarios(
    () => server,
    [
      { name: 'anonymous', call: `GET ${LINKS}`, status: 401 },
      { name: 'seen by an editor', as: 'editor', call: `GET ${LINKS}`, status: 403, text: 'ADMIN' },
      {
        name: 'made by an editor',
        as: 'editor',
        call: `POST ${LINKS}`,
        body: { name: 'x', expiresAt: '2030-02-01T00:00:00Z' },
        status: 403,
      },
      { name: 'without an end', as, call: `POST ${LINKS}`, body: { name: 'x' }, status: 400, text: 'expiresAt' },
      {
        name: 'with an end that is none',
        as,
        call: `POST ${LINKS}`,
        body: { name: 'x', expiresAt: 'soon' },
        status: 400,
        text: 'expiresAt',
      },
      {
        name: 'with an end that is past',
        as,
        call: `POST ${LINKS}`,
        body: { name: 'x', expiresAt: '2030-01-30T00:00:00Z' },
        status: 400,
        text: 'future',
      },
      {
        name: 'with an address of its own',
        as,
        call: `POST ${LINKS}`,
        body: { name: 'x', expiresAt: '2030-02-01T00:00:00Z', url: 'x' },
        status: 400,
        text: 'url',
      },
      {
        name: 'an unknown one',
        as,
        call: `GET ${LINKS}/nope`,
        status: 404,
        text: 'Could not find public signup token.',
      },
      { name: 'an unknown one changed', as, call: `PUT ${LINKS}/nope`, body: { enabled: false }, status: 404 },
    ],
  )

  test('stays unchanged without an event for an empty or equal change', async () => {
    const last = await server.lastEventId()
    const change = (body: object) => server.call({ as, call: `PUT ${LINKS}/${TOKENS.good}`, body })
    expect((await change({})).statusCode).toBe(400)
    expect((await change({ expiresAt: '2030-01-30T00:00:00Z' })).statusCode).toBe(400)
    expect((await change({ enabled: true })).json()).toMatchObject({ enabled: true, users: [], role: { id: 3 } })
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('a sign-up by a link', () => {
  test('has an account with read access, listed with the link', async () => {
    const last = await server.lastEventId()
    const reply = await signup(TOKENS.good, { email: 'ann@example.com', name: 'Ann' })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      201,
      { email: 'ann@example.com', name: 'Ann', rootRole: 3 },
    ])
    expect(await server.eventsAfter(last)).toEqual(['user-created', 'public-signup-token-user-added'])
    const { id } = reply.json()
    expect(await newest()).toMatchObject({ createdBy: 'system', createdByUserId: -1337, data: { userId: id } })
    expect((await server.admin(`GET ${LINKS}/${TOKENS.good}`)).users).toEqual([{ id, name: 'Ann', username: null }])
    const body = { username: 'ann@example.com', password: PASSWORD }
    expect((await server.call({ call: 'POST /auth/simple/login', body })).statusCode).toBe(200)
    await addSession(server.db, 'editor', id, now)
    const call = 'POST /api/admin/projects/default/features'
    expect((await server.call({ as: 'editor', call, body: { name: 'x' } })).statusCode).toBe(403)
  })

  test.each<[string, object, string]>([
    ['has an account, in other letters', { email: 'ANN@example.com' }, 'User already exists'],
    ['has a username that is taken', { email: 'bob@example.com', username: 'editor' }, 'User already exists'],
    ['has an address as username', { email: 'bob@example.com', username: 'eve@example.com' }, 'username'],
    ['has one that only looks so', { email: 'bob@example.com', username: 'eve\uff20example.com' }, 'username'],
    ['has a taken username in other case', { email: 'bob@example.com', username: 'Editor' }, 'User already exists'],
    ['has one in full-width letters', { email: 'bob@example.com', username: '\uff45ditor' }, 'User already exists'],
    ['has one with a zero-width space', { email: 'bob@example.com', username: 'editor\u200b' }, 'username'],
    ['has one with a soft hyphen', { email: 'bob@example.com', username: 'ed\u00aditor' }, 'username'],
    ['has one with a Cyrillic a', { email: 'bob@example.com', username: '\u0430dmin' }, 'several alphabets'],
    ['has one with a dotless i', { email: 'bob@example.com', username: 'adm\u0131n' }, 'User already exists'],
    [
      'has one in Cyrillic letters alone',
      { email: 'bob@example.com', username: '\u0435\u0501\u0456\u0442\u043e\u0433' },
      'User already exists',
    ],
    ['has one with a dot below', { email: 'bob@example.com', username: 'a\u1e0dmin' }, 'User already exists'],
    ['has one with a dot at its end', { email: 'bob@example.com', username: 'admin.' }, 'User already exists'],
    ['has one in small capitals', { email: 'bob@example.com', username: '\u1d00\u1d05\u1d0d\u026a\u0274' }, 'letters'],
    ['has one in a rare alphabet', { email: 'bob@example.com', username: '\u13aa\u13d2' }, 'letters'],
    ['has an address with a Cyrillic letter', { email: 'b\u043eb@example.com' }, 'several alphabets'],
    ['has an address like another', { email: 'ann@examp1e.com' }, 'User already exists'],
    ['has an address with a dot at its end', { email: 'ann@example.com.' }, 'email'],
    ['has an address with two dots in its domain', { email: 'ann@example..com' }, 'email'],
    ['has no address', {}, 'email'],
    ['has an address that is none', { email: 'nomail' }, 'email'],
    ['has a weak password', { email: 'bob@example.com', password: 'password' }, 'assword'],
    ['wants to be more', { email: 'bob@example.com', rootRole: 1 }, 'rootRole'],
  ])('fails if the user %s', async (_name, body, text) => {
    const last = await server.lastEventId()
    const reply = await signup(TOKENS.good, body)
    expect([reply.statusCode, reply.body.includes(text)]).toEqual([400, true])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test.each(['\u0430\u043d\u043d\u0430', 'jos\u00e9', '\u5c71\u7530 Taro', '\u0645\u0631\u064a\u0645'])(
    'keeps a username in the alphabet of its user: %s',
    async (username) => {
      const email = `name-${username.codePointAt(0)}@example.com`
      const reply = await signup(TOKENS.good, { email, username })
      expect([reply.statusCode, reply.json().username]).toEqual([201, username])
    },
  )

  test('fails with one message for any invalid link, without events', async () => {
    const { secret: off } = await make()
    await server.admin(`PUT ${LINKS}/${off}`, { enabled: false })
    const { secret: past } = await make(later(1000))
    now += 2000
    const last = await server.lastEventId()
    const texts = new Set<string>()
    for (const secret of ['nope', off, past]) {
      expect(await validate(secret)).toBe(400)
      const reply = await signup(secret, { email: 'bob@example.com' })
      expect(reply.statusCode).toBe(400)
      texts.add(reply.json().message)
    }
    expect(texts.size).toBe(1)
    expect(await validate(TOKENS.good)).toBe(200)
    await server.admin(`PUT ${LINKS}/${off}`, { enabled: true })
    expect(await validate(off)).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['public-signup-token-updated'])
  })

  test('fails once the link has reached its limit of sign-ups', async () => {
    const { secret, id } = await make()
    await server.db.rows(`insert into users (username, password_hash, root_role, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000) select 'many-' || i, '', 3, 0 from n`)
    await server.db.rows(
      "insert into invite_link_users (link_id, user_id) select ?, id from users where username like 'many-%'",
      id,
    )
    const reply = await signup(secret, { email: 'late@example.com' })
    expect([reply.statusCode, reply.json().message.includes('1000')]).toEqual([400, true])
  })
})

describe('the number of links', () => {
  test('has a maximum; expired links make room', async () => {
    await server.db.rows(`insert into invite_links (secret, name, created_by, created_at, expires_at, enabled)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)
      select 'filled-' || i, 'x', 'x', 0, ${now + DAY}, 1 from n`)
    const full = await server.call({ as, call: `POST ${LINKS}`, body: { name: 'x', expiresAt: later(DAY) } })
    expect([full.statusCode, full.json().name]).toEqual([409, 'ConflictError'])
    now += 2 * DAY
    await make()
    expect((await server.admin(`GET ${LINKS}`)).tokens.length).toBeLessThan(10)
  })
})

describe('strangers', () => {
  test('may not try without end', async () => {
    const other = await startServer({ createUserRateLimitPerMinute: 2, simpleLoginLimitPerMinute: 1 })
    try {
      const signups = []
      for (let at = 0; at < 3; at += 1) {
        signups.push(
          (await other.call({ call: 'POST /invite/x/signup', body: { email: 'a@b.c', password: PASSWORD } }))
            .statusCode,
        )
      }
      expect(signups).toEqual([400, 400, 429])
      const looks = []
      for (let at = 0; at < 11; at += 1) looks.push((await other.call({ call: 'GET /invite/x/validate' })).statusCode)
      expect(looks.slice(9)).toEqual([400, 429])
    } finally {
      await other.close()
    }
  })
})

describe('a link with project roles', () => {
  const MEMBER = 5
  const OWNER = 4
  const P = '/api/admin/projects'
  const invite = (projectRoles: unknown, status = 201, creator = as) =>
    server
      .call({ as: creator, call: `POST ${LINKS}`, body: { name: 'team', expiresAt: later(DAY), projectRoles } })
      .then((reply) => {
        expect(reply.statusCode, reply.body).toBe(status)
        return reply.json()
      })
  const membersOf = async (project: string): Promise<{ id: number; roles: number[] }[]> =>
    (await server.admin(`GET ${P}/${project}/access`)).users.map(({ id, roles }: { id: number; roles: number[] }) => ({
      id,
      roles,
    }))
  const join = async (secret: string, email: string) => (await signup(secret, { email })).json().id as number

  beforeAll(async () => {
    for (const id of ['shop', 'pay', 'closed', 'gone']) await server.admin(`POST ${P}`, { id, name: id })
  })

  test('lists its roles, and gives them at sign-up, with an event for each project', async () => {
    const roles = [
      { project: 'shop', role: OWNER },
      { project: 'shop', role: MEMBER },
      { project: 'pay', role: MEMBER },
      { project: 'pay', role: MEMBER },
    ]
    const { secret, projectRoles } = await invite(roles)
    const sorted = [
      { project: 'pay', role: MEMBER },
      { project: 'shop', role: OWNER },
      { project: 'shop', role: MEMBER },
    ]
    expect((await server.admin(`GET ${LINKS}/${secret}`)).projectRoles).toEqual(sorted)
    expect(projectRoles).toEqual(expect.arrayContaining(sorted))
    expect(projectRoles).toHaveLength(3)
    expect((await newest()).data.projectRoles).toHaveLength(3)
    const last = await server.lastEventId()
    const id = await join(secret, 'member@example.com')
    expect(await server.eventsAfter(last)).toEqual([
      'user-created',
      'project-access-user-roles-updated',
      'project-access-user-roles-updated',
      'public-signup-token-user-added',
    ])
    expect(await membersOf('shop')).toContainEqual({ id, roles: [OWNER, MEMBER] })
    expect(await membersOf('pay')).toContainEqual({ id, roles: [MEMBER] })
  })

  test('gives no role in a project that was archived or deleted since, or that no longer exists as a role', async () => {
    const { roles } = await server.admin('POST /api/admin/roles', { name: 'Tester', type: 'custom', permissions: [] })
    const { secret } = await invite([
      { project: 'closed', role: MEMBER },
      { project: 'gone', role: MEMBER },
      { project: 'shop', role: roles.id },
    ])
    await server.admin(`POST ${P}/archive/closed`)
    await server.admin(`POST ${P}/archive/gone`)
    await server.admin(`DELETE ${P}/gone`)
    await server.admin(`DELETE /api/admin/roles/${roles.id}`)
    const last = await server.lastEventId()
    const id = await join(secret, 'late@example.com')
    expect(await server.eventsAfter(last)).toEqual(['user-created', 'public-signup-token-user-added'])
    expect((await membersOf('shop')).map((one) => one.id)).not.toContain(id)
  })

  describe('gives only roles that its creator can still grant', () => {
    const roles = [
      { project: 'pay', role: MEMBER },
      { project: 'shop', role: MEMBER },
    ]
    const listProjects = async (secret: string, name: string) => {
      const id = await join(secret, `${name}@example.com`)
      const all = await Promise.all(
        ['pay', 'shop'].map(async (project) => ({ project, members: await membersOf(project) })),
      )
      return all.filter(({ members }) => members.some((one) => one.id === id)).map(({ project }) => project)
    }
    const inviteAsUser = async (name: string): Promise<{ id: number; secret: string }> => {
      const { id } = await server.admin('POST /api/admin/user-admin', { username: name, rootRole: 1 })
      await addSession(server.db, 'viewer', id, now)
      return { id, secret: (await invite(roles, 201, 'viewer')).secret }
    }
    const inviteAsToken = async (expiresAt?: string): Promise<{ token: string; secret: string }> => {
      const body = { tokenName: 'inviting', type: 'admin', ...(expiresAt && { expiresAt }) }
      const { secret: token } = await server.admin('POST /api/admin/api-tokens', body)
      return { token, secret: (await invite(roles, 201, token)).secret }
    }

    test('leaves out what a user lost the right to grant', async () => {
      const { id, secret } = await inviteAsUser('former')
      expect(await listProjects(secret, 'before')).toEqual(['pay', 'shop'])
      await server.admin(`PUT /api/admin/user-admin/${id}`, { rootRole: 3 })
      await server.admin(`PUT ${P}/shop/users/${id}/roles`, { roles: [OWNER] })
      expect(await listProjects(secret, 'after')).toEqual(['shop'])
    })

    test('gives nothing for a deactivated or deleted user', async () => {
      const { id, secret } = await inviteAsUser('leaving')
      await server.db.rows(`update users set active = 0 where id = ${id}`)
      expect(await listProjects(secret, 'deactivated')).toEqual([])
      await server.db.rows(`update users set active = 1 where id = ${id}`)
      expect(await listProjects(secret, 'reactivated')).toEqual(['pay', 'shop'])
      await server.admin(`DELETE /api/admin/user-admin/${id}`)
      expect(await listProjects(secret, 'deleted')).toEqual([])
    })

    test('gives nothing for a deleted or expired admin token', async () => {
      const { token, secret } = await inviteAsToken()
      expect(await listProjects(secret, 'valid')).toEqual(['pay', 'shop'])
      await server.admin(`DELETE /api/admin/api-tokens/${token}`)
      expect(await listProjects(secret, 'revoked')).toEqual([])
      const expiring = await inviteAsToken(later(1000))
      now += 2000
      expect(await listProjects(expiring.secret, 'expired')).toEqual([])
    })
  })

  test.each([
    ['an unknown project', [{ project: 'nowhere', role: MEMBER }], 404],
    ['an unknown role', [{ project: 'shop', role: 999 }], 400],
    ['a global role', [{ project: 'shop', role: 1 }], 400],
    ['another property', [{ project: 'shop', role: MEMBER, environment: 'production' }], 400],
    ['too many roles', Array.from({ length: 51 }, () => ({ project: 'shop', role: MEMBER })), 400],
  ])('is not created with %s', async (_name, roles, status) => {
    const last = await server.lastEventId()
    await invite(roles, status)
    expect(await server.eventsAfter(last)).toEqual([])
  })
})
