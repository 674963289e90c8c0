import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const E = '/api/admin/environments'
const P = '/api/admin/projects/default'
const F = `${P}/features`

/** Returns the last stored event of a type. */
async function lastEvent(type: string): Promise<Record<string, unknown>> {
  const row = await server.db.row('select * from events where type = ? order by id desc limit 1', type)
  const { data, pre_data, environment, project } = row ?? {}
  return { data: JSON.parse(String(data)), preData: JSON.parse(String(pre_data)), environment, project }
}

describe('reading', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${E}`, status: 401 },
    {
      name: 'a viewer sees all',
      as: 'viewer',
      call: `GET ${E}`,
      status: 200,
      has: { version: 1, environments: [{ name: 'development' }, { name: 'production' }] },
    },
    {
      name: 'one',
      as: 'viewer',
      call: `GET ${E}/production`,
      status: 200,
      has: {
        name: 'production',
        type: 'production',
        enabled: true,
        protected: false,
        projectCount: 1,
        apiTokenCount: 1,
      },
    },
    { name: 'an unknown one', as, call: `GET ${E}/nope`, status: 404, has: { name: 'NotFoundError' }, text: 'nope' },
    { name: 'of an unknown project', as, call: `GET ${E}/project/nope`, status: 404, text: 'nope' },
    {
      name: 'of a project',
      as: 'viewer',
      call: `GET ${E}/project/default`,
      status: 200,
      has: {
        version: 1,
        environments: [
          { name: 'development', visible: true, projectApiTokenCount: 2, projectEnabledToggleCount: 0 },
          { name: 'production', visible: true, projectApiTokenCount: 0 },
        ],
      },
    },
  ] satisfies Scenario[])
})

describe('creating', () => {
  const body = { name: 'staging', type: 'preproduction', sortOrder: 150 }
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${E}`, body, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `POST ${E}`, body, status: 403, text: 'ADMIN' },
    { name: 'an editor', as: 'editor', call: `POST ${E}`, body, status: 403, has: { name: 'NoAccessError' } },
    { name: 'no name', as, call: `POST ${E}`, body: { type: 'test' }, status: 400, text: '`name`' },
    { name: 'no type', as, call: `POST ${E}`, body: { name: 'x' }, status: 400, text: '`type`' },
    { name: 'no number', as, call: `POST ${E}`, body: { ...body, sortOrder: 'first' }, status: 400, text: 'sortOrder' },
    { name: 'a huge number', as, call: `POST ${E}`, body: { ...body, sortOrder: 2 ** 40 }, status: 400 },
    ...['*', '..', '.', 'a b', 'a/b', 'a:b', 'ä', "it's", ''].map((name) => ({
      name: `the name "${name}"`,
      as,
      call: `POST ${E}`,
      body: { ...body, name },
      status: 400,
      has: { name: 'ValidationError' },
    })),
    { name: 'a long name', as, call: `POST ${E}`, body: { ...body, name: 'x'.repeat(101) }, status: 400 },
    { name: 'a NUL', as, call: `POST ${E}`, body: { ...body, type: 'a\0b' }, status: 400 },
    {
      name: 'an admin',
      as,
      call: `POST ${E}`,
      body,
      status: 201,
      has: { ...body, enabled: true, protected: false, projectCount: 0, apiTokenCount: 0, enabledToggleCount: 0 },
      events: ['environment-created'],
    },
    { name: 'the same again', as, call: `POST ${E}`, body, status: 409, has: { name: 'NameExistsError' } },
    {
      name: 'without order it comes last, and off',
      as,
      call: `POST ${E}`,
      body: { name: 'qa_1~2.3', type: 'test', enabled: false },
      status: 201,
      has: { sortOrder: 300, enabled: false },
      events: ['environment-created'],
    },
    {
      name: 'the list is in order',
      as,
      call: `GET ${E}`,
      status: 200,
      has: {
        environments: [{ name: 'development' }, { name: 'staging' }, { name: 'production' }, { name: 'qa_1~2.3' }],
      },
    },
  ] satisfies Scenario[])

  test('returns the location, and the event has all properties', async () => {
    const reply = await server.call({ as, call: `POST ${E}`, body: { name: 'eu', type: 'production' } })
    expect(reply.headers.location).toBe('environments/eu')
    expect(await lastEvent('environment-created')).toEqual({
      data: { name: 'eu', type: 'production', sortOrder: 400, enabled: true, protected: false },
      preData: null,
      environment: 'eu',
      project: null,
    })
    expect((await server.call({ as, call: `DELETE ${E}/eu` })).statusCode).toBe(200)
  })

  test('there is no limit: fifty more', async () => {
    for (let n = 0; n < 50; n += 1) {
      const reply = await server.call({ as, call: `POST ${E}`, body: { name: `many-${n}`, type: 'test' } })
      expect(reply.statusCode).toBe(201)
    }
    expect((await server.call({ as, call: `GET ${E}` })).json().environments.length).toBe(54)
    for (let n = 0; n < 50; n += 1) await server.call({ as, call: `DELETE ${E}/many-${n}` })
  })
})

describe('changing', () => {
  const U = `PUT ${E}/update/staging`
  scenarios(() => server, [
    { name: 'anonymous', call: U, body: {}, status: 401 },
    { name: 'an editor', as: 'editor', call: U, body: {}, status: 403 },
    { name: 'an unknown one', as, call: `PUT ${E}/update/nope`, body: { type: 'test' }, status: 404, text: 'nope' },
    { name: 'an empty type', as, call: U, body: { type: '' }, status: 400, text: 'type' },
    {
      name: 'type and order',
      as,
      call: U,
      body: { type: 'test', sortOrder: 170 },
      status: 200,
      has: { name: 'staging', type: 'test', sortOrder: 170 },
      events: ['environment-updated'],
    },
    { name: 'the same again', as, call: U, body: { type: 'test' }, status: 200, has: { sortOrder: 170 } },
    { name: 'the name stays', as, call: U, body: { name: 'other' }, status: 200, has: { name: 'staging' } },
    { name: 'off, anonymous', call: `POST ${E}/staging/off`, status: 401 },
    { name: 'off, as an editor', as: 'editor', call: `POST ${E}/staging/off`, status: 403 },
    { name: 'off', as, call: `POST ${E}/staging/off`, status: 204, empty: true, events: ['environment-updated'] },
    { name: 'off again', as, call: `POST ${E}/staging/off`, status: 204, empty: true },
    { name: 'it is', as, call: `GET ${E}/staging`, status: 200, has: { enabled: false } },
    { name: 'on', as, call: `POST ${E}/staging/on`, status: 204, empty: true, events: ['environment-updated'] },
    { name: 'an unknown one on', as, call: `POST ${E}/nope/on`, status: 404 },
  ] satisfies Scenario[])

  test('the event has both states', async () => {
    const state = { name: 'staging', type: 'test', sortOrder: 170, protected: false }
    expect(await lastEvent('environment-updated')).toEqual({
      data: { ...state, enabled: true },
      preData: { ...state, enabled: false },
      environment: 'staging',
      project: null,
    })
  })
})

describe('ordering', () => {
  const O = `PUT ${E}/sort-order`
  scenarios(() => server, [
    { name: 'an editor', as: 'editor', call: O, body: {}, status: 403 },
    { name: 'no numbers', as, call: O, body: { production: 'first' }, status: 400, text: 'production' },
    { name: 'fractions', as, call: O, body: { production: 1.5 }, status: 400 },
    { name: 'an array', as, call: O, body: [1], status: 400 },
    { name: '__proto__', as, call: O, raw: '{"__proto__": 1}', status: 404 },
    { name: 'an unknown one: none moves', as, call: O, body: { production: 1, nope: 2 }, status: 404, text: 'nope' },
    { name: 'nothing', as, call: O, body: {}, status: 200, empty: true },
    {
      name: 'two',
      as,
      call: O,
      body: { production: 1, development: 2, staging: 170 },
      status: 200,
      empty: true,
      events: ['environment-updated', 'environment-updated'],
    },
    {
      name: 'the list is',
      as,
      call: `GET ${E}`,
      status: 200,
      has: {
        environments: [{ name: 'production' }, { name: 'development' }, { name: 'staging' }, { name: 'qa_1~2.3' }],
      },
    },
    {
      name: 'back',
      as,
      call: O,
      body: { production: 200, development: 100 },
      status: 200,
      events: ['environment-updated', 'environment-updated'],
    },
  ] satisfies Scenario[])
})

describe('environments of a project', () => {
  const on = (environment: string) => `POST ${F}/flag/environments/${environment}/on`
  const A = `POST ${P}/environments`
  scenarios(() => server, [
    { name: 'a flag', as, call: `POST ${F}`, body: { name: 'flag' }, status: 201, events: ['feature-created'] },
    { name: 'its environment does not exist yet', as, call: on('staging'), status: 404 },
    { name: 'anonymous', call: A, body: { environment: 'staging' }, status: 401 },
    { name: 'a viewer', as: 'viewer', call: A, body: { environment: 'staging' }, status: 403, text: 'UPDATE_PROJECT' },
    { name: 'an unknown one', as, call: A, body: { environment: 'nope' }, status: 404, text: 'nope' },
    {
      name: 'an unknown project',
      as,
      call: A.replace('default', 'nope'),
      body: { environment: 'staging' },
      status: 404,
    },
    { name: 'none', as, call: A, body: {}, status: 400, text: 'environment' },
    {
      name: 'a bad default strategy: nothing is added',
      as,
      call: A,
      body: { environment: 'staging', defaultStrategy: { name: 'nope' } },
      status: 400,
      text: 'nope',
    },
    {
      name: 'an editor adds one',
      as: 'editor',
      call: A,
      body: { environment: 'staging' },
      status: 200,
      empty: true,
      events: ['project-environment-added'],
    },
    { name: 'again', as, call: A, body: { environment: 'staging' }, status: 409, text: 'staging' },
    {
      name: 'the flag is off there',
      as,
      call: `GET ${F}/flag`,
      status: 200,
      has: { environments: [{ name: 'development' }, { name: 'staging', enabled: false }, { name: 'production' }] },
    },
    {
      name: 'and can be turned on',
      as,
      call: on('staging'),
      status: 200,
      events: ['feature-strategy-add', 'feature-environment-enabled'],
    },
  ] satisfies Scenario[])

  test('SDKs get what is there, and nothing once it is taken away', async () => {
    const body = { tokenName: 's', type: 'client', environment: 'staging' }
    const { secret, id } = (await server.call({ as, call: 'POST /api/admin/api-tokens', body })).json()
    const names = async () => {
      const reply = await server.call({ as: secret, call: 'GET /api/client/features' })
      return reply.json().features.map((flag: { name: string }) => flag.name)
    }
    expect(await names()).toEqual(['flag'])
    const taken = await server.call({ as: 'editor', call: `DELETE ${P}/environments/staging` })
    expect([taken.statusCode, taken.body]).toEqual([200, ''])
    expect(await names()).toEqual([])
    expect(await server.db.rows("select * from feature_strategies where environment = 'staging'")).toEqual([])
    await server.call({ as, call: `DELETE /api/admin/api-tokens/${id}` })
  })

  scenarios(() => server, [
    { name: 'removing it twice', as, call: `DELETE ${P}/environments/staging`, status: 200, events: [] },
    { name: 'an unknown environment', as, call: `DELETE ${P}/environments/nope`, status: 404, text: 'nope' },
    { name: 'an unknown project', as, call: 'DELETE /api/admin/projects/nope/environments/staging', status: 404 },
    { name: 'a viewer', as: 'viewer', call: `DELETE ${P}/environments/production`, status: 403 },
    {
      name: 'one of two',
      as,
      call: `DELETE ${P}/environments/production`,
      status: 200,
      events: ['project-environment-removed'],
    },
    {
      name: 'the last one',
      as,
      call: `DELETE ${P}/environments/development`,
      status: 403,
      has: { name: 'InvalidOperationError' },
      text: 'last',
    },
    {
      name: 'back',
      as,
      call: A,
      body: { environment: 'production' },
      status: 200,
      events: ['project-environment-added'],
    },
  ] satisfies Scenario[])
})

describe('the default strategy of an environment', () => {
  const D = `POST ${P}/environments/production/default-strategy`
  const strategy = {
    name: 'flexibleRollout',
    title: 'half',
    parameters: { rollout: '50', stickiness: 'sessionId' },
    constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'], inverted: false, caseInsensitive: false }],
    segments: [],
    variants: [],
  }
  scenarios(() => server, [
    { name: 'anonymous', call: D, body: strategy, status: 401 },
    { name: 'a viewer', as: 'viewer', call: D, body: strategy, status: 403 },
    { name: 'no name', as, call: D, body: {}, status: 400, text: 'name' },
    { name: 'an unknown strategy', as, call: D, body: { name: 'nope' }, status: 400, text: 'nope' },
    { name: 'an unknown segment', as, call: D, body: { ...strategy, segments: [99] }, status: 404, text: '99' },
    { name: 'a bad rollout', as, call: D, body: { ...strategy, parameters: { rollout: '101' } }, status: 400 },
    { name: 'one that is disabled', as, call: D, body: { ...strategy, disabled: true }, status: 400, text: 'disabled' },
    { name: 'elsewhere', as, call: D.replace('production', 'staging'), body: strategy, status: 404, text: 'staging' },
    { name: 'good', as, call: D, body: strategy, status: 200, has: strategy, events: ['default-strategy-updated'] },
    { name: 'the same again', as, call: D, body: strategy, status: 200, has: strategy },
    {
      name: 'the project shows it',
      as: 'viewer',
      call: `GET ${E}/project/default`,
      status: 200,
      has: { environments: [{ name: 'development' }, { visible: false }, { defaultStrategy: strategy }, {}] },
    },
    { name: 'a flag', as, call: `POST ${F}`, body: { name: 'other' }, status: 201, events: ['feature-created'] },
    {
      name: 'that is turned on',
      as,
      call: `POST ${F}/other/environments/production/on`,
      status: 200,
      events: ['feature-strategy-add', 'feature-environment-enabled'],
    },
  ] satisfies Scenario[])

  test('gets it, with itself as the group', async () => {
    const flag = (await server.call({ as, call: `GET ${F}/other` })).json()
    const [, production] = flag.environments
    expect(production.strategies).toMatchObject([
      { ...strategy, parameters: { ...strategy.parameters, groupId: 'other' } },
    ])
    expect(await lastEvent('default-strategy-updated')).toEqual({
      data: strategy,
      preData: null,
      environment: 'production',
      project: 'default',
    })
  })

  test('applies as sent even without a rollout; an environment without one gets a rollout to everyone', async () => {
    const place = (name: string, environment: string) => `${F}/${name}/environments/${environment}`
    const bare = { name: 'flexibleRollout', title: 'bare', constraints: [], segments: [], variants: [] }
    await server.admin(D, bare)
    await server.admin(`POST ${F}`, { name: 'nobody' })
    for (const environment of ['production', 'development']) {
      await server.admin(`POST ${place('nobody', environment)}/on`)
    }
    const parametersIn = async (environment: string) =>
      (await server.admin(`GET ${place('nobody', environment)}/strategies`))[0].parameters
    expect(await parametersIn('production')).toEqual({})
    expect(await parametersIn('development')).toEqual({ rollout: '100', stickiness: 'default', groupId: 'nobody' })
  })

  test('prevents its segment from being removed', async () => {
    const made = await server.call({ as, call: 'POST /api/admin/segments', body: { name: 'eu', constraints: [] } })
    const { id } = made.json()
    const set = (segments: number[]) => server.call({ as, call: D, body: { ...strategy, segments } })
    expect((await set([id])).statusCode).toBe(200)
    const refused = await server.call({ as, call: `DELETE /api/admin/segments/${id}` })
    expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('default')])
    await set([])
    expect((await server.call({ as, call: `DELETE /api/admin/segments/${id}` })).statusCode).toBe(204)
  })
})

describe('removing', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `DELETE ${E}/staging`, status: 401 },
    { name: 'an editor', as: 'editor', call: `DELETE ${E}/staging`, status: 403 },
    { name: 'an unknown one', as, call: `DELETE ${E}/nope`, status: 404 },
    {
      name: 'one that is not used',
      as,
      call: `DELETE ${E}/staging`,
      status: 200,
      has: { name: 'staging', projects: [], apiTokens: [], roles: [] },
      events: ['environment-deleted'],
    },
    { name: 'twice', as, call: `DELETE ${E}/staging`, status: 404 },
  ] satisfies Scenario[])

  test('writes an event with the removed environment', async () => {
    expect(await lastEvent('environment-deleted')).toMatchObject({
      data: null,
      preData: { name: 'staging', type: 'test' },
    })
  })
})
