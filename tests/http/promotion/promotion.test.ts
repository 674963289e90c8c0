import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

/** Comparison of two environments of a project, and promotion of flags from one to the other. */
let server: TestServer
let people: People
let segment: number
const as = 'admin'
const P = '/api/admin/projects/default'
const F = `${P}/features`
const COMPARE = `GET ${P}/environments/production/comparison/development`
const PROMOTIONS = `${P}/environments/production/promotions`
const PLAN = `POST ${PROMOTIONS}/plan`
const GO = `POST ${PROMOTIONS}`
const UNDO = `POST ${PROMOTIONS}/undo`
const ALL = ['strategies', 'variants', 'enabled']
const share = (rollout: string, more: object = {}) => ({ name: 'flexibleRollout', parameters: { rollout }, ...more })
const ONLY = { contextName: 'userId', operator: 'IN', values: ['7'] }
const wish = (features: readonly string[], parts: readonly string[] = ALL) => ({ from: 'development', features, parts })

interface State {
  readonly enabled: boolean
  readonly strategies: readonly { readonly id: string; readonly title: string | null }[]
  readonly variants: readonly object[]
}
interface Planned {
  readonly name: string
  readonly before: State
  readonly after: State
  readonly actions: readonly string[]
  readonly seen: string
}

/** Content of a flag in one environment. */
interface Given {
  readonly strategies?: readonly object[]
  readonly variants?: readonly object[]
  readonly on?: boolean
}

async function makeFlag(name: string, development: Given, production: Given, project = 'default'): Promise<void> {
  const flags = `/api/admin/projects/${project}/features`
  await server.admin(`POST ${flags}`, { name })
  for (const [environment, given] of Object.entries({ development, production })) {
    const place = `${flags}/${name}/environments/${environment}`
    for (const strategy of given.strategies ?? []) await server.admin(`POST ${place}/strategies`, strategy)
    if (given.variants !== undefined) await server.admin(`PUT ${place}/variants`, given.variants)
    if (given.on === true) await server.admin(`POST ${place}/on`)
  }
}

const planOf = async (features: readonly string[], parts?: readonly string[]): Promise<Planned[]> =>
  (await server.admin(PLAN, wish(features, parts))).features

const requestOf = (planned: readonly Planned[], parts: readonly string[] = ALL) => ({
  from: 'development',
  parts,
  features: planned.map(({ name, seen }) => ({ name, seen })),
})

const stateOf = async (name: string, environment = 'production'): Promise<State> => {
  const flag = await server.admin(`GET ${F}/${name}`)
  return flag.environments.find((one: { name: string }) => one.name === environment)
}

const differences = async (name: string): Promise<string[]> =>
  (await server.admin(`${COMPARE}?features=${name}`)).features[0].differences

const withoutIds = ({ strategies }: State) => strategies.map(({ id: _, ...rest }) => rest)

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await server.admin('POST /api/admin/projects', { id: 'shop', name: 'Shop' })
  await server.admin('POST /api/admin/projects', { id: 'lonely', name: 'Lonely', environments: ['production'] })
  segment = (await server.admin('POST /api/admin/segments', { name: 'staff', constraints: [ONLY] })).id
  await makeFlag('elsewhere', {}, {}, 'shop')
  await makeFlag('archived', { on: true }, {})
  await server.admin(`DELETE ${F}/archived`)
})
afterAll(() => server.close())

const CONSTRAINED = share('50', { constraints: [ONLY] })
const V = (...names: readonly string[]) => names.map((name) => ({ name, weight: 0 }))

/**
 * A flag in development, the same flag in production, the parts that differ, and the actions that remove the
 * differences.
 */
type Row = readonly [what: string, Given, Given, differing: readonly string[], actions: readonly string[]]
const ROWS: readonly Row[] = [
  ['nothing', {}, {}, [], []],
  ['the same by other ids', { strategies: [CONSTRAINED] }, { strategies: [CONSTRAINED] }, [], []],
  ['on', { strategies: [share('5')], on: true }, { strategies: [share('5')] }, ['enabled'], ['updateEnabled']],
  ['off', { strategies: [share('5')] }, { strategies: [share('5')], on: true }, ['enabled'], ['updateEnabled']],
  ['one more', { strategies: [share('5')] }, {}, ['strategies'], ['addStrategy']],
  ['one less', {}, { strategies: [share('5')] }, ['strategies'], ['deleteStrategy']],
  [
    'the last one, while it is on',
    {},
    { strategies: [share('5')], on: true },
    ['enabled', 'strategies'],
    ['updateEnabled', 'deleteStrategy'],
  ],
  ['a rollout', { strategies: [share('5')] }, { strategies: [share('6')] }, ['strategies'], ['updateStrategy']],
  [
    'a title',
    { strategies: [share('5', { title: 't' })] },
    { strategies: [share('5')] },
    ['strategies'],
    ['updateStrategy'],
  ],
  [
    'disabled',
    { strategies: [share('5', { disabled: true })] },
    { strategies: [share('5')] },
    ['strategies'],
    ['updateStrategy'],
  ],
  ['a constraint', { strategies: [CONSTRAINED] }, { strategies: [share('50')] }, ['strategies'], ['updateStrategy']],
  [
    'another type',
    { strategies: [{ name: 'default' }] },
    { strategies: [share('5')] },
    ['strategies'],
    ['addStrategy', 'deleteStrategy'],
  ],
  [
    'variants of a strategy',
    { strategies: [share('5', { variants: V('c', 'a', 'b') })] },
    { strategies: [share('5', { variants: V('a', 'b') })] },
    ['strategies'],
    ['updateStrategy'],
  ],
  [
    'the order',
    { strategies: [share('1'), share('2'), share('3')] },
    { strategies: [share('3'), share('1'), share('2')] },
    ['strategies'],
    ['reorderStrategy'],
  ],
  [
    'one in between',
    { strategies: [share('1'), share('2'), share('3')], on: true },
    { strategies: [share('1'), share('3')], on: true },
    ['strategies'],
    ['addStrategy', 'reorderStrategy'],
  ],
  [
    'the enabled one',
    { strategies: [share('1', { disabled: true }), share('2')], on: true },
    { strategies: [share('1'), share('2', { disabled: true })], on: true },
    ['strategies'],
    ['updateStrategy', 'updateStrategy'],
  ],
  ['variants', { variants: V('c', 'a', 'b') }, { variants: V('x') }, ['variants'], ['patchVariant']],
  [
    'a payload',
    { variants: [{ name: 'a', weight: 1, payload: { type: 'string', value: 'x' } }] },
    { variants: V('a') },
    ['variants'],
    ['patchVariant'],
  ],
  [
    'everything',
    { strategies: [CONSTRAINED], variants: V('a'), on: true },
    { strategies: [{ name: 'default' }] },
    ['enabled', 'strategies', 'variants'],
    ['addStrategy', 'deleteStrategy', 'patchVariant', 'updateEnabled'],
  ],
]

describe('a difference', () => {
  test.each(ROWS.map((row, index) => [row[0], index, row] as const))('%s', async (_what, index, row) => {
    const name = `row-${index}`
    const [, development, production, differing, actions] = row
    await makeFlag(name, development, production)
    expect(await differences(name)).toEqual(differing)
    const [before, there] = [await stateOf(name), await stateOf(name, 'development')]
    const last = await server.lastEventId()
    const planned = await planOf([name])
    expect(await server.eventsAfter(last)).toEqual([])
    expect(await stateOf(name)).toEqual(before)
    expect([...(planned[0]?.actions ?? [])].sort()).toEqual([...actions].sort())
    if (differing.length === 0) {
      expect(planned).toEqual([])
      return
    }
    const done = await server.admin(GO, requestOf(planned))
    const after = await stateOf(name)
    expect(planned[0]?.after.enabled).toBe(after.enabled)
    expect(withoutIds(planned[0]?.after as State)).toEqual(withoutIds(after))
    expect({ enabled: after.enabled, variants: after.variants }).toEqual({
      enabled: there.enabled,
      variants: there.variants,
    })
    expect(await differences(name)).toEqual([])
    expect(await planOf([name])).toEqual([])
    const events = await server.eventsAfter(last)
    expect(events.at(-1)).toBe('features-promoted')
    expect(events.length).toBe(actions.length + 1)
    const { events: told } = await server.admin('GET /api/admin/search/events?limit=1')
    const place = { project: 'default', environment: 'production' }
    expect(told[0]).toMatchObject({ ...place, data: { from: 'development', parts: ALL, features: [name] } })
    // then undone
    const features = [{ ...done.features[0], state: planned[0]?.before }]
    await server.admin(UNDO, { features })
    const back = await stateOf(name)
    const comparable = (state: State) => withoutIds(state).map((one) => ({ ...one, sortOrder: 0 }))
    expect({ ...back, strategies: comparable(back) }).toEqual({ ...before, strategies: comparable(before) })
    expect((await server.call({ as, call: UNDO, body: { features } })).statusCode).toBe(409)
  })

  test('caused by weights that do not divide evenly disappears after the promotion', async () => {
    const variants = await server.admin(`GET ${F}/row-16/environments/development/variants`)
    expect(variants.variants.map(({ weight }: { weight: number }) => weight)).toEqual([333, 333, 334])
  })
})

describe('a comparison', () => {
  const refused = (name: string, body: object, status: number, text?: string): Scenario => ({
    name,
    as,
    call: PLAN,
    body,
    status,
    ...(text === undefined ? {} : { text }),
  })
  const body = wish(['row-2'])
  scenarios(
    () => server,
    [
      { name: 'anonymous', call: PLAN, body, status: 401 },
      refused('from itself', { ...body, from: 'production' }, 400, 'body/from'),
      refused('from an environment that is not there', { ...body, from: 'nope' }, 404, 'nope'),
      refused('no flags', { ...body, features: [] }, 400, 'features'),
      refused('no parts', { ...body, parts: [] }, 400, 'parts'),
      refused('parts that there are not', { ...body, parts: ['tags'] }, 400, 'parts'),
      refused('a flag that is not there', wish(['nope']), 404, 'nope'),
      refused('a flag of another project', wish(['elsewhere']), 404, 'elsewhere'),
      refused('an archived flag', wish(['archived']), 404, 'archived'),
      refused('too many', wish(Array.from({ length: 201 }, (_, index) => `f${index}`)), 400, '200'),
      {
        name: 'an environment that the project has not',
        as,
        call: `POST /api/admin/projects/lonely/environments/production/promotions/plan`,
        body,
        status: 404,
      },
      { name: 'one that is not there', as, call: `POST ${P}/environments/nope/promotions/plan`, body, status: 404 },
      {
        name: 'a comparison with itself',
        as,
        call: `GET ${P}/environments/production/comparison/production`,
        status: 400,
        text: 'params/from',
      },
      {
        name: 'a comparison of what is not there',
        as,
        call: `GET ${P}/environments/production/comparison/nope`,
        status: 404,
      },
      {
        name: 'a comparison of flags that are not there',
        as,
        call: `${COMPARE}?features=nope,archived,elsewhere`,
        status: 200,
        has: { features: [] },
      },
      {
        name: 'a comparison by a viewer',
        as: 'viewer',
        call: `${COMPARE}?features=row-0`,
        status: 200,
        has: { features: [{ name: 'row-0', differences: [] }] },
      },
    ],
  )

  test('sorts by name, with both states of flags that differ', async () => {
    const { features } = await server.admin(COMPARE)
    const names = features.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...names].sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))))
    const equal = features.filter((one: { differences: string[] }) => one.differences.length === 0)
    for (const one of equal) expect(Object.keys(one).sort()).toEqual(['differences', 'name'])
  })
})

describe('a part alone', () => {
  test('strategies leave a flag off, and segments go with them', async () => {
    await makeFlag('part', { strategies: [share('5', { segments: [segment] })], variants: V('a'), on: true }, {})
    await server.admin(GO, requestOf(await planOf(['part'], ['strategies']), ['strategies']))
    expect(await stateOf('part')).toMatchObject({ enabled: false, variants: [], strategies: [{ segments: [segment] }] })
    expect(await differences('part')).toEqual(['enabled', 'variants'])
  })

  test('on without strategies gets the default one, which the plan shows', async () => {
    await makeFlag('bare', { strategies: [share('5')], on: true }, {})
    const planned = await planOf(['bare'], ['enabled'])
    expect(planned[0]?.after).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '100' } }] })
    expect((await stateOf('bare')).strategies).toEqual([])
  })

  test('turns off a flag without an enabled strategy, and the plan shows it', async () => {
    await makeFlag('closing', { strategies: [share('5', { disabled: true })] }, { strategies: [share('5')], on: true })
    const planned = await planOf(['closing'], ['strategies'])
    expect(planned).toMatchObject([
      { before: { enabled: true }, after: { enabled: false }, actions: ['updateStrategy'] },
    ])
    const last = await server.lastEventId()
    await server.admin(GO, requestOf(planned, ['strategies']))
    expect(await server.eventsAfter(last)).toEqual([
      'feature-strategy-update',
      'feature-environment-disabled',
      'features-promoted',
    ])
  })

  test('a flag that is on for no one opens nothing', async () => {
    await makeFlag('legacy', { strategies: [share('5', { disabled: true })] }, {})
    // as in databases of older versions
    await server.db.rows(
      "update feature_environments set enabled = 1 where feature_name = 'legacy' and environment = 'development'",
    )
    const planned = await planOf(['legacy'])
    expect(planned).toMatchObject([{ after: { enabled: false }, actions: ['addStrategy'] }])
    expect(await planOf(['legacy'], ['enabled'])).toEqual([])
  })
})

describe('a flag that changed since the plan', () => {
  const MOVES: readonly (readonly [what: string, text: string, move: (name: string) => Promise<unknown>])[] = [
    [
      'there',
      'changed in development',
      (name) => server.admin(`POST ${F}/${name}/environments/development/strategies`, share('9')),
    ],
    [
      'here',
      'changed in production',
      (name) => server.admin(`POST ${F}/${name}/environments/production/strategies`, share('9')),
    ],
    [
      'a segment that comes along',
      'segments',
      () =>
        server.admin(`PUT /api/admin/segments/${segment}`, {
          name: 'staff',
          constraints: [{ ...ONLY, values: ['8'] }],
        }),
    ],
  ]
  test.each(MOVES)('%s rejects the whole request and names the flag', async (what, text, move) => {
    const [name, other] = [`moved-${what.length}`, `unmoved-${what.length}`]
    for (const one of [name, other])
      await makeFlag(one, { strategies: [share('5', one === name ? { segments: [segment] } : {})] }, {})
    const planned = await planOf([name, other])
    await move(name)
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: GO, body: requestOf(planned) })
    expect(reply.statusCode, reply.body).toBe(409)
    expect(reply.json().details).toEqual([{ message: expect.stringContaining(text), path: `body/features/${name}` }])
    expect(await server.eventsAfter(last)).toEqual([])
    expect(await differences(other)).toEqual(['strategies'])
  })

  test('prevents an undo', async () => {
    await makeFlag('undone', { strategies: [share('5')] }, {})
    const planned = await planOf(['undone'])
    const done = await server.admin(GO, requestOf(planned))
    await server.admin(`POST ${F}/undone/environments/production/strategies`, share('9'))
    const features = [{ ...done.features[0], state: planned[0]?.before }]
    const reply = await server.call({ as, call: UNDO, body: { features } })
    expect(reply.statusCode).toBe(409)
    expect(reply.json().details).toMatchObject([{ path: 'body/features/undone' }])
    expect((await stateOf('undone')).strategies.length).toBe(2)
  })

  test('a segment of another project is refused by name, and nothing of the others is done', async () => {
    const body = { name: 'of the shop', project: 'shop', constraints: [ONLY] }
    const { id } = await server.admin('POST /api/admin/segments', body)
    await makeFlag('foreign', { strategies: [share('5')] }, {})
    const planned = await planOf(['foreign'])
    const done = await server.admin(GO, requestOf(planned))
    const state = { enabled: false, variants: [], strategies: [share('5', { segments: [id] })] }
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: UNDO, body: { features: [{ ...done.features[0], state }] } })
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('foreign')
    expect(reply.body).toContain('belongs to another project')
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('an actor without a right', () => {
  const NEEDED = {
    addStrategy: ['CREATE_FEATURE_STRATEGY', {}, ['strategies']],
    updateStrategy: ['UPDATE_FEATURE_STRATEGY', { strategies: [share('6')] }, ['strategies']],
    deleteStrategy: ['DELETE_FEATURE_STRATEGY', { strategies: [share('5'), share('6')] }, ['strategies']],
    patchVariant: ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', {}, ['variants']],
    updateEnabled: ['UPDATE_FEATURE_ENVIRONMENT', { strategies: [share('5')] }, ['enabled']],
  } as const
  test.each(Object.entries(NEEDED))(
    'gets an error naming the right, and changes nothing: %s',
    async (action, [permission, production, parts]) => {
      const name = `right-${action}`
      await makeFlag(name, { strategies: [share('5')], variants: V('a'), on: true }, production)
      const seen = await server.call({ as: 'viewer', call: PLAN, body: wish([name], parts) })
      expect(seen.json()).toMatchObject({ features: [{ actions: [action] }], missingPermissions: [permission] })
      const last = await server.lastEventId()
      const reply = await server.call({ as: 'viewer', call: GO, body: requestOf(seen.json().features, parts) })
      expect(reply.statusCode).toBe(403)
      expect(reply.json().permissions).toEqual([permission])
      const features = [
        { name, seen: seen.json().features[0].seen.split('.')[1], state: seen.json().features[0].after },
      ]
      const undo = await server.call({ as: 'viewer', call: UNDO, body: { features } })
      expect([undo.statusCode, undo.json().permissions]).toEqual([403, [permission]])
      expect(await server.eventsAfter(last)).toEqual([])
      expect(
        (await server.call({ as: 'editor', call: GO, body: requestOf(seen.json().features, parts) })).statusCode,
      ).toBe(200)
    },
  )
})

describe('a user without any of the permissions', () => {
  test('gets no plan without the permission to propose it, and one with it', async () => {
    const plan = 'POST /api/admin/projects/shop/environments/production/promotions/plan'
    const ask = async (who: string) => (await server.call({ as: who, call: plan, body: wish(['elsewhere']) })).json()
    expect(await ask('viewer')).toEqual({ features: [], missingPermissions: [] })
    await server.admin('PUT /api/admin/projects/shop', { name: 'Shop', mode: 'protected' })
    const last = await server.lastEventId()
    expect(await ask('viewer')).toMatchObject({ name: 'NoAccessError' })
    expect(await ask('admin')).toEqual({ features: [], missingPermissions: [] })
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('environments with change requests', () => {
  const place = `${P}/environments/production/change-requests`
  beforeAll(async () => {
    await makeFlag('guarded-1', { strategies: [share('5')], on: true }, {})
    await makeFlag(
      'guarded-2',
      { strategies: [share('5'), { name: 'default' }], variants: V('a') },
      { strategies: [share('7')] },
    )
    await server.admin(`PUT ${place}/config`, { changeRequestsEnabled: true })
  })

  test('it is refused directly, put into a draft, and applied as one', async () => {
    const planned = await planOf(['guarded-1', 'guarded-2'])
    const body = requestOf(planned)
    const author = people.as.author
    const last = await server.lastEventId()
    const direct = await server.call({ ...author, call: GO, body })
    expect(direct.statusCode).toBe(403)
    const draft = await server.call({ ...author, call: GO, body: { ...body, asChangeRequest: true } })
    expect(draft.statusCode, draft.body).toBe(200)
    const { id, changes } = draft.json().changeRequest
    expect(draft.json().features).toEqual([])
    expect(changes).toBe(planned.flatMap(({ actions }) => actions).length)
    expect(await server.eventsAfter(last)).toEqual(['change-request-created', ...Array(changes).fill('change-added')])
    expect(await differences('guarded-1')).toEqual(['enabled', 'strategies'])
    const request = `${P}/change-requests/${id}/state`
    await server.call({ ...author, call: `PUT ${request}`, body: { state: 'In review' } })
    for (const state of ['Approved', 'Applied']) {
      const reply = await server.call({ ...people.as.first, call: `PUT ${request}`, body: { state } })
      expect(reply.statusCode, reply.body).toBe(200)
    }
    for (const name of ['guarded-1', 'guarded-2']) expect(await differences(name)).toEqual([])
  })

  test('the plan names users who may not apply it directly', async () => {
    const lacking = async (features: string[], who: object) =>
      (await server.call({ ...who, call: PLAN, body: wish(features, ['strategies']) } as never)).json()
        .missingPermissions
    await makeFlag('guarded-0', { strategies: [share('5')] }, {})
    await makeFlag('guarded-same', {}, {})
    expect(await lacking(['guarded-0'], people.as.author)).toEqual(['SKIP_CHANGE_REQUEST'])
    expect(await lacking(['guarded-0'], { as })).toEqual([])
    expect(await lacking(['guarded-same'], people.as.author)).toEqual([])
  })

  test('a draft takes no more than what was seen', async () => {
    await makeFlag('guarded-3', { strategies: [share('5')] }, {})
    const planned = await planOf(['guarded-3'])
    await server.admin(`POST ${F}/guarded-3/environments/development/strategies`, share('9'))
    const last = await server.lastEventId()
    const body = { ...requestOf(planned), asChangeRequest: true }
    const reply = await server.call({ ...people.as.author, call: GO, body })
    expect(reply.statusCode).toBe(409)
    const token = await server.call({
      as,
      call: GO,
      body: { ...requestOf(await planOf(['guarded-3'])), asChangeRequest: true },
    })
    expect([token.statusCode, token.json().name]).toEqual([403, 'InvalidOperationError'])
    expect(await server.eventsAfter(last)).toEqual([])
  })
})
