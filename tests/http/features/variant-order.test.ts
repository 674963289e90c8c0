import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Variants are stored and served in locale order of their names, because the order decides who gets which variant. */
let server: TestServer
const P = '/api/admin/projects/default/features'
const E = 'environments/development'
const GIVEN = ['Treatment', 'control', 'B', 'ab', 'a-b', 'a_b', '9', '10', '_x', 'Alpha', 'alpha']
const BY_NAME = ['_x', '10', '9', 'a_b', 'a-b', 'ab', 'alpha', 'Alpha', 'B', 'control', 'Treatment']
const variants = (names: readonly string[]) => names.map((name) => ({ name, weight: 1 }))
const rollout = (names: readonly string[]) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '100', stickiness: 'userId', groupId: 'g' },
  variants: variants(names),
})

interface Served {
  readonly variants?: readonly { name: string }[]
  readonly strategies: readonly { variants?: readonly { name: string }[] }[]
}

const namesOf = (list: readonly { name: string }[] | undefined) => (list ?? []).map(({ name }) => name)

async function served(flag: string): Promise<Served> {
  const reply = await server.call({ as: 'client', call: `GET /api/client/features/${flag}` })
  return reply.json()
}

async function create(flag: string): Promise<void> {
  await server.admin(`POST ${P}`, { name: flag })
}

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('variants of a flag are served by name', () => {
  test.each([
    ['PUT', `${E}/variants`, variants(GIVEN)],
    ['PATCH', `${E}/variants`, [{ op: 'replace', path: '', value: variants(GIVEN) }]],
    ['PUT', 'variants', variants(GIVEN)],
    ['PUT', 'variants-batch', { environments: ['development'], variants: variants(GIVEN) }],
  ])('after %s %s', async (method, path, body) => {
    const flag = `flag-${method}-${path.replaceAll('/', '-')}`
    await create(flag)
    const reply = await server.admin(`${method} ${P}/${flag}/${path}`, body)
    expect(namesOf((reply as { variants: { name: string }[] }).variants)).toEqual(BY_NAME)
    expect(namesOf((await served(flag)).variants)).toEqual(BY_NAME)
  })
})

describe('variants of a strategy are served by name', () => {
  test.each(['POST', 'PUT', 'PATCH'])('after %s', async (method) => {
    const flag = `strategy-${method}`
    await create(flag)
    const first = method === 'POST' ? GIVEN : ['only']
    const { id } = (await server.admin(`POST ${P}/${flag}/${E}/strategies`, rollout(first))) as { id: string }
    if (method === 'PUT') await server.admin(`PUT ${P}/${flag}/${E}/strategies/${id}`, rollout(GIVEN))
    if (method === 'PATCH')
      await server.admin(`PATCH ${P}/${flag}/${E}/strategies/${id}`, [
        { op: 'replace', path: '/variants', value: variants(GIVEN) },
      ])
    expect(namesOf((await served(flag)).strategies[0]?.variants)).toEqual(BY_NAME)
  })
})

/** The remainder of the weights goes to the first variants of the request, regardless of their names. */
test('the first variants of a request get the rest of the weights', async () => {
  await create('rest')
  const reply = await server.admin(`PUT ${P}/rest/${E}/variants`, variants(['c', 'b', 'a']))
  expect(reply).toMatchObject({
    variants: [
      { name: 'a', weight: 333 },
      { name: 'b', weight: 333 },
      { name: 'c', weight: 334 },
    ],
  })
})

describe('variants that are stored in another order', () => {
  const OLD = ['Treatment', 'control']
  let id: string

  beforeAll(async () => {
    await create('old')
    await server.admin(`PUT ${P}/old/${E}/variants`, variants(OLD))
    id = ((await server.admin(`POST ${P}/old/${E}/strategies`, rollout(OLD))) as { id: string }).id
    for (const table of ['feature_environments', 'feature_strategies']) {
      const [row] = await server.db.rows(
        `select variants from ${table} where feature_name = 'old' and environment = 'development'`,
      )
      const turned = (JSON.parse(String(row?.variants)) as unknown[]).toReversed()
      await server.db.rows(
        `update ${table} set variants = ? where feature_name = 'old' and environment = 'development'`,
        JSON.stringify(turned),
      )
    }
    // any edit makes the server reload the rows from the database
    await server.admin(`PUT ${P}/old`, { description: 'read' })
  })

  const order = async () => {
    const { variants: own, strategies } = await served('old')
    return [namesOf(own), namesOf(strategies[0]?.variants)]
  }

  test('come to SDKs in the stored order', async () => {
    expect(await order()).toEqual([OLD, OLD])
  })

  test('keep their order when they are sent again, which is no change', async () => {
    const last = await server.lastEventId()
    await server.admin(`PUT ${P}/old/${E}/variants`, variants(OLD.toReversed()))
    await server.admin(`PUT ${P}/old/${E}/strategies/${id}`, rollout(OLD.toReversed()))
    expect(await server.eventsAfter(last)).toEqual([])
    expect(await order()).toEqual([OLD, OLD])
  })

  test('keep their order when only a payload changes', async () => {
    const payload = { type: 'string', value: 'x' }
    const edited = variants(OLD.toReversed()).map((one) => ({ ...one, payload }))
    await server.admin(`PUT ${P}/old/${E}/variants`, edited)
    await server.admin(`PUT ${P}/old/${E}/strategies/${id}`, { ...rollout(OLD), variants: edited })
    expect(await order()).toEqual([OLD, OLD])
  })

  test('retain that order in a copy', async () => {
    await server.admin(`POST ${P}/old/clone`, { name: 'copy' })
    const { variants: own, strategies } = await served('copy')
    expect([namesOf(own), namesOf(strategies[0]?.variants)]).toEqual([OLD, OLD])
  })

  test('get sorted by name as soon as a variant is added', async () => {
    const more = [...OLD, 'beta']
    await server.admin(`PUT ${P}/old/${E}/variants`, variants(more))
    await server.admin(`PUT ${P}/old/${E}/strategies/${id}`, rollout(more))
    expect(await order()).toEqual([
      ['beta', 'control', 'Treatment'],
      ['beta', 'control', 'Treatment'],
    ])
  })
})

describe('an import keeps the order of its document', () => {
  const stored = variants(GIVEN).map((one) => ({ ...one, weightType: 'variable', stickiness: 'default' }))

  test('features-batch/import', async () => {
    await server.admin('POST /api/admin/features-batch/import', {
      project: 'default',
      environment: 'development',
      data: {
        features: [{ name: 'batch', type: 'release' }],
        featureStrategies: [{ ...rollout(GIVEN), variants: stored, featureName: 'batch' }],
        featureEnvironments: [{ name: 'batch', featureName: 'batch', environment: 'development', variants: stored }],
        contextFields: [],
        featureTags: [],
        segments: [],
        tagTypes: [],
      },
    })
    const { variants: own, strategies } = await served('batch')
    expect([namesOf(own), namesOf(strategies[0]?.variants)]).toEqual([GIVEN, GIVEN])
  })

  test('state/import', async () => {
    const body = {
      version: 4,
      features: [{ name: 'state', type: 'release', project: 'default' }],
      featureEnvironments: [{ featureName: 'state', environment: 'development', enabled: false, variants: stored }],
      featureStrategies: [
        {
          id: 's1',
          featureName: 'state',
          projectId: 'default',
          environment: 'development',
          strategyName: 'flexibleRollout',
          parameters: rollout([]).parameters,
          constraints: [],
          variants: stored,
        },
      ],
    }
    const reply = await server.call({ as: 'admin', call: 'POST /api/admin/state/import', body })
    expect(reply.statusCode).toBe(202)
    const { variants: own, strategies } = await served('state')
    expect([namesOf(own), namesOf(strategies[0]?.variants)]).toEqual([GIVEN, GIVEN])
  })
})
