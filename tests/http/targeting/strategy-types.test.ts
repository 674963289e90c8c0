import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const S = '/api/admin/strategies'
const F = '/api/admin/projects/default/features'

async function lastEvent(type: string): Promise<{ data: unknown; preData: unknown }> {
  const row = await server.db.row('select * from events where type = ? order by id desc limit 1', type)
  return { data: JSON.parse(String(row?.data)), preData: JSON.parse(String(row?.pre_data)) }
}

describe('types of strategies', () => {
  const parameters = [
    { name: 'country', type: 'list', description: 'Where', required: true },
    { name: 'share', type: 'percentage' },
  ]
  const body = { name: 'byCountry', title: 'By country', description: 'Some countries', parameters }
  const typed = (type: unknown) => ({ name: 'x', parameters: [{ name: 'p', type }] })
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${S}`, status: 401 },
    {
      name: 'the list',
      as: 'viewer',
      call: `GET ${S}`,
      status: 200,
      has: { version: 1 },
      text: 'gradualRolloutUserId',
    },
    {
      name: 'a built-in one',
      as: 'viewer',
      call: `GET ${S}/flexibleRollout`,
      status: 200,
      has: { name: 'flexibleRollout', displayName: 'Gradual rollout', editable: false, deprecated: false },
    },
    { name: 'an unknown one', as, call: `GET ${S}/nope`, status: 404, has: { name: 'NotFoundError' }, text: 'nope' },
    { name: 'creating, anonymous', call: `POST ${S}`, body, status: 401 },
    { name: 'as a viewer', as: 'viewer', call: `POST ${S}`, body, status: 403, text: 'CREATE_STRATEGY' },
    { name: 'no name', as, call: `POST ${S}`, body: { parameters: [] }, status: 400, text: '`name`' },
    { name: 'no parameters', as, call: `POST ${S}`, body: { name: 'x' }, status: 400, text: '`parameters`' },
    {
      name: 'a bad name',
      as,
      call: `POST ${S}`,
      body: { name: 'a b', parameters: [] },
      status: 400,
      text: 'URL friendly',
    },
    { name: 'an odd parameter', as, call: `POST ${S}`, body: typed('date'), status: 400, text: 'percentage' },
    { name: 'no type of parameter', as, call: `POST ${S}`, body: typed({}), status: 400 },
    {
      name: 'a parameter twice',
      as,
      call: `POST ${S}`,
      body: { name: 'x', parameters: [parameters[1], parameters[1]] },
      status: 400,
      text: 'twice',
    },
    { name: 'the name of a built-in one', as, call: `POST ${S}`, body: { ...body, name: 'default' }, status: 409 },
    {
      name: 'a flag cannot have what there is not',
      as,
      call: `POST ${F}`,
      body: { name: 'flag' },
      status: 201,
      events: ['feature-created'],
    },
    {
      name: 'yet',
      as,
      call: `POST ${F}/flag/environments/development/strategies`,
      body: { name: 'byCountry' },
      status: 400,
      text: 'byCountry',
    },
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${S}`,
      body,
      status: 201,
      has: { ...body, displayName: 'By country', editable: true, deprecated: false },
      events: ['strategy-created'],
    },
    { name: 'again', as, call: `POST ${S}`, body, status: 409, has: { name: 'NameExistsError' }, text: 'byCountry' },
    {
      name: 'now a flag can',
      as,
      call: `POST ${F}/flag/environments/development/strategies`,
      body: { name: 'byCountry', parameters: { country: 'no,de' } },
      status: 200,
      has: { name: 'byCountry', parameters: { country: 'no,de' } },
      events: ['feature-strategy-add'],
    },
    {
      name: 'and it is on',
      as,
      call: `POST ${F}/flag/environments/development/on`,
      status: 200,
      events: ['feature-environment-enabled'],
    },
    {
      name: 'SDKs get it',
      as: 'client',
      call: 'GET /api/client/features',
      status: 200,
      has: { features: [{ strategies: [{ name: 'byCountry', parameters: { country: 'no,de' } }] }] },
    },
    {
      name: 'the playground does not know',
      as,
      call: 'POST /api/admin/playground/advanced',
      body: { environments: ['development'], context: { appName: 'a' } },
      status: 200,
      text: '"unknown"',
    },
    {
      name: 'where it is used',
      as: 'viewer',
      call: `GET ${S}/byCountry/strategies`,
      status: 200,
      has: {
        strategies: [
          { projectId: 'default', featureName: 'flag', strategyName: 'byCountry', environment: 'development' },
        ],
      },
    },
    {
      name: 'where nothing uses it',
      as,
      call: `GET ${S}/applicationHostname/strategies`,
      status: 200,
      has: { strategies: [] },
    },
    { name: 'where an unknown one is', as, call: `GET ${S}/nope/strategies`, status: 404, text: 'nope' },
    { name: 'its uses, anonymous', call: `GET ${S}/byCountry/strategies`, status: 401 },
    {
      name: 'one in use stays',
      as,
      call: `DELETE ${S}/byCountry`,
      status: 409,
      has: { name: 'ConflictError' },
      text: 'flag',
    },
  ] satisfies Scenario[])

  test('returns the location, and the event has all properties', async () => {
    const reply = await server.call({ as, call: `POST ${S}`, body: { name: 'plain', parameters: [] } })
    expect(reply.headers.location).toBe('strategies/plain')
    expect(await lastEvent('strategy-created')).toEqual({
      data: {
        name: 'plain',
        title: null,
        displayName: 'plain',
        description: null,
        editable: true,
        deprecated: false,
        parameters: [],
      },
      preData: null,
    })
  })

  scenarios(() => server, [
    { name: 'changing as a viewer', as: 'viewer', call: `PUT ${S}/plain`, body, status: 403, text: 'UPDATE_STRATEGY' },
    { name: 'an unknown one', as, call: `PUT ${S}/nope`, body, status: 404 },
    {
      name: 'a built-in one',
      as,
      call: `PUT ${S}/default`,
      body,
      status: 403,
      has: { name: 'InvalidOperationError' },
      text: 'built in',
    },
    { name: 'no parameters', as, call: `PUT ${S}/plain`, body: {}, status: 400, text: 'parameters' },
    {
      name: 'all of it but the name',
      as,
      call: `PUT ${S}/plain`,
      body: { ...body, name: 'other' },
      status: 200,
      empty: true,
      events: ['strategy-updated'],
    },
    { name: 'the same again', as, call: `PUT ${S}/plain`, body, status: 200, empty: true },
    { name: 'it is', as, call: `GET ${S}/plain`, status: 200, has: { ...body, name: 'plain' } },
    { name: 'deprecating as a viewer', as: 'viewer', call: `POST ${S}/plain/deprecate`, body: {}, status: 403 },
    { name: 'an unknown one', as, call: `POST ${S}/nope/deprecate`, body: {}, status: 404 },
    {
      name: 'deprecating',
      as,
      call: `POST ${S}/plain/deprecate`,
      body: {},
      status: 200,
      empty: true,
      events: ['strategy-deprecated'],
    },
    { name: 'again, without a body', as, call: `POST ${S}/plain/deprecate`, status: 200, empty: true },
    { name: 'it says so', as, call: `GET ${S}/plain`, status: 200, has: { deprecated: true } },
    {
      name: 'reactivating',
      as,
      call: `POST ${S}/plain/reactivate`,
      body: {},
      status: 200,
      empty: true,
      events: ['strategy-reactivated'],
    },
    { name: 'again, nothing', as, call: `POST ${S}/plain/reactivate`, body: {}, status: 200, empty: true },
    {
      name: 'a built-in one may be deprecated',
      as,
      call: `POST ${S}/default/deprecate`,
      status: 200,
      events: ['strategy-deprecated'],
    },
    {
      name: 'and reactivated',
      as,
      call: `POST ${S}/default/reactivate`,
      status: 200,
      events: ['strategy-reactivated'],
    },
    { name: 'removing as a viewer', as: 'viewer', call: `DELETE ${S}/plain`, status: 403, text: 'DELETE_STRATEGY' },
    {
      name: 'a built-in one stays',
      as,
      call: `DELETE ${S}/default`,
      status: 403,
      has: { name: 'InvalidOperationError' },
    },
    { name: 'an unknown one', as, call: `DELETE ${S}/nope`, status: 404 },
    {
      name: 'as the default of an environment',
      as,
      call: 'POST /api/admin/projects/default/environments/production/default-strategy',
      body: { name: 'plain' },
      status: 200,
      events: ['default-strategy-updated'],
    },
    { name: 'it stays', as, call: `DELETE ${S}/plain`, status: 409, text: 'production' },
    {
      name: 'another default',
      as,
      call: 'POST /api/admin/projects/default/environments/production/default-strategy',
      body: { name: 'default' },
      status: 200,
      events: ['default-strategy-updated'],
    },
    { name: 'removing', as, call: `DELETE ${S}/plain`, status: 200, empty: true, events: ['strategy-deleted'] },
    { name: 'twice', as, call: `DELETE ${S}/plain`, status: 404 },
  ] satisfies Scenario[])
})

describe('types of flags', () => {
  const T = '/api/admin/feature-types'
  const L = `PUT ${T}/release/lifetime`
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${T}`, status: 401 },
    {
      name: 'the list',
      as: 'viewer',
      call: `GET ${T}`,
      status: 200,
      has: {
        version: 1,
        types: [
          { id: 'release', name: 'Release', lifetimeDays: 40 },
          { id: 'experiment', lifetimeDays: 40 },
          { id: 'operational', lifetimeDays: 7 },
          { id: 'kill-switch', lifetimeDays: null },
          { id: 'permission', lifetimeDays: null },
        ],
      },
    },
    { name: 'a lifetime, anonymous', call: L, body: { lifetimeDays: 1 }, status: 401 },
    { name: 'as an editor', as: 'editor', call: L, body: { lifetimeDays: 1 }, status: 403, text: 'ADMIN' },
    { name: 'none', as, call: L, body: {}, status: 400, text: 'lifetimeDays' },
    { name: 'less than nothing', as, call: L, body: { lifetimeDays: -1 }, status: 400 },
    { name: 'half a day', as, call: L, body: { lifetimeDays: 0.5 }, status: 400 },
    { name: 'more than a database can hold', as, call: L, body: { lifetimeDays: 2 ** 31 }, status: 400 },
    {
      name: 'an unknown type',
      as,
      call: `PUT ${T}/nope/lifetime`,
      body: { lifetimeDays: 1 },
      status: 404,
      text: 'nope',
    },
    { name: 'the same', as, call: L, body: { lifetimeDays: 40 }, status: 200, has: { lifetimeDays: 40 } },
    {
      name: 'the longest',
      as,
      call: L,
      body: { lifetimeDays: 2 ** 31 - 1 },
      status: 200,
      events: ['feature-type-updated'],
    },
    {
      name: 'lists of projects live with it',
      as,
      call: 'GET /api/admin/projects',
      status: 200,
      has: { projects: [{ health: 100 }] },
    },
    {
      name: 'none at all',
      as,
      call: L,
      body: { lifetimeDays: 0 },
      status: 200,
      has: { lifetimeDays: null },
      events: ['feature-type-updated'],
    },
    {
      name: 'which is the same as null',
      as,
      call: L,
      body: { lifetimeDays: null },
      status: 200,
      has: { id: 'release' },
    },
    { name: 'back', as, call: L, body: { lifetimeDays: 40 }, status: 200, events: ['feature-type-updated'] },
  ] satisfies Scenario[])

  test('the event has both states', async () => {
    const { data, preData } = await lastEvent('feature-type-updated')
    expect([data, preData]).toMatchObject([
      { id: 'release', lifetimeDays: 40 },
      { id: 'release', lifetimeDays: null },
    ])
  })
})
