import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const as = 'admin'
const P = '/api/admin/projects/default/features'
const PLAY = 'POST /api/admin/playground/advanced'
const SIMPLE = 'POST /api/admin/playground'
const ONLY_7 = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]

const admin = (call: string, body?: unknown) => server.admin(call, body)

/** Creates a flag with these strategies in development, enabled unless `isOn` is false. */
async function flag(name: string, strategies: readonly object[], isOn = true): Promise<string[]> {
  const E = `${P}/${name}/environments/development`
  await admin(`POST ${P}`, { name })
  const ids: string[] = []
  for (const strategy of strategies) ids.push((await admin(`POST ${E}/strategies`, strategy)).id)
  if (isOn) await admin(`POST ${E}/on`)
  return ids
}

let ids: string[] = []

beforeAll(async () => {
  server = await startServer()
  await admin('POST /api/admin/segments', { name: 'staff', constraints: ONLY_7 })
  ids = await flag('full', [
    { name: 'flexibleRollout', title: 'first', parameters: { rollout: '100' }, constraints: ONLY_7, segments: [1] },
    { name: 'flexibleRollout', disabled: true },
  ])
  await flag('plain', [{ name: 'default' }])
  await flag('switched-off', [{ name: 'default' }], false)
  await flag('custom', [{ name: 'applicationHostname', parameters: { hostNames: 'a' } }])
  await flag('custom-no', [{ name: 'applicationHostname', constraints: ONLY_7 }])
  await flag('custom-and-true', [{ name: 'applicationHostname' }, { name: 'default' }])
  const [only] = await flag('only-disabled', [{ name: 'default' }])
  await admin(`PATCH ${P}/only-disabled/environments/development/strategies/${only}`, [
    { op: 'replace', path: '/disabled', value: true },
  ])
  await flag('variants', [
    {
      name: 'flexibleRollout',
      parameters: { rollout: '100' },
      variants: [{ name: 'blue', weight: 1000, stickiness: 'default', payload: { type: 'json', value: '{"a":1}' } }],
    },
  ])
  await flag('own-variants', [{ name: 'default' }])
  await admin(`PUT ${P}/own-variants/environments/development/variants`, [{ name: 'green', weight: 1 }])
  await flag('dated', [
    {
      name: 'default',
      constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00Z' }],
    },
  ])
  await flag('coloured', [
    { name: 'default', constraints: [{ contextName: 'colour', operator: 'IN', values: ['red'], inverted: true }] },
  ])
  await flag('gone', [{ name: 'default' }])
  await admin(`DELETE ${P}/gone`)
})
afterAll(() => server.close())

const ask = (context: object = { appName: 'a' }, more: object = {}) => ({
  environments: ['development'],
  context,
  ...more,
})
const body = ask()
/** Scenario for one flag and one context. */
const one = (name: string, context: object, has: object): Scenario => ({
  name: `${name} for ${JSON.stringify(context)}`,
  as,
  call: PLAY,
  body: ask({ appName: 'a', ...context }, { projects: ['default'] }),
  status: 200,
  has: { features: expect.arrayContaining([partOf(name, has)]) },
})
const partOf = (name: string, has: object) =>
  expect.objectContaining({ name, environments: { development: [expect.objectContaining(has)] } })
const strategies = (result: unknown, ...results: unknown[]) =>
  expect.objectContaining({
    result,
    data: results.map((own) => expect.objectContaining({ result: own })),
  })
const OFF = { name: 'disabled', enabled: false, feature_enabled: false }
const UNEVALUATED = { evaluationStatus: 'unevaluated', enabled: 'unknown' }
const INCOMPLETE = { evaluationStatus: 'incomplete', enabled: 'unknown' }

describe('requests', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: PLAY, body, status: 401, has: { name: 'AuthenticationRequired' } },
    { name: 'a client token', as: 'client', call: PLAY, body, status: 403 },
    { name: 'a frontend token', as: 'frontend', call: PLAY, body, status: 403 },
    { name: 'a viewer', as: 'viewer', call: PLAY, body, status: 200 },
    { name: 'an editor', as: 'editor', call: PLAY, body, status: 200 },
    { name: 'text', as, call: PLAY, raw: '{}', headers: { 'content-type': 'text/plain' }, status: 415 },
    { name: 'no body', as, call: PLAY, status: 415 },
    { name: 'broken JSON', as, call: PLAY, raw: '{', status: 400 },
    { name: 'an array', as, call: PLAY, body: [], status: 400, has: { name: 'ValidationError' } },
    { name: 'nothing', as, call: PLAY, body: {}, status: 400, text: 'environments' },
    { name: 'no environments', as, call: PLAY, body: { context: { appName: 'a' } }, status: 400, text: 'environments' },
    { name: 'an empty list of them', as, call: PLAY, body: { ...body, environments: [] }, status: 400 },
    { name: 'a text for them', as, call: PLAY, body: { ...body, environments: 'development' }, status: 400 },
    { name: 'a blank in a name', as, call: PLAY, body: { ...body, environments: ['a b'] }, status: 400 },
    { name: 'no context', as, call: PLAY, body: { environments: ['development'] }, status: 400, text: 'context' },
    { name: 'a text as context', as, call: PLAY, body: ask('a' as unknown as object), status: 400, text: 'context' },
    { name: 'no application', as, call: PLAY, body: ask({}), status: 400, text: 'context/appName' },
    { name: 'an empty application', as, call: PLAY, body: ask({ appName: '' }), status: 400, text: 'context/appName' },
    { name: 'an object as application', as, call: PLAY, body: ask({ appName: {} }), status: 400 },
    { name: 'properties as text', as, call: PLAY, body: ask({ appName: 'a', properties: 'x' }), status: 400 },
    { name: 'properties as list', as, call: PLAY, body: ask({ appName: 'a', properties: [] }), status: 400 },
    {
      name: 'no time',
      as,
      call: PLAY,
      body: ask({ appName: 'a', currentTime: 'soon' }),
      status: 400,
      text: 'currentTime',
    },
    {
      name: 'two times',
      as,
      call: PLAY,
      body: ask({ appName: 'a', currentTime: '2030-01-01T00:00:00Z,2031-01-01T00:00:00Z' }),
      status: 400,
    },
    { name: 'another text for projects', as, call: PLAY, body: ask(undefined, { projects: 'default' }), status: 400 },
    {
      name: 'unknown names beside',
      as,
      call: PLAY,
      body: ask(undefined, { foo: 1 }),
      status: 200,
      has: { input: { environments: ['development'], context: { appName: 'a' } } },
    },
    {
      name: 'only the named flags',
      as,
      call: PLAY,
      body: ask(undefined, { features: ['plain', 'nope'] }),
      status: 200,
      has: { features: [expect.objectContaining({ name: 'plain' })] },
    },
    { name: 'no named flag', as, call: PLAY, body: ask(undefined, { features: [] }), status: 400, text: 'features' },
    { name: 'a text for them', as, call: PLAY, body: ask(undefined, { features: 'plain' }), status: 400 },
    ...([[], ['*'], ['nope'], ['__proto__']] as const).map((projects) => ({
      name: `projects ${JSON.stringify(projects)}`,
      as,
      call: PLAY,
      body: ask(undefined, { projects }),
      status: 200,
      has: { features: [], input: { projects } },
    })),
    {
      name: 'more than 100000 evaluations',
      as,
      call: PLAY,
      body: ask({ appName: 'a', userId: '1,'.repeat(200), x: '1,'.repeat(200) }),
      status: 400,
      text: '1 environments × 11 flags × 40401 combinations',
    },
    {
      name: 'more combinations than numbers',
      as,
      call: PLAY,
      body: ask({
        appName: 'a',
        ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, ','.repeat(99)])),
      }),
      status: 400,
    },
  ] satisfies Scenario[])

  test.each([undefined, '*', ['default']])(
    'projects %j are all flags by name, and archived ones are none',
    async (projects) => {
      const reply = await server.call({ as, call: PLAY, body: ask(undefined, { projects }) })
      const names = reply.json().features.map((feature: { name: string }) => feature.name)
      expect(names).toHaveLength(11)
      expect(names).toEqual(names.toSorted())
      expect(names).not.toContain('gone')
      expect(Object.hasOwn(reply.json().input, 'projects')).toBe(projects !== undefined)
    },
  )
})

describe('results', () => {
  scenarios(() => server, [
    one('plain', {}, { isEnabled: true, isEnabledInCurrentEnvironment: true, strategies: strategies(true, true) }),
    one('plain', {}, { variant: { name: 'disabled', enabled: false, feature_enabled: true }, variants: [] }),
    one('switched-off', {}, { isEnabled: false, isEnabledInCurrentEnvironment: false, variant: OFF }),
    one('switched-off', {}, { strategies: strategies(true, true) }),
    one('custom', {}, { isEnabled: false, strategies: strategies('unknown', INCOMPLETE), variant: OFF }),
    one('custom-no', {}, { strategies: strategies(false, { evaluationStatus: 'incomplete', enabled: false }) }),
    one('custom-no', { userId: '7' }, { strategies: strategies('unknown', INCOMPLETE) }),
    one('custom-and-true', {}, { isEnabled: true, strategies: strategies(true, INCOMPLETE, true) }),
    one('only-disabled', {}, { isEnabled: false, strategies: strategies('unknown', UNEVALUATED) }),
    one('full', { userId: '7' }, { isEnabled: true, strategies: strategies(true, true, UNEVALUATED) }),
    one('full', { userId: '8' }, { isEnabled: false, strategies: strategies('unknown', false, UNEVALUATED) }),
    one('full', {}, { feature_enabled: false, hasUnsatisfiedDependency: false, projectId: 'default' }),
    one(
      'variants',
      {},
      {
        isEnabled: true,
        variant: { name: 'blue', enabled: true, payload: { type: 'json', value: '{"a":1}' }, feature_enabled: true },
        variants: [expect.objectContaining({ name: 'blue', weight: 1000 })],
      },
    ),
    one(
      'own-variants',
      {},
      {
        variant: { name: 'green', enabled: true, feature_enabled: true },
        variants: [expect.objectContaining({ name: 'green' })],
      },
    ),
    one('dated', {}, { isEnabled: false }),
    one('dated', { currentTime: '2031-01-01T00:00:00Z' }, { isEnabled: true }),
    one('coloured', {}, { isEnabled: true }),
    one('coloured', { colour: 'red' }, { isEnabled: false, context: { colour: 'red', appName: 'a' } }),
    one('coloured', { properties: { colour: 'red' } }, { isEnabled: false, context: { colour: 'red', appName: 'a' } }),
    one(
      'coloured',
      { colour: 'blue', properties: { colour: 'red' } },
      { isEnabled: true, context: { colour: 'blue', appName: 'a' } },
    ),
    {
      name: 'an unknown environment',
      as,
      call: PLAY,
      body: { environments: ['mars'], context: { appName: 'a' } },
      status: 200,
      has: {
        features: expect.arrayContaining([
          {
            name: 'plain',
            projectId: 'default',
            environments: {
              mars: [
                expect.objectContaining({
                  isEnabled: false,
                  isEnabledInCurrentEnvironment: false,
                  environment: 'mars',
                  strategies: { result: false, data: [] },
                }),
              ],
            },
          },
        ]),
      },
    },
    {
      name: 'numbers and booleans where text is expected',
      as,
      call: PLAY,
      body: ask({ appName: 7, userId: 12, sessionId: true, properties: { n: 5 } }),
      status: 200,
      has: { input: { context: { appName: '7', userId: '12', sessionId: 'true', properties: { n: '5' } } } },
    },
    {
      name: 'other values that are not text',
      as,
      call: PLAY,
      body: ask({ appName: 'a', age: 18, list: ['x'], object: {}, none: null, text: 'fine' }),
      status: 200,
      has: {
        warnings: { invalidContextProperties: ['age', 'list', 'object', 'none'] },
        input: { context: { age: 18, list: ['x'] } },
        features: expect.arrayContaining([partOf('plain', { context: { text: 'fine', appName: 'a' } })]),
      },
    },
    {
      name: 'names that every object has',
      as,
      call: PLAY,
      raw: '{"environments":["development"],"context":{"appName":"a","__proto__":"x","constructor":"y"}}',
      status: 200,
    },
  ] satisfies Scenario[])

  test('a strategy shows all its parts, and where to edit it', async () => {
    const reply = await server.call({ as, call: PLAY, body: ask({ appName: 'a', userId: '8' }) })
    const found = reply.json().features.find((feature: { name: string }) => feature.name === 'full')
    const constraint = { ...ONLY_7[0], inverted: false, caseInsensitive: false, result: false }
    expect(found.environments.development[0].strategies.data[0]).toEqual({
      name: 'flexibleRollout',
      id: ids[0],
      title: 'first',
      disabled: false,
      parameters: { rollout: '100', stickiness: 'default', groupId: 'full' },
      result: false,
      constraints: [constraint],
      segments: [{ id: 1, name: 'staff', result: false, constraints: [constraint] }],
      links: { edit: `/projects/default/features/full/strategies/edit?environmentId=development&strategyId=${ids[0]}` },
      decision: { bucket: 89, groupId: 'full', limit: 100, stickiness: 'default', stickinessValue: '8' },
    })
    expect(found.environments.development[0].strategies.data[1]).not.toHaveProperty('title')
    expect(found.environments.development[0].strategies.data[1].disabled).toBe(true)
    expect(reply.json()).not.toHaveProperty('warnings')
    expect(Object.keys(reply.json())).toEqual(['features', 'input'])
  })

  test('commas stand for several values; every combination is evaluated, the application fastest', async () => {
    const context = { appName: 'a,b', userId: '7, 7', properties: { x: '1,2' } }
    const reply = await server.call({ as, call: PLAY, body: ask(context) })
    const found = reply.json().features.find((feature: { name: string }) => feature.name === 'full')
    const results = found.environments.development as { context: object; isEnabled: boolean }[]
    expect(results.map((result) => result.context)).toEqual(
      ['1', '2'].flatMap((x) => ['7', ' 7'].flatMap((userId) => ['a', 'b'].map((appName) => ({ x, userId, appName })))),
    )
    expect(results.map((result) => result.isEnabled)).toEqual([true, true, false, false, true, true, false, false])
    expect(Object.keys(results[0]?.context ?? {}).at(-1)).toBe('appName')
  })

  test('an environment that is named twice has its results twice', async () => {
    const reply = await server.call({
      as,
      call: PLAY,
      body: ask(undefined, { environments: ['development', 'production', 'development'] }),
    })
    const { environments } = reply.json().features[0]
    expect(environments.development).toHaveLength(2)
    expect(environments.production).toHaveLength(1)
  })

  test('match what a client gets', async () => {
    const headers = { 'unleash-client-spec': '5.1.0' }
    const download = (await server.call({ as: 'client', call: 'GET /api/client/features', headers })).json()
    const reply = (await server.call({ as, call: PLAY, body: ask() })).json()
    for (const feature of download.features as { name: string; enabled: boolean }[]) {
      const [result] = reply.features.find((one: { name: string }) => one.name === feature.name).environments
        .development
      if (!feature.enabled) expect([feature.name, result.isEnabled]).toEqual([feature.name, false])
    }
  })
})

describe('one environment, one context', () => {
  scenarios(() => server, [
    { name: 'anonymous', call: SIMPLE, body: {}, status: 401 },
    { name: 'no environment', as, call: SIMPLE, body: { context: { appName: 'a' } }, status: 400, text: 'environment' },
    { name: 'no application', as, call: SIMPLE, body: { environment: 'development', context: {} }, status: 400 },
    {
      name: 'a viewer',
      as: 'viewer',
      call: SIMPLE,
      body: { environment: 'development', projects: '*', context: { appName: 'a', userId: '7,8', age: 1 } },
      status: 200,
      has: {
        input: { environment: 'development', context: { userId: '7,8' } },
        features: expect.arrayContaining([expect.objectContaining({ name: 'full', isEnabled: false })]),
        warnings: { invalidContextProperties: ['age'] },
      },
    },
    {
      name: 'an unknown environment',
      as,
      call: SIMPLE,
      body: { environment: 'mars', context: { appName: 'a' } },
      status: 200,
      has: { features: expect.arrayContaining([expect.objectContaining({ name: 'plain', isEnabled: false })]) },
    },
  ] satisfies Scenario[])
})
