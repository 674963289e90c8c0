import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const P = '/api/admin/projects/default/features'
const as = 'admin'

describe('creating a flag', () => {
  scenarios(() => server, [
    {
      name: 'anonymous',
      call: `POST ${P}`,
      body: { name: 'a' },
      status: 401,
      has: { name: 'AuthenticationRequired', path: '/auth/simple/login', type: 'password' },
      text: '/auth/simple/login',
    },
    {
      name: 'a wrong token',
      as: '*:*.wrong',
      call: `POST ${P}`,
      body: { name: 'a' },
      status: 401,
      has: { name: 'AuthenticationRequired' },
    },
    {
      name: 'a client token',
      as: 'client',
      call: `POST ${P}`,
      body: { name: 'a' },
      status: 403,
      has: { name: 'NoAccessError' },
    },
    { name: 'a frontend token', as: 'frontend', call: `POST ${P}`, body: { name: 'a' }, status: 403 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: `POST ${P}`,
      body: { name: 'a' },
      status: 403,
      has: { name: 'NoAccessError', permissions: ['CREATE_FEATURE'] },
      text: 'CREATE_FEATURE',
    },
    { name: 'a viewer with rubbish', as: 'viewer', call: `POST ${P}`, body: { nome: 1 }, status: 403 },
    { name: 'broken JSON from nobody', call: `POST ${P}`, raw: '{"name":', status: 400 },
    { name: 'broken JSON', as, call: `POST ${P}`, raw: '{"name":', status: 400 },
    {
      name: 'text',
      as,
      call: `POST ${P}`,
      raw: 'name=a',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      has: { name: 'ContentTypeerror' },
      text: 'text/plain',
    },
    {
      name: 'text from a viewer',
      as: 'viewer',
      call: `POST ${P}`,
      raw: 'name=a',
      headers: { 'content-type': 'text/plain' },
      status: 403,
    },
    {
      name: 'another JSON',
      as,
      call: `POST ${P}`,
      raw: '{}',
      headers: { 'content-type': 'application/vnd.api+json' },
      status: 400,
      text: 'name',
    },
    { name: 'no body at all', as, call: `POST ${P}`, status: 415, has: { name: 'ContentTypeerror' } },
    {
      name: 'no name',
      as,
      call: `POST ${P}`,
      body: {},
      status: 400,
      has: { name: 'ValidationError', details: [{ path: 'body' }] },
      text: 'name',
    },
    {
      name: 'an array',
      as,
      call: `POST ${P}`,
      body: [],
      status: 400,
      has: { name: 'ValidationError' },
      text: 'root of the body',
    },
    { name: 'null', as, call: `POST ${P}`, body: null, status: 400 },
    { name: 'an empty name', as, call: `POST ${P}`, body: { name: '' }, status: 400, text: 'name' },
    { name: 'an object as name', as, call: `POST ${P}`, body: { name: {} }, status: 400, text: '`name`' },
    {
      name: 'a name with a blank',
      as,
      call: `POST ${P}`,
      body: { name: 'bad name' },
      status: 400,
      has: { name: 'ValidationError' },
      text: 'URL friendly',
    },
    { name: 'two dots', as, call: `POST ${P}`, body: { name: '..' }, status: 400, text: 'URL friendly' },
    { name: 'a slash', as, call: `POST ${P}`, body: { name: 'a/b' }, status: 400 },
    { name: 'half a surrogate pair', as, call: `POST ${P}`, raw: '{"name":"\\ud800"}', status: 400 },
    { name: '101 characters', as, call: `POST ${P}`, body: { name: 'x'.repeat(101) }, status: 400, text: 'name' },
    {
      name: 'more than 100 kB',
      as,
      call: `POST ${P}`,
      body: { name: 'x', description: 'y'.repeat(110_000) },
      status: 413,
      has: { message: 'request entity too large' },
    },
    {
      name: 'deep nesting',
      as,
      call: `POST ${P}`,
      raw: `{"name":"deep","type":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      status: 400,
    },
    {
      name: 'an unknown project',
      as,
      call: 'POST /api/admin/projects/nope/features',
      body: { name: 'a' },
      status: 404,
      has: { name: 'NotFoundError' },
    },
    {
      name: 'an editor in another project',
      as: 'editor',
      call: 'POST /api/admin/projects/nope/features',
      body: { name: 'a' },
      status: 403,
    },
    {
      name: 'an unknown type of tag',
      as,
      call: `POST ${P}`,
      body: { name: 'tagged', tags: [{ type: 'nope', value: 'aa' }] },
      status: 400,
      text: 'nope',
    },
    { name: 'that one does not exist then', as, call: `GET ${P}/tagged`, status: 404 },
    {
      name: 'an admin',
      as,
      call: `POST ${P}`,
      body: { name: 'a', description: 'first', impressionData: true },
      status: 201,
      has: {
        name: 'a',
        type: 'release',
        project: 'default',
        stale: false,
        impressionData: true,
        description: 'first',
        archived: false,
        environments: [
          { name: 'development', enabled: false, strategies: [] },
          { name: 'production', enabled: false },
        ],
      },
      events: ['feature-created'],
    },
    {
      name: 'the same again',
      as,
      call: `POST ${P}`,
      body: { name: 'a' },
      status: 409,
      has: { name: 'NameExistsError' },
    },
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${P}`,
      body: { name: 'b', type: 'kill-switch' },
      status: 201,
      has: { type: 'kill-switch' },
      events: ['feature-created'],
    },
    {
      name: 'a number as name',
      as,
      call: `POST ${P}`,
      body: { name: 123 },
      status: 201,
      has: { name: '123' },
      events: ['feature-created'],
    },
    {
      name: 'a name that every object has',
      as,
      call: `POST ${P}`,
      body: { name: '__proto__' },
      status: 201,
      has: { name: '__proto__' },
      events: ['feature-created'],
    },
    {
      name: 'another such name',
      as,
      call: `POST ${P}`,
      body: { name: 'constructor' },
      status: 201,
      events: ['feature-created'],
    },
    {
      name: 'unknown properties and a prototype',
      as,
      call: `POST ${P}`,
      raw: '{"name":"c","__proto__":{"type":"x"},"foo":1}',
      status: 201,
      has: { name: 'c', type: 'release' },
      events: ['feature-created'],
    },
    {
      name: 'with a new tag',
      as,
      call: `POST ${P}`,
      body: { name: 'd', tags: [{ type: 'simple', value: 'team' }] },
      status: 201,
      has: { tags: [{ type: 'simple', value: 'team' }] },
      events: ['feature-created', 'tag-created', 'feature-tagged'],
    },
    {
      name: 'Bearer in any case',
      as: 'BEARER *:*.admin-secret',
      call: `POST ${P}`,
      body: { name: 'e' },
      status: 201,
      events: ['feature-created'],
    },
    { name: 'Basic is no token', as: 'Basic *:*.admin-secret', call: `POST ${P}`, body: { name: 'x' }, status: 401 },
    {
      name: 'a path in another case, with slashes',
      as,
      call: 'GET //API/admin/projects/default//features/',
      status: 200,
      has: { version: 2 },
    },
  ] satisfies Scenario[])
})

describe('reading flags', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${P}`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `GET ${P}/a`, status: 200, has: { name: 'a' } },
    {
      name: 'the list by prefix',
      as,
      call: `GET ${P}?namePrefix=a`,
      status: 200,
      has: {
        version: 2,
        features: [{ name: 'a', environments: [{ name: 'development', hasStrategies: false, variantCount: 0 }, {}] }],
      },
    },
    { name: 'the list by tag', as, call: `GET ${P}?tag=simple:team`, status: 200, has: { features: [{ name: 'd' }] } },
    { name: 'the list by a bad tag', as, call: `GET ${P}?tag=simple`, status: 400, text: 'tag' },
    {
      name: 'the list of an unknown project',
      as,
      call: 'GET /api/admin/projects/nope/features',
      status: 200,
      has: { features: [] },
    },
    { name: 'a flag through another project', as, call: 'GET /api/admin/projects/nope/features/a', status: 404 },
    { name: 'an unknown flag', as, call: `GET ${P}/nope`, status: 404, has: { name: 'NotFoundError' } },
    {
      name: 'a flag whose name every object has',
      as,
      call: `GET ${P}/__proto__`,
      status: 200,
      has: { name: '__proto__' },
    },
    { name: 'bad percent-encoding', as, call: `GET ${P}/%zz`, status: 404 },
    {
      name: 'projects',
      as: 'viewer',
      call: 'GET /api/admin/projects',
      status: 200,
      has: { version: 1, projects: [{ id: 'default', environments: ['development', 'production'] }] },
    },
    {
      name: 'environments',
      as: 'viewer',
      call: 'GET /api/admin/environments',
      status: 200,
      has: {
        version: 1,
        environments: [{ name: 'development', enabled: true, projectCount: 1 }, { name: 'production' }],
      },
    },
    { name: 'projects, anonymous', call: 'GET /api/admin/projects', status: 401 },
  ] satisfies Scenario[])
})

describe('changing a flag', () => {
  scenarios(() => server, [
    {
      name: 'PUT',
      as,
      call: `PUT ${P}/a`,
      body: { description: 'second', type: 'experiment' },
      status: 200,
      has: { description: 'second', type: 'experiment', impressionData: true },
      events: ['feature-metadata-updated'],
    },
    {
      name: 'PUT of the same',
      as,
      call: `PUT ${P}/a`,
      body: { description: 'second', type: 'experiment' },
      status: 200,
    },
    { name: 'PUT of another name', as, call: `PUT ${P}/a`, body: { name: 'z' }, status: 400, text: 'name' },
    {
      name: 'PUT of stale',
      as,
      call: `PUT ${P}/a`,
      body: { stale: true },
      status: 200,
      has: { stale: true },
      events: ['feature-stale-on'],
    },
    {
      name: 'PUT by a viewer',
      as: 'viewer',
      call: `PUT ${P}/a`,
      body: { stale: false },
      status: 403,
      text: 'UPDATE_FEATURE',
    },
    { name: 'PUT of an unknown flag', as, call: `PUT ${P}/nope`, body: { stale: false }, status: 404 },
    {
      name: 'PUT through another project',
      as,
      call: 'PUT /api/admin/projects/nope/features/a',
      body: { stale: false },
      status: 404,
    },
    {
      name: 'PATCH',
      as,
      call: `PATCH ${P}/a`,
      body: [
        { op: 'replace', path: '/stale', value: false },
        { op: 'add', path: '/description', value: 'third' },
      ],
      status: 200,
      has: { stale: false, description: 'third' },
      events: ['feature-metadata-updated', 'feature-stale-off'],
    },
    {
      name: 'PATCH by copy',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'copy', from: '/name', path: '/description' }],
      status: 200,
      has: { description: 'a' },
      events: ['feature-metadata-updated'],
    },
    {
      name: 'PATCH test that fails',
      as,
      call: `PATCH ${P}/a`,
      body: [
        { op: 'test', path: '/name', value: 'z' },
        { op: 'replace', path: '/stale', value: true },
      ],
      status: 400,
      text: 'test',
    },
    {
      name: 'PATCH of what is not there',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'replace', path: '/nope/deeper', value: 1 }],
      status: 400,
    },
    {
      name: 'PATCH of the prototype',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
      status: 400,
    },
    {
      name: 'PATCH with a new member __proto__',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'add', path: '/__proto__', value: { stale: true } }],
      status: 200,
      has: { stale: false },
    },
    {
      name: 'PATCH with an unknown operation',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'zap', path: '/stale' }],
      status: 400,
      text: 'op',
    },
    {
      name: 'PATCH of the wrong type',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'replace', path: '/stale', value: { x: 1 } }],
      status: 400,
      text: 'stale',
    },
    {
      name: 'PATCH that doubles again and again',
      as,
      call: `PATCH ${P}/a`,
      body: [
        { op: 'add', path: '/l', value: ['x'] },
        ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/l', path: '/l/-' })),
      ],
      status: 400,
    },
    { name: 'PATCH that is no array', as, call: `PATCH ${P}/a`, body: { op: 'add' }, status: 400 },
    {
      name: 'PATCH that removes everything',
      as,
      call: `PATCH ${P}/a`,
      body: [{ op: 'remove', path: '' }],
      status: 400,
    },
  ] satisfies Scenario[])
})

describe('on and off', () => {
  const on = `POST ${P}/a/environments/development/on`
  const off = `POST ${P}/a/environments/development/off`
  scenarios(() => server, [
    { name: 'anonymous', call: on, status: 401 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: on,
      status: 403,
      has: { name: 'NoAccessError', permissions: ['UPDATE_FEATURE_ENVIRONMENT'] },
      text: 'environment \\"development\\"',
    },
    { name: 'a wrong project', as, call: on.replace('default', 'other'), status: 404 },
    { name: 'an unknown environment', as, call: `POST ${P}/a/environments/nope/on`, status: 404 },
    { name: 'an unknown flag', as, call: `POST ${P}/nope/environments/development/on`, status: 404 },
    { name: 'neither on nor off', as, call: `POST ${P}/a/environments/development/maybe`, status: 404 },
    {
      name: 'before, the flag names the strategy that turning it on adds',
      as,
      call: `GET ${P}/a/environments/development`,
      status: 200,
      has: {
        enabled: false,
        strategies: [],
        addedStrategy: { name: 'flexibleRollout', parameters: { rollout: '100' } },
      },
    },
    {
      name: 'on adds a strategy, and the reply says who gets the flag',
      as,
      call: on,
      status: 200,
      has: {
        strategies: [{ name: 'flexibleRollout', parameters: { rollout: '100' } }],
        addedStrategyId: expect.any(String),
      },
      events: ['feature-strategy-add', 'feature-environment-enabled'],
    },
    {
      name: 'which is a full rollout',
      as,
      call: `GET ${P}/a/environments/development/strategies`,
      status: 200,
      has: [{ name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'a' } }],
    },
    {
      name: 'on again reports the same strategy, which it does not add',
      as,
      call: on,
      status: 200,
      text: '{"strategies":[{"id":',
      has: { strategies: [{ parameters: { rollout: '100' } }] },
    },
    { name: 'off by an editor', as: 'editor', call: off, status: 200, events: ['feature-environment-disabled'] },
    { name: 'off again', as, call: off, status: 200 },
    { name: 'on again brings no second strategy', as, call: on, status: 200, events: ['feature-environment-enabled'] },
    {
      name: 'on with a body of rubbish',
      as,
      call: on,
      raw: 'x',
      headers: { 'content-type': 'text/plain' },
      status: 200,
    },
  ] satisfies Scenario[])
})

describe('archive and history', () => {
  scenarios(() => server, [
    { name: 'a viewer', as: 'viewer', call: `DELETE ${P}/a`, status: 403, text: 'DELETE_FEATURE' },
    { name: 'an unknown flag', as, call: `DELETE ${P}/nope`, status: 404 },
    { name: 'archive', as, call: `DELETE ${P}/a`, status: 202, empty: true, events: ['feature-archived'] },
    { name: 'again', as, call: `DELETE ${P}/a`, status: 202, empty: true },
    { name: 'it is not in the list', as, call: `GET ${P}?namePrefix=a`, status: 200, has: { features: [] } },
    { name: 'it is no flag of the project any more', as, call: `GET ${P}/a`, status: 404, text: 'archived' },
    { name: 'it can still be read', as, call: `GET ${P}/a/overview`, status: 200, has: { archived: true } },
    {
      name: 'it can still be read in an environment',
      as,
      call: `GET ${P}/a/environments/development`,
      status: 200,
      has: { name: 'a', environment: 'development' },
    },
    { name: 'its strategies can be read', as, call: `GET ${P}/a/environments/development/strategies`, status: 200 },
    { name: 'no strategy', as, call: `GET ${P}/a/environments/development/strategies/none`, status: 404, text: 'none' },
    {
      name: 'its variants in an environment can be read',
      as,
      call: `GET ${P}/a/environments/development/variants`,
      status: 200,
      has: { version: 1 },
    },
    { name: 'its variants can be read', as, call: `GET ${P}/a/variants`, status: 200, has: { version: 1 } },
    { name: 'its tags can be read', as, call: 'GET /api/admin/features/a/tags', status: 200, has: { version: 1 } },
    { name: 'possible parents can be read', as, call: `GET ${P}/a/parents`, status: 200 },
    { name: 'its variants for children can be read', as, call: `GET ${P}/a/parent-variants`, status: 200 },
    {
      name: 'it gets no strategy',
      as,
      call: `POST ${P}/a/environments/development/strategies`,
      body: { name: 'default' },
      status: 404,
      text: 'archived',
    },
    { name: 'it gets no variants', as, call: `PUT ${P}/a/variants`, body: [], status: 404, text: 'archived' },
    { name: 'it does not turn on', as, call: `POST ${P}/a/environments/production/on`, status: 404 },
    { name: 'it does not change', as, call: `PUT ${P}/a`, body: { stale: true }, status: 404 },
    { name: 'its name is taken', as, call: `POST ${P}`, body: { name: 'a' }, status: 409, text: 'archived' },
    {
      name: 'history of nothing',
      as: 'viewer',
      call: 'GET /api/admin/events/none',
      status: 200,
      has: { version: 1, toggleName: 'none', events: [], totalEvents: 0 },
    },
    { name: 'history, anonymous', call: 'GET /api/admin/events/a', status: 401 },
    { name: 'history for a client token', as: 'client', call: 'GET /api/admin/events/a', status: 403 },
  ] satisfies Scenario[])

  test('history is newest first, with actor and change', async () => {
    const reply = await server.call({ as, call: 'GET /api/admin/events/a' })
    const { events, totalEvents } = reply.json()
    expect(totalEvents).toBe(events.length)
    expect(events.map((event: { id: number }) => event.id)).toEqual(
      events.map((event: { id: number }) => event.id).toSorted((a: number, b: number) => b - a),
    )
    expect(events[0]).toMatchObject({ type: 'feature-archived', createdBy: 'admin', createdByUserId: -42, tags: [] })
    expect(events.at(-1)).toMatchObject({
      type: 'feature-created',
      project: 'default',
      environment: null,
      preData: null,
      data: { name: 'a', variants: [], lastSeenAt: null, stale: false },
    })
    const off = events.find((event: { type: string }) => event.type === 'feature-environment-disabled')
    expect(off).toMatchObject({ createdBy: 'editor', environment: 'development' })
    expect(off.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
})

describe('tags', () => {
  const T = '/api/admin/features/b/tags'
  const tag = { type: 'simple', value: 'red' }
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${T}`, body: tag, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `POST ${T}`, body: tag, status: 403, text: 'UPDATE_FEATURE' },
    { name: 'an unknown flag', as, call: 'POST /api/admin/features/nope/tags', body: tag, status: 404 },
    { name: 'an unknown type', as, call: `POST ${T}`, body: { type: 'nope', value: 'red' }, status: 400 },
    { name: 'one character', as, call: `POST ${T}`, body: { type: 'simple', value: 'r' }, status: 400, text: 'value' },
    { name: 'no value', as, call: `POST ${T}`, body: { type: 'simple' }, status: 400, text: 'value' },
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${T}`,
      body: tag,
      status: 201,
      has: tag,
      events: ['tag-created', 'feature-tagged'],
    },
    { name: 'again', as, call: `POST ${T}`, body: tag, status: 201, has: tag },
    { name: 'read', as: 'viewer', call: `GET ${T}`, status: 200, has: { version: 1, tags: [tag] } },
    { name: 'read of an unknown flag', as, call: 'GET /api/admin/features/nope/tags', status: 404 },
    {
      name: 'events carry tags',
      as,
      call: `PUT ${P}/b`,
      body: { stale: true },
      status: 200,
      events: ['feature-stale-on'],
    },
    {
      name: 'as here',
      as,
      call: 'GET /api/admin/events/b',
      status: 200,
      has: { events: [{ type: 'feature-stale-on', tags: [tag] }, {}, {}] },
    },
    { name: 'remove by a viewer', as: 'viewer', call: `DELETE ${T}/simple/red`, status: 403 },
    { name: 'remove', as, call: `DELETE ${T}/simple/red`, status: 200, empty: true, events: ['feature-untagged'] },
    { name: 'remove again', as, call: `DELETE ${T}/simple/red`, status: 200 },
  ] satisfies Scenario[])
})
