import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer, TOKENS } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const F = '/api/admin/projects/default/features'

const admin = (call: string, body?: unknown) => server.admin(call, body)

beforeAll(async () => {
  server = await startServer()
  for (const name of ['f', 'g', 'gone']) await admin(`POST ${F}`, { name })
  await admin(`DELETE ${F}/gone`)
})
afterAll(() => server.close())

describe('tags of several flags', () => {
  const T = 'PUT /api/admin/projects/default/tags'
  const tag = (value: string, type = 'simple') => ({ type, value })
  const change = (features: unknown, added: unknown[] = [], removed: unknown[] = []) => ({
    features,
    tags: { addedTags: added, removedTags: removed },
  })
  const none = {
    name: 'nothing was applied',
    as,
    call: 'GET /api/admin/features/f/tags',
    status: 200,
    has: { tags: [] },
  }
  scenarios(() => server, [
    { name: 'anonymous', call: T, body: change(['f']), status: 401, has: { name: 'AuthenticationRequired' } },
    { name: 'a client token', as: 'client', call: T, body: change(['f']), status: 403 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: T,
      body: change(['f']),
      status: 403,
      has: { name: 'NoAccessError', permissions: ['UPDATE_FEATURE'] },
    },
    {
      name: 'an editor elsewhere',
      as: 'editor',
      call: T.replace('default', 'other'),
      body: change(['f']),
      status: 403,
    },
    {
      name: 'text',
      as,
      call: T,
      raw: '{}',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      has: { name: 'ContentTypeerror' },
    },
    { name: 'no body', as, call: T, status: 415 },
    { name: 'nothing', as, call: T, body: {}, status: 400, has: { name: 'ValidationError' }, text: 'features' },
    { name: 'no tags', as, call: T, body: { features: ['f'] }, status: 400, text: 'tags' },
    {
      name: 'no removedTags',
      as,
      call: T,
      body: { features: ['f'], tags: { addedTags: [] } },
      status: 400,
      text: 'tags/removedTags',
    },
    {
      name: 'no addedTags',
      as,
      call: T,
      body: { features: ['f'], tags: { removedTags: [] } },
      status: 400,
      text: 'tags/addedTags',
    },
    { name: 'no flag', as, call: T, body: change([]), status: 400, text: 'features' },
    { name: 'an empty name', as, call: T, body: change(['']), status: 400 },
    { name: 'a text for flags', as, call: T, body: change('f'), status: 400, text: 'features' },
    { name: 'something else', as, call: T, body: { ...change(['f']), foo: 1 }, status: 400, text: 'foo' },
    {
      name: 'something else in a tag',
      as,
      call: T,
      body: change(['f'], [{ ...tag('ab'), foo: 1 }]),
      status: 400,
      text: 'foo',
    },
    { name: 'one character', as, call: T, body: change(['f'], [tag('a')]), status: 400, text: 'addedTags/0/value' },
    { name: '51 characters', as, call: T, body: change(['f'], [tag('a'.repeat(51))]), status: 400 },
    {
      name: 'an unknown type',
      as,
      call: T,
      body: change(['f'], [tag('ab'), tag('ab', 'nope')]),
      status: 400,
      text: 'nope',
    },
    {
      name: 'an unknown flag',
      as,
      call: T,
      body: change(['nope'], [tag('ab')]),
      status: 404,
      has: { name: 'NotFoundError' },
      text: 'nope',
    },
    { name: 'one unknown of several', as, call: T, body: change(['f', 'nope'], [tag('ab')]), status: 404 },
    { name: 'an archived flag', as, call: T, body: change(['gone'], [tag('ab')]), status: 404 },
    { name: 'another project', as, call: T.replace('default', 'other'), body: change(['f'], [tag('ab')]), status: 404 },
    none,
    { name: 'empty lists', as, call: T, body: change(['f']), status: 200, empty: true },
    {
      name: 'two flags, two tags',
      as: 'editor',
      call: T,
      body: change(['f', 'g', 'f'], [tag('ab'), tag('cd'), tag('ab')]),
      status: 200,
      empty: true,
      events: ['tag-created', 'tag-created', 'feature-tagged', 'feature-tagged', 'feature-tagged', 'feature-tagged'],
    },
    { name: 'the same again', as, call: T, body: change(['f', 'g'], [tag('ab')]), status: 200, empty: true },
    { name: 'an absent tag removed', as, call: T, body: change(['f'], [], [tag('zz'), tag('x', 'nope')]), status: 200 },
    {
      name: 'added and removed',
      as,
      call: T,
      body: change(['f'], [tag('ef')], [tag('ef')]),
      status: 200,
      events: ['tag-created', 'feature-tagged', 'feature-untagged'],
    },
    {
      name: 'one new, one gone',
      as,
      call: T,
      body: change(['f'], [tag('ef')], [tag('ab')]),
      status: 200,
      events: ['feature-tagged', 'feature-untagged'],
    },
    { name: 'as read', as, call: 'GET /api/admin/features/f/tags', status: 200, has: { tags: [tag('cd'), tag('ef')] } },
    {
      name: 'a number and blanks',
      as,
      call: T,
      body: change(['g'], [{ type: 'simple', value: 12345 }, tag('  pad  ')]),
      status: 200,
      events: ['tag-created', 'tag-created', 'feature-tagged', 'feature-tagged'],
    },
    {
      name: 'as they are',
      as,
      call: 'GET /api/admin/features/g/tags',
      status: 200,
      has: { tags: [tag('  pad  '), tag('12345'), tag('ab'), tag('cd')] },
    },
    { name: 'names that every object has', as, call: T, body: change(['__proto__'], [tag('ab')]), status: 404 },
  ] satisfies Scenario[])

  test('the events say which tag, and which the flag has then', async () => {
    const { events } = await admin('GET /api/admin/events/f')
    expect(events[0]).toMatchObject({
      type: 'feature-untagged',
      preData: tag('ab'),
      data: null,
      tags: [tag('cd'), tag('ef')],
    })
    expect(events[1]).toMatchObject({ type: 'feature-tagged', data: tag('ef'), preData: null, project: 'default' })
  })
})

describe('the description of the server', () => {
  const U = 'GET /api/admin/ui-config'
  scenarios(() => server, [
    { name: 'anonymous', call: U, status: 401 },
    { name: 'a client token', as: 'client', call: U, status: 403 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: U,
      status: 200,
      has: {
        version: expect.stringMatching(/^5\.12\.8\+burgee\.\d+\.\d+\.\d+$/),
        environment: 'Open source',
        unleashUrl: expect.stringMatching(/^http:/),
        baseUriPath: '',
        authenticationType: 'enterprise',
        disablePasswordAuth: false,
        emailEnabled: false,
        maintenanceMode: false,
        networkViewEnabled: false,
        segmentValuesLimit: 1000,
        strategySegmentsLimit: 100,
        frontendApiOrigins: ['*'],
        flags: { embedProxy: true, embedProxyFrontend: true },
        resourceLimits: {
          segmentValues: 1000,
          strategySegments: 100,
          actionSetActions: 0,
          actionSetsPerProject: 0,
          actionSetFilters: 0,
          actionSetFilterValues: 0,
          signalEndpoints: 0,
          signalTokensPerEndpoint: 0,
        },
        versionInfo: {
          current: {
            oss: expect.stringMatching(/^5\.12\.8\+burgee\./),
            enterprise: expect.stringMatching(/^5\.12\.8\+burgee\./),
          },
          latest: {},
          isLatest: true,
          instanceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      },
    },
    { name: 'origins, anonymous', call: 'POST /api/admin/ui-config/cors', body: {}, status: 401 },
    { name: 'origins by an editor', as: 'editor', call: 'POST /api/admin/ui-config/cors', body: {}, status: 403 },
    ...['example.com', 'https://example.com/path', 'file:///etc', 'https://a@example.com', 'null', ''].map(
      (origin) => ({
        name: `the origin ${JSON.stringify(origin)}`,
        as,
        call: 'POST /api/admin/ui-config/cors',
        body: { frontendApiOrigins: [origin] },
        status: 400,
        text: 'frontendApiOrigins',
      }),
    ),
    {
      name: 'origins',
      as,
      call: 'POST /api/admin/ui-config/cors',
      body: { frontendApiOrigins: ['https://example.com/', 'https://EXAMPLE.com', 'http://localhost:3000'] },
      status: 204,
      empty: true,
      events: ['setting-created'],
    },
    {
      name: 'are there at once',
      as,
      call: U,
      status: 200,
      has: { frontendApiOrigins: ['https://example.com', 'http://localhost:3000'] },
    },
    {
      name: 'the same again',
      as,
      call: 'POST /api/admin/ui-config',
      body: { frontendSettings: { frontendApiOrigins: ['https://example.com', 'http://localhost:3000'] } },
      status: 204,
    },
    {
      name: 'in the older form',
      as,
      call: 'POST /api/admin/ui-config',
      body: { frontendSettings: { frontendApiOrigins: ['*'] } },
      status: 204,
      events: ['setting-updated'],
    },
    { name: 'banners: none', as: 'viewer', call: 'GET /api/admin/banners', status: 200, has: { banners: [] } },
    {
      name: 'rejects banners',
      as,
      call: 'POST /api/admin/banners',
      body: { message: 'x' },
      status: 400,
      text: 'not supported',
    },
    {
      name: 'no license is needed',
      as: 'viewer',
      call: 'GET /api/admin/license/check',
      status: 200,
      has: { isValid: true },
    },
    { name: 'there is no license', as: 'viewer', call: 'GET /api/admin/license', status: 200, has: {} },
    {
      name: 'rejects a license',
      as,
      call: 'POST /api/admin/license',
      body: { token: 'x' },
      status: 400,
      text: 'No license is needed',
    },
    {
      name: 'requests by the second are not measured',
      as: 'viewer',
      call: 'GET /api/admin/metrics/rps',
      status: 200,
      has: { status: 'success', data: { result: [] } },
    },
    {
      name: 'traffic is not measured',
      as: 'viewer',
      call: 'GET /api/admin/metrics/traffic/2026-11',
      status: 200,
      has: { period: '2026-11', apiData: [] },
    },
    { name: 'traffic of no month', as, call: 'GET /api/admin/metrics/traffic/2026-13', status: 404 },
    { name: 'the older form without settings', as, call: 'POST /api/admin/ui-config', body: {}, status: 400 },
  ] satisfies Scenario[])
})

describe('history of a flag', () => {
  const H = 'GET /api/admin/events/paged'
  beforeAll(async () => {
    await admin(`POST ${F}`, { name: 'paged', description: 'x' })
    for (const stale of [true, false]) await admin(`PUT ${F}/paged`, { stale })
    await admin(`POST ${F}/paged/environments/development/on`)
  })
  scenarios(() => server, [
    { name: 'anonymous', call: H, status: 401 },
    { name: 'a client token', as: 'client', call: H, status: 403 },
    { name: 'a limit of 0', as, call: `${H}?limit=0`, status: 400, text: 'limit' },
    { name: 'a limit of 1001', as, call: `${H}?limit=1001`, status: 400 },
    { name: 'a limit in words', as, call: `${H}?limit=many`, status: 400 },
    { name: 'a negative offset', as, call: `${H}?offset=-1`, status: 400, text: 'offset' },
    { name: 'a huge offset', as, call: `${H}?offset=1e300`, status: 400 },
    { name: 'all', as: 'viewer', call: H, status: 200, has: { version: 1, toggleName: 'paged', totalEvents: 5 } },
    {
      name: 'the newest',
      as,
      call: `${H}?limit=1`,
      status: 200,
      has: { events: [{ type: 'feature-environment-enabled' }], totalEvents: 5 },
    },
    {
      name: 'the oldest',
      as,
      call: `${H}?offset=4`,
      status: 200,
      has: { events: [{ type: 'feature-created' }], totalEvents: 5 },
    },
    {
      name: 'from the middle',
      as,
      call: `${H}?limit=2&offset=1`,
      status: 200,
      has: { events: [{ type: 'feature-strategy-add' }, { type: 'feature-stale-off' }] },
    },
    { name: 'beyond the end', as, call: `${H}?offset=99`, status: 200, has: { events: [], totalEvents: 5 } },
    {
      name: 'a name that never existed',
      as,
      call: 'GET /api/admin/events/__proto__',
      status: 200,
      has: { events: [], totalEvents: 0 },
    },
  ] satisfies Scenario[])

  test('every event has all fields, and states before and after', async () => {
    const { events } = (await server.call({ as: 'viewer', call: H })).json()
    for (const event of events) {
      expect(Object.keys(event).sort()).toEqual([
        'createdAt',
        'createdBy',
        'createdByUserId',
        'data',
        'environment',
        'featureName',
        'id',
        'preData',
        'project',
        'tags',
        'type',
      ])
    }
    const state = {
      name: 'paged',
      description: 'x',
      type: 'release',
      project: 'default',
      variants: [],
      lastSeenAt: null,
      impressionData: false,
    }
    expect(events[2]).toMatchObject({
      type: 'feature-stale-off',
      data: { ...state, stale: false },
      preData: { ...state, stale: true },
    })
  })
})

describe('API tokens of a project', () => {
  const T = '/api/admin/projects/default/api-tokens'
  const NOPE = T.replace('default', 'nope')
  const made = (extra: object = {}) => ({ type: 'client', tokenName: 't', environment: 'development', ...extra })
  scenarios(() => server, [
    { name: 'list, anonymous', call: `GET ${T}`, status: 401 },
    { name: 'list by a viewer', as: 'viewer', call: `GET ${T}`, status: 403, text: 'READ_PROJECT_API_TOKEN' },
    { name: 'list of an unknown project', as, call: 'GET /api/admin/projects/nope/api-tokens', status: 404 },
    {
      name: 'list',
      as: 'editor',
      call: `GET ${T}`,
      status: 200,
      has: { tokens: [{ project: 'default' }, { project: 'default' }] },
    },
    {
      name: 'make by a viewer',
      as: 'viewer',
      call: `POST ${T}`,
      body: made(),
      status: 403,
      text: 'CREATE_PROJECT_API_TOKEN',
    },
    {
      name: 'make for another project',
      as,
      call: `POST ${T}`,
      body: made({ projects: ['other'] }),
      status: 400,
      text: 'default',
    },
    { name: 'make for one more', as, call: `POST ${T}`, body: made({ projects: ['default', 'other'] }), status: 400 },
    { name: 'make for all', as, call: `POST ${T}`, body: made({ projects: ['*'] }), status: 400 },
    {
      name: 'make for another in the older form',
      as,
      call: `POST ${T}`,
      body: made({ project: 'other' }),
      status: 400,
    },
    {
      name: 'make an admin token',
      as: 'editor',
      call: `POST ${T}`,
      body: made({ type: 'admin' }),
      status: 400,
      text: 'type',
    },
    {
      name: 'make in an unknown project',
      as,
      call: 'POST /api/admin/projects/nope/api-tokens',
      body: made(),
      status: 404,
    },
    {
      name: 'make',
      as: 'editor',
      call: `POST ${T}`,
      body: made(),
      status: 201,
      has: { projects: ['default'] },
      text: '"secret":"default:development.',
      events: ['api-token-created'],
    },
    {
      name: 'make with its project',
      as,
      call: `POST ${T}`,
      body: made({ projects: ['default'], type: 'frontend' }),
      status: 201,
      events: ['api-token-created'],
    },
    { name: 'remove, anonymous', call: `DELETE ${T}/x`, status: 401 },
    { name: 'remove by a client token', as: 'client', call: `DELETE ${T}/x`, status: 403 },
    {
      name: 'remove by a viewer',
      as: 'viewer',
      call: `DELETE ${T}/x`,
      status: 403,
      has: { permissions: ['DELETE_PROJECT_API_TOKEN'] },
    },
    { name: 'remove an unknown user', as, call: `DELETE ${T}/nope`, status: 200, empty: true },
    { name: 'remove nonsense', as, call: `DELETE ${T}/%5B%5D:x.y%20z`, status: 200, empty: true },
    {
      name: 'remove a token of all projects',
      as,
      call: `DELETE ${T}/${TOKENS.production}`,
      status: 400,
      has: { name: 'ValidationError' },
    },
    { name: 'remove an admin token', as: 'editor', call: `DELETE ${T}/${TOKENS.admin}`, status: 400 },
    {
      name: 'remove through another project',
      as,
      call: `DELETE ${T.replace('default', 'nope')}/${TOKENS.client}`,
      status: 404,
    },
    {
      name: 'remove what lists show of several tokens',
      as,
      call: `DELETE ${T}/default:development.${encodeURIComponent('…')}`,
      status: 409,
      has: { name: 'ConflictError' },
      text: '"id"',
    },
    {
      name: 'remove what lists show, as a viewer',
      as: 'viewer',
      call: `DELETE ${T}/default:development.${encodeURIComponent('…')}`,
      status: 403,
    },
    {
      name: 'remove what there never was in an unknown project',
      as,
      call: `DELETE ${NOPE}/x`,
      status: 404,
      text: 'nope',
    },
    { name: 'remove in an unknown project, as an editor', as: 'editor', call: `DELETE ${NOPE}/x`, status: 403 },
    { name: 'remove a percent sign', as, call: `DELETE ${T}/%25`, status: 200, empty: true },
    { name: 'remove with a broken encoding', as, call: `DELETE ${T}/%zz`, status: 404 },
    {
      name: 'remove a token of all projects, encoded',
      as: 'editor',
      call: `DELETE ${T}/${encodeURIComponent(TOKENS.production)}`,
      status: 400,
      has: { name: 'ValidationError' },
    },
    { name: 'all of them are still there', as: TOKENS.client, call: 'GET /api/client/features', status: 200 },
  ] satisfies Scenario[])

  test('a token of another project, of several and of all is neither removed nor revealed', async () => {
    await admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
    const tokens = []
    for (const projects of [['shop'], ['default', 'shop'], ['*']]) {
      tokens.push(await admin('POST /api/admin/api-tokens', made({ projects })))
    }
    const last = await server.lastEventId()
    for (const { id, secret } of tokens) {
      for (const named of [secret, encodeURIComponent(secret), id]) {
        const reply = await server.call({ as: 'editor', call: `DELETE ${T}/${named}` })
        expect([named, reply.statusCode, reply.json().name]).toEqual([named, 400, 'ValidationError'])
        for (const told of [secret, id, 'shop']) expect(reply.body).not.toContain(told)
      }
      expect((await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode).toBe(200)
    }
    expect(await server.eventsAfter(last)).toEqual([])
    expect(server.logged.join('\n')).not.toMatch(/\.[0-9a-f]{56}/)
  })

  test('a token of several projects can be removed with the permission in each of them', async () => {
    await admin('POST /api/admin/projects', { id: 'stand', name: 'Stand' })
    const { secret, id } = await admin('POST /api/admin/api-tokens', made({ projects: ['default', 'stand'] }))
    const works = async () => (await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode
    const refused = await server.call({ as: 'editor', call: `DELETE ${T}/${id}` })
    expect([refused.statusCode, refused.body.includes('stand'), await works()]).toEqual([400, false, 200])
    expect(refused.json().message).toContain('also for a project whose tokens you may not remove')
    const editor = await server.db.row("select id from users where username = 'editor'")
    await admin('POST /api/admin/projects/stand/access', { roles: [4], users: [Number(editor?.id)] })
    expect(
      (await server.call({ as: 'editor', call: `DELETE ${T.replace('default', 'other')}/${id}` })).statusCode,
    ).toBe(403)
    const last = await server.lastEventId()
    const reply = await server.call({ as: 'editor', call: `DELETE ${T}/${id}` })
    expect([reply.statusCode, reply.body, await works()]).toEqual([200, '', 401])
    expect(await server.eventsAfter(last)).toEqual(['api-token-deleted'])
  })

  test.each(['raw', 'encoded', 'id'])(
    'a token deleted by %s stops working immediately; deleting it again is a no-op',
    async (by) => {
      const { secret, id } = await admin(`POST ${T}`, made())
      const named = { raw: secret, encoded: encodeURIComponent(secret), id }[by]
      const last = await server.lastEventId()
      const call = `DELETE ${T}/${named}`
      const reply = await server.call({ as: 'editor', call })
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
      expect(await server.eventsAfter(last)).toEqual(['api-token-deleted'])
      expect((await server.call({ as: secret, call: 'GET /api/client/features' })).statusCode).toBe(401)
      expect((await server.call({ as, call })).statusCode).toBe(200)
      const { events } = { events: await server.db.rows('select data, pre_data from events order by id desc limit 2') }
      expect(JSON.stringify(events)).not.toContain(secret)
    },
  )
})
