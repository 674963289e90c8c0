import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Users and groups that directories manage: requests of Entra ID and Okta, their effects, and lockouts. */
const S = '/scim/v2'
const A = '/api/admin'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const PASSWORD = 'a password nobody guesses'
const TYPE = { 'content-type': 'application/scim+json' }

const counter = queryCounter()
let server: TestServer
let token: string
beforeAll(async () => {
  const given = { serverUrl: 'https://flags.example', simpleLoginLimitPerMinute: 1000 }
  server = await startServer(given, Date.now, { onQuery: counter.onQuery })
  await server.admin(`POST ${A}/scim-settings`, { enabled: true })
  token = (await server.admin(`POST ${A}/scim-settings/generate-new-token`)).token
})
afterAll(() => server.close())

const scim = async (call: string, body?: unknown) => {
  const before = await server.lastEventId()
  const reply = await server.call({
    as: `Bearer ${token}`,
    call,
    headers: TYPE,
    ...(body === undefined ? {} : { body }),
  })
  const json = reply.body === '' ? undefined : reply.json()
  return { status: reply.statusCode, body: json, headers: reply.headers, events: await server.eventsAfter(before) }
}
const patch = (...Operations: object[]) => ({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })
const make = async (userName: string, more: object = {}) =>
  (await scim(`POST ${S}/Users`, { schemas: [USER], userName, ...more })).body.id as string
const login = async (username: string, password = PASSWORD) =>
  (await server.call({ call: 'POST /auth/simple/login', body: { username, password } })).statusCode
const find = async (list: string, filter: string) =>
  (await scim(`GET ${S}/${list}?filter=${encodeURIComponent(filter)}`)).body.Resources

describe('the settings', () => {
  const call = `GET ${A}/scim-settings`
  scenarios(() => server, [
    { name: 'for an editor', as: 'editor', call, status: 403, text: 'ADMIN' },
    { name: 'are shown without the token', as: 'admin', call, status: 200, has: { enabled: true, hasToken: true } },
    {
      name: 'the same again',
      as: 'admin',
      call: `POST ${A}/scim-settings`,
      body: { enabled: true },
      status: 200,
      events: [],
    },
    { name: 'no admin token opens it', as: 'admin', call: `GET ${S}/Users`, status: 401, text: ERROR },
    { name: 'nor anybody', call: `GET ${S}/Users`, status: 401, text: ERROR },
    { name: 'nor a token that was made up', as: `Bearer scim:${'0'.repeat(64)}`, call: `GET ${S}/Users`, status: 401 },
  ] satisfies Scenario[])

  test('the token grants nothing else, and stops working once a new one exists', async () => {
    expect((await server.call({ as: `Bearer ${token}`, call: `GET ${A}/projects` })).statusCode).toBe(401)
    const before = await server.lastEventId()
    const { token: next } = await server.admin(`POST ${A}/scim-settings/generate-new-token`)
    expect(await server.eventsAfter(before)).toEqual(['setting-updated'])
    expect((await scim(`GET ${S}/Users`)).status).toBe(401)
    token = next
    expect((await scim(`GET ${S}/Users`)).status).toBe(200)
    const stored =
      JSON.stringify(await server.db.rows('select * from settings')) +
      JSON.stringify(await server.db.rows('select * from events'))
    expect(stored).not.toContain(token)
    await server.admin(`POST ${A}/scim-settings`, { enabled: false })
    expect((await scim(`GET ${S}/Users`)).status).toBe(401)
    await server.admin(`POST ${A}/scim-settings`, { enabled: true })
  })
})

describe('the discovery endpoints', () => {
  test.each([
    ['ServiceProviderConfig', { patch: { supported: true }, bulk: { supported: false } }],
    ['ResourceTypes', { totalResults: 2 }],
    ['ResourceTypes/User', { schema: USER }],
    ['Schemas', { totalResults: 2 }],
    [`Schemas/${USER}`, { id: USER }],
  ])('%s', async (path, has) => {
    const { status, body, headers } = await scim(`GET ${S}/${path}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/scim+json; charset=utf-8'])
    expect(body).toMatchObject(has)
  })

  test('return 404 for any other schema', async () => expect((await scim(`GET ${S}/Schemas/other`)).status).toBe(404))
})

describe('a user', () => {
  test('can be created as Okta does, has read access, and is found', async () => {
    const { status, body, headers, events } = await scim(`POST ${S}/Users`, {
      schemas: [USER],
      userName: 'ann@example.com',
      name: { givenName: 'Ann', familyName: 'Lee' },
      emails: [{ primary: true, value: 'ann@example.com', type: 'work' }],
      displayName: 'Ann Lee',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      active: true,
    })
    expect([status, events]).toEqual([201, ['user-created']])
    const location = `https://flags.example/scim/v2/Users/${body.id}`
    expect(headers.location).toBe(location)
    expect(body).toEqual({
      schemas: [USER],
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      externalId: '00u1',
      userName: 'ann@example.com',
      displayName: 'Ann Lee',
      name: { formatted: 'Ann Lee' },
      emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', created: expect.any(String), location },
    })
    for (const filter of [
      'userName eq "ANN@example.com"',
      'externalId eq "00u1"',
      'emails.value eq "ann@example.com"',
    ]) {
      expect(
        (await find('Users', filter)).map(({ id }: { id: string }) => id),
        filter,
      ).toEqual([body.id])
    }
    const { users } = await server.admin(`GET ${A}/user-admin`)
    const row = users.find(({ email }: { email?: string }) => email === 'ann@example.com')
    expect(row).toMatchObject({ rootRole: 3, name: 'Ann Lee', scimId: body.id })
    expect(row).not.toHaveProperty('username')
  })

  test('can be found and adopted if it existed before, instead of duplicated', async () => {
    await server.admin(`POST ${A}/user-admin`, {
      username: 'bob',
      email: 'bob@example.com',
      rootRole: 2,
      password: PASSWORD,
    })
    const again = await scim(`POST ${S}/Users`, { userName: 'Bob@Example.com' })
    expect([again.status, again.body.scimType, again.events]).toEqual([409, 'uniqueness', []])
    const [found] = await find('Users', 'userName eq "bob@example.com"')
    const { status, events } = await scim(
      `PATCH ${S}/Users/${found.id}`,
      patch({ op: 'add', path: 'externalId', value: 'x-1' }),
    )
    expect([status, events]).toEqual([200, ['user-updated']])
    expect(await find('Users', 'externalId eq "x-1"')).toMatchObject([{ id: found.id, userName: 'bob' }])
    expect(await login('bob')).toBe(200)
  })

  const wrong: readonly (readonly [name: string, call: string, body: unknown, status: number, scimType?: string])[] = [
    ['a filter of another form', `GET ${S}/Users?filter=userName%20sw%20%22a%22`, undefined, 400, 'invalidFilter'],
    ['a filter by what is not kept', `GET ${S}/Users?filter=title%20eq%20%22a%22`, undefined, 400, 'invalidFilter'],
    ['nobody of this id', `GET ${S}/Users/none`, undefined, 404],
    ['nobody to remove', `DELETE ${S}/Users/987654`, undefined, 404],
    ['no name', `POST ${S}/Users`, { displayName: 'x' }, 400, 'invalidValue'],
    ['blanks around a name', `POST ${S}/Users`, { userName: ' x ' }, 400, 'invalidValue'],
    ['a name in two alphabets', `POST ${S}/Users`, { userName: '\u0430dmin' }, 400, 'invalidValue'],
    ['an invisible character', `POST ${S}/Users`, { userName: 'admin\u200b' }, 400, 'invalidValue'],
    [
      'Cyrillic letters like an editor',
      `POST ${S}/Users`,
      { userName: '\u0435\u0501\u0456\u0442\u043e\u0433' },
      409,
      'uniqueness',
    ],
    [
      'full-width letters like an editor',
      `POST ${S}/Users`,
      { userName: '\uff45\uff44\uff49\uff54\uff4f\uff52' },
      409,
      'uniqueness',
    ],
    [
      'a dot at the end',
      `POST ${S}/Users`,
      { userName: 'x', emails: [{ value: 'a@example.com.' }] },
      400,
      'invalidValue',
    ],
    ['no address', `POST ${S}/Users`, { userName: 'x', emails: [{ value: 'nowhere' }] }, 400, 'invalidValue'],
    ['another operation', `PATCH ${S}/Users/1`, patch({ op: 'move', path: 'active' }), 400, 'invalidSyntax'],
    ['no operation', `PATCH ${S}/Users/1`, patch(), 400, 'invalidValue'],
    [
      'a path with an escape that JSON lacks',
      `PATCH ${S}/Users/1`,
      patch({ op: 'add', path: String.raw`members[value eq "\q"]`, value: 1 }),
      400,
      'invalidPath',
    ],
    [
      'a path with a tab',
      `PATCH ${S}/Users/1`,
      patch({ op: 'add', path: 'members[value eq "\t"]', value: 1 }),
      400,
      'invalidPath',
    ],
    [
      'a path that cannot be read',
      `PATCH ${S}/Users/1`,
      patch({ op: 'add', path: 'a[', value: 1 }),
      400,
      'invalidPath',
    ],
    [
      'neither true nor false',
      `PATCH ${S}/Users/1`,
      patch({ op: 'replace', path: 'active', value: 'maybe' }),
      400,
      'invalidValue',
    ],
    ['to remove nothing named', `PATCH ${S}/Users/1`, patch({ op: 'remove' }), 400, 'noTarget'],
    ['the last admin', `PATCH ${S}/Users/1`, patch({ op: 'replace', value: { active: false } }), 409],
    ['the last admin, removed', `DELETE ${S}/Users/1`, undefined, 409],
  ]
  test.each(wrong)('%s is refused, and nothing changes', async (_name, call, body, status, scimType) => {
    const reply = await scim(String(call), body)
    expect([reply.status, reply.body.scimType, reply.events]).toEqual([status, scimType, []])
    expect(reply.body).toMatchObject({ schemas: [ERROR], status: String(status) })
  })

  const CHANGES: readonly (readonly [name: string, operations: readonly object[], then: object])[] = [
    ['Entra: words in capitals', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['Okta: an object', [{ op: 'replace', value: { active: true } }], { active: true }],
    [
      'Entra: dots in keys',
      [{ op: 'Add', value: { 'name.formatted': 'Carl C', externalId: 'e1' } }],
      { displayName: 'Carl C', externalId: 'e1' },
    ],
    ['a name by its parts', [{ op: 'replace', value: { name: { formatted: 'Carl' } } }], { displayName: 'Carl' }],
    [
      'an address by its type',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'c@example.com' }],
      { emails: [{ value: 'c@example.com' }] },
    ],
    ['the core schema named', [{ op: 'replace', path: `${USER}:displayName`, value: 'C' }], { displayName: 'C' }],
    [
      'several at once',
      [
        { op: 'remove', path: 'externalId' },
        { op: 'add', path: 'userName', value: 'carl2' },
      ],
      { userName: 'carl2' },
    ],
    [
      'what is not kept',
      [
        { op: 'add', path: 'title', value: 'Boss' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' },
      ],
      {},
    ],
  ]
  test('can be patched in each form that directories send', async () => {
    const id = await make('carl')
    for (const [name, operations, then] of CHANGES) {
      const reply = await scim(`PATCH ${S}/Users/${id}`, patch(...operations))
      expect([name, reply.status], JSON.stringify(reply.body)).toEqual([name, 200])
      expect(reply.body, name).toMatchObject(then)
      const again = await scim(`PATCH ${S}/Users/${id}`, patch(...operations))
      expect([name, again.events]).toEqual([name, []])
    }
  })

  test('can be replaced like Okta does; omitted attributes keep their values', async () => {
    const id = await make('dora@example.com', { displayName: 'Dora' })
    const { status, body, events } = await scim(`PUT ${S}/Users/${id}`, { userName: 'dora.b@example.com' })
    expect([status, events]).toEqual([200, ['user-updated']])
    expect(body).toMatchObject({ id, userName: 'dora.b@example.com', displayName: 'Dora', active: true })
    expect(body.emails).toMatchObject([{ value: 'dora.b@example.com' }])
  })

  test('loses access with all tokens when deactivated, and regains it when reactivated', async () => {
    const { id } = await server.admin(`POST ${A}/user-admin`, { username: 'eve', rootRole: 1, password: PASSWORD })
    const reply = await server.call({ call: 'POST /auth/simple/login', body: { username: 'eve', password: PASSWORD } })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const of = (headers: Record<string, string>) => server.call({ call: `GET ${A}/user`, headers })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const pat = { call: `POST ${A}/user/tokens`, headers: { cookie }, body: { description: 'mine', expiresAt } }
    const { secret } = (await server.call(pat)).json()
    const ways = async () => [
      (await of({ cookie })).statusCode,
      (await of({ authorization: secret })).statusCode,
      await login('eve'),
    ]
    expect(await ways()).toEqual([200, 200, 200])
    const off = await scim(`PATCH ${S}/Users/${id}`, patch({ op: 'Replace', path: 'active', value: false }))
    expect([off.status, off.events]).toEqual([200, ['user-updated']])
    expect(await ways()).toEqual([401, 401, 401])
    await scim(`PATCH ${S}/Users/${id}`, patch({ op: 'Replace', path: 'active', value: true }))
    expect(await ways()).toEqual([401, 200, 200])
    expect((await server.admin(`GET ${A}/user-admin/${id}`)).rootRole).toBe(1)
  })

  test('appears as deactivated in all lists of users', async () => {
    const group = { name: 'Sleepers', users: [] as object[] }
    const { id } = await server.admin(`POST ${A}/user-admin`, { username: 'hank', rootRole: 3, password: PASSWORD })
    group.users.push({ user: { id } })
    const { id: groupId } = await server.admin(`POST ${A}/groups`, group)
    await server.admin(`PUT ${A}/projects/default/users/${id}/roles`, { roles: [4] })
    await scim(`PATCH ${S}/Users/${id}`, patch({ op: 'replace', path: 'active', value: false }))
    const read = (path: string) => server.admin(`GET ${A}/${path}`)
    type One = { readonly id: number; readonly active: boolean }
    const lists: Readonly<Record<string, readonly One[]>> = {
      users: (await read('user-admin')).users,
      search: await read('user-admin/search?q=hank'),
      access: (await read('user-admin/access')).users,
      project: (await read('projects/default/access')).users,
      group: (await read(`groups/${groupId}`)).users.map(({ user }: { user: One }) => user),
    }
    for (const [name, people] of Object.entries(lists)) {
      const others = people.filter((one) => one.id !== id)
      expect([name, people.find((one) => one.id === id)?.active, others.every(({ active }) => active)]).toEqual([
        name,
        false,
        true,
      ])
    }
    const table = (await server.call({ as: 'admin', call: `GET ${A}/access/overview` })).body
    expect(table).toContain(`${id},"User","","hank","","Owner","default","",false`)
    const reviewers = await read('projects/default/change-requests/available-reviewers/production')
    expect(reviewers.map(({ username }: { username: string }) => username)).not.toContain('hank')
    await server.admin(`DELETE ${A}/groups/${groupId}`)
    await server.admin(`DELETE ${A}/user-admin/${id}`)
  })

  test('can be deleted', async () => {
    const id = await make('fred')
    const { status, body, events } = await scim(`DELETE ${S}/Users/${id}`)
    expect([status, body, events]).toEqual([204, undefined, ['user-deleted']])
    expect((await scim(`GET ${S}/Users/${id}`)).status).toBe(404)
  })

  test('lists come in pages, with the requested attributes', async () => {
    const all = (await scim(`GET ${S}/Users`)).body
    expect(all).toMatchObject({ startIndex: 1, totalResults: all.Resources.length })
    const part = (await scim(`GET ${S}/Users?startIndex=2&count=1&attributes=userName`)).body
    expect(part).toMatchObject({ startIndex: 2, itemsPerPage: 1, totalResults: all.totalResults })
    expect(part.Resources).toEqual([{ schemas: [USER], id: all.Resources[1].id, userName: all.Resources[1].userName }])
    expect((await scim(`GET ${S}/Users?count=0`)).body).toMatchObject({ itemsPerPage: 0, Resources: [] })
  })
})

describe('a group', () => {
  let ids: string[]
  const members = (reply: { body: { members: { value: string }[] } }) => reply.body.members.map(({ value }) => value)
  beforeAll(async () => {
    ids = [await make('g1@example.com'), await make('g2@example.com'), await make('g3@example.com')]
  })

  test('can be created and changed like Entra and Okta do, and grants permissions to its members', async () => {
    const [one, two, three] = ids as [string, string, string]
    const made = await scim(`POST ${S}/Groups`, { displayName: 'Makers', externalId: 'x', members: [{ value: one }] })
    expect([made.status, made.events]).toEqual([201, ['group-created', 'group-user-added']])
    const at = `${S}/Groups/${made.body.id}`
    const change = async (...operations: object[]) => {
      const { status, events } = await scim(`PATCH ${at}`, patch(...operations))
      return [status, events, members(await scim(`GET ${at}`))]
    }
    expect(await change({ op: 'Add', path: 'members', value: [{ value: two }, { value: three }] })).toEqual([
      200,
      ['group-user-added', 'group-user-added'],
      [one, two, three],
    ])
    expect(await change({ op: 'remove', path: `members[value eq "${two}"]` })).toEqual([
      200,
      ['group-user-removed'],
      [one, three],
    ])
    expect(await change({ op: 'Remove', path: 'members', value: [{ value: one }] })).toEqual([
      200,
      ['group-user-removed'],
      [three],
    ])
    expect(await change({ op: 'replace', path: 'members', value: [{ value: one }] })).toEqual([
      200,
      ['group-user-removed', 'group-user-added'],
      [one],
    ])
    expect(await change({ op: 'replace', value: { id: made.body.id, displayName: 'Doers' } })).toEqual([
      200,
      ['group-updated'],
      [one],
    ])
    expect(await change({ op: 'add', path: 'members', value: [{ value: 'nobody' }] })).toEqual([400, [], [one]])
    const ordered = [three, one, two]
    await scim(`PUT ${at}`, { displayName: 'Doers', members: ordered.map((value) => ({ value })) })
    expect(members(await scim(`GET ${at}`))).toEqual(ordered)
    await scim(`PUT ${at}`, { displayName: 'Doers', members: [{ value: one }] })
    expect(await change({ op: 'Add', path: 'members', value: [{ value: three }, { value: two }] })).toEqual([
      200,
      ['group-user-added', 'group-user-added'],
      [one, three, two],
    ])
    const removed = ['group-user-removed', 'group-user-removed', 'group-user-removed']
    expect((await scim(`PUT ${at}`, { displayName: 'Doers', members: [] })).events).toEqual(removed)
    expect(await find('Groups', 'displayName eq "Doers"')).toMatchObject([{ externalId: 'x' }])
    const bare = (await scim(`GET ${S}/Groups?excludedAttributes=members`)).body.Resources
    expect(bare.every((group: object) => !('members' in group))).toBe(true)
    expect(await scim(`DELETE ${at}`)).toMatchObject({ status: 204, events: ['group-deleted'] })
    expect((await scim(`GET ${at}`)).status).toBe(404)
  })

  test('managed by a directory makes its members administrators, but only while they are members', async () => {
    const group = { name: 'Root', rootRole: 1, users: [] }
    const { id } = await server.admin(`POST ${A}/groups`, group)
    const { id: user } = await server.admin(`POST ${A}/user-admin`, {
      username: 'gail',
      rootRole: 3,
      password: PASSWORD,
    })
    const reply = await server.call({ call: 'POST /auth/simple/login', body: { username: 'gail', password: PASSWORD } })
    const cookie = String(reply.headers['set-cookie']).split(';', 1)[0] ?? ''
    const may = async () => (await server.call({ call: `GET ${A}/scim-settings`, headers: { cookie } })).statusCode
    expect(await may()).toBe(403)
    await scim(`PATCH ${S}/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: String(user) }] }))
    expect(await may()).toBe(200)
    await scim(`PATCH ${S}/Groups/${id}`, patch({ op: 'remove', path: 'members' }))
    expect(await may()).toBe(403)
  })

  test.each([
    ['of a name that is taken', { displayName: 'Root' }, 409, 'uniqueness'],
    ['without a name', {}, 400, 'invalidValue'],
    ['with an unknown user', { displayName: 'X', members: [{ value: 'nobody' }] }, 400, 'invalidValue'],
  ])('%s is refused', async (_name, body, status, scimType) => {
    const reply = await scim(`POST ${S}/Groups`, body)
    expect([reply.status, reply.body.scimType, reply.events]).toEqual([status, scimType, []])
  })
})

describe('removing provisioned users and groups', () => {
  const users = `DELETE ${A}/user-admin/scim-users`
  const groups = `DELETE ${A}/groups/scim-groups`
  const count = async (table: string) =>
    Number((await server.db.row(`select count(*) as n from ${table} where scim_id is not null`))?.n)

  scenarios(() => server, [
    { name: 'people, by an editor', as: 'editor', call: users, status: 403, text: 'ADMIN' },
    { name: 'groups, by an editor', as: 'editor', call: groups, status: 403, text: 'ADMIN' },
  ] satisfies Scenario[])

  test('fails for the last administrator, and removes no one', async () => {
    const { id } = await server.admin(`POST ${A}/user-admin`, { username: 'ivy', rootRole: 1, password: PASSWORD })
    await scim(`PUT ${S}/Users/${id}`, { userName: 'ivy', externalId: 'i' })
    const others = await server.db.rows('select id, root_role from users where root_role = 1 and scim_id is null')
    for (const one of others) await server.db.rows('update users set root_role = 3 where id = ?', Number(one.id))
    const [people, last] = [await count('users'), await server.lastEventId()]
    const refused = await server.call({ as: 'admin', call: users })
    expect([refused.statusCode, await count('users'), await server.eventsAfter(last)]).toEqual([409, people, []])
    for (const one of others) await server.db.rows('update users set root_role = 1 where id = ?', Number(one.id))
  })

  test('writes an event for each, and keeps manually created groups', async () => {
    const [people, last] = [await count('users'), await server.lastEventId()]
    await scim(`POST ${S}/Groups`, { displayName: 'Kept', members: [] })
    await server.admin(`POST ${A}/groups`, { name: 'By hand', users: [] })
    const teams = await count('groups')
    expect([people > 1, teams > 0]).toEqual([true, true])
    await server.admin(groups)
    await server.admin(users)
    expect([await count('users'), await count('groups')]).toEqual([0, 0])
    const names = (await server.admin(`GET ${A}/groups`)).groups.map(({ name }: { name: string }) => name)
    expect(names).toContain('By hand')
    expect((await server.admin(`GET ${A}/user-admin`)).users.map(({ id }: { id: number }) => id)).toContain(1)
    expect(await server.eventsAfter(last)).toEqual([
      ...['group-created', 'group-created'],
      ...Array.from({ length: teams }, () => 'group-deleted'),
      ...Array.from({ length: people }, () => 'user-deleted'),
    ])
    expect(await server.eventsAfter(await server.lastEventId())).toEqual([])
    await server.admin(users)
  })

  test('however many they are, by as many statements as a few', async () => {
    const rows = (many: number, row: (name: string) => string) =>
      Array.from({ length: many }, (_, index) => row(`'many-${many}-${index}'`)).join(', ')
    const put = async (many: number) => {
      const people = rows(many, (name) => `(${name}, '', 3, 0, ${name})`)
      const teams = rows(many, (name) => `(${name}, '[]', 'x', 0, ${name})`)
      await server.db.rows(
        `insert into users (username, password_hash, root_role, created_at, scim_id) values ${people}`,
      )
      await server.db.rows(`insert into groups (name, mappings_sso, created_by, created_at, scim_id) values ${teams}`)
    }
    const queriesFor = async (many: number) => {
      await put(many)
      return counter.count(async () => {
        await server.admin(groups)
        await server.admin(users)
      })
    }
    expect(await queriesFor(400)).toBe(await queriesFor(3))
  })
})

test('maintenance mode lets directories read, and rejects changes', async () => {
  await server.admin(`POST ${A}/maintenance`, { enabled: true })
  expect((await scim(`GET ${S}/Users`)).status).toBe(200)
  expect(await scim(`POST ${S}/Users`, { userName: 'late' })).toMatchObject({ status: 503, events: [] })
  await server.admin(`POST ${A}/maintenance`, { enabled: false })
})
