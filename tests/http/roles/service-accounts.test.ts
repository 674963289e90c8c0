import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Service accounts: no password, and tokens with the permissions of the account. */
let server: TestServer
const as = 'admin'
const S = '/api/admin/service-account'
const P = '/api/admin/projects/shop'
const expiresAt = new Date(Date.now() + 86_400_000).toISOString()

beforeAll(async () => {
  server = await startServer()
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
})
afterAll(() => server.close())

const ID = 4

describe('service accounts', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${S}`, status: 401 },
    { name: 'an editor', as: 'editor', call: `POST ${S}`, body: { username: 'ci', rootRole: 1 }, status: 403 },
    { name: 'no name', as, call: `POST ${S}`, body: { rootRole: 3 }, status: 400, text: '`username`' },
    { name: 'no role', as, call: `POST ${S}`, body: { username: 'ci' }, status: 400, text: '`rootRole`' },
    {
      name: 'an unknown role',
      as,
      call: `POST ${S}`,
      body: { username: 'ci', rootRole: 99 },
      status: 400,
      text: 'rootRole',
    },
    { name: 'the name of a person', as, call: `POST ${S}`, body: { username: 'viewer', rootRole: 3 }, status: 409 },
    {
      name: 'made',
      as,
      call: `POST ${S}`,
      body: { username: 'ci', name: 'Deployments', rootRole: 3 },
      status: 201,
      has: { id: ID, username: 'ci', name: 'Deployments', rootRole: 3, accountType: 'Service Account', tokens: [] },
      events: ['service-account-created'],
    },
    {
      name: 'listed, with the roles they may have',
      as,
      call: `GET ${S}`,
      status: 200,
      has: { serviceAccounts: [{ id: ID }], rootRoles: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    },
    { name: 'not among people', as, call: `GET /api/admin/user-admin/${ID}`, status: 404 },
    { name: 'nor found among them', as, call: 'GET /api/admin/user-admin/search?q=deploy', status: 200, has: [] },
    { name: 'no person is one', as, call: `GET ${S}/1/token`, status: 404 },
    {
      name: 'own permissions',
      as,
      call: `GET ${S}/${ID}/permissions?project=default&environment=development`,
      status: 200,
      has: { user: { id: ID }, rootRole: { id: 3 }, projectRoles: [] },
      text: '"hasPermission":false',
    },
    { name: 'permissions of a user have another route', as, call: `GET ${S}/1/permissions`, status: 404 },
    { name: 'what one may do, by an editor', as: 'editor', call: `GET ${S}/${ID}/permissions`, status: 403 },
    {
      name: 'changed',
      as,
      call: `PUT ${S}/${ID}`,
      body: { name: 'CI', username: 'ci' },
      status: 200,
      has: { name: 'CI', username: 'ci' },
      events: ['service-account-updated'],
    },
    { name: 'the same again', as, call: `PUT ${S}/${ID}`, body: { name: 'CI' }, status: 200 },
    { name: 'not changed: a person', as, call: `PUT ${S}/1`, body: { rootRole: 3 }, status: 404 },
    { name: 'not removed: a person', as, call: `DELETE ${S}/2`, status: 404 },
    {
      name: 'no login by an empty password',
      call: 'POST /auth/simple/login',
      body: { username: 'ci', password: '' },
      status: 401,
    },
    {
      name: 'no password',
      as,
      call: `POST /api/admin/user-admin/${ID}/change-password`,
      body: { password: 'a password nobody guesses' },
      status: 404,
    },
    { name: 'no link for one', as, call: 'POST /api/admin/user-admin/reset-password', body: { id: 'ci' }, status: 404 },
    { name: 'not removed as a user', as, call: `DELETE /api/admin/user-admin/${ID}`, status: 404 },
    {
      name: 'a token without an end',
      as,
      call: `POST ${S}/${ID}/token`,
      body: { description: 'x' },
      status: 400,
      text: '`expiresAt`',
    },
    {
      name: 'a token of the past',
      as,
      call: `POST ${S}/${ID}/token`,
      body: { description: 'x', expiresAt: '2020-01-01T00:00:00Z' },
      status: 400,
    },
    {
      name: 'a token of an unknown account',
      as,
      call: `POST ${S}/99/token`,
      body: { description: 'x', expiresAt },
      status: 404,
    },
    {
      name: 'counted',
      as,
      call: 'GET /api/admin/instance-admin/statistics',
      status: 200,
      has: { serviceAccounts: 1, users: 3 },
    },
    {
      name: 'offered where access is given',
      as,
      call: 'GET /api/admin/user-admin/access',
      status: 200,
      text: 'Service Account',
    },
  ] satisfies Scenario[])

  test('have tokens with their permissions, in the instance and in projects, until token or account is deleted', async () => {
    const last = await server.lastEventId()
    const made = await server.call({ as, call: `POST ${S}/${ID}/token`, body: { description: 'deploy', expiresAt } })
    expect([made.statusCode, await server.eventsAfter(last)]).toEqual([201, ['pat-created']])
    const { id, secret } = made.json()
    expect(secret).toMatch(/^user:[\da-f]{56}$/)
    const flag = (name: string) => server.call({ as: secret, call: `POST ${P}/features`, body: { name } })
    expect((await server.call({ as: secret, call: 'GET /api/admin/user' })).json().user).toMatchObject({
      id: ID,
      accountType: 'Service Account',
    })
    expect((await flag('a')).statusCode).toBe(403)
    await server.admin(`PUT ${P}/users/${ID}/roles`, { roles: [5] })
    expect((await flag('a')).statusCode).toBe(201)
    expect((await server.db.row("select created_by from events where type = 'feature-created'"))?.created_by).toBe('ci')
    expect((await server.call({ as: secret, call: `GET ${S}` })).statusCode).toBe(403)
    await server.admin(`PUT ${S}/${ID}`, { rootRole: 1 })
    expect((await server.call({ as: secret, call: `GET ${S}` })).statusCode).toBe(200)
    const listed = await server.admin(`GET ${S}/${ID}/token`)
    expect(listed).toEqual({ pats: [expect.objectContaining({ id, description: 'deploy' })] })
    expect(
      JSON.stringify([listed, await server.admin(`GET ${S}`), await server.db.rows('select * from events')]),
    ).not.toContain(secret)
    expect(
      (await server.call({ as: secret, call: 'POST /api/admin/user/tokens', body: { description: 'more', expiresAt } }))
        .statusCode,
    ).toBe(403)
    await server.admin(`DELETE ${S}/${ID}/token/${id}`)
    expect((await server.call({ as: secret, call: `GET ${S}` })).statusCode).toBe(401)
    const other = (await server.admin(`POST ${S}/${ID}/token`, { description: 'other', expiresAt })).secret
    expect((await server.call({ as: other, call: `GET ${S}` })).statusCode).toBe(200)
    const before = await server.lastEventId()
    await server.admin(`DELETE ${S}/${ID}`)
    expect(await server.eventsAfter(before)).toEqual(['service-account-deleted'])
    expect((await server.call({ as: other, call: `GET ${S}` })).statusCode).toBe(401)
    expect(await server.admin(`GET ${S}`)).toMatchObject({ serviceAccounts: [] })
  })

  test('do not count as the last admin', async () => {
    await server.admin(`POST ${S}`, { username: 'root-robot', rootRole: 1 })
    expect((await server.call({ as, call: 'PUT /api/admin/user-admin/1', body: { rootRole: 3 } })).statusCode).toBe(409)
    expect(await server.admin('GET /api/admin/user-admin/admin-count')).toEqual({
      password: 1,
      noPassword: 0,
      service: 1,
    })
  })

  test('cannot be members of a group', async () => {
    const { serviceAccounts } = await server.admin(`GET ${S}`)
    const body = { name: 'Robots', users: [{ user: { id: serviceAccounts[0].id } }] }
    expect((await server.call({ as, call: 'POST /api/admin/groups', body })).statusCode).toBe(400)
  })
})
