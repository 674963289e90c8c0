import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Imported flags evaluate as they did at the source, or the import is rejected. */
const A = '/api/admin'
const F = `${A}/projects/default/features`
const STATE = `POST ${A}/state/import`
const BATCH = `POST ${A}/features-batch/import`
const VALIDATE = `POST ${A}/features-batch/validate`
const as = 'admin'
const PLACE = { project: 'default', environment: 'development' }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const send = async (call: string, body: object) => {
  const reply = await server.call({ as, call, body })
  return { status: reply.statusCode, text: reply.body, body: reply.body.startsWith('{') ? JSON.parse(reply.body) : {} }
}
const stateOf = async (flag: string) => {
  const { environments } = await server.admin(`GET ${F}/${flag}`)
  return environments.find(({ name }: { name: string }) => name === 'development')
}
const at = (featureName: string) => ({ featureName, environment: 'development' })
/** Returns a version 4 document with one flag. */
const stateWith = (name: string, more: object = {}) => ({
  version: 4,
  features: [{ name }],
  featureEnvironments: [{ ...at(name), enabled: true }],
  ...more,
})
const batchWith = (name: string, data: object = {}, more: object = {}) => ({
  ...PLACE,
  ...more,
  data: {
    features: [{ name }],
    featureStrategies: [],
    tagTypes: [],
    featureEnvironments: [{ featureName: name, enabled: true }],
    ...data,
  },
})
const disabled = { name: 'flexibleRollout', parameters: { rollout: '1' }, disabled: true }

describe('a flag that is on without an enabled strategy', () => {
  const cases: readonly (readonly [
    what: string,
    name: string,
    send: (close: boolean, name: string) => Promise<unknown>,
  ])[] = [
    [
      'without any strategy in a state',
      'state-none',
      (close, name) => send(`${STATE}?closeUnguarded=${close}`, stateWith(name)),
    ],
    [
      'with disabled strategies alone in a state',
      'state-disabled',
      (close, name) => {
        const { name: strategyName, ...rest } = disabled
        const featureStrategies = [{ ...at(name), strategyName, ...rest }]
        return send(`${STATE}?closeUnguarded=${close}`, stateWith(name, { featureStrategies }))
      },
    ],
    [
      'without any strategy in an export',
      'batch-none',
      (close, name) => send(BATCH, batchWith(name, {}, { closeUnguarded: close })),
    ],
    [
      'with disabled strategies alone in an export',
      'batch-disabled',
      (close, name) => {
        const featureStrategies = [{ featureName: name, ...disabled }]
        return send(BATCH, batchWith(name, { featureStrategies }, { closeUnguarded: close }))
      },
    ],
  ]

  test.each(cases)('%s stays on for everyone, and reply and log name it', async (_, name, run) => {
    const logged = server.logged.length
    const reply = await run(false, name)
    expect(reply).toMatchObject({
      text: expect.stringMatching(`stay on for everyone.*${name} \\(development\\)|${name}.*`),
    })
    const { enabled, strategies } = await stateOf(name)
    expect(enabled).toBe(true)
    expect(strategies.at(-1)).toMatchObject({ name: 'default', disabled: false, parameters: {}, constraints: [] })
    const lines = server.logged.slice(logged).filter((line) => line.startsWith('warn'))
    expect(lines).toEqual([expect.stringMatching(`on for everyone.*${name} \\(development\\)`)])
  })

  test.each(cases)('%s: gets disabled if the import requests it', async (_, name, run) => {
    const reply = await run(true, `${name}-closed`)
    expect(reply).toMatchObject({ text: expect.stringContaining('turned off here') })
    expect((await stateOf(`${name}-closed`)).enabled).toBe(false)
  })

  test('appears in the validation with the strategy that is added', async () => {
    const { body } = await send(VALIDATE, batchWith('checked'))
    expect(body.warnings).toEqual([
      { message: expect.stringContaining('stay on for everyone'), affectedItems: ['checked (development)'] },
    ])
  })

  test('takes the right to add a strategy', async () => {
    const reply = await server.call({ as: 'viewer', call: VALIDATE, body: batchWith('checked') })
    expect(JSON.stringify(reply.json().permissions)).toContain('Create activation strategies')
  })
})

describe('a refused import', () => {
  const strategies = [
    { name: 'nope' },
    { name: 'default' },
    { name: 'flexibleRollout', parameters: { rollout: '12.5' } },
    { name: 'default', constraints: [{ contextName: 'a', operator: 'NUM_GT', value: 'x' }] },
  ]
  const named = (flag: string) => [
    `flag "${flag}", environment "development", strategy 3 "flexibleRollout": "rollout" must be a whole number`,
    `flag "${flag}", environment "development", strategy 4 "default": "value"`,
  ]

  test('names every refused part of a state at once', async () => {
    const last = await server.lastEventId()
    const featureStrategies = strategies.map(({ name, ...rest }) => ({ ...at('many'), strategyName: name, ...rest }))
    const body = {
      ...stateWith('many', { featureStrategies }),
      features: [{ name: 'many' }, { name: 'a b' }],
    }
    const { status, body: problem } = await send(STATE, body)
    expect(status).toBe(400)
    const messages = problem.details.map(({ message }: { message: string }) => message)
    expect(messages).toEqual([
      'flag "many", environment "development", strategy 1 "nope": There is no strategy "nope".',
      ...named('many').map((text) => expect.stringContaining(text)),
      expect.stringContaining('flag "a b": "name" must be URL friendly'),
    ])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('names every refused part of an export at once', async () => {
    const last = await server.lastEventId()
    const featureStrategies = strategies.slice(1).map((one) => ({ featureName: 'many', ...one }))
    const { status, body } = await send(BATCH, batchWith('many', { featureStrategies }))
    expect(status).toBe(400)
    const messages = body.details.map(({ message }: { message: string }) => message)
    expect(messages).toEqual(
      named('many').map((text) =>
        expect.stringContaining(text.replace('strategy 3', 'strategy 2').replace('strategy 4', 'strategy 3')),
      ),
    )
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

describe('a segment that exists with other constraints', () => {
  const constraint = (value: string) => [{ contextName: 'country', operator: 'IN', values: [value] }]
  const segments = [{ id: 7, name: 'eu', constraints: constraint('FR') }]
  beforeAll(() => server.admin(`POST ${A}/segments`, { name: 'eu', constraints: constraint('DE') }))

  test('does not count as the same in a state import', async () => {
    const body = stateWith('seg', {
      featureStrategies: [{ ...at('seg'), id: 's', strategyName: 'default' }],
      featureStrategySegments: [{ featureStrategyId: 's', segmentId: 7 }],
      segments,
    })
    const { status, text } = await send(STATE, body)
    expect([status, text]).toEqual([400, expect.stringContaining('segment \\"eu\\": it has other constraints here')])
    const same = { ...body, segments: [{ ...segments[0], constraints: constraint('DE') }] }
    expect((await send(STATE, same)).status).toBe(202)
  })

  test('can be used by an import of flags only on request', async () => {
    const data = { featureStrategies: [{ featureName: 'seg2', name: 'default', segments: [7] }], segments }
    const refused = await send(BATCH, batchWith('seg2', data))
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('other constraints here')])
    const taken = await send(BATCH, batchWith('seg2', data, { useExistingSegments: true }))
    expect(taken).toMatchObject({ status: 200, body: { warnings: [{ affectedItems: ['eu'] }] } })
  })
})

describe('imports preserve who gets a flag', () => {
  const variants = [
    { name: 'b', weight: 30, weightType: 'variable', stickiness: 'userId' },
    { name: 'a', weight: 10, weightType: 'fix', stickiness: 'userId' },
  ]
  const rollout = { name: 'flexibleRollout', parameters: { rollout: '50' }, variants }

  test.each([
    [
      'in a state',
      'given-state',
      () => {
        const { name: strategyName, ...rest } = rollout
        return send(STATE, {
          ...stateWith('given-state', { featureStrategies: [{ ...at('given-state'), strategyName, ...rest }] }),
          featureEnvironments: [{ ...at('given-state'), enabled: true, variants }],
        })
      },
    ],
    [
      'in an export',
      'given-batch',
      () =>
        send(
          BATCH,
          batchWith('given-batch', {
            featureStrategies: [{ featureName: 'given-batch', ...rollout }],
            featureEnvironments: [{ featureName: 'given-batch', enabled: true, variants }],
          }),
        ),
    ],
  ])('%s: parameters, weights and their order', async (_, name, run) => {
    expect((await run()).status).toBeLessThan(300)
    const { strategies } = await stateOf(name)
    expect(strategies).toMatchObject([{ parameters: { rollout: '50' }, variants }])
    expect(strategies[0].parameters).toEqual({ rollout: '50' })
    const { variants: own } = await server.admin(`GET ${F}/${name}/environments/development/variants`)
    expect(own).toEqual(variants)
  })

  test('variants of a flag of version 3 are in each of its environments', async () => {
    const featureStrategies = [{ ...at('v3'), strategyName: 'default' }]
    const body = { ...stateWith('v3', { featureStrategies }), version: 3, features: [{ name: 'v3', variants }] }
    expect((await send(STATE, body)).status).toBe(202)
    const { variants: own } = await server.admin(`GET ${F}/v3/environments/development/variants`)
    expect(own).toEqual(variants)
  })

  test('keeps the order of strategies that have a sort order', async () => {
    const one = (strategyName: string, sortOrder: number) => ({ ...at('ordered'), strategyName, sortOrder })
    const featureStrategies = [one('userWithId', 2), one('default', 1)]
    expect((await send(STATE, stateWith('ordered', { featureStrategies }))).status).toBe(202)
    const { strategies } = await stateOf('ordered')
    expect(strategies.map(({ name }: { name: string }) => name)).toEqual(['default', 'userWithId'])
  })

  test('a flag with a time of archiving is archived', async () => {
    const body = { ...stateWith('gone'), features: [{ name: 'gone', archivedAt: '2025-01-01T00:00:00Z' }] }
    expect((await send(STATE, body)).text).toBe('Accepted')
    const { features } = await server.admin(`GET ${A}/archive/features`)
    expect(features.map(({ name }: { name: string }) => name)).toContain('gone')
  })
})

test.each<[what: string, document: object, text: string]>([
  ['a flag', { features: [{ name: 'twice' }, { name: 'twice' }] }, 'flag \\"twice\\" occurs more than once'],
  [
    'a state',
    stateWith('twice', {
      featureEnvironments: [
        { ...at('twice'), enabled: false },
        { ...at('twice'), enabled: true },
      ],
    }),
    'the state of flag \\"twice\\" in environment \\"development\\" occurs more than once',
  ],
  [
    'a strategy',
    stateWith('twice', {
      featureStrategies: [
        { ...at('twice'), id: 's', strategyName: 'default' },
        { ...at('twice'), id: 's', strategyName: 'default' },
      ],
    }),
    'strategy \\"s\\" occurs more than once',
  ],
])('%s that a state gives twice is rejected', async (_, document, text) => {
  expect(await send(STATE, document)).toMatchObject({ status: 400, text: expect.stringContaining(text) })
})

test.each<[what: string, document: object, text: string]>([
  [
    'strategies of a flag that is not there',
    { featureStrategies: [{ ...at('x'), strategyName: 'default' }] },
    'flag \\"x\\"',
  ],
  ['a state of a flag that is not there', { featureEnvironments: [{ ...at('x'), enabled: true }] }, 'flag \\"x\\"'],
  [
    'variants beside those of environments in version 4',
    {
      ...stateWith('x', { featureEnvironments: [{ ...at('x'), enabled: true, variants: [] }] }),
      features: [{ name: 'x', variants: [{ name: 'v', weight: 1000 }] }],
    },
    'has its own variants and variants in its environments',
  ],
  [
    'a flag of version 1 that is on without a list of strategies',
    { version: 1, features: [{ name: 'x', enabled: true }] },
    'has no list \\"strategies\\"',
  ],
])('%s: rejected', async (_, document, text) => {
  expect(await send(STATE, document)).toMatchObject({ status: 400, text: expect.stringContaining(text) })
})
