import { findAmbiguousValues } from '@burgee/server/admin/targeting/ambiguous-values'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, callTool, ROLES } from '../agents/agent.ts'
import { addPeople } from '../change-requests/people.ts'
import { openGuest } from '../guest.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * A response header names values in a change that official SDKs interpret differently. The doctor reports such values
 * if they are stored.
 */
let server: TestServer
const P = '/api/admin/projects/default/features'
const STRATEGIES = `${P}/f/environments/development/strategies`
const DATE = { contextName: 'signedUpAt', operator: 'DATE_AFTER', value: '2024-01-01T00:00:00.000Z' }
const PLAIN = { contextName: 'x', operator: 'NUM_GT', value: '.5' }
const strategy = (...constraints: readonly object[]) => ({ name: 'default', constraints })
const segment = (...constraints: readonly object[]) => ({ name: crypto.randomUUID(), constraints })
const TEMPLATES = '/api/admin/release-plan-templates'
const template = (...constraints: readonly object[]) => ({
  name: crypto.randomUUID(),
  milestones: [{ name: 'first', strategies: [{ strategyName: 'default', parameters: {}, constraints }] }],
})
const message = expect.stringContaining('SDKs in Node compare the current time')

beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}`, { name: 'f' })
})
afterAll(() => server.close())

async function warningsOf(call: string, body: unknown): Promise<unknown> {
  const reply = await server.call({ as: 'admin', call, body })
  expect([reply.statusCode, reply.body]).toEqual([
    expect.toSatisfy((status: number) => status < 300),
    expect.anything(),
  ])
  const header = reply.headers['x-burgee-warnings']
  return header === undefined ? undefined : JSON.parse(String(header))
}

async function stored(): Promise<string> {
  return ((await server.admin(`POST ${STRATEGIES}`, strategy())) as { id: string }).id
}

async function storedTemplate() {
  return (await server.admin(`POST ${TEMPLATES}`, template(PLAIN))) as {
    readonly id: string
    readonly milestones: readonly { readonly id: string; readonly strategies: readonly { readonly id: string }[] }[]
  }
}

/** Entry points that accept a constraint, and the path that the header uses for it. */
const CALLS: readonly (readonly [string, string, (constraint: object) => Promise<readonly [string, unknown]>])[] = [
  ['a new strategy', 'constraints/0/contextName', async (one) => [`POST ${STRATEGIES}`, strategy(one)]],
  [
    'a replaced strategy',
    'constraints/0/contextName',
    async (one) => [`PUT ${STRATEGIES}/${await stored()}`, strategy(one)],
  ],
  [
    'a patched strategy',
    'constraints/0/contextName',
    async (one) => [`PATCH ${STRATEGIES}/${await stored()}`, [{ op: 'replace', path: '/constraints', value: [one] }]],
  ],
  ['a new segment', 'constraints/0/contextName', async (one) => ['POST /api/admin/segments', segment(one)]],
  [
    'a replaced segment',
    'constraints/0/contextName',
    async (one) => {
      const { id } = (await server.admin('POST /api/admin/segments', segment(PLAIN))) as { id: number }
      return [`PUT /api/admin/segments/${id}`, segment(one)]
    },
  ],
  ['a checked constraint', 'contextName', async (one) => ['POST /api/admin/constraints/validate', one]],
  [
    'a new release template',
    'milestones/0/strategies/0/constraints/0/contextName',
    async (one) => [`POST ${TEMPLATES}`, template(one)],
  ],
  [
    'a new milestone',
    'strategies/0/constraints/0/contextName',
    async (one) => [`POST ${TEMPLATES}/${(await storedTemplate()).id}/milestones`, template(one).milestones[0]],
  ],
  [
    'a replaced strategy of a milestone',
    'constraints/0/contextName',
    async (one) => {
      const { id, milestones } = await storedTemplate()
      const [first] = milestones
      const place = `${TEMPLATES}/${id}/milestones/${first?.id}/strategies/${first?.strategies[0]?.id}`
      return [`PUT ${place}`, template(one).milestones[0]?.strategies[0]]
    },
  ],
  [
    'a default strategy',
    'constraints/0/contextName',
    async (one) => ['POST /api/admin/projects/default/environments/production/default-strategy', strategy(one)],
  ],
]

describe.each(CALLS)('the reply to %s', (_name, path, callOf) => {
  test('names a constraint that SDKs read differently', async () => {
    expect(await warningsOf(...(await callOf(DATE)))).toEqual([{ message, affectedItems: [path] }])
  })

  test('has no header where the stored form is read alike', async () => {
    expect(await warningsOf(...(await callOf(PLAIN)))).toBeUndefined()
  })
})

test('the reply to a proposed change names its constraint', async () => {
  const people = await addPeople(server)
  const place = '/api/admin/projects/default/environments/production/change-requests'
  await server.admin(`PUT ${place}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const body = { feature: 'f', action: 'addStrategy', payload: strategy(DATE) }
  const reply = await server.call({ call: `POST ${place}`, body, ...people.as.author })
  expect([reply.statusCode, reply.headers['x-burgee-warnings']]).toEqual([
    200,
    expect.stringContaining('/payload/constraints/0/'),
  ])
})

test('the plan of files names the objects whose values SDKs read differently', async () => {
  const strategies = [strategy(DATE)]
  const contents = [
    { kind: 'Flag', name: 'filed', environments: { development: { enabled: false, strategies } } },
    { kind: 'Segment', name: 'filed segment', constraints: [DATE] },
    { kind: 'ReleaseTemplate', name: 'filed template', milestones: [{ name: 'first', strategies }] },
    { kind: 'Segment', name: 'plain segment', constraints: [PLAIN] },
  ]
  // JSON is YAML as well
  const files = contents.map((content, index) => ({ path: `${index}.yaml`, content: JSON.stringify(content) }))
  const plan = await server.admin('POST /api/admin/projects/default/config/plan', { files })
  expect(plan.warnings).toEqual([
    { kind: 'Segment', name: 'filed segment', reason: message },
    { kind: 'ReleaseTemplate', name: 'filed template', reason: message },
    { kind: 'Flag', name: 'filed', reason: message },
  ])
})

test('the result of an agent names them', async () => {
  const { secret } = await addAccount(server, 'robot', { rootRole: ROLES.admin })
  const place = { featureName: 'f', environment: 'development', rolloutPercentage: 10, reason: 'a test' }
  const write = (constraints: readonly object[]) =>
    callTool(server, secret, 'set_flag_rollout', { ...place, constraints })
  const warned = await write([DATE])
  expect([warned.structuredContent.warnings, warned.content[0]?.text]).toEqual([
    [message],
    expect.stringContaining('SDKs in Node compare the current time'),
  ])
  expect((await write([PLAIN])).structuredContent.warnings).toEqual([])
})

test('imports report values and payloads that they keep', async () => {
  const variants = [{ name: 'a', weight: 1000, weightType: 'variable', payload: { type: 'number', value: '12a' } }]
  const data = {
    features: [{ name: 'imported' }],
    featureStrategies: [{ ...strategy({ ...PLAIN, values: [] }), featureName: 'imported' }],
    featureEnvironments: [{ featureName: 'imported', environment: 'development', enabled: false, variants }],
    tagTypes: [],
  }
  const body = { project: 'default', environment: 'development', data }
  const reply = await server.call({ as: 'admin', call: 'POST /api/admin/features-batch/import', body })
  expect([reply.statusCode, reply.body]).toEqual([200, expect.anything()])
  expect(reply.json().warnings).toEqual([
    {
      message: expect.stringContaining('form that SDKs interpret differently'),
      affectedItems: ['imported (development)'],
    },
    {
      message: expect.stringContaining('payload does not match its type'),
      affectedItems: ['imported (development)'],
    },
  ])
  const state = {
    version: 4,
    features: [{ name: 'stated', project: 'default' }],
    featureEnvironments: [{ featureName: 'stated', environment: 'development', enabled: false, variants }],
    environments: [],
  }
  const text = await server.call({ as: 'admin', call: 'POST /api/admin/state/import', body: state })
  expect([text.statusCode, text.body]).toEqual([
    202,
    expect.stringMatching(/payload does not match its type: stated \(development\)/),
  ])
})

test('the doctor names stored values of segments, strategies, lists and payloads', async () => {
  const { id } = (await server.admin(`POST ${STRATEGIES}`, strategy(PLAIN))) as { id: string }
  await server.db.rows(
    'update feature_strategies set name = ?, parameters = ? where id = ?',
    ...['userWithId', JSON.stringify({ userIds: 'a, b' }), id],
  )
  await server.admin('POST /api/admin/segments', { ...segment(DATE), name: 'joined' })
  const place = '/api/admin/projects/default/environments/production/default-strategy'
  await server.admin(`POST ${place}`, strategy(DATE))
  const { id: templateId } = await server.admin(`POST ${TEMPLATES}`, {
    ...template(PLAIN),
    milestones: [...template(PLAIN).milestones, { ...template(DATE).milestones[0], name: 'later' }],
    name: 'joined template',
  })
  await server.admin(`POST ${P}`, { name: 'released' })
  await server.admin(`POST ${P}/released/environments/development/release-plans`, { templateId })
  const guest = await openGuest(server.databaseOptions)
  const found = await findAmbiguousValues(guest.reader, 50)
  await guest.close()
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the segment "joined", signedUpAt DATE_AFTER: SDKs in Node compare the current time/),
      expect.stringMatching(/^the default strategy of project "default" in production, /),
      expect.stringMatching(/^the release template "joined template", milestone "later", signedUpAt DATE_AFTER: /),
      expect.stringMatching(/^"released" in development, milestone "later", signedUpAt DATE_AFTER: /),
      expect.stringMatching(/^"f" in development, parameters\/userIds: Has a form/),
      expect.stringMatching(/^"imported" in development, x NUM_GT: Has a form/),
      expect.stringMatching(/^"imported" in development, variants\/0\/payload\/value: The payload does not match/),
    ]),
  )
})
