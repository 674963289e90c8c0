import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const now = 1_800_000_000_000
const as = 'admin'
const DAY = 86_400_000
beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

const P = '/api/admin/projects'

/** Returns the last stored event of a type. */
async function lastEvent(type: string): Promise<{ data: unknown; preData: unknown; project: unknown }> {
  const row = await server.db.row('select * from events where type = ? order by id desc limit 1', type)
  return { data: JSON.parse(String(row?.data)), preData: JSON.parse(String(row?.pre_data)), project: row?.project }
}

describe('creating', () => {
  const body = { id: 'shop', name: 'The shop', description: 'Sells', mode: 'open', defaultStickiness: 'sessionId' }
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${P}`, body, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `POST ${P}`, body, status: 403, text: 'CREATE_PROJECT' },
    { name: 'no name', as, call: `POST ${P}`, body: { id: 'x' }, status: 400, text: '`name`' },
    { name: 'an empty name', as, call: `POST ${P}`, body: { id: 'x', name: '' }, status: 400, text: 'name' },
    { name: 'an odd mode', as, call: `POST ${P}`, body: { ...body, mode: 'secret' }, status: 400, text: 'mode' },
    {
      name: 'an unknown environment',
      as,
      call: `POST ${P}`,
      body: { ...body, environments: ['mars'] },
      status: 400,
      text: 'mars',
    },
    {
      name: 'an environment of no name',
      as,
      call: `POST ${P}`,
      body: { ...body, environments: [''] },
      status: 400,
      text: 'environments',
    },
    ...['*', '[]', '..', 'a b', 'a:b', 'a/b', 'ä', 'archive', 'revive'].map((id) => ({
      name: `the id "${id}"`,
      as,
      call: `POST ${P}`,
      body: { ...body, id },
      status: 400,
      text: id === '*' ? 'URL friendly' : '\\"id\\"',
    })),
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${P}`,
      body,
      status: 201,
      has: { ...body, environments: ['development', 'production'], archivedAt: null },
      events: ['project-created'],
    },
    { name: 'the same id', as, call: `POST ${P}`, body, status: 409, has: { name: 'NameExistsError' }, text: 'shop' },
    {
      name: 'an id from the name',
      as,
      call: `POST ${P}`,
      body: { name: ' Ünder — the Hood! ' },
      status: 201,
      has: { id: 'nder-the-hood', mode: 'open', defaultStickiness: 'default' },
      events: ['project-created'],
    },
    {
      name: 'which is taken',
      as,
      call: `POST ${P}`,
      body: { name: 'nder the hood' },
      status: 201,
      has: { id: 'nder-the-hood-2' },
      events: ['project-created'],
    },
    {
      name: 'a name without letters, one environment',
      as,
      call: `POST ${P}`,
      body: { name: '火', environments: ['production'] },
      status: 201,
      has: { id: 'project', environments: ['production'] },
      events: ['project-created'],
    },
  ] satisfies Scenario[])

  test('returns the location, and the event names the owner', async () => {
    const editor = await server.db.row("select id from users where username = 'editor'")
    const created = await server.db.row("select data from events where type = 'project-created' order by id limit 1")
    expect(JSON.parse(String(created?.data))).toEqual({
      ...body,
      createdAt: new Date(now).toISOString(),
      archivedAt: null,
      featureNaming: { pattern: null, example: null, description: null },
      featureLimit: null,
      linkTemplates: [],
      environments: ['development', 'production'],
      owners: [editor?.id],
    })
    const reply = await server.call({ as, call: `POST ${P}`, body: { id: 'gone', name: 'gone' } })
    expect(reply.headers.location).toBe('projects/gone')
  })

  test('environments that are off are not in new projects', async () => {
    await server.call({ as, call: 'POST /api/admin/environments/production/off' })
    const reply = await server.call({ as, call: `POST ${P}`, body: { id: 'fresh', name: 'fresh' } })
    expect(reply.json().environments).toEqual(['development'])
    await server.call({ as, call: 'POST /api/admin/environments/production/on' })
  })

  scenarios(() => server, [
    {
      name: 'its owner may change it',
      as: 'editor',
      call: `PUT ${P}/shop`,
      body: { name: 'Shop' },
      status: 200,
      empty: true,
      events: ['project-updated'],
    },
    {
      name: 'and make flags',
      as: 'editor',
      call: `POST ${P}/shop/features`,
      body: { name: 'cart' },
      status: 201,
      events: ['feature-created'],
    },
    {
      name: 'but not in projects of others',
      as: 'editor',
      call: `POST ${P}/gone/features`,
      body: { name: 'x' },
      status: 403,
    },
  ] satisfies Scenario[])
})

describe('the list', () => {
  test('counts flags, members and health, in a constant number of queries', async () => {
    for (const name of ['a', 'b', 'c']) {
      await server.call({ as, call: `POST ${P}/shop/features`, body: { name, type: 'permission' } })
    }
    await server.call({ as, call: `PUT ${P}/shop/features/a`, body: { stale: true } })
    await server.call({ as, call: `DELETE ${P}/shop/features/c` })
    const shop = async () => {
      const { projects } = (await server.call({ as: 'viewer', call: `GET ${P}` })).json()
      return projects.find((one: { id: string }) => one.id === 'shop')
    }
    // cart is a release flag with a lifetime of 40 days, a is stale, b never expires, and c is archived
    expect(await shop()).toMatchObject({
      featureCount: 3,
      memberCount: 1,
      health: 67,
      favorite: false,
      archivedAt: null,
    })
    await server.db.rows('update features set created_at = created_at - ?', 41 * DAY)
    expect(await shop()).toMatchObject({ featureCount: 3, health: 33 })
    const overview = (await server.call({ as: 'viewer', call: `GET ${P}/shop/overview` })).json()
    expect(overview).toMatchObject({
      version: 1,
      id: 'shop',
      name: 'Shop',
      members: 1,
      health: 33,
      featureTypeCounts: [
        { type: 'permission', count: 2 },
        { type: 'release', count: 1 },
      ],
      archivedFeatureCount: 1,
      environments: [{ environment: 'development' }, { environment: 'production' }],
    })
    expect([overview.createdAt, overview.updatedAt]).toEqual([new Date(now).toISOString(), new Date(now).toISOString()])
  })
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${P}`, status: 401 },
    { name: 'an unknown project', as, call: `GET ${P}/nope/overview`, status: 404, text: 'nope' },
    { name: 'overview, anonymous', call: `GET ${P}/shop/overview`, status: 401 },
    { name: 'no truth', as, call: `GET ${P}?archived=maybe`, status: 400, text: 'archived' },
  ] satisfies Scenario[])
})

describe('changing', () => {
  const U = `PUT ${P}/shop`
  scenarios(() => server, [
    { name: 'anonymous', call: U, body: { name: 'x' }, status: 401 },
    { name: 'a viewer', as: 'viewer', call: U, body: { name: 'x' }, status: 403, text: 'UPDATE_PROJECT' },
    { name: "an editor, somebody else's", as: 'editor', call: `PUT ${P}/gone`, body: { name: 'x' }, status: 403 },
    { name: 'an unknown one', as, call: `PUT ${P}/nope`, body: { name: 'x' }, status: 404, text: 'nope' },
    { name: 'no name', as, call: U, body: { description: 'x' }, status: 400, text: '`name`' },
    { name: 'another id', as, call: U, body: { id: 'other', name: 'x' }, status: 400, text: 'id' },
    { name: 'made secret', as, call: U, body: { name: 'Shop', mode: 'secret' }, status: 400, text: 'mode' },
    { name: 'the same', as, call: U, body: { id: 'shop', name: 'Shop' }, status: 200, empty: true },
    {
      name: 'all of it',
      as,
      call: U,
      body: { id: 'shop', name: 'Store', description: null, mode: 'protected', defaultStickiness: 'userId' },
      status: 200,
      empty: true,
      events: ['project-updated'],
    },
  ] satisfies Scenario[])

  test('the event has both states', async () => {
    const { data, preData, project } = await lastEvent('project-updated')
    expect([data, preData, project]).toMatchObject([
      { id: 'shop', name: 'Store', description: null, mode: 'protected', defaultStickiness: 'userId' },
      { id: 'shop', name: 'Shop', description: 'Sells', mode: 'open', defaultStickiness: 'sessionId' },
      'shop',
    ])
  })
})

describe('archiving and removing', () => {
  const A = `POST ${P}/archive/shop`
  const R = `POST ${P}/revive/shop`
  const D = `DELETE ${P}/shop`
  const refused = { name: 'InvalidOperationError' }
  scenarios(() => server, [
    { name: 'anonymous', call: A, status: 401 },
    { name: 'a viewer', as: 'viewer', call: A, status: 403, text: 'DELETE_PROJECT' },
    { name: 'an unknown one', as, call: `POST ${P}/archive/nope`, status: 404 },
    { name: 'while it has flags', as, call: A, status: 403, has: refused, text: '3' },
    { name: 'the default project', as, call: `POST ${P}/archive/default`, status: 403, has: refused, text: 'default' },
    { name: 'removing while it has flags', as, call: D, status: 403, has: refused, text: 'flags' },
    {
      name: 'removing the default project',
      as,
      call: `DELETE ${P}/default`,
      status: 403,
      has: refused,
      text: 'default',
    },
    { name: 'removing an unknown one', as, call: `DELETE ${P}/nope`, status: 404 },
    { name: 'removing, anonymous', call: D, status: 401 },
    { name: 'removing as a viewer', as: 'viewer', call: D, status: 403 },
    ...['a', 'b', 'cart'].map((flag) => ({
      name: `away with ${flag}`,
      as,
      call: `DELETE ${P}/shop/features/${flag}`,
      status: 202,
      events: ['feature-archived'],
    })),
    {
      name: 'removing while it has archived flags',
      as,
      call: D,
      status: 403,
      has: refused,
      text: '4 of them archived',
    },
    { name: 'its owner archives it', as: 'editor', call: A, status: 200, empty: true, events: ['project-archived'] },
    { name: 'again', as, call: A, status: 200, empty: true },
    {
      name: 'no new flags',
      as,
      call: `POST ${P}/shop/features`,
      body: { name: 'late' },
      status: 403,
      has: refused,
      text: 'archived',
    },
    {
      name: 'no flags from the archive',
      as,
      call: `POST ${P}/shop/revive`,
      body: { features: ['a'] },
      status: 403,
      has: refused,
      text: 'archived',
    },
    {
      name: 'the overview shows when',
      as,
      call: `GET ${P}/shop/overview`,
      status: 200,
      has: { archivedAt: expect.any(String) },
    },
    {
      name: 'the archive has it',
      as,
      call: `GET ${P}?archived=true`,
      status: 200,
      has: { projects: [{ id: 'shop' }] },
    },
    { name: 'reviving as a viewer', as: 'viewer', call: R, status: 403 },
    { name: 'reviving an unknown one', as, call: `POST ${P}/revive/nope`, status: 404 },
    { name: 'reviving', as, call: R, status: 200, empty: true, events: ['project-revived'] },
    { name: 'again, nothing', as, call: R, status: 200, empty: true },
    { name: 'the archive is empty', as, call: `GET ${P}?archived=true`, status: 200, has: { projects: [] } },
  ] satisfies Scenario[])

  test("removes the project's segments and the tokens that are only for it, and nothing else", async () => {
    const token = async (projects: string[]) => {
      const body = { tokenName: 't', type: 'client', environment: 'development', projects }
      return (await server.call({ as, call: 'POST /api/admin/api-tokens', body })).json().secret as string
    }
    const [alone, shared] = [await token(['gone']), await token(['gone', 'shop'])]
    const segment = { name: 'local', project: 'gone', constraints: [] }
    const { id } = (await server.call({ as, call: 'POST /api/admin/segments', body: segment })).json()
    const strategy = { name: 'default', segments: [id] }
    const set = await server.call({
      as,
      call: `POST ${P}/gone/environments/development/default-strategy`,
      body: strategy,
    })
    expect(set.statusCode).toBe(200)
    const use = async (secret: string) =>
      (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode
    expect([await use(alone), await use(shared)]).toEqual([200, 200])
    const last = await server.lastEventId()
    expect((await server.call({ as, call: `DELETE ${P}/gone` })).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['segment-deleted', 'api-token-deleted', 'project-deleted'])
    expect([await use(alone), await use(shared)]).toEqual([401, 200])
    expect((await server.call({ as, call: `GET /api/admin/segments/${id}` })).statusCode).toBe(404)
    expect(await lastEvent('project-deleted')).toMatchObject({
      data: null,
      preData: { id: 'gone', environments: ['development', 'production'] },
      project: 'gone',
    })
    const { tokens } = (await server.call({ as, call: 'GET /api/admin/api-tokens' })).json()
    const left = tokens.filter((one: { tokenName: string }) => one.tokenName === 't')
    expect(left).toMatchObject([{ projects: ['shop'] }])
  })

  scenarios(() => server, [
    { name: 'twice', as, call: `DELETE ${P}/gone`, status: 404 },
    {
      name: 'its id is free',
      as,
      call: `POST ${P}`,
      body: { id: 'gone', name: 'new' },
      status: 201,
      events: ['project-created'],
    },
  ] satisfies Scenario[])
})

test('there is no limit: a hundred projects', async () => {
  for (let n = 0; n < 100; n += 1) {
    const reply = await server.call({ as, call: `POST ${P}`, body: { id: `many-${n}`, name: 'many' } })
    expect(reply.statusCode).toBe(201)
  }
  const { projects } = (await server.call({ as, call: `GET ${P}` })).json()
  expect(projects.length).toBeGreaterThan(100)
})
