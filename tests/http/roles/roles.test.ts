import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Custom roles: their permissions, and when changes take effect. */
let server: TestServer
const as = 'admin'
const R = '/api/admin/roles'
const P = '/api/admin/projects/shop'
const VIEWER = 3

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${P}/features`, { name: 'cart' })
})
afterAll(() => server.close())

async function lastEvent() {
  const row = await server.db.row('select type, data, pre_data from events order by id desc limit 1')
  return { type: row?.type, data: JSON.parse(String(row?.data)), preData: JSON.parse(String(row?.pre_data)) }
}

describe('roles', () => {
  const make = `POST ${R}`
  const role = (more: object = {}) => ({ name: 'Switcher', type: 'custom', permissions: [], ...more })
  const gives = (...permissions: object[]) => role({ name: 'x', permissions })
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${R}`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `GET ${R}`, status: 403, text: 'READ_ROLE' },
    { name: 'an editor makes none', as: 'editor', call: make, body: role(), status: 403, text: 'ADMIN' },
    {
      name: 'those that every installation has',
      as,
      call: `GET ${R}`,
      status: 200,
      has: {
        version: 1,
        roles: [
          { id: 1, name: 'Admin', type: 'root' },
          { id: 2, name: 'Editor', type: 'root' },
          { id: 3, name: 'Viewer', type: 'root' },
          { id: 4, name: 'Owner', type: 'project' },
          { id: 5, name: 'Member', type: 'project' },
        ],
      },
    },
    {
      name: 'what can be given, as anybody',
      as: 'viewer',
      call: 'GET /api/admin/permissions',
      status: 200,
      text: '"environments":[{"name":"development"',
    },
    { name: 'no name', as, call: make, body: { type: 'custom' }, status: 400, text: '`name`' },
    { name: 'blanks around it', as, call: make, body: role({ name: ' x ' }), status: 400, text: 'name' },
    { name: 'another type', as, call: make, body: role({ type: 'root' }), status: 400, text: 'type' },
    { name: 'the name of one that is there', as, call: make, body: role({ name: 'Owner' }), status: 409 },
    { name: 'an unknown permission', as, call: make, body: gives({ name: 'FLY' }), status: 400, text: 'FLY' },
    { name: 'an unknown id', as, call: make, body: gives({ id: 9999 }), status: 400, text: '9999' },
    { name: 'an id and another name', as, call: make, body: gives({ id: 2, name: 'UPDATE_FEATURE' }), status: 400 },
    { name: 'no permission', as, call: make, body: gives({}), status: 400, text: 'body/permissions/0' },
    { name: 'everything', as, call: make, body: gives({ name: 'ADMIN' }), status: 400, text: 'Admin' },
    {
      name: 'one of everywhere in a project',
      as,
      call: make,
      body: gives({ name: 'CREATE_PROJECT' }),
      status: 400,
      text: 'whole instance',
    },
    {
      name: 'an unknown environment',
      as,
      call: make,
      body: gives({ name: 'CREATE_FEATURE_STRATEGY', environment: 'moon' }),
      status: 400,
      text: 'moon',
    },
    {
      name: 'an environment where there is none',
      as,
      call: make,
      body: gives({ name: 'CREATE_FEATURE', environment: 'production' }),
      status: 400,
      text: 'environment',
    },
    { name: 'a free name', as, call: `${make}/validate`, body: role(), status: 200, empty: true },
    {
      name: 'one for an environment, by id and by name, twice',
      as,
      call: make,
      body: role({
        description: 'Switches production',
        permissions: [
          { id: 28, environment: 'production' },
          { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
          { name: 'UPDATE_FEATURE', environment: '' },
        ],
      }),
      status: 200,
      has: { version: 1, roles: { id: 6, name: 'Switcher', type: 'custom', description: 'Switches production' } },
      events: ['role-created'],
    },
    { name: 'the name is taken', as, call: `${make}/validate`, body: { name: 'Switcher' }, status: 409 },
    { name: 'again', as, call: make, body: role(), status: 409, has: { name: 'NameExistsError' } },
    {
      name: 'shown',
      as,
      call: `GET ${R}/6`,
      status: 200,
      has: {
        id: 6,
        name: 'Switcher',
        type: 'custom',
        permissions: [
          { id: 7, name: 'UPDATE_FEATURE', type: 'project' },
          { id: 28, name: 'UPDATE_FEATURE_ENVIRONMENT', type: 'environment', environment: 'production' },
        ],
      },
    },
    { name: 'of nobody', as, call: `GET ${R}/99`, status: 404 },
    { name: 'that is no id', as, call: `GET ${R}/x`, status: 404 },
    { name: 'in use nowhere', as, call: 'GET /api/admin/projects/roles/6/access', status: 200, has: { projects: [] } },
    { name: 'of nobody, in use', as, call: 'GET /api/admin/projects/roles/99/access', status: 404 },
    {
      name: 'without it',
      as: 'viewer',
      call: `POST ${P}/features/cart/environments/production/on`,
      status: 403,
      text: 'in the environment \\"production\\" of the project \\"shop\\"',
    },
    {
      name: 'given',
      as,
      call: `PUT ${P}/users/${VIEWER}/roles`,
      body: { roles: [6] },
      status: 200,
      events: ['project-access-user-roles-updated'],
    },
    {
      name: 'in use there',
      as,
      call: 'GET /api/admin/projects/roles/6/access',
      status: 200,
      has: { projects: [{ project: 'shop', role: 6, userCount: 1, serviceAccountCount: 0, groupCount: 0 }] },
    },
    {
      name: 'with it',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'x' },
      status: 200,
      events: ['feature-metadata-updated'],
    },
    {
      name: 'not elsewhere',
      as: 'viewer',
      call: `POST ${P}/features/cart/environments/development/off`,
      status: 403,
      text: 'development',
    },
    {
      name: 'in production, where there is a strategy',
      as: 'viewer',
      call: `POST ${P}/features/cart/environments/production/off`,
      status: 200,
    },
    { name: 'not removed while it is in use', as, call: `DELETE ${R}/6`, status: 400, text: '\\"shop\\"' },
    { name: 'of another type', as, call: `PUT ${R}/6`, body: role({ type: 'root-custom' }), status: 400, text: 'type' },
    { name: 'as another one is called', as, call: `PUT ${R}/6`, body: role({ name: 'Member' }), status: 409 },
    { name: 'that every installation has', as, call: `PUT ${R}/4`, body: role(), status: 403, text: 'Owner' },
    { name: 'not changed by an editor', as: 'editor', call: `PUT ${R}/6`, body: role(), status: 403 },
    {
      name: 'with another name alone',
      as,
      call: `PUT ${R}/6`,
      body: { name: 'Night shift' },
      status: 200,
      events: ['role-updated'],
    },
    { name: 'the same again', as, call: `PUT ${R}/6`, body: { name: 'Night shift' }, status: 200 },
    {
      name: 'still gives that',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'y' },
      status: 200,
      events: ['feature-metadata-updated'],
    },
    {
      name: 'with less',
      as,
      call: `PUT ${R}/6`,
      body: { name: 'Night shift', permissions: [{ name: 'CREATE_FEATURE_STRATEGY', environment: 'development' }] },
      status: 200,
      events: ['role-updated'],
    },
    {
      name: 'gives less, at once',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'z' },
      status: 403,
    },
    {
      name: 'taken',
      as,
      call: `DELETE ${P}/users/${VIEWER}/roles`,
      status: 200,
      events: ['project-access-user-roles-deleted'],
    },
    { name: 'not removed by an editor', as: 'editor', call: `DELETE ${R}/6`, status: 403 },
    { name: 'not removed: every installation has it', as, call: `DELETE ${R}/5`, status: 403 },
    { name: 'removed', as, call: `DELETE ${R}/6`, status: 200, empty: true, events: ['role-deleted'] },
    { name: 'again, and there is none', as, call: `DELETE ${R}/6`, status: 404 },
  ] satisfies Scenario[])

  test('say in their event what they gave', async () => {
    expect(await lastEvent()).toEqual({
      type: 'role-deleted',
      data: null,
      preData: {
        id: 6,
        name: 'Night shift',
        description: 'Switches production',
        type: 'custom',
        permissions: [{ name: 'CREATE_FEATURE_STRATEGY', environment: 'development' }],
      },
    })
  })

  test('list their permissions per environment if they are built in', async () => {
    const { permissions } = await server.admin(`GET ${R}/5`)
    const places = permissions
      .filter(({ name }: { name: string }) => name === 'UPDATE_FEATURE_ENVIRONMENT')
      .map(({ environment }: { environment: string }) => environment)
    expect(places).toEqual(['development', 'production'])
  })
})

describe('roles of everywhere that are made', () => {
  const librarian = {
    name: 'Librarian',
    type: 'root-custom',
    permissions: [{ name: 'CREATE_SEGMENT' }, { name: 'READ_ROLE' }],
  }
  const segment = { as: 'viewer', call: 'POST /api/admin/segments', body: { name: 's', constraints: [] } }
  const change = (rootRole: unknown) => ({ as, call: `PUT /api/admin/user-admin/${VIEWER}`, body: { rootRole } })
  const changeEditor = (rootRole: number) => ({ as, call: 'PUT /api/admin/user-admin/2', body: { rootRole } })
  const group = (name: string) => ({ as, call: 'POST /api/admin/groups', body: { name, rootRole: 7 } })
  scenarios(() => server, [
    {
      name: 'made',
      as,
      call: `POST ${R}`,
      body: librarian,
      status: 200,
      has: { roles: { id: 7 } },
      events: ['role-created'],
    },
    { name: 'a segment without it', ...segment, status: 403 },
    { name: 'a role of projects is no root role', ...change(5), status: 400, text: 'rootRole' },
    { name: 'nor is one that is not there', ...change(99), status: 400, text: 'rootRole' },
    { name: 'given', ...change(7), status: 200, has: { rootRole: 7 }, events: ['user-updated'] },
    { name: 'a segment with it', ...segment, status: 201, events: ['segment-created'] },
    { name: 'roles with it', as: 'viewer', call: `GET ${R}/7`, status: 200 },
    { name: 'no more than it gives', as: 'viewer', call: 'DELETE /api/admin/segments/1', status: 403 },
    {
      name: 'not in a project',
      as,
      call: `PUT ${P}/users/${VIEWER}/roles`,
      body: { roles: [7] },
      status: 400,
      text: '7',
    },
    { name: 'not removed while an account has it', as, call: `DELETE ${R}/7`, status: 400, text: 'by 1 account.' },
    { name: 'given to the editor', ...changeEditor(7), status: 200, events: ['user-updated'] },
    { name: 'given to a group', ...group('Readers'), status: 201, events: ['group-created'] },
    { name: 'in use by one group', as, call: `DELETE ${R}/7`, status: 400, text: 'by 2 accounts and 1 group.' },
    { name: 'given to another group', ...group('Writers'), status: 201, events: ['group-created'] },
    { name: 'in use by two groups', as, call: `DELETE ${R}/7`, status: 400, text: 'by 2 accounts and 2 groups.' },
    { name: 'taken from the group', as, call: 'DELETE /api/admin/groups/1', status: 200, events: ['group-deleted'] },
    { name: 'taken from the other', as, call: 'DELETE /api/admin/groups/2', status: 200, events: ['group-deleted'] },
    { name: 'taken from the editor', ...changeEditor(2), status: 200, events: ['user-updated'] },
    {
      name: 'listed where users are made',
      as,
      call: 'GET /api/admin/user-admin',
      status: 200,
      has: { rootRoles: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 7 }] },
    },
    { name: 'taken again', ...change(3), status: 200, events: ['user-updated'] },
    { name: 'removed', as, call: `DELETE ${R}/7`, status: 200, events: ['role-deleted'] },
  ] satisfies Scenario[])
})

describe('a right in one environment', () => {
  const call = `PUT ${P}/features/varied/variants-batch`
  const body = (...environments: string[]) => ({ environments, variants: [{ name: 'x', weight: 1 }] })
  beforeAll(async () => {
    const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', environment: 'development' }]
    const { roles } = await server.admin(`POST ${R}`, { name: 'Of development', type: 'custom', permissions })
    await server.admin(`PUT ${P}/users/${VIEWER}/roles`, { roles: [roles.id] })
    await server.admin(`POST ${P}/features`, { name: 'varied' })
  })
  scenarios(
    () => server,
    [
      { name: 'is none in another', as: 'viewer', call, body: body('production'), status: 403, text: 'production' },
      {
        name: 'nor in both',
        as: 'viewer',
        call,
        body: body('development', 'production'),
        status: 403,
        text: 'production',
      },
      {
        name: 'is one there',
        as: 'viewer',
        call,
        body: body('development'),
        status: 200,
        events: ['feature-environment-variants-updated'],
      },
    ],
  )
})

describe('permissions of environments', () => {
  const OF_ENVIRONMENTS = PERMISSIONS.filter(({ type }) => type === 'environment')
  const VAGUE = [{}, { environment: null }, { environment: '' }]

  test('list their environment', async () => {
    const { permissions } = await server.admin('GET /api/admin/permissions')
    for (const { name, permissions: listed } of permissions.environments) {
      expect(listed.map((one: { environment?: string }) => one.environment)).toEqual(OF_ENVIRONMENTS.map(() => name))
    }
  })

  test('need an environment: each is refused without one, by name and by id, in new and changed roles', async () => {
    const { roles } = await server.admin(`POST ${R}`, { name: 'Explicit', type: 'custom', permissions: [] })
    const calls = [
      ['POST', R, 'Vague'],
      ['PUT', `${R}/${roles.id}`, 'Explicit'],
    ]
    for (const { id, name } of OF_ENVIRONMENTS) {
      for (const which of [{ name }, { id }]) {
        for (const environment of VAGUE) {
          for (const [method, path, role] of calls) {
            const permissions = [{ name: 'UPDATE_FEATURE' }, { ...which, ...environment }]
            const body = { name: role, type: 'custom', permissions }
            const reply = await server.call({ as, call: `${method} ${path}`, body })
            expect([reply.statusCode, reply.body]).toEqual([
              400,
              expect.stringContaining('body/permissions/1/environment'),
            ])
          }
        }
      }
    }
    const made = await server.call({
      as,
      call: `POST ${R}`,
      body: { name: 'Vague', type: 'root-custom', permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT' }] },
    })
    expect([made.statusCode, made.body]).toEqual([400, expect.stringContaining('body/permissions/0/environment')])
    expect((await server.admin(`GET ${R}/${roles.id}`)).permissions).toEqual([])
  })

  test('apply in all environments if the request says so, and are returned as sent', async () => {
    const body = {
      name: 'Everywhere',
      type: 'custom',
      permissions: OF_ENVIRONMENTS.map(({ name }) => ({ name, environment: '*' })),
    }
    const { roles } = await server.admin(`POST ${R}`, body)
    const { permissions } = await server.admin(`GET ${R}/${roles.id}`)
    expect(permissions.map(({ environment }: { environment?: string }) => environment)).toEqual(
      OF_ENVIRONMENTS.map(() => '*'),
    )
    const last = await server.lastEventId()
    await server.admin(`PUT ${R}/${roles.id}`, { ...body, permissions })
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await server.admin(`GET ${R}`)).roles.at(-1)).toEqual(roles)
  })

  test('saved earlier without an environment remain, are listed, and are confirmed or limited by saving', async () => {
    const vague = async () => {
      const row = await server.db.row(
        "insert into roles (name, description, type) values ('Older', '', 'custom') returning id",
      )
      await server.db.row(
        "insert into role_permissions (role_id, permission) values (?, 'UPDATE_FEATURE_ENVIRONMENT'), (?, 'UPDATE_FEATURE') returning role_id",
        ...[Number(row?.id), Number(row?.id)],
      )
      return Number(row?.id)
    }
    const id = await vague()
    const shown = async () => (await server.admin(`GET ${R}`)).roles.find((one: { id: number }) => one.id === id)
    expect(await shown()).toMatchObject({ implicitEnvironments: ['UPDATE_FEATURE_ENVIRONMENT'] })
    // a copy counts as a new role and is therefore validated
    const { permissions } = await server.admin(`GET ${R}/${id}`)
    const copy = await server.call({ as, call: `POST ${R}`, body: { name: 'Copy', type: 'custom', permissions } })
    expect(copy.statusCode).toBe(400)
    await server.admin(`PUT ${R}/${id}`, { name: 'Older still' })
    expect(await shown()).toMatchObject({ implicitEnvironments: ['UPDATE_FEATURE_ENVIRONMENT'] })
    const confirmed = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: '*' }]
    const last = await server.lastEventId()
    await server.admin(`PUT ${R}/${id}`, { name: 'Older still', permissions: confirmed })
    expect(await server.eventsAfter(last)).toEqual(['role-updated'])
    expect(await shown()).not.toHaveProperty('implicitEnvironments')
  })
})

describe('actors cannot grant more than they have', () => {
  const give = (...roles: number[]) => ({ as: 'viewer', call: `PUT ${P}/users/2/roles`, body: { roles } })
  let skipper = 0
  let door = 0
  beforeAll(async () => {
    const made = async (name: string, permissions: object[]) =>
      (await server.admin(`POST ${R}`, { name, type: 'custom', permissions })).roles.id
    skipper = await made('Skipper', [{ name: 'SKIP_CHANGE_REQUEST', environment: '*' }])
    door = await made('Doorkeeper', [{ name: 'PROJECT_USER_ACCESS_WRITE' }])
    await addSession(server.db, 'viewer', VIEWER, Date.now())
  })
  const refused = async (given: ReturnType<typeof give>, text: string) => {
    const last = await server.lastEventId()
    const reply = await server.call(given)
    expect([reply.statusCode, reply.body]).toEqual([403, expect.stringContaining(text)])
    expect(await server.eventsAfter(last)).toEqual([])
  }

  test('an owner, no role with rights that owners do not have', async () => {
    await server.admin(`PUT ${P}/users/${VIEWER}/roles`, { roles: [4] })
    await refused(give(skipper), 'SKIP_CHANGE_REQUEST')
    expect((await server.call(give(4))).statusCode).toBe(200)
    expect((await server.call(give(5))).statusCode).toBe(200)
  })

  test('actors who may only manage access grant what they have, and no more', async () => {
    await server.admin(`PUT ${P}/users/1/roles`, { roles: [4] })
    await server.admin(`PUT ${P}/users/${VIEWER}/roles`, { roles: [door] })
    await server.admin(`DELETE ${P}/users/2/roles`)
    for (const role of [4, 5]) {
      await refused(give(role), 'which you do not have')
      await refused({ ...give(role), call: `PUT ${P}/users/${VIEWER}/roles` }, 'which you do not have')
      await refused(
        { as: 'viewer', call: `POST ${P}/access`, body: { roles: [role], users: [2], groups: [] } } as never,
        'do not have',
      )
      await refused(
        { as: 'viewer', call: `PUT ${P}/access`, body: { roles: [{ id: role, users: [VIEWER] }] } } as never,
        'do not have',
      )
      await refused({ as: 'viewer', call: `POST ${P}/users/${VIEWER}/roles/${role}` } as never, 'do not have')
      await refused(
        { as: 'viewer', call: `POST ${P}/role/${role}/access`, body: { users: [{ id: 2 }], groups: [] } } as never,
        'do not have',
      )
    }
    expect((await server.call(give(door))).statusCode).toBe(200)
  })

  test('a user who was given more by another actor retains it', async () => {
    await server.admin(`PUT ${P}/users/2/roles`, { roles: [5] })
    expect((await server.call(give(5, door))).statusCode).toBe(200)
  })
})

test('an environment that goes takes with it what roles give there', async () => {
  await server.admin('POST /api/admin/environments', { name: 'moon', type: 'test' })
  const permissions = [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'moon' }, { name: 'UPDATE_FEATURE' }]
  const { roles } = await server.admin(`POST ${R}`, { name: 'Astronaut', type: 'custom', permissions })
  await server.admin('DELETE /api/admin/environments/moon')
  expect((await server.admin(`GET ${R}/${roles.id}`)).permissions.map(({ name }: { name: string }) => name)).toEqual([
    'UPDATE_FEATURE',
  ])
})
