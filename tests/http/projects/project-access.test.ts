import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/shop'
const R = '/api/admin/user/roles'
/** Ids of users created after the first administrator, who has id 1. */
const EDITOR = 2
const VIEWER = 3
beforeAll(async () => {
  server = await startServer()
  await server.call({ as, call: 'POST /api/admin/projects', body: { id: 'shop', name: 'Shop' } })
})
afterAll(() => server.close())

async function lastEvent(): Promise<Record<string, unknown>> {
  const row = await server.db.row('select * from events order by id desc limit 1')
  const { type, project, data, pre_data } = row ?? {}
  return { type, project, data: JSON.parse(String(data)), preData: JSON.parse(String(pre_data)) }
}

/** Removes everyone except the administrator from the projects. */
async function takeBack(...projects: string[]): Promise<void> {
  for (const project of projects) {
    const users = `/api/admin/projects/${project}/users`
    await server.call({ as, call: `PUT ${users}/1/roles`, body: { roles: [4] } })
    for (const id of [EDITOR, VIEWER]) await server.call({ as, call: `DELETE ${users}/${id}/roles` })
  }
}

describe('roles in a project', () => {
  afterAll(() => takeBack('shop', 'left'))
  const set = (user: number | string) => `PUT ${P}/users/${user}/roles`
  const flag = (name: string) => ({ as: 'viewer', call: `POST ${P}/features`, body: { name } })
  const settings = { as: 'viewer', call: `PUT ${P}`, body: { name: 'Shop' } }
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${P}/access`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `GET ${P}/access`, status: 403, text: 'PROJECT_USER_ACCESS_READ' },
    { name: 'an editor of another project', as: 'editor', call: `GET ${P}/access`, status: 403 },
    {
      name: 'a token that creates a project owns nothing',
      as,
      call: `GET ${P}/access`,
      status: 200,
      has: {
        users: [],
        groups: [],
        roles: [
          { id: 4, name: 'Owner', type: 'project' },
          { id: 5, name: 'Member' },
        ],
      },
    },
    { name: 'an unknown project', as, call: 'GET /api/admin/projects/nope/access', status: 404 },
    { name: 'a viewer makes no flags', ...flag('f1'), status: 403 },
    { name: 'giving, as a viewer', as: 'viewer', call: set(VIEWER), body: { roles: [4] }, status: 403 },
    { name: 'no list', as, call: set(VIEWER), body: {}, status: 400, text: '`roles`' },
    { name: 'a root role', as, call: set(VIEWER), body: { roles: [1] }, status: 400, text: '1' },
    { name: 'an unknown role', as, call: set(VIEWER), body: { roles: [5, 99] }, status: 400, text: '99' },
    { name: 'an unknown user', as, call: set(99), body: { roles: [5] }, status: 404, text: '99' },
    { name: 'no number', as, call: set('ann'), body: { roles: [5] }, status: 404 },
    {
      name: 'no project',
      as,
      call: set(VIEWER).replace('shop', 'nope'),
      body: { roles: [5] },
      status: 404,
      text: 'nope',
    },
    {
      name: 'a member',
      as,
      call: set(VIEWER),
      body: { roles: [5] },
      status: 200,
      empty: true,
      events: ['project-access-user-roles-updated'],
    },
    { name: 'the same again', as, call: set(VIEWER), body: { roles: [5, 5] }, status: 200 },
    { name: 'makes flags', ...flag('f1'), status: 201, events: ['feature-created'] },
    {
      name: 'turns them on',
      as: 'viewer',
      call: `POST ${P}/features/f1/environments/production/on`,
      status: 200,
      events: ['feature-strategy-add', 'feature-environment-enabled'],
    },
    { name: 'but not the project', ...settings, status: 403, text: 'UPDATE_PROJECT' },
    { name: 'nor its access', as: 'viewer', call: set(VIEWER), body: { roles: [4] }, status: 403 },
    {
      name: 'nor flags elsewhere',
      as: 'viewer',
      call: 'POST /api/admin/projects/default/features',
      body: { name: 'f2' },
      status: 403,
    },
    {
      name: 'my roles',
      as: 'viewer',
      call: `GET ${R}?projectId=shop`,
      status: 200,
      has: {
        version: 1,
        roles: [
          { id: 3, name: 'Viewer', type: 'root', project: 'default' },
          { id: 5, type: 'project', project: 'shop' },
        ],
      },
    },
    {
      name: 'an owner besides',
      as,
      call: `POST ${P}/users/${VIEWER}/roles/4`,
      status: 200,
      empty: true,
      events: ['project-access-user-roles-updated'],
    },
    { name: 'again', as, call: `POST ${P}/users/${VIEWER}/roles/4`, status: 200 },
    { name: 'may change the project', ...settings, status: 200 },
    {
      name: 'may give it to others, several at once',
      as: 'viewer',
      call: `POST ${P}/access`,
      body: { roles: [5], users: [EDITOR, VIEWER], groups: [] },
      status: 200,
      empty: true,
      events: ['project-access-user-roles-updated'],
    },
    {
      name: 'they are',
      as: 'viewer',
      call: `GET ${P}/access`,
      status: 200,
      has: {
        users: [
          { id: EDITOR, username: 'editor', roleId: 5, roles: [5] },
          { id: VIEWER, roles: [4, 5] },
        ],
      },
    },
    {
      name: 'to all or none',
      as,
      call: `POST ${P}/access`,
      body: { roles: [4], users: [EDITOR, 99] },
      status: 404,
      text: '99',
    },
    { name: 'no role', as, call: `POST ${P}/access`, body: { roles: [], users: [EDITOR] }, status: 400, text: 'roles' },
    { name: 'a bad role without users', as, call: `POST ${P}/access`, body: { roles: [1], users: [] }, status: 400 },
    {
      name: 'a group that is not there',
      as,
      call: `POST ${P}/access`,
      body: { roles: [4], users: [], groups: [1] },
      status: 404,
      text: 'group',
    },
    { name: 'a role that is not there', as, call: `DELETE ${P}/users/${VIEWER}/roles/x`, status: 404 },
    {
      name: 'of the last owner',
      as,
      call: `DELETE ${P}/users/${VIEWER}/roles/4`,
      status: 400,
      has: { name: 'ValidationError', details: [{ message: 'A project must have at least one owner.' }] },
    },
    { name: 'of the last owner, by others', as, call: set(VIEWER), body: { roles: [5] }, status: 400, text: 'owner' },
    { name: 'of the last owner, all', as, call: `DELETE ${P}/users/${VIEWER}/roles`, status: 400, text: 'owner' },
    { name: 'the last owner gives it up', as: 'viewer', call: set(VIEWER), body: { roles: [] }, status: 400 },
    {
      name: 'a second owner',
      as: 'viewer',
      call: `POST ${P}/users/${EDITOR}/roles/4`,
      status: 200,
      events: ['project-access-user-roles-updated'],
    },
    {
      name: 'one of two',
      as,
      call: `DELETE ${P}/users/${VIEWER}/roles/4`,
      status: 200,
      events: ['project-access-user-roles-updated'],
    },
    { name: 'ends at once', ...settings, status: 403 },
    {
      name: 'all of them',
      as,
      call: `DELETE ${P}/users/${VIEWER}/roles`,
      status: 200,
      empty: true,
      events: ['project-access-user-roles-deleted'],
    },
    { name: 'again, nothing', as, call: `DELETE ${P}/users/${VIEWER}/roles`, status: 200, empty: true },
    { name: 'makes no flags any more', ...flag('f3'), status: 403 },
    { name: 'of an unknown user', as, call: `DELETE ${P}/users/99/roles`, status: 404 },
  ] satisfies Scenario[])

  test('the event has the roles before and after', async () => {
    await server.call({ as, call: `PUT ${P}/users/${VIEWER}/roles`, body: { roles: [5, 4] } })
    expect(await lastEvent()).toEqual({
      type: 'project-access-user-roles-updated',
      project: 'shop',
      data: { userId: VIEWER, roles: [4, 5] },
      preData: null,
    })
    await server.call({ as, call: `PUT ${P}/users/${EDITOR}/roles`, body: { roles: [4] } })
    expect(await lastEvent()).toMatchObject({ data: { roles: [4] }, preData: { userId: EDITOR, roles: [4, 5] } })
    await server.call({ as, call: `DELETE ${P}/users/${EDITOR}/roles` })
    expect(await lastEvent()).toMatchObject({ data: null, preData: { userId: EDITOR, roles: [4] } })
  })

  test('go with their person', async () => {
    const body = { username: 'guest', rootRole: 3, password: 'nothing to guess here' }
    const { id } = (await server.call({ as, call: 'POST /api/admin/user-admin', body })).json()
    await server.call({ as, call: `PUT ${P}/users/${id}/roles`, body: { roles: [5] } })
    expect((await server.call({ as, call: `DELETE /api/admin/user-admin/${id}` })).statusCode).toBe(200)
    const { users } = (await server.call({ as, call: `GET ${P}/access` })).json()
    expect(users.map((user: { id: number }) => user.id)).toEqual([VIEWER])
  })

  test('the last owner may leave; the event records it, and an admin appoints another owner', async () => {
    const M = '/api/admin/projects/left'
    await server.call({ as, call: 'POST /api/admin/projects', body: { id: 'left', name: 'Left' } })
    const body = { username: 'owner', rootRole: 3, password: 'nothing to guess here' }
    const { id } = (await server.call({ as, call: 'POST /api/admin/user-admin', body })).json()
    await server.call({ as, call: `PUT ${M}/users/${id}/roles`, body: { roles: [4] } })
    expect((await server.call({ as, call: `PUT /api/admin/user-admin/${id}`, body: { rootRole: 2 } })).statusCode).toBe(
      200,
    )
    expect((await server.call({ as, call: `DELETE ${M}/users/${id}/roles` })).statusCode).toBe(400)
    expect((await server.call({ as, call: `DELETE /api/admin/user-admin/${id}` })).statusCode).toBe(200)
    expect(await lastEvent()).toEqual({
      type: 'user-deleted',
      project: null,
      data: null,
      preData: {
        id,
        username: 'owner',
        email: null,
        name: null,
        rootRole: 2,
        projects: [{ project: 'left', roles: [4] }],
      },
    })
    expect((await server.call({ as, call: `PUT ${M}/users/${EDITOR}/roles`, body: { roles: [4] } })).statusCode).toBe(
      200,
    )
    expect((await server.call({ as, call: `GET ${M}/access` })).json().users).toMatchObject([{ id: EDITOR, roleId: 4 }])
  })
})

describe('users', () => {
  const A = 'GET /api/admin/user-admin/access'
  const N = 'GET /api/admin/user-admin/admin-count'
  const M = 'GET /api/admin/user/profile'
  scenarios(() => server, [
    { name: 'people to give a project: anonymous', call: A, status: 401 },
    { name: 'a viewer', as: 'viewer', call: A, status: 403 },
    {
      name: 'a user with a project',
      as: 'editor',
      call: A,
      status: 200,
      has: { users: [{ id: 1, username: 'admin' }, { username: 'editor' }, { username: 'viewer' }], groups: [] },
    },
    { name: 'counting admins: an editor', as: 'editor', call: N, status: 403 },
    { name: 'an admin', as, call: N, status: 200, has: { password: 1, noPassword: 0, service: 0 } },
    { name: 'my profile: anonymous', call: M, status: 401 },
    { name: 'a token', as, call: M, status: 403, has: { name: 'InvalidOperationError' } },
    {
      name: 'mine',
      as: 'viewer',
      call: M,
      status: 200,
      has: { rootRole: { id: 3, name: 'Viewer' }, projects: [], features: [] },
    },
    { name: 'my roles without a project', as: 'viewer', call: `GET ${R}`, status: 400, text: 'projectId' },
    { name: 'in an unknown one', as: 'viewer', call: `GET ${R}?projectId=nope`, status: 404 },
    { name: 'of a token', as, call: `GET ${R}?projectId=shop`, status: 403 },
  ] satisfies Scenario[])

  test('a user who creates a project owns it, and the profile shows it', async () => {
    const made = await server.call({ as: 'editor', call: 'POST /api/admin/projects', body: { id: 'own', name: 'Own' } })
    expect(made.statusCode).toBe(201)
    expect((await server.call({ as: 'editor', call: M })).json().projects).toEqual(['own'])
    expect((await server.call({ as: 'editor', call: `GET ${R}?projectId=own` })).json().roles).toMatchObject([
      { id: 2, type: 'root', project: 'default' },
      { id: 4, type: 'project', project: 'own' },
    ])
    const me = (await server.call({ as: 'editor', call: 'GET /api/admin/user' })).json()
    expect(me.permissions).toContainEqual({ permission: 'DELETE_PROJECT', project: 'own' })
  })

  test('an admin who cannot log in does not count as the remaining admin', async () => {
    const body = { username: 'later', rootRole: 1 }
    const { id } = (await server.call({ as, call: 'POST /api/admin/user-admin', body })).json()
    expect((await server.call({ as, call: N })).json()).toMatchObject({ password: 1, noPassword: 1 })
    for (const call of ['DELETE /api/admin/user-admin/1', 'PUT /api/admin/user-admin/1']) {
      const reply = await server.call({ as, call, ...(call.startsWith('PUT') ? { body: { rootRole: 3 } } : {}) })
      expect([call, reply.statusCode]).toEqual([call, 409])
    }
    expect((await server.call({ as, call: `DELETE /api/admin/user-admin/${id}` })).statusCode).toBe(200)
  })
})

test('an undated membership has the earliest possible start date', async () => {
  const OLD = '/api/admin/projects/old'
  await server.admin('POST /api/admin/projects', { id: 'old', name: 'Old' })
  await server.admin(`PUT ${OLD}/users/${VIEWER}/roles`, { roles: [5] })
  const addedAt = async (): Promise<string> => (await server.admin(`GET ${OLD}/access`)).users[0].addedAt
  const known = await addedAt()
  await server.db.rows("update project_members set created_at = null where project = 'old'")
  const earliest = await server.db.row(
    "select max(created_at) as at from (select created_at from users where id = ? union select created_at from projects where id = 'old') as of",
    VIEWER,
  )
  expect(await addedAt()).toBe(new Date(Number(earliest?.at)).toISOString())
  expect((await addedAt()) <= known).toBe(true)
})
