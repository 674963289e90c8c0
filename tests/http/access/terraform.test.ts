import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { CLIENT, startProvider } from '../sso/provider.ts'
import { expectDecoded, type Field } from './go-client.ts'
import { REPLIES } from './terraform-shapes.ts'

/**
 * Requests that the Terraform provider of Unleash sends for each resource. The provider creates a resource, reads it at
 * each refresh and expects no difference (an empty plan). The provider then updates, reads and deletes the resource.
 * `terraform import` reads a resource that was created elsewhere in the same way. The provider accepts exactly one
 * status per call and decodes into fixed types. Source: wire protocol
 */
const A = '/api/admin'
let server: TestServer
beforeAll(async () => {
  server = await startServer({ apiTokenSecrets: 'readable', secretKey: '0'.repeat(64) })
})
afterAll(() => server.close())

type Json = Record<string, unknown>
type Reply = keyof typeof REPLIES

/**
 * Makes a call that must return the one status that the provider accepts. If `reply` is given, decodes the response
 * body accordingly.
 */
async function call(line: string, status: number, more: { body?: object; reply?: Reply } = {}): Promise<Json> {
  const [method = '', path = ''] = line.split(' ')
  const { body, reply: name } = more
  const reply = await server.call({
    as: 'admin',
    call: `${method} ${A}/${path}`,
    ...(body === undefined ? {} : { body }),
  })
  expect([line, reply.statusCode, reply.statusCode < 300 ? '' : reply.body]).toEqual([
    line,
    status,
    status < 300 ? '' : reply.body,
  ])
  if (reply.body === '' || status > 299) return {}
  const value = reply.json() as Json
  if (name !== undefined) expectDecoded(line, value, REPLIES[name] as unknown as Field)
  return value
}
const named = (list: unknown, key: string, value: unknown) => (list as Json[]).find((one) => one[key] === value)

/**
 * Lifecycle of a resource: its configuration, the calls that the provider makes, and the Terraform state that is
 * expected afterwards.
 */
interface Resource {
  readonly name: string
  readonly make: (wanted: Json) => Promise<string>
  readonly read: (id: string) => Promise<Json | undefined>
  readonly change?: (id: string, wanted: Json) => Promise<unknown>
  readonly remove?: (id: string) => Promise<unknown>
  /** Configuration at the beginning, and after each change. */
  readonly states: readonly [Json, ...Json[]]
}

const only = (value: Json, keys: Json) => Object.fromEntries(Object.keys(keys).map((key) => [key, value[key]]))

function crud(path: string, key: string, replies: { made: Reply; one: Reply; makes?: number }) {
  return {
    make: async (body: Json) =>
      String((await call(`POST ${path}`, replies.makes ?? 201, { body, reply: replies.made }))[key]),
    read: (id: string) => call(`GET ${path}/${id}`, 200, { reply: replies.one }),
    remove: (id: string) => call(`DELETE ${path}/${id}`, 200),
  }
}

const resources: readonly Resource[] = [
  {
    name: 'user',
    ...crud('user-admin', 'id', { made: 'madeUser', one: 'user' }),
    change: (id, { email, name, rootRole }) =>
      call(`PUT user-admin/${id}`, 200, { body: { email, name, rootRole }, reply: 'madeUser' }),
    states: [
      { email: 't@example.com', name: 'T', rootRole: 3, username: undefined },
      { email: 't@example.com', name: 'T2', rootRole: 2, username: undefined },
    ],
  },
  {
    name: 'user without a name and an address',
    ...crud('user-admin', 'id', { made: 'madeUser', one: 'user' }),
    states: [{ username: 'tf-only-username', name: undefined, email: undefined, rootRole: 3 }],
  },
  {
    name: 'group',
    ...crud('groups', 'id', { made: 'group', one: 'group' }),
    change: (id, body) => call(`PUT groups/${id}`, 200, { body, reply: 'group' }),
    states: [
      { name: 'tf-group', description: 'd', mappingsSSO: ['b', 'a'], rootRole: 3 },
      { name: 'tf-group', description: null, mappingsSSO: [], rootRole: null },
    ],
  },
  {
    name: 'environment',
    ...crud('environments', 'name', { made: 'environment', one: 'environment' }),
    change: (id, { type }) => call(`PUT environments/update/${id}`, 200, { body: { type }, reply: 'environment' }),
    states: [
      { name: 'tf-env', type: 'test' },
      { name: 'tf-env', type: 'production' },
    ],
  },
  {
    name: 'context field',
    ...crud('context', 'name', { made: 'contextField', one: 'contextField' }),
    change: (id, { name: _name, ...body }) => call(`PUT context/${id}`, 200, { body }),
    states: [
      {
        name: 'tf-field',
        description: 'd',
        stickiness: true,
        legalValues: [{ value: 'a', description: 'A' }, { value: 'b' }],
      },
      { name: 'tf-field', description: 'd', stickiness: false, legalValues: [] },
    ],
  },
  {
    name: 'context field of its name alone',
    ...crud('context', 'name', { made: 'contextField', one: 'contextField' }),
    states: [{ name: 'tf-bare', stickiness: false, legalValues: [] }],
  },
  {
    name: 'role',
    ...crud('roles', 'id', { made: 'roleReply', one: 'roleWithPermissions', makes: 200 }),
    make: async (body) => {
      const { roles } = await call('POST roles', 200, { body, reply: 'roleReply' })
      return String((roles as Json).id)
    },
    read: async (id) => withGiven(await call(`GET roles/${id}`, 200, { reply: 'roleWithPermissions' })),
    change: (id, body) => call(`PUT roles/${id}`, 200, { body, reply: 'roleReply' }),
    states: [
      { name: 'tf-role', description: 'd', type: 'root-custom', permissions: [{ name: 'CREATE_PROJECT' }] },
      { name: 'tf-role', description: 'e', type: 'root-custom', permissions: [{ name: 'CREATE_SEGMENT' }] },
    ],
  },
  {
    name: 'role of projects, in one environment',
    ...crud('roles', 'id', { made: 'roleReply', one: 'roleWithPermissions', makes: 200 }),
    make: async (body) => {
      const { roles } = await call('POST roles', 200, { body, reply: 'roleReply' })
      return String((roles as Json).id)
    },
    read: async (id) => withGiven(await call(`GET roles/${id}`, 200, { reply: 'roleWithPermissions' })),
    states: [
      {
        name: 'tf-releaser',
        description: '',
        type: 'custom',
        permissions: [{ name: 'UPDATE_FEATURE' }, { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
      },
    ],
  },
  {
    name: 'service account',
    ...crud('service-account', 'id', { made: 'serviceAccount', one: 'serviceAccount' }),
    read: async (id) =>
      named((await call('GET service-account', 200, { reply: 'serviceAccounts' })).serviceAccounts, 'id', Number(id)),
    change: (id, { name, rootRole }) =>
      call(`PUT service-account/${id}`, 200, { body: { name, rootRole }, reply: 'serviceAccount' }),
    states: [
      { username: 'tf-bot', name: 'Bot', rootRole: 3 },
      { username: 'tf-bot', name: 'Robot', rootRole: 2 },
    ],
  },
  { name: 'project', ...projectResource('d') },
  { name: 'project without description', ...projectResource(undefined) },
]

/** Project. A missing description must be absent, because the provider does not accept null. */
function projectResource(description: string | undefined): Omit<Resource, 'name'> {
  const state = { id: `tf-${description ?? 'bare'}`, name: 'TF', description, mode: 'open' }
  const settings = (id: string, { mode }: Json) => call(`PUT projects/${id}/settings`, 200, { body: { mode } })
  return {
    make: async (wanted) => {
      const { mode: _mode, ...body } = wanted
      const made = await call('POST projects', 201, { body: { ...body, environments: [] }, reply: 'madeProject' })
      await settings(String(made.id), wanted)
      return String(made.id)
    },
    read: async (id) => named((await call('GET projects', 200, { reply: 'projects' })).projects, 'id', id),
    change: async (id, wanted) => {
      await settings(id, wanted)
      await call(`PUT projects/${id}`, 200, { body: { name: wanted.name, description: wanted.description } })
    },
    remove: (id) => call(`DELETE projects/${id}`, 200),
    states: [state, { ...state, name: 'TF2', mode: 'protected' }],
  }
}

/** Converts a role's permissions to the provider's representation: a set of names, some of them with an environment. */
function withGiven(role: Json): Json {
  const permissions = (role.permissions as Json[]).map(({ name, environment }) =>
    environment === undefined ? { name } : { name, environment },
  )
  return { ...role, permissions: permissions.sort((a, b) => String(a.name).localeCompare(String(b.name))) }
}

test.each(resources.map((one) => [one.name, one] as const))(
  '%s: as it was configured, at each read',
  async (_name, one) => {
    const [first, ...later] = one.states
    const id = await one.make(first)
    for (const state of [first, ...later]) {
      if (state !== first) await one.change?.(id, state)
      const last = await server.lastEventId()
      expect(only((await one.read(id)) ?? {}, state)).toEqual(state)
      if (one.change !== undefined) await one.change(id, state)
      expect(await server.eventsAfter(last), 'a plan without difference').toEqual([])
    }
    await one.remove?.(id)
  },
)

test('the version is one that the provider works with', async () => {
  const { version } = await call('GET ui-config', 200, { reply: 'uiConfig' })
  const [major = 0, minor = 0] = String(version).split('.').map(Number)
  expect(major > 5 || (major === 5 && minor >= 6)).toBe(true)
})

test.each(['user-admin/99999', 'groups/99999', 'environments/none', 'context/none', 'roles/99999'])(
  '%s, which was removed elsewhere, is not found',
  async (path) => {
    await call(`GET ${path}`, 404)
  },
)

test('data sources: users, roles and permissions', async () => {
  await call('GET user-admin', 200, { reply: 'users' })
  await call('GET roles', 200, { reply: 'roles' })
  const { permissions } = (await call('GET permissions', 200, { reply: 'permissions' })) as { permissions: Json }
  expect(named(permissions.root, 'name', 'CREATE_PROJECT')).toMatchObject({ type: 'root' })
  const found = await call('GET user-admin/search?q=admin', 200, { reply: 'foundUsers' })
  expect(found).toMatchObject([{ username: 'admin' }])
  await call('POST groups', 201, { body: { name: 'tf-listed', users: [{ user: { id: 1 } }] } })
  expect(named((await call('GET groups', 200, { reply: 'groups' })).groups, 'name', 'tf-listed')).toBeDefined()
  const { environments } = await call('GET environments', 200, { reply: 'environments' })
  expect(named(environments, 'name', 'development')).toBeDefined()
})

test('a role from the data source of permissions is limited to its environment', async () => {
  const { permissions } = (await call('GET permissions', 200, { reply: 'permissions' })) as { permissions: Json }
  const development = named(permissions.environments, 'name', 'development')
  const { name, environment = null } = named(development?.permissions, 'name', 'CREATE_FEATURE_STRATEGY') as Json
  const body = { name: 'Strategist', type: 'custom', description: 'd', permissions: [{ name, environment }] }
  const { roles } = await call('POST roles', 200, { body, reply: 'roleReply' })
  await call('POST projects', 201, { body: { id: 'limited', name: 'Limited' } })
  await call('POST projects/limited/features', 201, { body: { name: 'limited' } })
  const viewer = Number((await server.db.row("select id from users where username = 'viewer'"))?.id)
  await call(`PUT projects/limited/users/${viewer}/roles`, 200, { body: { roles: [(roles as Json).id] } })
  const add = async (where: string) =>
    (
      await server.call({
        as: 'viewer',
        call: `POST ${A}/projects/limited/features/limited/environments/${where}/strategies`,
        body: { name: 'default' },
      })
    ).statusCode
  expect([await add('development'), await add('production')]).toEqual([200, 403])
})

test('an environment in a project, with change requests and without', async () => {
  await call('POST projects', 201, { body: { id: 'tf', name: 'TF' } })
  await call('POST environments', 201, { body: { name: 'tf-guarded', type: 'test' } })
  await call('POST projects/tf/environments', 200, { body: { environment: 'tf-guarded' } })
  await call('POST projects/tf/environments', 409, { body: { environment: 'tf-guarded' } })
  const { environments } = await call('GET environments/project/tf', 200, { reply: 'projectEnvironments' })
  expect(named(environments, 'name', 'tf-guarded')).toMatchObject({ visible: true })
  const config = async () => {
    const reply = await server.call({ as: 'admin', call: `GET ${A}/projects/tf/change-requests/config` })
    expectDecoded('change requests', reply.json(), REPLIES.changeRequestConfig)
    return named(reply.json(), 'environment', 'tf-guarded')
  }
  for (const [body, changeRequestEnabled, requiredApprovals] of [
    [{ changeRequestsEnabled: true, requiredApprovals: 2 }, true, 2],
    [{ changeRequestsEnabled: true, requiredApprovals: 3 }, true, 3],
    [{ changeRequestsEnabled: false, requiredApprovals: 0 }, false, null],
  ] as const) {
    await call('PUT projects/tf/environments/tf-guarded/change-requests/config', 204, { body })
    expect(await config()).toMatchObject({ changeRequestEnabled, requiredApprovals })
  }
  const body = { changeRequestsEnabled: true, requiredApprovals: 0 }
  await call('PUT projects/tf/environments/tf-guarded/change-requests/config', 400, { body })
  await call('DELETE projects/tf/environments/tf-guarded', 200)
  // the resource was removed by someone else in the meantime
  await call('DELETE projects/tf/environments/tf-guarded', 200)
  await call('DELETE environments/tf-guarded', 200)
})

test('an environment and the projects that use it are destroyed in one go, in any order', async () => {
  const ids = ['tf-a', 'tf-b', 'tf-c', 'tf-d']
  const destroy = (path: string) => () => call(`DELETE ${path}`, 200)
  for (const at of [0, 2, 4]) {
    await call('POST environments', 201, { body: { name: 'raced', type: 'test' }, reply: 'environment' })
    for (const id of ids) {
      // a new project uses all enabled environments
      await call('POST projects', 201, { body: { id, name: id }, reply: 'madeProject' })
      await call(`PUT projects/${id}/settings`, 200, { body: { mode: 'open' } })
    }
    const { environments } = await call('GET environments/project/tf-a', 200, { reply: 'projectEnvironments' })
    expect(named(environments, 'name', 'raced')).toMatchObject({ visible: true })
    const body = { tokenName: 'tf-raced', type: 'client', environment: 'raced', projects: ['tf-a'] }
    const { secret } = await call('POST api-tokens', 201, { body, reply: 'apiToken' })
    const removals = ids.map((id) => destroy(`projects/${id}`))
    await Promise.all(removals.toSpliced(at, 0, destroy('environments/raced')).map((run) => run()))
    await call('GET environments/raced', 404)
    const { projects } = await call('GET projects', 200, { reply: 'projects' })
    expect(ids.filter((id) => named(projects, 'id', id) !== undefined)).toEqual([])
    // the token was already deleted with its environment or project
    await call(`DELETE api-tokens/${encodeURIComponent(String(secret))}`, 200)
  }
})

test('project access is exactly what the resource declares, role by role', async () => {
  const ids: number[] = []
  for (const username of ['tf-ann', 'tf-bob']) {
    const made = await call('POST user-admin', 201, { body: { username, rootRole: 3, sendEmail: false } })
    ids.push(Number(made.id))
  }
  const users = ids.map((id) => ({ user: { id } }))
  const { id: group } = await call('POST groups', 201, { body: { name: 'tf-team', users }, reply: 'group' })
  const membersOf = (one: Json) => (one.users as { user: { id: number } }[]).map(({ user }) => user.id)
  expect(membersOf(await call(`GET groups/${group}`, 200, { reply: 'group' }))).toEqual(ids)
  const [ann = 0, bob = 0] = ids
  for (const roles of [
    [
      { id: 4, users: [ann], groups: [] },
      { id: 5, users: [bob], groups: [group] },
    ],
    [{ id: 4, users: [bob], groups: [group] }],
  ]) {
    await call('PUT projects/tf/access', 200, { body: { roles } })
    const last = await server.lastEventId()
    const access = await call('GET projects/tf/access', 200, { reply: 'projectAccess' })
    expect(givenIn(access)).toEqual(roles)
    await call('PUT projects/tf/access', 200, { body: { roles } })
    expect(await server.eventsAfter(last), 'a plan without difference').toEqual([])
  }
})

test('a group keeps its users in the configured order, which a plan compares', async () => {
  const ids: number[] = []
  for (const username of ['tf-one', 'tf-two', 'tf-three']) {
    ids.push(Number((await call('POST user-admin', 201, { body: { username, rootRole: 3, sendEmail: false } })).id))
  }
  const [one = 0, two = 0, three = 0] = ids
  const toBody = (users: readonly number[]) => ({ name: 'tf-ordered', users: users.map((id) => ({ user: { id } })) })
  const listUsers = (group: Json = {}) => (group.users as { user: { id: number } }[]).map(({ user }) => user.id)
  const made = await call('POST groups', 201, { body: toBody([three, one, two]), reply: 'group' })
  expect(listUsers(made)).toEqual([three, one, two])
  const readUsers = async () => listUsers(await call(`GET groups/${made.id}`, 200, { reply: 'group' }))
  for (const [users, events] of [
    [[three, one, two], []],
    [[two, three, one], ['group-updated']],
    [[one, two, three], ['group-updated']],
    [[three, one], ['group-user-removed']],
    [
      [two, one],
      ['group-user-removed', 'group-user-added'],
    ],
    [[three, two, one], ['group-user-added']],
  ] as const) {
    const last = await server.lastEventId()
    const changed = await call(`PUT groups/${made.id}`, 200, { body: toBody(users), reply: 'group' })
    expect([listUsers(changed), await readUsers()]).toEqual([users, users])
    const { groups } = await call('GET groups', 200, { reply: 'groups' })
    expect(listUsers(named(groups, 'name', 'tf-ordered'))).toEqual(users)
    expect(await server.eventsAfter(last)).toEqual(events)
  }
  await call(`PUT groups/${made.id}`, 200, { body: { name: 'tf-ordered', description: 'd' } })
  expect(await readUsers()).toEqual([three, two, one])
  await call(`DELETE groups/${made.id}`, 200)
})

/** Groups users and user groups by role, like the provider. Omits roles that no user or group has. */
function givenIn({ roles, users, groups }: Json) {
  const of = (list: unknown, role: unknown) =>
    (list as { id: number; roles: unknown[] }[]).filter((one) => one.roles.includes(role)).map(({ id }) => id)
  return (roles as Json[])
    .map(({ id }) => ({ id, users: of(users, id), groups: of(groups, id) }))
    .filter((role) => role.users.length + role.groups.length > 0)
}

test('an API token is found again by its whole secret, and is not created again', async () => {
  const body = { tokenName: 'tf-token', type: 'client', environment: 'development', projects: ['tf'] }
  const { secret } = await call('POST api-tokens', 201, { body, reply: 'apiToken' })
  const find = async () =>
    ((await call('GET api-tokens', 200, { reply: 'apiTokens' })).tokens as Json[]).filter(
      (one) => one.secret === secret,
    )
  expect(await find()).toMatchObject([body])
  const path = `api-tokens/${encodeURIComponent(String(secret))}`
  await call(`PUT ${path}`, 200, { body: { expiresAt: '2099-01-01T00:00:00Z' } })
  expect((await find())[0]?.expiresAt).toBe('2099-01-01T00:00:00.000Z')
  await call(`DELETE ${path}`, 200)
  expect(await find()).toEqual([])
})

test('an API token whose name is given the old way, as older modules do', async () => {
  const body = { username: 'tf-old', type: 'client', environment: 'development', projects: ['default'] }
  const made = await call('POST api-tokens', 201, { body, reply: 'apiToken' })
  expect(made).toMatchObject({ tokenName: 'tf-old', username: 'tf-old' })
})

test('a token of a service account', async () => {
  const { id } = await call('POST service-account', 201, { body: { username: 'tf-ci', name: 'CI', rootRole: 3 } })
  const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 30 * 86_400_000).toISOString()
  const body = { description: 'ci', expiresAt: expiresAt.replace('.000Z', 'Z') }
  const made = await call(`POST service-account/${id}/token`, 201, { body, reply: 'personalToken' })
  const { pats } = await call(`GET service-account/${id}/token`, 200, { reply: 'personalTokens' })
  expect(named(pats, 'id', made.id)).toMatchObject({ description: 'ci', expiresAt })
  await call(`DELETE service-account/${id}/token/${made.id}`, 200)
  await call(`DELETE service-account/${id}`, 200)
})

test('a token of a service account beyond the lifetime limit is rejected with the name of the option, unless it is raised', async () => {
  const body = { description: 'far', expiresAt: '2048-01-01T00:00:00Z' }
  const create = async (one: TestServer) => {
    const { id } = await one.admin(`POST ${A}/service-account`, { username: 'tf-far', name: 'Far', rootRole: 3 })
    return one.call({ as: 'admin', call: `POST ${A}/service-account/${id}/token`, body })
  }
  const refused = await create(server)
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('365 days')])
  const raised = await startServer({ personalTokenLifetimeDays: 20_000 })
  const made = await create(raised)
  await raised.close()
  expect(made.statusCode).toBe(201)
  expectDecoded('personal token', made.json(), REPLIES.personalToken as unknown as Field)
})

test('the data source of context fields reads built-in ones, with a description', async () => {
  for (const name of ['appName', 'userId', 'environment']) {
    const field = await call(`GET context/${name}`, 200, { reply: 'contextField' })
    expect(field).toMatchObject({ name, description: expect.stringMatching(/\S/), legalValues: [] })
  }
})

test('OpenID Connect over http is rejected for other hosts, because the secret would be readable', async () => {
  const body = { enabled: true, discoverUrl: 'http://keycloak.example.com/realms/main', ...CLIENT }
  const refused = await server.call({ as: 'admin', call: `POST ${A}/auth/oidc/settings`, body })
  expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('must use https:')])
  expect(await call('GET auth/oidc/settings', 200, { reply: 'oidc' })).toMatchObject({ enabled: false })
})

test('OpenID Connect: its secret is what was configured, and an empty one switches it off', async () => {
  const provider = await startProvider()
  const wanted = { enabled: true, discoverUrl: provider.issuer, ...CLIENT }
  await call('GET auth/oidc/settings', 200, { reply: 'oidc' })
  // a role that is not set is sent as 0
  const body = { ...wanted, autoCreate: false, defaultRootRoleId: 0 }
  await call('POST auth/oidc/settings', 200, { body, reply: 'oidc' })
  expect(await call('GET auth/oidc/settings', 200, { reply: 'oidc' })).toMatchObject({
    ...wanted,
    defaultRootRoleId: 3,
  })
  const last = await server.lastEventId()
  await call('POST auth/oidc/settings', 200, { body })
  expect(await server.eventsAfter(last), 'a plan without difference').toEqual([])
  await call('POST auth/oidc/settings', 200, { body: { enabled: false, clientId: ' ', secret: ' ' } })
  const off = await call('GET auth/oidc/settings', 200, { reply: 'oidc' })
  expect(off).toMatchObject({ enabled: false, clientId: '', secret: '' })
  await provider.close()
})

test('SAML is off, can be configured as off, and names the alternative', async () => {
  expect(await call('GET auth/saml/settings', 200, { reply: 'saml' })).toEqual({ enabled: false })
  const settings = { certificate: 'c', entityId: 'e', signOnUrl: 'https://id.example.com', autoCreate: false }
  const off = { ...settings, enabled: false, defaultRootRoleId: 0 }
  expect(await call('POST auth/saml/settings', 200, { body: off, reply: 'saml' })).toEqual({ enabled: false })
  const body = { ...settings, enabled: true }
  const refused = await server.call({ as: 'admin', call: `POST ${A}/auth/saml/settings`, body })
  expect([refused.statusCode, refused.body]).toEqual([
    400,
    expect.stringContaining('SAML is not supported. Use OpenID'),
  ])
})

test('the project goes', async () => {
  await call('DELETE projects/tf', 200)
  expect(named((await call('GET projects', 200)).projects, 'id', 'tf')).toBeUndefined()
})
