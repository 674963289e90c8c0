import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const E = `${P}/f/environments/development`
const S = `${E}/strategies`

beforeAll(async () => {
  server = await startServer()
  await server.call({ as, call: `POST ${P}`, body: { name: 'f' } })
  await server.call({ as, call: `POST ${P}`, body: { name: 'g' } })
  await server.db.rows(
    "insert into projects (id, name, mode, default_stickiness, created_at) values ('other', 'Other', 'open', 'default', 0)",
  )
})
afterAll(() => server.close())

const rollout = (extra: object = {}) => ({ name: 'flexibleRollout', ...extra })
const constraint = (extra: object) => rollout({ constraints: [{ contextName: 'x', ...extra }] })
const add = `POST ${S}`
/** The reply must equal this value exactly, including the order of properties. */
const exactly = (value: unknown) => expect.toSatisfy((one) => JSON.stringify(one) === JSON.stringify(value))

describe('adding a strategy', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: add, body: rollout(), status: 401 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: add,
      body: rollout(),
      status: 403,
      has: { permissions: ['CREATE_FEATURE_STRATEGY'] },
      text: 'development',
    },
    { name: 'no name', as, call: add, body: {}, status: 400, text: '`name`' },
    { name: 'an unknown name', as, call: add, body: { name: 'nope' }, status: 400, text: 'nope' },
    { name: 'a name that every object has', as, call: add, body: { name: 'constructor' }, status: 400 },
    { name: 'an unknown flag', as, call: add.replace('/f/', '/nope/'), body: rollout(), status: 404 },
    { name: 'an unknown environment', as, call: add.replace('development', 'nope'), body: rollout(), status: 404 },
    { name: 'another project', as, call: add.replace('default', 'other'), body: rollout(), status: 404 },
    { name: 'an unknown segment', as, call: add, body: rollout({ segments: [77] }), status: 404, text: '77' },
    { name: 'a huge segment id', as, call: add, body: rollout({ segments: [1e300] }), status: 400, text: 'segments' },
    { name: 'a text as segments', as, call: add, body: rollout({ segments: 'one' }), status: 400, text: 'segments' },
    {
      name: 'a rollout of 101',
      as,
      call: add,
      body: rollout({ parameters: { rollout: '101' } }),
      status: 400,
      text: 'rollout',
    },
    { name: 'a rollout of nothing', as, call: add, body: rollout({ parameters: { rollout: '' } }), status: 400 },
    {
      name: 'an unknown operator',
      as,
      call: add,
      body: constraint({ operator: 'EQUALS' }),
      status: 400,
      text: 'operator',
    },
    {
      name: 'an operator that every object has',
      as,
      call: add,
      body: constraint({ operator: 'toString' }),
      status: 400,
    },
    {
      name: 'something else in a constraint',
      as,
      call: add,
      body: constraint({ operator: 'IN', values: ['a'], foo: 1 }),
      status: 400,
      text: 'foo',
    },
    { name: 'no operand', as, call: add, body: constraint({ operator: 'NUM_EQ' }), status: 400, text: 'value' },
    { name: 'a word for a number', as, call: add, body: constraint({ operator: 'NUM_GT', value: 'ten' }), status: 400 },
    { name: 'no version', as, call: add, body: constraint({ operator: 'SEMVER_GT', value: 'v1.0' }), status: 400 },
    { name: 'no pattern', as, call: add, body: constraint({ operator: 'REGEX', value: '(' }), status: 400 },
    { name: 'no RE2 pattern', as, call: add, body: constraint({ operator: 'REGEX', value: 'a(?=b)' }), status: 400 },
    {
      name: 'no network',
      as,
      call: add,
      body: constraint({ operator: 'IN_CIDR', values: ['10.0.0.0/33'] }),
      status: 400,
    },
    { name: 'no date', as, call: add, body: constraint({ operator: 'DATE_AFTER', value: 'soon' }), status: 400 },
    {
      name: 'too many values',
      as,
      call: add,
      body: constraint({ operator: 'IN', values: Array.from({ length: 1001 }, (_, n) => `${n}`) }),
      status: 400,
      text: '1000',
    },
    {
      name: 'only fixed variants',
      as,
      call: add,
      body: rollout({ variants: [{ name: 'a', weight: 1000, weightType: 'fix' }] }),
      status: 400,
      text: 'variable',
    },
    {
      name: 'fixed variants above 1000',
      as,
      call: add,
      body: rollout({
        variants: [
          { name: 'a', weight: 600, weightType: 'fix' },
          { name: 'b', weight: 600, weightType: 'fix' },
          { name: 'c', weight: 0 },
        ],
      }),
      status: 400,
    },
    {
      name: 'a weight above 1000',
      as,
      call: add,
      body: rollout({ variants: [{ name: 'a', weight: 1001 }] }),
      status: 400,
      text: 'weight',
    },
    {
      name: 'a name of two variants',
      as,
      call: add,
      body: rollout({
        variants: [
          { name: 'a', weight: 1 },
          { name: 'a', weight: 1 },
        ],
      }),
      status: 400,
    },
    {
      name: 'an unknown type of payload',
      as,
      call: add,
      body: rollout({ variants: [{ name: 'a', weight: 1, payload: { type: 'yaml', value: '' } }] }),
      status: 400,
      text: 'payload',
    },
    {
      name: 'a full one',
      as,
      call: add,
      body: rollout({
        title: 'mine',
        parameters: { rollout: '50' },
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
        variants: [
          { name: 'x', weight: 300, weightType: 'fix' },
          { name: 'a', weight: 1 },
          { name: 'b', weight: 1 },
          { name: 'c', weight: 1 },
        ],
      }),
      status: 200,
      has: {
        name: 'flexibleRollout',
        title: 'mine',
        disabled: false,
        segments: [],
        parameters: { rollout: '50', stickiness: 'default', groupId: 'f' },
        constraints: [
          { contextName: 'userId', operator: 'IN', values: ['1'], inverted: false, caseInsensitive: false },
        ],
        variants: [
          { name: 'a', weight: 234 },
          { name: 'b', weight: 233 },
          { name: 'c', weight: 233 },
          { name: 'x', weight: 300, weightType: 'fix' },
        ],
      },
      events: ['feature-strategy-add'],
    },
    {
      name: 'a rollout without a percentage matches no one, as sent',
      as,
      call: add,
      body: rollout(),
      status: 200,
      has: { parameters: exactly({}) },
      events: ['feature-strategy-add'],
    },
    {
      name: 'the same with something else',
      as,
      call: add,
      body: rollout({ parameters: { stickiness: 'userId' } }),
      status: 200,
      has: { parameters: exactly({ stickiness: 'userId' }) },
      events: ['feature-strategy-add'],
    },
    {
      name: 'parameters with hostile names',
      as,
      call: add,
      raw: '{"name":"userWithId","parameters":{"__proto__":"x","userIds":"1,2"}}',
      status: 200,
      has: { parameters: { userIds: '1,2' } },
      events: ['feature-strategy-add'],
    },
    {
      name: 'an editor',
      as: 'editor',
      call: add,
      body: { name: 'default' },
      status: 200,
      has: { name: 'default', parameters: {} },
      events: ['feature-strategy-add'],
    },
  ] satisfies Scenario[])
})

describe('one strategy', () => {
  let id = ''
  beforeAll(async () => {
    id = (await server.call({ as, call: `GET ${S}` })).json()[0].id
  })
  const send = (row: Omit<Scenario, 'name' | 'status'>) => server.call({ ...row, call: row.call.replace(':id', id) })
  const one = `${S}/:id`

  test.each([
    { name: 'read', call: `GET ${one}`, status: 200, has: { title: 'mine' }, events: [] },
    { name: 'read by a viewer', as: 'viewer', call: `GET ${one}`, status: 200, events: [] },
    { name: 'an unknown id', call: `GET ${S}/nope`, status: 404, events: [] },
    { name: 'another flag', call: `GET ${one.replace('/f/', '/g/')}`, status: 404, events: [] },
    { name: 'another environment', call: `GET ${one.replace('development', 'production')}`, status: 404, events: [] },
    { name: 'another project', call: `DELETE ${one.replace('default', 'other')}`, status: 404, events: [] },
    { name: 'replace of an unknown id', call: `PUT ${S}/nope`, body: rollout(), status: 404, events: [] },
    { name: 'replace by a viewer', as: 'viewer', call: `PUT ${one}`, body: rollout(), status: 403, events: [] },
    {
      name: 'replace',
      call: `PUT ${one}`,
      body: rollout({ parameters: { rollout: '20' }, title: 'new' }),
      status: 200,
      has: { title: 'new', variants: [], parameters: { rollout: '20', groupId: 'f' } },
      events: ['feature-strategy-update'],
    },
    {
      name: 'replace by the same',
      call: `PUT ${one}`,
      body: rollout({ parameters: { rollout: '20' }, title: 'new' }),
      status: 200,
      events: [],
    },
    {
      name: 'patch',
      call: `PATCH ${one}`,
      body: [{ op: 'replace', path: '/parameters/rollout', value: '30' }],
      status: 200,
      has: { parameters: { rollout: '30' } },
      events: ['feature-strategy-update'],
    },
    {
      name: 'patch with a bad result',
      call: `PATCH ${one}`,
      body: [{ op: 'add', path: '/constraints/-', value: { operator: 'IN' } }],
      status: 400,
      events: [],
    },
    {
      name: 'patch by name',
      call: `PATCH ${one}`,
      body: [{ op: 'remove', path: '/parameters/nope' }],
      status: 400,
      events: [],
    },
    {
      name: 'disable',
      call: `PATCH ${one}`,
      body: [{ op: 'replace', path: '/disabled', value: true }],
      status: 200,
      has: { disabled: true },
      events: ['feature-strategy-update'],
    },
    { name: 'remove by a viewer', as: 'viewer', call: `DELETE ${one}`, status: 403, events: [] },
    { name: 'remove', call: `DELETE ${one}`, status: 200, events: ['feature-strategy-remove'] },
    { name: 'remove again', call: `DELETE ${one}`, status: 404, events: [] },
  ] as (Scenario & { events: string[] })[])('$name → $status', async (row) => {
    const last = await server.lastEventId()
    const reply = await send({ as, ...row })
    expect(reply.statusCode, reply.body).toBe(row.status)
    if (row.has !== undefined) expect(reply.json()).toMatchObject(row.has as object)
    expect(await server.eventsAfter(last)).toEqual(row.events)
  })
})

describe('variants of a strategy that name no stickiness', () => {
  const variants = [
    { name: 'a', weight: 500 },
    { name: 'b', weight: 500 },
  ]
  const sticky = {
    name: 'flexibleRollout',
    parameters: { rollout: '100', stickiness: 'clientId', groupId: 'inherits' },
  }
  const body = { ...sticky, variants }
  const I = `${P}/inherits/environments/development`
  const inherited = exactly(variants.map((one) => ({ ...one, weightType: 'variable' })))
  const document = (name: string) => ({
    version: 4,
    features: [{ name, project: 'default' }],
    featureStrategies: [
      {
        id: 'one',
        featureName: name,
        environment: 'development',
        strategyName: 'flexibleRollout',
        parameters: sticky.parameters,
        constraints: [],
        variants,
      },
    ],
    featureEnvironments: [{ featureName: name, environment: 'development', enabled: true }],
  })
  const transferred = {
    environment: 'development',
    project: 'default',
    data: {
      features: [{ name: 'transferred' }],
      featureStrategies: [{ ...body, featureName: 'transferred' }],
      featureEnvironments: [
        { featureName: 'transferred', environment: 'development', name: 'transferred', enabled: true },
      ],
      tagTypes: [],
    },
  }
  let id = ''
  beforeAll(async () => {
    await server.admin(`POST ${P}`, { name: 'inherits' })
    id = (await server.admin(`POST ${I}/strategies`, body)).id
    await server.admin(`POST ${I}/on`)
    await server.call({ as, call: 'POST /api/admin/state/import', body: document('stated') })
    await server.admin('POST /api/admin/features-batch/import', transferred)
  })

  test.each(['PUT', 'PATCH'])('%s stores them without one', async (method) => {
    const sent = method === 'PUT' ? body : [{ op: 'replace', path: '/variants', value: variants }]
    const reply = await server.call({ as, call: `${method} ${I}/strategies/${id}`, body: sent })
    expect(reply.json()).toMatchObject({ variants: inherited })
  })

  test.each(['inherits', 'stated', 'transferred'])('%s follows the stickiness of its strategy', async (name) => {
    const [stored] = await server.admin(`GET ${P}/${name}/environments/development/strategies`)
    expect(stored).toMatchObject({ variants: inherited })
    const chosen = new Set<string>()
    for (let time = 0; time < 30; time += 1) {
      const reply = await server.call({
        as: 'frontend',
        call: 'POST /api/frontend',
        body: { context: { properties: { clientId: '2' } } },
      })
      const toggle = reply.json().toggles.find((one: { name: string }) => one.name === name)
      chosen.add(toggle?.variant.name)
    }
    expect([...chosen]).toEqual(['b'])
  })
})

describe('variants of an environment', () => {
  const V = `${E}/variants`
  const two = [
    { name: 'b', weight: 1, payload: { type: 'json', value: '{"x":1}' } },
    { name: 'a', weight: 1, overrides: [{ contextName: 'userId', values: ['7'] }] },
  ]
  scenarios(() => server, [
    { name: 'none', as: 'viewer', call: `GET ${V}`, status: 200, has: { version: 1, variants: [] } },
    {
      name: 'a viewer',
      as: 'viewer',
      call: `PUT ${V}`,
      body: two,
      status: 403,
      text: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    },
    { name: 'an object', as, call: `PUT ${V}`, body: {}, status: 400 },
    {
      name: 'two',
      as,
      call: `PUT ${V}`,
      body: two,
      status: 200,
      has: {
        version: 1,
        variants: [
          { name: 'a', weight: 500, overrides: [{ values: ['7'] }] },
          { name: 'b', weight: 500, stickiness: 'default', payload: { value: '{"x":1}' } },
        ],
      },
      events: ['feature-environment-variants-updated'],
    },
    { name: 'the same', as, call: `PUT ${V}`, body: two, status: 200 },
    {
      name: 'other environments keep theirs',
      as,
      call: `GET ${V.replace('development', 'production')}`,
      status: 200,
      has: { variants: [] },
    },
    { name: 'an unknown flag', as, call: `PUT ${V.replace('/f/', '/nope/')}`, body: two, status: 404 },
  ] satisfies Scenario[])
})

describe('segments', () => {
  const G = '/api/admin/segments'
  const segment = {
    name: 'staff',
    constraints: [{ contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@x.org'] }],
  }
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${G}`, body: segment, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `POST ${G}`, body: segment, status: 403, text: 'CREATE_SEGMENT' },
    { name: 'no constraints', as, call: `POST ${G}`, body: { name: 'x' }, status: 400, text: 'constraints' },
    { name: 'no name', as, call: `POST ${G}`, body: { constraints: [] }, status: 400, text: 'name' },
    {
      name: 'an unknown project',
      as,
      call: `POST ${G}`,
      body: { ...segment, project: 'nope' },
      status: 400,
      text: 'nope',
    },
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${G}`,
      body: segment,
      status: 201,
      has: { id: 1, name: 'staff', createdBy: 'editor', project: null },
      events: ['segment-created'],
    },
    { name: 'the same name', as, call: `POST ${G}`, body: segment, status: 409, has: { name: 'NameExistsError' } },
    {
      name: 'of another project',
      as,
      call: `POST ${G}`,
      body: { ...segment, name: 'theirs', project: 'other' },
      status: 201,
      has: { id: 2 },
      events: ['segment-created'],
    },
    {
      name: 'which this project cannot use',
      as,
      call: add,
      body: rollout({ segments: [2] }),
      status: 400,
      text: 'another project',
    },
    {
      name: 'use',
      as,
      call: add,
      body: rollout({ segments: [1, 1] }),
      status: 200,
      has: { segments: [1] },
      events: ['feature-strategy-add'],
    },
    {
      name: 'list',
      as: 'viewer',
      call: `GET ${G}`,
      status: 200,
      has: {
        segments: [
          { id: 1, usedInFeatures: 1, usedInProjects: 1 },
          { id: 2, usedInFeatures: 0 },
        ],
      },
    },
    { name: 'one', as, call: `GET ${G}/1`, status: 200, has: { name: 'staff', usedInFeatures: 1 } },
    { name: 'unknown', as, call: `GET ${G}/99`, status: 404 },
    { name: 'a word as id', as, call: `GET ${G}/abc`, status: 404 },
    { name: 'a huge id', as, call: `GET ${G}/99999999999999999999`, status: 404 },
    {
      name: 'replace',
      as,
      call: `PUT ${G}/1`,
      body: { ...segment, description: 'all' },
      status: 204,
      empty: true,
      events: ['segment-updated'],
    },
    { name: 'replace by the same', as, call: `PUT ${G}/1`, body: { ...segment, description: 'all' }, status: 204 },
    { name: 'replace by a taken name', as, call: `PUT ${G}/1`, body: { ...segment, name: 'theirs' }, status: 409 },
    {
      name: 'replace into another project',
      as,
      call: `PUT ${G}/1`,
      body: { ...segment, project: 'other' },
      status: 400,
      text: 'another project',
    },
    { name: 'replace of an unknown one', as, call: `PUT ${G}/99`, body: segment, status: 404 },
    { name: 'remove while in use', as, call: `DELETE ${G}/1`, status: 409, has: { name: 'ConflictError' } },
    { name: 'remove by a viewer', as: 'viewer', call: `DELETE ${G}/2`, status: 403 },
    { name: 'remove', as, call: `DELETE ${G}/2`, status: 204, empty: true, events: ['segment-deleted'] },
    { name: 'remove again', as, call: `DELETE ${G}/2`, status: 404 },
  ] satisfies Scenario[])
})
