import { CONFIG_FILE_KINDS } from '@burgee/protocol/administration/config-files'
import { ALL_TOOLS } from '@burgee/server/admin/agents/tools/all-tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, callTool, ROLES } from '../agents/agent.ts'
import { applyFiles, configOf } from '../config/config-project.ts'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Rules for strategies hold in every way to write one: in milestones of release templates, in files, and in calls of
 * agents, exactly as in the routes for strategies.
 */
const P = '/api/admin/projects/default'
const TEMPLATES = '/api/admin/release-plan-templates'
let server: TestServer
let agent = ''
let made = 0

interface Constraint {
  readonly contextName: string
  readonly operator: string
  readonly value?: string
  readonly values?: readonly string[]
}

interface Parts {
  readonly constraints?: readonly object[]
  readonly variants?: readonly object[]
}

interface Stored {
  readonly constraints: readonly Constraint[]
  readonly variants: readonly { readonly name: string; readonly stickiness?: string }[]
}

/** Way to write a strategy: sends it and returns the strategy as it is stored, or the refusal. */
type Write = (parts: Parts) => Promise<{ readonly stored: Stored } | { readonly refused: string }>

beforeAll(async () => {
  server = await startServer()
  agent = (await addAccount(server, 'robot', { rootRole: ROLES.admin })).secret
})
afterAll(() => server.close())

const PARAMETERS = { rollout: '50', stickiness: 'userId', groupId: 'g' }
const milestone = (parts: Parts) => ({
  name: 'first',
  strategies: [{ strategyName: 'flexibleRollout', parameters: PARAMETERS, ...parts }],
})

interface Accepted {
  // biome-ignore lint/suspicious/noExplicitAny: each route has another reply
  readonly body: any
}

async function send(call: string, body: unknown): Promise<Accepted | { readonly refused: string }> {
  const reply = await server.call({ as: 'admin', call, body })
  return reply.statusCode < 300
    ? { body: reply.body === '' ? {} : reply.json() }
    : { refused: `${reply.statusCode} ${reply.body}` }
}

async function addTemplate(parts: Parts = {}) {
  made += 1
  return server.admin(`POST ${TEMPLATES}`, { name: `template-${made}`, milestones: [milestone(parts)] })
}

async function addFlag(parts: Parts = {}) {
  made += 1
  const feature = `flag-${made}`
  await server.admin(`POST ${P}/features`, { name: feature })
  const strategies = `${P}/features/${feature}/environments/development/strategies`
  const body = { name: 'flexibleRollout', parameters: PARAMETERS, ...parts }
  const { id } = await server.admin(`POST ${strategies}`, body)
  return { feature, strategies, id: String(id) }
}

/** Writes a value as YAML; JSON is YAML as well. */
const file = (content: object) => [{ path: 'a.yaml', content: JSON.stringify(content) }]

async function applyFile(content: object): Promise<string | undefined> {
  const files = file(content)
  const planned = await send(`POST ${configOf('default')}/plan`, { files })
  if ('refused' in planned) return planned.refused
  const applied = await send(`POST ${configOf('default')}/apply`, { files, plan: planned.body.plan })
  return 'refused' in applied ? applied.refused : undefined
}

const readTemplate = async (name: string) =>
  (await server.admin(`GET ${TEMPLATES}`)).find((one: { readonly name: string }) => one.name === name)

const WAYS: Readonly<Record<string, Write>> = {
  'a strategy of a flag': async (parts) => {
    const { strategies } = await addFlag()
    const reply = await send(`POST ${strategies}`, { name: 'flexibleRollout', parameters: PARAMETERS, ...parts })
    return 'refused' in reply ? reply : { stored: reply.body }
  },
  'a new release template': async (parts) => {
    made += 1
    const reply = await send(`POST ${TEMPLATES}`, { name: `template-${made}`, milestones: [milestone(parts)] })
    return 'refused' in reply ? reply : { stored: reply.body.milestones[0].strategies[0] }
  },
  'a replaced release template': async (parts) => {
    const { id, name } = await addTemplate()
    const reply = await send(`PUT ${TEMPLATES}/${id}`, { name, milestones: [milestone(parts)] })
    return 'refused' in reply ? reply : { stored: reply.body.milestones[0].strategies[0] }
  },
  'a new milestone': async (parts) => {
    const { id } = await addTemplate()
    const reply = await send(`POST ${TEMPLATES}/${id}/milestones`, milestone(parts))
    return 'refused' in reply ? reply : { stored: reply.body.strategies[0] }
  },
  'a replaced milestone': async (parts) => {
    const { id, milestones } = await addTemplate()
    const reply = await send(`PUT ${TEMPLATES}/${id}/milestones/${milestones[0].id}`, milestone(parts))
    return 'refused' in reply ? reply : { stored: reply.body.strategies[0] }
  },
  'a new strategy of a milestone': async (parts) => {
    const { id, milestones } = await addTemplate()
    const call = `POST ${TEMPLATES}/${id}/milestones/${milestones[0].id}/strategies`
    const reply = await send(call, milestone(parts).strategies[0])
    return 'refused' in reply ? reply : { stored: reply.body }
  },
  'a replaced strategy of a milestone': async (parts) => {
    const { id, milestones } = await addTemplate()
    const [{ id: own, strategies }] = milestones
    const call = `PUT ${TEMPLATES}/${id}/milestones/${own}/strategies/${strategies[0].id}`
    const reply = await send(call, milestone(parts).strategies[0])
    return 'refused' in reply ? reply : { stored: reply.body }
  },
  'the strategy that a release plan starts': async (parts) => {
    made += 1
    const template = await send(`POST ${TEMPLATES}`, { name: `template-${made}`, milestones: [milestone(parts)] })
    if ('refused' in template) return template
    const { feature, id } = await addFlag()
    const place = `${P}/features/${feature}/environments/development`
    await server.admin(`DELETE ${place}/strategies/${id}`)
    await server.admin(`POST ${place}/release-plans`, { templateId: template.body.id })
    const [stored] = await server.admin(`GET ${place}/strategies`)
    return { stored }
  },
  'the file of a flag': async (parts) => {
    made += 1
    const name = `filed-${made}`
    const strategies = [{ name: 'flexibleRollout', parameters: PARAMETERS, ...parts }]
    const environments = { development: { enabled: false, strategies } }
    const refused = await applyFile({ kind: 'Flag', name, environments })
    if (refused !== undefined) return { refused }
    const [stored] = await server.admin(`GET ${P}/features/${name}/environments/development/strategies`)
    return { stored }
  },
  'the file of a release template': async (parts) => {
    made += 1
    const name = `filed-${made}`
    const strategies = [{ name: 'flexibleRollout', parameters: PARAMETERS, ...parts }]
    const refused = await applyFile({ kind: 'ReleaseTemplate', name, milestones: [{ name: 'first', strategies }] })
    if (refused !== undefined) return { refused }
    return { stored: (await readTemplate(name)).milestones[0].strategies[0] }
  },
}

/** Ways that write constraints, but no variants. */
const CONSTRAINT_WAYS: Readonly<Record<string, Write>> = {
  'the file of a segment': async ({ constraints }) => {
    made += 1
    const name = `filed-${made}`
    const refused = await applyFile({ kind: 'Segment', name, constraints })
    if (refused !== undefined) return { refused }
    const { segments } = await server.admin('GET /api/admin/segments')
    return { stored: { ...segments.find((one: { readonly name: string }) => one.name === name), variants: [] } }
  },
  'a rollout by an agent': async ({ constraints }) => {
    // one token may make 30 changes per hour
    made += 1
    const { secret } = await addAccount(server, `robot-${made}`, { rootRole: ROLES.admin })
    const { feature, strategies } = await addFlag()
    const given = {
      featureName: feature,
      environment: 'development',
      rolloutPercentage: 10,
      constraints,
      reason: 'a test',
    }
    const { isError, content } = await callTool(server, secret, 'set_flag_rollout', given)
    if (isError) return { refused: `400 ${content[0]?.text}` }
    return { stored: (await server.admin(`GET ${strategies}`))[0] }
  },
}

const PREPARATIONS = [
  'feature-created',
  'feature-strategy-add',
  'feature-strategy-remove',
  'release-plan-template-created',
]
const FORMS = [
  ['IN', { values: ['norway ', ' sweden', '', ' '] }, { values: ['norway', 'sweden'] }],
  ['NUM_GT', { value: '.5' }, { value: '0.5' }],
  ['DATE_AFTER', { value: '2022-01-29' }, { value: '2022-01-29T00:00:00.000Z' }],
] as const
const REFUSED = [
  ['IN []', [{ contextName: 'x', operator: 'IN', values: [] }], 'at least one value'],
  ['NOT_IN without values', [{ contextName: 'x', operator: 'NOT_IN' }], 'at least one value'],
  ['a list of blanks', [{ contextName: 'x', operator: 'STR_CONTAINS', values: [' '] }], 'at least one value'],
  ['a day that no month has', [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2022-02-30' }], 'value'],
  ['half a surrogate pair', [{ contextName: 'x', operator: 'IN', values: ['\ud83d'] }], ''],
  ['a key that would be ignored', [{ contextName: 'x', operator: 'IN', values: ['a'], negated: true }], 'negated'],
] as const

describe.each(Object.entries({ ...WAYS, ...CONSTRAINT_WAYS }))('constraints of %s', (_way, write) => {
  test.each(FORMS)('the server stores the canonical form of %s %j: %j', async (operator, sent, stored) => {
    const contextName = operator === 'DATE_AFTER' ? 'currentTime' : 'x'
    const result = await write({ constraints: [{ contextName, operator, ...sent }] })
    expect(result).toMatchObject({ stored: { constraints: [stored] } })
  })

  test.each(REFUSED)('the server refuses %s', async (_what, constraints, text) => {
    const last = await server.lastEventId()
    expect(await write({ constraints })).toEqual({ refused: expect.stringMatching(new RegExp(`^400 .*${text}`, 's')) })
    // the way itself may need a flag or a template
    const others = (await server.eventsAfter(last)).filter((type) => !PREPARATIONS.includes(type))
    expect(others).toEqual([])
  })
})

describe.each(Object.entries(WAYS))('variants of %s', (_way, write) => {
  test('the server stores them by name, and adds no stickiness', async () => {
    const names = ['Treatment', 'control', '_x', '10', '9']
    const { stored } = (await write({ variants: names.map((name) => ({ name, weight: 1 })) })) as { stored: Stored }
    expect(stored.variants.map(({ name }) => name)).toEqual(['_x', '10', '9', 'control', 'Treatment'])
    expect(stored.variants.filter((variant) => 'stickiness' in variant)).toEqual([])
  })

  test.each([
    ['an unreadable payload', { payload: { type: 'json', value: '{no' } }, 'payload'],
    ['a key below the payload', { payload: { type: 'string', value: 'a', rules: [1] } }, 'rules'],
    ['a key below an override', { overrides: [{ contextName: 'x', values: ['a'], inverted: true }] }, 'inverted'],
    ['a key of the variant', { constraints: [{ contextName: 'x' }] }, 'constraints'],
  ])('the server refuses %s', async (_what, more, text) => {
    const result = await write({ variants: [{ name: 'a', weight: 1000, ...more }] })
    expect(result).toEqual({ refused: expect.stringMatching(new RegExp(`^400 .*${text}`, 's')) })
  })
})

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly additionalProperties?: unknown
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
}

/** Returns the paths of the objects in a schema that accept undeclared properties. */
function listOpenObjects(node: SchemaNode, path: string): string[] {
  const { properties = {}, items, anyOf = [], patternProperties = {} } = node
  const isOpen = node.properties !== undefined && node.additionalProperties !== false
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries({ ...properties, ...patternProperties }).flatMap(([name, inner]) =>
      listOpenObjects(inner, `${path}/${name}`),
    ),
    ...(items === undefined ? [] : listOpenObjects(items, `${path}/items`)),
    ...anyOf.flatMap((inner) => listOpenObjects(inner, path)),
  ]
}

test.each([
  ...Object.entries(CONFIG_FILE_KINDS).map(([kind, schema]) => [`files of the kind ${kind}`, schema] as const),
  ...ALL_TOOLS.map(({ name, inputSchema }) => [`arguments of the tool ${name}`, inputSchema] as const),
])('no object in %s accepts undeclared properties', (_what, schema) => {
  expect(listOpenObjects(schema as SchemaNode, '')).toEqual([])
})

test('an argument of a tool that would be ignored is refused by name', async () => {
  for (const { name } of ALL_TOOLS) {
    const { isError, content } = await callTool(server, agent, name, { segments: [1] })
    expect([name, isError, content[0]?.text]).toEqual([name, true, expect.stringContaining('`segments`')])
  }
})

describe('what restricts a strategy of a flag that is on', () => {
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['paid'] }]
  const on = async () => {
    const flag = await addFlag({ constraints })
    await server.admin(`POST ${P}/features/${flag.feature}/environments/development/on`)
    return flag
  }

  test('an agent cannot remove it', async () => {
    const { feature, strategies } = await on()
    const given = { featureName: feature, environment: 'development', rolloutPercentage: 10, reason: 'a test' }
    const { isError, content } = await callTool(server, agent, 'set_flag_rollout', { ...given, constraints: [] })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('without constraints')])
    expect((await server.admin(`GET ${strategies}`))[0].constraints).toHaveLength(1)
  })

  test('a file removes it only if the plan names the removal', async () => {
    const { feature, strategies } = await on()
    const own = { name: 'flexibleRollout', parameters: PARAMETERS, constraints: [] }
    const environments = { development: { enabled: true, strategies: [own] } }
    const files = file({ kind: 'Flag', name: feature, environments })
    const plan = await server.admin(`POST ${configOf('default')}/plan`, { files })
    expect(plan.changes).toMatchObject([
      { enables: true, sentence: expect.stringContaining('without its former constraints or segments') },
    ])
    await server.admin(`POST ${configOf('default')}/apply`, { files, plan: plan.plan })
    expect((await server.admin(`GET ${strategies}`))[0].constraints).toEqual([])
  })
})

test('a file empties a segment in use only if the plan names the effect', async () => {
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['paid'] }]
  const { id } = await server.admin('POST /api/admin/segments', { name: 'paying', constraints })
  const { feature, strategies } = await addFlag()
  await server.admin(`POST ${strategies}`, { name: 'default', segments: [id] })
  await server.admin(`POST ${P}/features/${feature}/environments/development/on`)
  const files = file({ kind: 'Segment', name: 'paying', constraints: [] })
  const { plan, changes } = await server.admin(`POST ${configOf('default')}/plan`, { files })
  expect(changes).toMatchObject([{ sentence: expect.stringContaining('It then matches every user.') }])
  await server.admin(`POST ${configOf('default')}/apply`, { files, plan })
  expect((await server.admin(`GET /api/admin/segments/${id}`)).constraints).toEqual([])
})

test('a plan is empty after its apply, also for values that are not in canonical form', async () => {
  const constraints = [{ contextName: 'x', operator: 'IN', values: [' b ', 'a'] }]
  const variants = ['Treatment', 'control'].map((name) => ({ name, weight: 1 }))
  const strategies = [{ name: 'flexibleRollout', parameters: PARAMETERS, constraints, variants }]
  const contents = [
    { kind: 'Flag', name: 'settled', environments: { development: { enabled: false, strategies, variants } } },
    { kind: 'Segment', name: 'settled', constraints },
    { kind: 'ReleaseTemplate', name: 'settled', milestones: [{ name: 'first', strategies }] },
  ]
  const files = contents.map((content, index) => ({ path: `${index}.yaml`, content: JSON.stringify(content) }))
  await applyFiles(server, files)
  expect((await server.admin(`POST ${configOf('default')}/plan`, { files })).changes).toEqual([])
})
