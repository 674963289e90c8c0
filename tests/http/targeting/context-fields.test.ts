import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const now = 1_800_000_000_000
const as = 'admin'
beforeAll(async () => {
  server = await startServer({}, () => now)
})
afterAll(() => server.close())

const C = '/api/admin/context'
const F = '/api/admin/projects/default/features'

async function lastEvent(type: string): Promise<{ data: unknown; preData: unknown }> {
  const row = await server.db.row('select * from events where type = ? order by id desc limit 1', type)
  return { data: JSON.parse(String(row?.data)), preData: JSON.parse(String(row?.pre_data)) }
}

describe('reading', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `GET ${C}`, status: 401 },
    {
      name: 'a viewer sees one',
      as: 'viewer',
      call: `GET ${C}/userId`,
      status: 200,
      has: { name: 'userId', stickiness: true, legalValues: [], builtIn: true, usedInProjects: 0 },
    },
    { name: 'an unknown one', as, call: `GET ${C}/nope`, status: 404, has: { name: 'NotFoundError' }, text: 'nope' },
    { name: 'the case counts', as, call: `GET ${C}/USERID`, status: 404 },
    { name: 'strategies of an unknown one', as, call: `GET ${C}/nope/strategies`, status: 404 },
  ] satisfies Scenario[])

  test('the list is an array of all of them', async () => {
    const list = (await server.call({ as: 'viewer', call: `GET ${C}` })).json()
    const names = list.map((field: { name: string }) => field.name).sort()
    expect(names).toEqual(['appName', 'currentTime', 'environment', 'sessionId', 'userId'])
  })
})

describe('creating', () => {
  const body = {
    name: 'region',
    description: 'Where they are',
    stickiness: true,
    legalValues: [{ value: 'eu', description: 'Europe' }, { value: 'us' }],
  }
  const twice = [{ value: 'eu' }, { value: 'eu' }]
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${C}`, body, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `POST ${C}`, body, status: 403, text: 'CREATE_CONTEXT_FIELD' },
    { name: 'no name', as, call: `POST ${C}`, body: {}, status: 400, text: '`name`' },
    ...['..', 'a b', 'a/b', 'ü', ''].map((name) => ({
      name: `the name "${name}"`,
      as,
      call: `POST ${C}`,
      body: { name },
      status: 400,
      text: 'name',
    })),
    { name: 'values twice', as, call: `POST ${C}`, body: { ...body, legalValues: twice }, status: 400, text: 'twice' },
    { name: 'an empty value', as, call: `POST ${C}`, body: { ...body, legalValues: [{ value: '' }] }, status: 400 },
    { name: 'values as text', as, call: `POST ${C}`, body: { ...body, legalValues: 'eu,us' }, status: 400 },
    {
      name: 'too many values',
      as,
      call: `POST ${C}`,
      body: { name: 'n', legalValues: Array.from({ length: 1001 }, (_, n) => ({ value: `${n}` })) },
      status: 400,
      text: 'legalValues',
    },
    { name: 'its name is free', as: 'editor', call: `POST ${C}/validate`, body, status: 200, empty: true },
    {
      name: 'an editor',
      as: 'editor',
      call: `POST ${C}`,
      body,
      status: 201,
      has: { ...body, sortOrder: 5, createdAt: new Date(now).toISOString(), usedInFeatures: 0 },
      events: ['context-field-created'],
    },
    { name: 'again', as, call: `POST ${C}`, body, status: 409, has: { name: 'NameExistsError' }, text: 'region' },
    { name: 'its name is taken', as, call: `POST ${C}/validate`, body, status: 409, has: { name: 'NameExistsError' } },
    { name: 'a bad name', as, call: `POST ${C}/validate`, body: { name: 'a b' }, status: 400 },
    { name: 'validating as a viewer', as: 'viewer', call: `POST ${C}/validate`, body, status: 403 },
    {
      name: 'only a name',
      as,
      call: `POST ${C}`,
      body: { name: 'tenant' },
      status: 201,
      has: { description: null, stickiness: false, legalValues: [], sortOrder: 6 },
      events: ['context-field-created'],
    },
  ] satisfies Scenario[])

  test('returns the location, and the event has all properties', async () => {
    const reply = await server.call({ as, call: `POST ${C}`, body: { name: 'plan_1', sortOrder: -5 } })
    expect(reply.headers.location).toBe('context/plan_1')
    const state = { description: null, stickiness: false, sortOrder: -5, legalValues: [] }
    expect(await lastEvent('context-field-created')).toEqual({
      data: { name: 'plan_1', ...state, createdAt: new Date(now).toISOString() },
      preData: null,
    })
    const [first] = (await server.call({ as, call: `GET ${C}` })).json()
    expect(first.name).toBe('plan_1')
  })
})

describe('changing', () => {
  const U = `PUT ${C}/tenant`
  const V = `${C}/tenant/legal-values`
  const body = { description: 'Who pays', stickiness: true, legalValues: [{ value: 'a' }] }
  scenarios(() => server, [
    { name: 'anonymous', call: U, body, status: 401 },
    { name: 'a viewer', as: 'viewer', call: U, body, status: 403, text: 'UPDATE_CONTEXT_FIELD' },
    { name: 'an unknown one', as, call: `PUT ${C}/nope`, body, status: 404 },
    { name: 'values twice', as, call: U, body: { legalValues: [{ value: 'a' }, { value: 'a' }] }, status: 400 },
    { name: 'an editor', as: 'editor', call: U, body, status: 200, empty: true, events: ['context-field-updated'] },
    { name: 'the same again', as, call: U, body, status: 200, empty: true },
    { name: 'it is', as, call: `GET ${C}/tenant`, status: 200, has: { ...body, sortOrder: 6, builtIn: false } },
    {
      name: 'one more value',
      as,
      call: `POST ${V}`,
      body: { value: 'b / c' },
      status: 200,
      events: ['context-field-updated'],
    },
    { name: 'the same value', as, call: `POST ${V}`, body: { value: 'b / c' }, status: 200 },
    {
      name: 'another description of it',
      as,
      call: `POST ${V}`,
      body: { value: 'b / c', description: 'both' },
      status: 200,
      empty: true,
      events: ['context-field-updated'],
    },
    { name: 'an empty value', as, call: `POST ${V}`, body: { value: '' }, status: 400, text: 'value' },
    { name: 'a value of an unknown field', as, call: `POST ${C}/nope/legal-values`, body: { value: 'x' }, status: 404 },
    { name: 'a value, as a viewer', as: 'viewer', call: `POST ${V}`, body: { value: 'x' }, status: 403 },
    {
      name: 'they are',
      as,
      call: `GET ${C}/tenant`,
      status: 200,
      has: { legalValues: [{ value: 'a' }, { value: 'b / c', description: 'both' }] },
    },
    { name: 'a value away', as, call: `DELETE ${V}/b%20%2F%20c`, status: 200, events: ['context-field-updated'] },
    { name: 'twice', as, call: `DELETE ${V}/b%20%2F%20c`, status: 404, text: 'b / c' },
    {
      name: 'built-in ones may get values',
      as,
      call: `PUT ${C}/appName`,
      body,
      status: 200,
      events: ['context-field-updated'],
    },
  ] satisfies Scenario[])

  test('the event has both states', async () => {
    const { data, preData } = await lastEvent('context-field-updated')
    expect([data, preData]).toMatchObject([
      { name: 'appName', ...body },
      { name: 'appName', stickiness: false, legalValues: [] },
    ])
  })
})

describe('uses of context fields', () => {
  const strategy = (contextName: string) => ({
    name: 'default',
    constraints: [
      { contextName, operator: 'IN', values: ['x'] },
      { contextName, operator: 'IN', values: ['y'] },
    ],
  })
  const at = (flag: string, environment: string) => `POST ${F}/${flag}/environments/${environment}/strategies`
  scenarios(() => server, [
    { name: 'a flag', as, call: `POST ${F}`, body: { name: 'one' }, status: 201, events: ['feature-created'] },
    { name: 'another', as, call: `POST ${F}`, body: { name: 'two' }, status: 201, events: ['feature-created'] },
    ...['one development', 'one production', 'two development'].map((place) => {
      const [flag = '', environment = ''] = place.split(' ')
      return {
        name: `region in ${place}`,
        as,
        call: at(flag, environment),
        body: strategy('region'),
        status: 200,
        events: ['feature-strategy-add'],
      }
    }),
    // planX1 matches plan_1 if `_` is treated as a LIKE wildcard
    {
      name: 'planX1',
      as,
      call: at('one', 'development'),
      body: strategy('planX1'),
      status: 200,
      events: ['feature-strategy-add'],
    },
    {
      name: 'counts flags and projects once',
      as: 'viewer',
      call: `GET ${C}/region`,
      status: 200,
      has: { usedInFeatures: 2, usedInProjects: 1 },
    },
    { name: 'not those of a similar name', as, call: `GET ${C}/plan_1`, status: 200, has: { usedInFeatures: 0 } },
    {
      name: 'lists strategies',
      as: 'viewer',
      call: `GET ${C}/region/strategies`,
      status: 200,
      has: {
        strategies: [
          { projectId: 'default', featureName: 'one', environment: 'development', strategyName: 'default' },
          { featureName: 'one', environment: 'production' },
          { featureName: 'two', environment: 'development' },
        ],
      },
    },
    {
      name: 'one that flags read stays',
      as,
      call: `DELETE ${C}/region`,
      status: 409,
      has: { name: 'ConflictError' },
      text: 'one',
    },
    {
      name: 'a segment',
      as,
      call: 'POST /api/admin/segments',
      body: { name: 'payers', constraints: [{ contextName: 'tenant', operator: 'IN', values: ['a'] }] },
      status: 201,
      events: ['segment-created'],
    },
    { name: 'one that segments read stays', as, call: `DELETE ${C}/tenant`, status: 409, text: 'payers' },
  ] satisfies Scenario[])

  test('the list has the same counts', async () => {
    const list = (await server.call({ as, call: `GET ${C}` })).json()
    const counts = list.map((field: { name: string; usedInFeatures: number }) => [field.name, field.usedInFeatures])
    expect(counts).toContainEqual(['region', 2])
    expect(counts).toContainEqual(['tenant', 0])
  })
})

describe('removing', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: `DELETE ${C}/plan_1`, status: 401 },
    { name: 'a viewer', as: 'viewer', call: `DELETE ${C}/plan_1`, status: 403, text: 'DELETE_CONTEXT_FIELD' },
    { name: 'an unknown one', as, call: `DELETE ${C}/nope`, status: 404 },
    ...['appName', 'currentTime', 'environment', 'sessionId', 'userId'].map((name) => ({
      name,
      as,
      call: `DELETE ${C}/${name}`,
      status: 403,
      has: { name: 'InvalidOperationError' },
      text: 'built in',
    })),
    {
      name: 'an editor',
      as: 'editor',
      call: `DELETE ${C}/plan_1`,
      status: 200,
      empty: true,
      events: ['context-field-deleted'],
    },
    { name: 'twice', as, call: `DELETE ${C}/plan_1`, status: 404 },
  ] satisfies Scenario[])

  test('writes an event with the removed field', async () => {
    expect(await lastEvent('context-field-deleted')).toMatchObject({
      data: null,
      preData: { name: 'plan_1', sortOrder: -5 },
    })
  })
})
