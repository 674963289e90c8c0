import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const X = '/api/admin/projects/default'
const P = `${X}/features`
const E = (name: string, environment = 'development') => `${P}/${name}/environments/${environment}`

const admin = (call: string, body?: unknown) => server.admin(call, body)
const clientNames = async () =>
  (await server.call({ as: 'client', call: 'GET /api/client/features' }))
    .json()
    .features.map((one: { name: string }) => one.name)

beforeAll(async () => {
  server = await startServer()
  for (const name of ['a', 'b', 'c', 'parent', 'child', 'other']) await admin(`POST ${P}`, { name })
})
afterAll(() => server.close())

describe('dependencies', () => {
  const D = `${P}/child/dependencies`
  const has = (dependencies: unknown[]) => ({ as, call: `GET ${P}/child`, status: 200, has: { dependencies } })
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${D}`, body: { feature: 'parent' }, status: 401 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: `POST ${D}`,
      body: { feature: 'parent' },
      status: 403,
      has: { permissions: ['UPDATE_FEATURE_DEPENDENCY'] },
    },
    { name: 'no parent named', as, call: `POST ${D}`, body: {}, status: 400, text: 'feature' },
    {
      name: 'an unknown parent',
      as,
      call: `POST ${D}`,
      body: { feature: 'nope' },
      status: 403,
      has: { name: 'InvalidOperationError' },
      text: 'nope',
    },
    {
      name: 'itself',
      as,
      call: `POST ${D}`,
      body: { feature: 'child' },
      status: 403,
      has: { name: 'InvalidOperationError' },
    },
    { name: 'of an unknown flag', as, call: `POST ${P}/nope/dependencies`, body: { feature: 'parent' }, status: 404 },
    { name: 'none in the project', as: 'viewer', call: `GET ${X}/dependencies`, status: 200, text: 'false' },
    {
      name: 'who may be a parent',
      as: 'viewer',
      call: `GET ${P}/child/parents`,
      status: 200,
      has: ['a', 'b', 'c', 'other', 'parent'],
    },
    {
      name: 'a parent',
      as: 'editor',
      call: `POST ${D}`,
      body: { feature: 'parent', variants: ['x'] },
      status: 200,
      empty: true,
      events: ['feature-dependency-added'],
    },
    {
      name: 'the same again',
      as,
      call: `POST ${D}`,
      body: { feature: 'parent', enabled: true, variants: ['x'] },
      status: 200,
    },
    { name: 'as read', ...has([{ feature: 'parent', enabled: true, variants: ['x'] }]) },
    { name: 'from the other side', as, call: `GET ${P}/parent`, status: 200, has: { children: ['child'] } },
    { name: 'some in the project', as, call: `GET ${X}/dependencies`, status: 200, text: 'true' },
    {
      name: 'another parent, that must be off',
      as,
      call: `POST ${D}`,
      body: { feature: 'other', enabled: false, variants: ['x'] },
      status: 200,
      events: ['feature-dependency-added'],
    },
    { name: 'takes the place', ...has([{ feature: 'other', enabled: false, variants: [] }]) },
    {
      name: 'a grandparent',
      as,
      call: `POST ${P}/a/dependencies`,
      body: { feature: 'child' },
      status: 403,
      text: 'parent itself',
    },
    {
      name: 'a grandchild',
      as,
      call: `POST ${P}/other/dependencies`,
      body: { feature: 'a' },
      status: 403,
      text: 'parent itself',
    },
    {
      name: 'a child is no parent to choose',
      as,
      call: `GET ${P}/a/parents`,
      status: 200,
      has: ['b', 'c', 'other', 'parent'],
    },
    { name: 'remove another', as, call: `DELETE ${D}/parent`, status: 200 },
    { name: 'remove by a viewer', as: 'viewer', call: `DELETE ${D}/other`, status: 403 },
    { name: 'remove', as, call: `DELETE ${D}/other`, status: 200, empty: true, events: ['feature-dependency-removed'] },
    { name: 'remove again', as, call: `DELETE ${D}/other`, status: 200 },
    { name: 'remove all of none', as, call: `DELETE ${D}`, status: 200 },
    {
      name: 'once more',
      as,
      call: `POST ${D}`,
      body: { feature: 'parent' },
      status: 200,
      events: ['feature-dependency-added'],
    },
    { name: 'remove all', as, call: `DELETE ${D}`, status: 200, events: ['feature-dependencies-removed'] },
    { name: 'parents of nothing', as, call: `GET ${P}/nope/parents`, status: 404 },
    { name: 'variants of nothing', as, call: `GET ${P}/nope/parent-variants`, status: 404 },
    {
      name: 'variants of a parent',
      as,
      call: `PUT ${E('parent')}/variants`,
      body: [{ name: 'v', weight: 1 }],
      status: 200,
      events: ['feature-environment-variants-updated'],
    },
    { name: 'as offered', as: 'viewer', call: `GET ${P}/parent/parent-variants`, status: 200, has: ['v'] },
  ] satisfies Scenario[])

  test('SDKs and the playground follow them', async () => {
    await admin(`POST ${D}`, { feature: 'parent' })
    for (const name of ['child']) await admin(`POST ${E(name)}/on`)
    const body = { environments: ['development'], context: { appName: 'x' } }
    const child = async () => {
      const { features } = await admin('POST /api/admin/playground/advanced', body)
      return features.find((one: { name: string }) => one.name === 'child').environments.development[0]
    }
    expect(await child()).toMatchObject({
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      unsatisfiedDependencies: [{ feature: 'parent', reason: 'parent is off' }],
      strategies: { result: true },
    })
    await admin(`POST ${E('parent')}/on`)
    expect(await child()).toMatchObject({ isEnabled: true, hasUnsatisfiedDependency: false })
    expect(await child()).not.toHaveProperty('unsatisfiedDependencies')
    await admin(`DELETE ${D}`)
  })
})

describe('archive', () => {
  const many = (...features: string[]) => ({ features })
  beforeAll(() => admin(`POST ${P}/child/dependencies`, { feature: 'parent' }))
  scenarios(() => server, [
    { name: 'anonymous', call: `POST ${X}/archive`, body: many('a'), status: 401 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: `POST ${X}/archive`,
      body: many('a'),
      status: 403,
      has: { permissions: ['DELETE_FEATURE'] },
    },
    { name: 'none', as, call: `POST ${X}/archive`, body: many(), status: 400, text: 'features' },
    {
      name: 'one unknown of several',
      as,
      call: `POST ${X}/archive`,
      body: many('a', 'nope'),
      status: 404,
      text: 'nope',
    },
    { name: 'that left all', as, call: `GET ${P}/a`, status: 200, has: { archived: false } },
    {
      name: 'through another project',
      as,
      call: 'POST /api/admin/projects/nope/archive',
      body: many('a'),
      status: 404,
    },
    {
      name: 'what it would mean',
      as,
      call: `POST ${X}/archive/validate`,
      body: many('parent', 'a'),
      status: 200,
      has: { parentsWithChildFeatures: ['parent'], hasDeletedDependencies: false },
    },
    {
      name: 'with the child',
      as,
      call: `POST ${X}/archive/validate`,
      body: many('parent', 'child'),
      status: 200,
      has: { parentsWithChildFeatures: [], hasDeletedDependencies: true },
    },
    { name: 'of nothing', as, call: `POST ${X}/archive/validate`, body: many('nope'), status: 404 },
    {
      name: 'a parent alone',
      as,
      call: `DELETE ${P}/parent`,
      status: 403,
      has: { name: 'InvalidOperationError' },
      text: 'child',
    },
    { name: 'a parent alone in a batch', as, call: `POST ${X}/archive`, body: many('parent', 'a'), status: 403 },
    {
      name: 'several',
      as: 'editor',
      call: `POST ${X}/archive`,
      body: many('a', 'b', 'a'),
      status: 202,
      empty: true,
      events: ['feature-archived', 'feature-archived'],
    },
    { name: 'again', as, call: `POST ${X}/archive`, body: many('a', 'b'), status: 202 },
    {
      name: 'the list',
      as: 'viewer',
      call: 'GET /api/admin/archive/features',
      status: 200,
      has: { version: 2, features: [{ name: 'a', archivedAt: expect.any(String) }, { name: 'b' }] },
    },
    {
      name: 'the list of the project',
      as: 'viewer',
      call: 'GET /api/admin/archive/features/default',
      status: 200,
      has: { features: [{ name: 'a' }, { name: 'b' }] },
    },
    {
      name: 'the list of another',
      as,
      call: 'GET /api/admin/archive/features/nope',
      status: 200,
      has: { features: [] },
    },
    {
      name: 'the others',
      as: 'viewer',
      call: 'GET /api/admin/features',
      status: 200,
      has: { features: [{ name: 'c' }, { name: 'child' }, { name: 'other' }, { name: 'parent' }] },
    },
    { name: 'revive by a viewer', as: 'viewer', call: `POST ${X}/revive`, body: many('a'), status: 403 },
    {
      name: 'revive',
      as,
      call: `POST ${X}/revive`,
      body: many('a', 'c'),
      status: 200,
      empty: true,
      events: ['feature-revived'],
    },
    { name: 'revive nothing', as, call: `POST ${X}/revive`, body: many('nope'), status: 404 },
    { name: 'revive one, anonymous', call: 'POST /api/admin/archive/revive/b', status: 401 },
    { name: 'revive one by a viewer', as: 'viewer', call: 'POST /api/admin/archive/revive/b', status: 403 },
    {
      name: 'revive one',
      as,
      call: 'POST /api/admin/archive/revive/b',
      status: 200,
      empty: true,
      events: ['feature-revived'],
    },
    { name: 'revive it again', as, call: 'POST /api/admin/archive/revive/b', status: 200 },
    { name: 'revive an unknown one', as, call: 'POST /api/admin/archive/revive/nope', status: 404 },
    { name: 'delete what is not archived', as, call: 'DELETE /api/admin/archive/b', status: 200 },
    { name: 'leaves it', as, call: `GET ${P}/b`, status: 200 },
    { name: 'archive it', as, call: `DELETE ${P}/b`, status: 202, events: ['feature-archived'] },
    { name: 'delete by a viewer', as: 'viewer', call: 'DELETE /api/admin/archive/b', status: 403 },
    { name: 'delete', as, call: 'DELETE /api/admin/archive/b', status: 200, empty: true, events: ['feature-deleted'] },
    { name: 'delete again', as, call: 'DELETE /api/admin/archive/b', status: 404 },
    {
      name: 'its history stays',
      as,
      call: 'GET /api/admin/events/b?limit=1',
      status: 200,
      has: { events: [{ type: 'feature-deleted', data: null, preData: { name: 'b' } }] },
    },
    { name: 'its name is free', as, call: `POST ${P}`, body: { name: 'b' }, status: 201, events: ['feature-created'] },
    {
      name: 'parent and child together',
      as,
      call: `POST ${X}/archive`,
      body: many('parent', 'child'),
      status: 202,
      events: ['feature-archived', 'feature-dependencies-removed', 'feature-archived'],
    },
    {
      name: 'delete several, one not archived',
      as,
      call: `POST ${X}/delete`,
      body: many('parent', 'child', 'b'),
      status: 200,
      events: ['feature-deleted', 'feature-deleted'],
    },
    { name: 'delete unknown ones', as, call: `POST ${X}/delete`, body: many('parent'), status: 404 },
    { name: 'delete by a viewer in a batch', as: 'viewer', call: `POST ${X}/delete`, body: many('b'), status: 403 },
  ] satisfies Scenario[])

  // only imports create such flags, because an archived flag cannot be chosen as a parent, and no flag may outlive its
  // parent
  describe('a parent that a flag of an import wants', () => {
    const revive = `POST ${X}/revive`
    beforeAll(async () => {
      for (const name of ['gone', 'waiting', 'following']) await admin(`POST ${P}`, { name })
      await admin(`POST ${P}/waiting/dependencies`, { feature: 'gone', enabled: false })
      await admin(`POST ${P}/following/dependencies`, { feature: 'gone', variants: ['v'] })
      for (const name of ['waiting', 'following']) await admin(`POST ${E(name)}/on`)
      await server.db.rows("update features set archived_at = 1 where name = 'gone'")
    })
    scenarios(() => server, [
      {
        name: 'off cannot be undone while the flag is on without a match',
        as,
        call: revive,
        body: many('gone'),
        status: 403,
        has: { name: 'InvalidOperationError' },
        text: '\\"waiting\\" is on where \\"gone\\" is off',
        events: [],
      },
      { name: 'nor alone', as, call: 'POST /api/admin/archive/revive/gone', status: 403, events: [] },
      { name: 'nor with others', as, call: revive, body: many('gone', 'c'), status: 403, events: [] },
      {
        name: 'that flag is switched off',
        as,
        call: `POST ${E('waiting')}/off`,
        status: 200,
        events: ['feature-environment-disabled'],
      },
      {
        name: 'on or with a variant comes back off, so that nothing is on by it',
        as,
        call: revive,
        body: many('gone'),
        status: 200,
        events: ['feature-revived'],
      },
    ] satisfies Scenario[])
    afterAll(async () => {
      for (const done of ['archive', 'delete']) await admin(`POST ${X}/${done}`, many('gone', 'waiting', 'following'))
    })
  })

  test('a flag that comes back has no parent any more', async () => {
    await admin(`POST ${P}`, { name: 'orphan' })
    await admin(`POST ${P}/orphan/dependencies`, { feature: 'other' })
    await admin(`DELETE ${P}/orphan`)
    await admin('POST /api/admin/archive/revive/orphan')
    expect((await admin(`GET ${P}/orphan`)).dependencies).toEqual([])
    await admin(`DELETE ${P}/orphan`)
  })

  test('SDKs see archived flags no more, and revived ones again', async () => {
    expect(await clientNames()).toContain('c')
    await admin(`POST ${X}/archive`, many('c'))
    expect(await clientNames()).not.toContain('c')
    await admin(`POST ${X}/revive`, many('c'))
    expect(await clientNames()).toContain('c')
  })
})

describe('a revived flag is off in all environments and keeps its strategies', () => {
  const DISABLED = 'feature-environment-disabled'
  test.each([
    ['by its name', ['development', 'production'], 'POST /api/admin/archive/revive/back', undefined],
    ['in its project', ['development', 'production'], `POST ${X}/revive`, { features: ['back'] }],
    ['on in one environment', ['production'], `POST ${X}/revive`, { features: ['back'] }],
    ['on nowhere', [], `POST ${X}/revive`, { features: ['back'] }],
  ])('%s', async (_name, environments, call, body) => {
    await admin(`POST ${P}`, { name: 'back' })
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '1', stickiness: 'default', groupId: 'back' } }
    for (const environment of ['development', 'production']) {
      await admin(`POST ${E('back', environment)}/strategies`, strategy)
    }
    for (const environment of environments) await admin(`POST ${E('back', environment)}/on`)
    await admin(`DELETE ${P}/back`)
    const last = await server.lastEventId()
    await admin(call, body)
    expect(await server.eventsAfter(last)).toEqual(['feature-revived', ...environments.map(() => DISABLED)])
    const { events } = await admin('GET /api/admin/events/back?limit=3')
    const said = events.filter((event: { type: string }) => event.type === DISABLED)
    expect(said.map((event: { environment: string }) => event.environment).toReversed()).toEqual(environments)
    for (const event of said) expect(event).toMatchObject({ data: { enabled: false }, preData: { enabled: true } })
    const off = { enabled: false, strategies: [strategy] }
    expect((await admin(`GET ${P}/back`)).environments).toMatchObject([off, off])
    const { features } = (await server.call({ as: 'production', call: 'GET /api/client/features' })).json()
    expect(features.find((one: { name: string }) => one.name === 'back')).toMatchObject(off)
    await admin(`DELETE ${P}/back`)
    await admin('DELETE /api/admin/archive/back')
  })
})

describe('several at once', () => {
  const on = `POST ${X}/bulk_features/environments/development/on`
  scenarios(() => server, [
    {
      name: 'stale by a viewer',
      as: 'viewer',
      call: `POST ${X}/stale`,
      body: { features: ['a'], stale: true },
      status: 403,
    },
    {
      name: 'stale without saying so',
      as,
      call: `POST ${X}/stale`,
      body: { features: ['a'] },
      status: 400,
      text: 'stale',
    },
    {
      name: 'stale of nothing',
      as,
      call: `POST ${X}/stale`,
      body: { features: ['a', 'nope'], stale: true },
      status: 404,
    },
    {
      name: 'stale',
      as,
      call: `POST ${X}/stale`,
      body: { features: ['a', 'c'], stale: true },
      status: 202,
      empty: true,
      events: ['feature-stale-on', 'feature-stale-on'],
    },
    {
      name: 'stale again, one new',
      as,
      call: `POST ${X}/stale`,
      body: { features: ['a', 'other'], stale: true },
      status: 202,
      events: ['feature-stale-on'],
    },
    {
      name: 'not stale',
      as,
      call: `POST ${X}/stale`,
      body: { features: ['a'], stale: false },
      status: 202,
      events: ['feature-stale-off'],
    },
    { name: 'on, anonymous', call: on, body: { features: ['a'] }, status: 401 },
    { name: 'on by a viewer', as: 'viewer', call: on, body: { features: ['a'] }, status: 403, text: 'development' },
    { name: 'on without a body', as, call: on, status: 415 },
    { name: 'on with an unknown one', as, call: on, body: { features: ['a', 'nope'] }, status: 404 },
    { name: 'that left all', as, call: `GET ${P}/a`, status: 200, has: { environments: [{ enabled: false }, {}] } },
    {
      name: 'on in an unknown environment',
      as,
      call: on.replace('development', 'mars'),
      body: { features: ['a'] },
      status: 404,
    },
    {
      name: 'on',
      as: 'editor',
      call: on,
      body: { features: ['a', 'c'] },
      status: 200,
      empty: true,
      events: [
        'feature-strategy-add',
        'feature-environment-enabled',
        'feature-strategy-add',
        'feature-environment-enabled',
      ],
    },
    { name: 'turned on again', as, call: on, body: { features: ['a', 'c'] }, status: 200 },
    {
      name: 'off',
      as,
      call: on.replace(/on$/, 'off'),
      body: { features: ['a', 'c', 'other'] },
      status: 200,
      events: ['feature-environment-disabled', 'feature-environment-disabled'],
    },
  ] satisfies Scenario[])
})

describe('copies', () => {
  beforeAll(async () => {
    await admin(`POST ${P}`, { name: 'source', type: 'experiment', description: 'd', impressionData: true })
    await admin(`POST ${E('source')}/strategies`, {
      name: 'flexibleRollout',
      title: 't',
      parameters: { rollout: '30' },
    })
    await admin(`POST ${E('source')}/on`)
    await admin(`PUT ${E('source', 'production')}/variants`, [{ name: 'v', weight: 1 }])
    await admin(`POST ${P}/source/dependencies`, { feature: 'a' })
  })
  const C = `POST ${P}/source/clone`
  scenarios(() => server, [
    { name: 'anonymous', call: C, body: { name: 'copy' }, status: 401 },
    { name: 'a viewer', as: 'viewer', call: C, body: { name: 'copy' }, status: 403, text: 'CREATE_FEATURE' },
    { name: 'no name', as, call: C, body: {}, status: 400, text: 'name' },
    { name: 'a bad name', as, call: C, body: { name: 'a b' }, status: 400, text: 'URL friendly' },
    { name: 'a taken name', as, call: C, body: { name: 'a' }, status: 409 },
    { name: 'of nothing', as, call: C.replace('source', 'nope'), body: { name: 'copy' }, status: 404 },
    {
      name: 'a copy',
      as,
      call: C,
      body: { name: 'copy' },
      status: 201,
      has: {
        name: 'copy',
        type: 'experiment',
        description: 'd',
        impressionData: true,
        dependencies: [{ feature: 'a' }],
        environments: [
          {
            name: 'development',
            enabled: false,
            strategies: [{ title: 't', parameters: { rollout: '30', groupId: 'copy' } }],
          },
          { name: 'production', variants: [{ name: 'v' }] },
        ],
      },
      events: [
        'feature-created',
        'feature-strategy-add',
        'feature-environment-variants-updated',
        'feature-dependency-added',
      ],
    },
    {
      name: 'with the same groups',
      as,
      call: C,
      body: { name: 'twin', replaceGroupId: false },
      status: 201,
      has: { environments: [{ strategies: [{ parameters: { groupId: 'source' } }] }, {}] },
      events: [
        'feature-created',
        'feature-strategy-add',
        'feature-environment-variants-updated',
        'feature-dependency-added',
      ],
    },
  ] satisfies Scenario[])
})

describe('variants of several environments', () => {
  const V = `PUT ${P}/c/variants-batch`
  const body = (environments: unknown, variants: unknown = [{ name: 'x', weight: 1 }]) => ({ environments, variants })
  scenarios(() => server, [
    { name: 'a viewer', as: 'viewer', call: V, body: body(['development']), status: 403 },
    { name: 'no environment', as, call: V, body: body([]), status: 400 },
    { name: 'an unknown one', as, call: V, body: body(['development', 'mars']), status: 404 },
    {
      name: 'only fixed ones',
      as,
      call: V,
      body: body(['development'], [{ name: 'x', weight: 1000, weightType: 'fix' }]),
      status: 400,
    },
    {
      name: 'two',
      as,
      call: V,
      body: body(['development', 'production', 'development']),
      status: 200,
      has: { version: 1, variants: [{ name: 'x', weight: 1000 }] },
      events: ['feature-environment-variants-updated', 'feature-environment-variants-updated'],
    },
    { name: 'again', as, call: V, body: body(['development', 'production']), status: 200 },
  ] satisfies Scenario[])
})

describe('the order of strategies', () => {
  const S = `${E('other')}/strategies`
  const ids: string[] = []
  beforeAll(async () => {
    for (const title of ['1', '2', '3']) ids.push((await admin(`POST ${S}`, { name: 'default', title })).id)
  })
  const sort = (as: string, body: unknown) => server.call({ as, call: `POST ${S}/set-sort-order`, body })

  test('changes as requested, with one event', async () => {
    const order = ids.toReversed().map((id, sortOrder) => ({ id, sortOrder }))
    expect((await sort('viewer', order)).statusCode).toBe(403)
    expect((await sort(as, [{ id: 'nope', sortOrder: 1 }])).statusCode).toBe(404)
    expect((await sort(as, [{ id: ids[0], sortOrder: 'x' }])).statusCode).toBe(400)
    expect((await sort(as, [order[0], order[0]])).statusCode).toBe(400)
    const last = await server.lastEventId()
    expect((await sort('editor', order)).statusCode).toBe(200)
    expect((await admin(`GET ${S}`)).map((one: { id: string }) => one.id)).toEqual(ids.toReversed())
    expect((await sort(as, order)).statusCode).toBe(200)
    expect(await server.eventsAfter(last)).toEqual(['strategy-order-changed'])
    const { events } = await admin('GET /api/admin/events/other?limit=1')
    expect(events[0]).toMatchObject({
      environment: 'development',
      data: { strategyIds: ids.toReversed() },
      preData: { strategyIds: ids },
    })
  })
})
