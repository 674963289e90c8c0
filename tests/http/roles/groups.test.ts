import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Groups: their members, and the permissions that members get. */
let server: TestServer
const as = 'admin'
const G = '/api/admin/groups'
const P = '/api/admin/projects/shop'
/** Ids after the first administrator, who has id 1. */
const EDITOR = 2
const VIEWER = 3
const members = (...ids: number[]) => ids.map((id) => ({ user: { id, name: 'as forms send it' } }))

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await server.admin(`POST ${P}/features`, { name: 'cart' })
})
afterAll(() => server.close())

describe('groups', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${G}`, status: 401 },
    { name: 'an editor', as: 'editor', call: `GET ${G}`, status: 403, text: 'ADMIN' },
    { name: 'none', as, call: `GET ${G}`, status: 200, has: { groups: [] } },
    { name: 'no name', as, call: `POST ${G}`, body: {}, status: 400, text: '`name`' },
    {
      name: 'an unknown role',
      as,
      call: `POST ${G}`,
      body: { name: 'g', rootRole: 99 },
      status: 400,
      text: 'rootRole',
    },
    {
      name: 'a role of projects',
      as,
      call: `POST ${G}`,
      body: { name: 'g', rootRole: 4 },
      status: 400,
      text: 'rootRole',
    },
    { name: 'there is none yet', as, call: `GET ${G}`, status: 200, has: { groups: [] } },
    {
      name: 'made with members',
      as,
      call: `POST ${G}`,
      body: { name: 'Devs', description: 'who write', mappingsSSO: ['devs', 'devs'], users: members(VIEWER, VIEWER) },
      status: 201,
      has: {
        name: 'Devs',
        description: 'who write',
        mappingsSSO: ['devs'],
        rootRole: null,
        scimId: null,
        createdBy: 'admin',
        userCount: 1,
        projects: [],
        users: [{ createdBy: 'admin', user: { id: VIEWER, username: 'viewer' } }],
      },
      events: ['group-created', 'group-user-added'],
    },
    {
      name: 'the same name',
      as,
      call: `POST ${G}`,
      body: { name: 'Devs' },
      status: 409,
      has: { name: 'NameExistsError' },
    },
    {
      name: 'an unknown user',
      as,
      call: `POST ${G}`,
      body: { name: 'g', users: members(99) },
      status: 400,
      text: '99',
    },
    { name: 'shown', as, call: `GET ${G}/1`, status: 200, has: { id: 1, name: 'Devs', userCount: 1 } },
    { name: 'of nobody', as, call: `GET ${G}/99`, status: 404 },
    { name: 'that is no id', as, call: `GET ${G}/x`, status: 404 },
    {
      name: 'what is left out stays',
      as,
      call: `PUT ${G}/1`,
      body: { name: 'Devs' },
      status: 200,
      has: { description: 'who write', mappingsSSO: ['devs'], userCount: 1 },
    },
    {
      name: 'without a right by it',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'a' },
      status: 403,
    },
    {
      name: 'a role in a project',
      as,
      call: `PUT ${P}/groups/1/roles`,
      body: { roles: [5] },
      status: 200,
      empty: true,
      events: ['project-access-group-roles-updated'],
    },
    { name: 'the same again', as, call: `PUT ${P}/groups/1/roles`, body: { roles: [5] }, status: 200 },
    {
      name: 'with it',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'a' },
      status: 200,
      events: ['feature-metadata-updated'],
    },
    {
      name: 'my projects',
      as: 'viewer',
      call: 'GET /api/admin/user/profile',
      status: 200,
      has: { projects: ['shop'] },
    },
    {
      name: 'who has access',
      as,
      call: `GET ${P}/access`,
      status: 200,
      has: { users: [], groups: [{ id: 1, name: 'Devs', roleId: 5, roles: [5], userCount: 1 }] },
    },
    { name: 'of a group that is not there', as, call: `PUT ${P}/groups/99/roles`, body: { roles: [5] }, status: 404 },
    { name: 'of a role that is not there', as, call: `PUT ${P}/groups/1/roles`, body: { roles: [99] }, status: 400 },
    {
      name: 'others',
      as,
      call: `PUT ${G}/1`,
      body: { name: 'Devs', users: members(EDITOR) },
      status: 200,
      has: { userCount: 1, projects: ['shop'] },
      events: ['group-user-removed', 'group-user-added'],
    },
    {
      name: 'who is out may no more, at once',
      as: 'viewer',
      call: `PUT ${P}/features/cart`,
      body: { description: 'b' },
      status: 403,
    },
    {
      name: 'who is in may',
      as: 'editor',
      call: `PUT ${P}/features/cart`,
      body: { description: 'b' },
      status: 200,
      events: ['feature-metadata-updated'],
    },
    {
      name: 'a role of everywhere',
      as,
      call: `PUT ${G}/1`,
      body: { name: 'Devs', rootRole: 2, users: members(VIEWER) },
      status: 200,
      has: { rootRole: 2 },
      events: ['group-updated', 'group-user-removed', 'group-user-added'],
    },
    {
      name: 'by it',
      as: 'viewer',
      call: 'POST /api/admin/context',
      body: { name: 'by-group' },
      status: 201,
      events: ['context-field-created'],
    },
    {
      name: 'for those who give access',
      as,
      call: 'GET /api/admin/user-admin/access',
      status: 200,
      has: { groups: [{ id: 1, name: 'Devs', userCount: 1 }] },
    },
    { name: 'not by an editor', as: 'editor', call: `PUT ${G}/1`, body: { name: 'Devs', rootRole: 1 }, status: 403 },
    { name: 'not removed by an editor', as: 'editor', call: `DELETE ${G}/1`, status: 403 },
    { name: 'removed', as, call: `DELETE ${G}/1`, status: 200, empty: true, events: ['group-deleted'] },
    { name: 'by it no more', as: 'viewer', call: 'POST /api/admin/context', body: { name: 'by-group-2' }, status: 403 },
    { name: 'again', as, call: `DELETE ${G}/1`, status: 404 },
    { name: 'and the project has no group', as, call: `GET ${P}/access`, status: 200, has: { groups: [] } },
  ] satisfies Scenario[])
})

describe('access to a project as a whole', () => {
  let group = 0
  beforeAll(async () => {
    group = (await server.admin(`POST ${G}`, { name: 'Owners', users: members(EDITOR) })).id
  })
  const put = (roles: unknown) => ({ as, call: `PUT ${P}/access`, body: { roles } })
  const eventsOf = async (call: ReturnType<typeof put>, status: number) => {
    const last = await server.lastEventId()
    const reply = await server.call(call)
    expect([reply.statusCode, reply.body]).toEqual([status, status === 200 ? '' : expect.anything()])
    return server.eventsAfter(last)
  }
  const access = async () => {
    const { users, groups } = await server.admin(`GET ${P}/access`)
    const roles = ({ id, roles: held }: { id: number; roles: number[] }) => [id, held]
    return { users: users.map(roles), groups: groups.map(roles) }
  }

  test('replaces the group completely or not at all', async () => {
    const [updated, deleted] = ['project-access-user-roles-updated', 'project-access-user-roles-deleted']
    expect(
      await eventsOf(
        put([
          { id: 4, users: [VIEWER], groups: [group] },
          { id: 5, users: [VIEWER], groups: [] },
        ]),
        200,
      ),
    ).toEqual([updated, 'project-access-group-roles-updated'])
    expect(await access()).toEqual({ users: [[VIEWER, [4, 5]]], groups: [[group, [4]]] })
    expect(
      await eventsOf(
        put([
          { id: 5, users: [EDITOR], groups: [] },
          { id: 99, users: [1] },
        ]),
        400,
      ),
    ).toEqual([])
    expect(await eventsOf(put([{ id: 4, users: [EDITOR, 99], groups: [] }]), 404)).toEqual([])
    expect(await eventsOf(put([{ id: 5, users: [VIEWER] }]), 400)).toEqual([])
    expect(await access()).toEqual({ users: [[VIEWER, [4, 5]]], groups: [[group, [4]]] })
    expect(await eventsOf(put([{ id: 4, groups: [group] }]), 200)).toEqual([deleted])
    expect(await eventsOf(put([{ id: 4, groups: [group] }]), 200)).toEqual([])
    expect(await access()).toEqual({ users: [], groups: [[group, [4]]] })
  })

  test('the last owner cannot be removed, even if it is a group', async () => {
    expect(await eventsOf({ ...put([]), call: `DELETE ${P}/groups/${group}/roles` }, 400)).toEqual([])
    expect(await eventsOf(put([]), 400)).toEqual([])
    await server.admin(`POST ${P}/access`, { roles: [4], users: [VIEWER], groups: [] })
    await server.admin(`DELETE ${P}/groups/${group}/roles/4`)
    expect(await access()).toEqual({ users: [[VIEWER, [4]]], groups: [] })
    await server.admin(`POST ${P}/role/5/access`, { users: [{ id: EDITOR }], groups: [{ id: group }] })
    expect(await access()).toEqual({
      users: [
        [EDITOR, [5]],
        [VIEWER, [4]],
      ],
      groups: [[group, [5]]],
    })
  })
})

describe('the last admin', () => {
  const change = (id: number, body: object) => ({ as, call: `PUT ${G}/${id}`, body: { name: 'Admins', ...body } })
  test('may be an admin through a group, and then stays one', async () => {
    await server.admin('PUT /api/admin/user-admin/3', { rootRole: 3 })
    const { id } = await server.admin(`POST ${G}`, { name: 'Admins', rootRole: 1, users: members(VIEWER) })
    expect((await server.call({ as: 'viewer', call: `GET ${G}` })).statusCode).toBe(200)
    // viewer has no password, so the administrator with a password is the last user who can log in
    expect((await server.call({ as, call: 'PUT /api/admin/user-admin/1', body: { rootRole: 3 } })).statusCode).toBe(409)
    await server.db.rows("update users set password_hash = 'x' where id = ?", VIEWER)
    await server.admin('PUT /api/admin/user-admin/1', { rootRole: 3 })
    for (const body of [{ rootRole: null }, { rootRole: 2 }, { users: [] }, { users: members(1 + 1) }] as const) {
      const last = await server.lastEventId()
      const reply = await server.call(change(id, body))
      expect([body, reply.statusCode, await server.eventsAfter(last)]).toEqual([body, 409, []])
    }
    expect((await server.call({ as, call: `DELETE ${G}/${id}` })).statusCode).toBe(409)
    expect((await server.call({ as, call: 'DELETE /api/admin/user-admin/3' })).statusCode).toBe(409)
    expect(await server.admin('GET /api/admin/user-admin/admin-count')).toEqual({
      password: 1,
      noPassword: 0,
      service: 0,
    })
    await server.admin('PUT /api/admin/user-admin/1', { rootRole: 1 })
    await server.admin(`DELETE ${G}/${id}`)
    expect((await server.call({ as: 'viewer', call: `GET ${G}` })).statusCode).toBe(403)
  })
})

test('the access overview is a table of roles, including those through groups', async () => {
  const { id } = await server.admin(`POST ${G}`, { name: '=Sum', rootRole: 2, users: members(VIEWER) })
  await server.admin(`PUT ${P}/groups/${id}/roles`, { roles: [5] })
  await server.admin('POST /api/admin/service-account', { username: 'ci', rootRole: 3 })
  const call = 'GET /api/admin/access/overview'
  const reply = await server.call({ as, call })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = reply.body.split('\n')
  expect(lines[0]).toBe('"userId","accountType","name","username","email","role","project","group","active"')
  expect(lines.filter((line) => line.startsWith(`${VIEWER},`))).toEqual(
    [
      `${VIEWER},"User","","viewer","","Viewer","","",true`,
      `${VIEWER},"User","","viewer","","Editor","","'=Sum",true`,
      `${VIEWER},"User","","viewer","","Member","shop","'=Sum",true`,
      `${VIEWER},"User","","viewer","","Owner","shop","",true`,
    ].sort((a, b) => lines.indexOf(a) - lines.indexOf(b)),
  )
  expect(reply.body).toContain('"Service Account","","ci","","Viewer"')
  expect((await server.call({ as: 'editor', call })).statusCode).toBe(403)
  await server.admin(`DELETE ${G}/${id}`)
})

test('groups have a limit of 5,000', async () => {
  const { groups } = await server.admin(`GET ${G}`)
  await server.db.rows(
    `insert into groups (name, mappings_sso, created_by, created_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${4999 - groups.length})
     select 'many-' || i, '[]', 'admin', i from n`,
  )
  const last = await server.lastEventId()
  const make = (name: string) => server.call({ as, call: `POST ${G}`, body: { name } })
  expect((await make('the last one')).statusCode).toBe(201)
  const refused = await make('one too many')
  expect([refused.statusCode, refused.json().name]).toEqual([409, 'ConflictError'])
  expect(await server.eventsAfter(last)).toEqual(['group-created'])
})
