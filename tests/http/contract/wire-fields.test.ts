import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Reply fields that Unleash clients read although the page or call that they are on does not need them. */
let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default'
const F = `${P}/features`
const E = (name: string, environment = 'development') => `${F}/${name}/environments/${environment}`
const who = 'viewer'

beforeAll(async () => {
  server = await startServer()
  for (const name of ['f', 'g', 'parent', 'child']) await server.admin(`POST ${F}`, { name })
})
afterAll(() => server.close())

describe('the order of strategies that are added', () => {
  const add = (extra: object = {}) => ({
    as,
    call: `POST ${E('f')}/strategies`,
    body: { name: 'default', ...extra },
    status: 200,
  })
  const events = ['feature-strategy-add']
  scenarios(() => server, [
    { name: 'the first', ...add(), has: { sortOrder: 0 }, events },
    { name: 'the second', ...add(), has: { sortOrder: 1 }, events },
    { name: 'one with an order', ...add({ sortOrder: 9 }), has: { sortOrder: 9 }, events },
    { name: 'the one after it', ...add(), has: { sortOrder: 10 }, events },
    { name: 'one at the very end', ...add({ sortOrder: 1_000_000 }), has: { sortOrder: 1_000_000 }, events },
    { name: 'one after the very end', ...add(), has: { sortOrder: 1_000_000 }, events },
    {
      name: 'the first of another environment',
      as,
      call: `POST ${E('f', 'production')}/strategies`,
      body: { name: 'default' },
      status: 200,
      has: { sortOrder: 0 },
      events,
    },
  ] satisfies Scenario[])

  test('decides the order in which they are read', async () => {
    const list = await server.admin(`GET ${E('f')}/strategies`)
    expect(list.map((one: { sortOrder: number }) => one.sortOrder)).toEqual([0, 1, 9, 10, 1_000_000, 1_000_000])
  })

  test('goes on after the last when one is removed', async () => {
    const [first] = await server.admin(`GET ${E('f', 'production')}/strategies`)
    await server.admin(`POST ${E('f', 'production')}/strategies`, { name: 'default' })
    await server.admin(`DELETE ${E('f', 'production')}/strategies/${first.id}`)
    expect(await server.admin(`POST ${E('f', 'production')}/strategies`, { name: 'default' })).toMatchObject({
      sortOrder: 2,
    })
  })
})

describe('a flag in an environment', () => {
  const call = `GET ${E('g')}`
  beforeAll(async () => {
    const segment = await server.admin('POST /api/admin/segments', { name: 'people', constraints: [] })
    await server.admin(`POST ${E('g')}/strategies`, { name: 'default', title: 't', segments: [segment.id] })
  })
  scenarios(() => server, [
    { name: 'anonymous', call, status: 401 },
    { name: 'a client token', as: 'client', call, status: 403 },
    {
      name: 'a viewer',
      as: who,
      call,
      status: 200,
      has: {
        name: 'g',
        environment: 'development',
        type: 'development',
        enabled: false,
        strategies: [
          {
            id: expect.any(String),
            name: 'default',
            featureName: 'g',
            title: 't',
            parameters: {},
            constraints: [],
            variants: [],
            segments: [expect.any(Number)],
            sortOrder: 0,
            disabled: false,
          },
        ],
      },
    },
    {
      name: 'no strategies',
      as: who,
      call: `GET ${E('g', 'production')}`,
      status: 200,
      has: { enabled: false, strategies: [] },
    },
    { name: 'an unknown environment', as: who, call: `GET ${E('g', 'nope')}`, status: 404, text: 'nope' },
    { name: 'an unknown flag', as: who, call: `GET ${E('nope')}`, status: 404, text: 'nope' },
    { name: 'another project', as: who, call: call.replace('default', 'other'), status: 404, text: 'other' },
    { name: 'a wrong method', as, call: `PUT ${E('g')}`, body: {}, status: 404 },
  ] satisfies Scenario[])
})

describe('a tag that is created', () => {
  const call = 'POST /api/admin/tags'
  const body = { type: 'simple', value: 'hello' }
  scenarios(
    () => server,
    [
      { name: 'first', as, call, body, status: 201, has: { version: 1, tag: body }, events: ['tag-created'] },
      { name: 'again', as, call, body, status: 409 },
    ],
  )
})

describe('a new project with an empty list of environments', () => {
  const call = 'POST /api/admin/projects'
  const all = { environments: ['development', 'production'] }
  const events = ['project-created']
  scenarios(() => server, [
    { name: 'has all that are on', as, call, body: { name: 'Empty', environments: [] }, status: 201, has: all, events },
    { name: 'as one that names none', as, call, body: { name: 'None' }, status: 201, has: all, events },
    {
      name: 'as one that sends null',
      as,
      call,
      body: { name: 'Null', environments: null },
      status: 201,
      has: all,
      events,
    },
    {
      name: 'but not one that names some',
      as,
      call,
      body: { name: 'Some', environments: ['production'] },
      status: 201,
      has: { environments: ['production'] },
      events,
    },
    {
      name: 'and no text',
      as,
      call,
      body: { name: 'Text', environments: 'production' },
      status: 400,
      text: 'environments',
    },
  ] satisfies Scenario[])
})

describe('figures of projects in the list', () => {
  test('returns the counts of stale flags, the time to production, and the last change', async () => {
    const own = await startServer()
    const list = async () => (await own.admin('GET /api/admin/projects')).projects
    expect(await list()).toMatchObject([
      { id: 'default', staleFeatureCount: 0, potentiallyStaleFeatureCount: 0, avgTimeToProduction: 0 },
    ])
    for (const name of ['fresh', 'stale', 'old']) await own.admin(`POST ${F}`, { name })
    await own.admin(`PUT ${F}/stale`, { stale: true })
    await own.db.rows('update features set created_at = ? where name = ?', Date.now() - 100 * 86_400_000, 'old')
    await own.admin(`POST ${F}/old/environments/production/on`)
    const [project] = await list()
    const { updatedAt } = await own.admin(`GET ${P}/overview`)
    expect(project).toMatchObject({
      featureCount: 3,
      staleFeatureCount: 1,
      potentiallyStaleFeatureCount: 1,
      avgTimeToProduction: 100,
      updatedAt,
    })
    expect(Date.now() - Date.parse(updatedAt)).toBeLessThan(60_000)
    await own.close()
  })
})

describe('properties of flags in a search', () => {
  const found = async (name: string) => {
    const { features } = await server.admin(`GET /api/admin/search/features?query=${name}`)
    return features.find((feature: { name: string }) => feature.name === name)
  }
  beforeAll(async () => {
    await server.admin(`POST ${F}/child/dependencies`, { feature: 'parent' })
    const ids: number[] = []
    for (const name of ['b-segment', 'a-segment']) {
      ids.push((await server.admin('POST /api/admin/segments', { name, constraints: [] })).id)
    }
    for (const environment of ['development', 'production']) {
      await server.admin(`POST ${E('child', environment)}/strategies`, { name: 'default', segments: ids })
    }
    const hour = 3_600_000
    for (const [ago, yes, no] of [
      [0, 1, 10],
      [0, 1, 10],
      [30 * hour, 100, 100],
    ] as const) {
      const time = Date.now() - ago
      const bucket = { start: time, stop: time, toggles: { child: { yes, no } } }
      await server.call({ as: 'client', call: 'POST /api/client/metrics', body: { appName: `app${ago}`, bucket } })
    }
    await server.server.flush()
    await server.db.rows('update client_metrics set hour = hour - ? where app_name = ?', 30 * hour, `app${30 * hour}`)
  })

  test.each([
    ['parent', 'parent'],
    ['child', 'child'],
    ['g', null],
  ])('%s: its dependency type is %j', async (name, dependencyType) => {
    expect(await found(name)).toMatchObject({ dependencyType })
  })

  test('segments by name, each once', async () => {
    expect(await found('child')).toMatchObject({ segments: ['a-segment', 'b-segment'] })
    expect(await found('parent')).toMatchObject({ segments: [] })
  })

  test('how often they were on and off in this hour and the last', async () => {
    expect((await found('child')).environments).toMatchObject([
      { name: 'development', yes: 2, no: 20 },
      { name: 'production', yes: 0, no: 0 },
    ])
  })
})
