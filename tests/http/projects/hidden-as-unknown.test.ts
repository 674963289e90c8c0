import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownAt } from '../contract/known-values.ts'
import { type SampledSchema, sampleOf } from '../contract/sample-body.ts'
import { textColumnsOf } from './canary-columns.ts'
import { CANARY, type Caller, type CanaryServer, startCanaryServer } from './canary-project.ts'

/**
 * Callers cannot find out whether a private project, or an object in it, exists. Every route gives the same reply for
 * the name of a hidden object as for a name that does not exist. The test takes routes from the route table, so it
 * automatically covers new routes.
 */
let canary: CanaryServer
beforeAll(async () => {
  canary = await startCanaryServer()
}, 120_000)
afterAll(() => canary.server.close())

type Route = BurgeeServer['routes'][number]
type Names = Readonly<Record<string, string>>

/** Names in a request: either names from the private project, or unused names of the same kinds. */
interface Objects {
  /** Word in the names of the project, its flags, applications and tags. */
  readonly word: string
  readonly segmentId: string
  readonly strategyId: string
  readonly token: string
  readonly request: string
}

const UNKNOWN: Objects = {
  word: 'zqabsent',
  segmentId: '987654321',
  strategyId: '00000000-0000-4000-8000-000000000000',
  token: '00000000-0000-4000-8000-000000000000',
  request: '987654321',
}
const hidden = (): Objects => ({ ...canary.ids, word: CANARY })

const PROJECTS = '/api/admin/projects'
const tomorrow = Date.now() + 86_400_000

/** Kinds of callers who must not see the project. */
const CALLERS = [
  'viewer',
  'deputy with every permission but ADMIN',
  'owner of another project',
  'personal token of a former member',
  'client token of another project',
] as const

/** Path parameters of objects that every caller sees. */
const OPEN: Names = {
  projectId: 'default',
  featureName: 'open-flag',
  environment: 'development',
  from: 'production',
  name: 'development',
  contextField: 'plan',
  strategyName: 'flexibleRollout',
  type: 'simple',
}

/**
 * Routes that let a caller with a certain permission find out that a name is in use, because names are unique in the
 * installation. The route whose path contains the name of an application creates that application.
 */
const NAMING = new Set(['POST /api/admin/metrics/applications/:appName'])

/** Path parameters of the requests to a route. Each either names an object in the project, or no object. */
function places({ method }: Route, { word, segmentId, strategyId, token }: Objects): Names[] {
  const project = { projectId: `${word}-project` }
  const others = { segmentId, strategyId, token, appName: `${word}-app`, value: `${word}tag`, parent: `${word}-flag` }
  const flags = (method === 'GET' ? ['flag', 'archived', 'deleted'] : ['flag']).map((suffix) => ({
    featureName: `${word}-${suffix}`,
    key: `${word}-${suffix}`,
  }))
  return [
    ...flags.map((flag) => ({ ...OPEN, ...others, ...project, ...flag })),
    ...flags.map((flag) => ({ ...OPEN, ...flag })),
    { ...OPEN, ...project },
    { ...OPEN, projectId: `${word}-removed` },
    { ...OPEN, ...others },
  ]
}

/** Body properties that name either the project, or no project. */
function projectProperties({ word }: Objects): Readonly<Record<string, unknown>> {
  const project = `${word}-project`
  return { project, projects: [project], projectId: project, newProjectId: project }
}

/** Body properties that name either an object in the project, or no object. */
function objectProperties({ word, segmentId, strategyId }: Objects): Readonly<Record<string, unknown>> {
  const flag = `${word}-flag`
  return {
    features: [flag],
    feature: flag,
    parent: flag,
    featureName: flag,
    strategyId,
    segments: [Number(segmentId)],
    segmentIds: [Number(segmentId)],
  }
}

/** Query strings that either name an object in the project, or no object, by route. */
function queries({ word }: Objects): Readonly<Record<string, readonly string[]>> {
  const project = `${word}-project`
  return {
    '/api/admin/search/features': [`query=${word}`, `project=IS:${project}`, `project=IS_NOT:${project}`],
    '/api/admin/search/events': [`query=${word}`, `project=IS:${project}`, `feature=IS:${word}-flag`],
    '/api/admin/search/change-requests': [`project=IS:${project}`],
    '/api/admin/events': [`project=${project}`],
    '/api/admin/stale-flags': [`project=${project}`, `project=IS:${project}`],
    '/api/admin/user/roles': [`projectId=${project}`],
    '/api/admin/metrics/applications': [`query=${word}`],
    '/api/client/features': [`project=${project}`, `namePrefix=${word}`],
  }
}

interface Question {
  readonly route: string
  readonly call: string
  readonly body: unknown
}

function pathOf({ url }: Route, { request }: Objects, place: Names): string {
  const id = url.includes('change-request') ? request : UNKNOWN.request
  return url.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(place[name] ?? id))
}

/**
 * Bodies that either name an object in the project, or no object, by route. Needed for routes where a sample generated
 * from the schema would violate other rules.
 */
function validBodies({ word, segmentId }: Objects): Readonly<Record<string, readonly unknown[]>> {
  const feature = `${word}-flag`
  const project = `${word}-project`
  const environment = 'development'
  const strategy = { name: 'default', constraints: [], parameters: {}, segments: [Number(segmentId)] }
  const context = { appName: 'app' }
  const document = (name: string) => ({ features: [{ name }], featureStrategies: [], tagTypes: [] })
  const imported = [{ project, environment, data: document('new-flag') }]
  const promotion = { name: feature, seen: 'x', state: { enabled: true, strategies: [], variants: [] } }
  const flagUrl = `${PROJECTS}/:projectId/features/:featureName/environments/:environment`
  const projectUrl = `${PROJECTS}/:projectId/environments/:environment`
  return {
    [`POST ${flagUrl}/strategies`]: [strategy],
    [`POST ${flagUrl}/impact`]: [{ strategy }],
    [`POST ${projectUrl}/default-strategy`]: [strategy],
    [`POST ${projectUrl}/promotions/plan`]: [{ from: 'production', features: [feature] }],
    [`POST ${projectUrl}/promotions`]: [{ from: 'production', features: [promotion] }],
    [`POST ${projectUrl}/promotions/undo`]: [{ features: [promotion] }],
    [`POST ${PROJECTS}/:projectId/snooze`]: [{ features: [feature], until: new Date(tomorrow).toISOString() }],
    'POST /api/admin/features-batch/import': imported,
    'POST /api/admin/features-batch/validate': imported,
    'POST /api/admin/playground/advanced': [{ environments: [environment], projects: [project], context }],
  }
}

/**
 * Returns the bodies for a route: one with names of open objects, one with names of `objects`, one with names of
 * `objects` in an open project, and those of `validBodies`.
 */
function bodiesOf({ url, method, body }: Route, objects: Objects): unknown[] {
  if (body === undefined) return [undefined]
  const open = { ...knownAt(1, { url, method }), expiresAt: '2099-01-01T00:00:00Z' }
  const schema = body as SampledSchema
  const inOpenProject = { ...open, ...objectProperties(objects) }
  const samples = [open, { ...inOpenProject, ...projectProperties(objects) }, inOpenProject]
  return [...samples.map((known) => sampleOf(schema, known)), ...(validBodies(objects)[`${method} ${url}`] ?? [])]
}

function isAsked({ method, url, replies }: Route): boolean {
  const isStream = replies[200]?.contentType === 'text/event-stream'
  return !isStream && !url.includes('*') && url !== '/logout' && !(method === 'POST' && url.startsWith('/auth/'))
}

function questionsAbout(objects: Objects): Question[] {
  return canary.server.server.routes.filter(isAsked).flatMap((one) => {
    const route = `${one.method} ${one.url}`
    const asked = [OPEN, ...places(one, objects)].map((place) => `${one.method} ${pathOf(one, objects, place)}`)
    const searched = (queries(objects)[one.url] ?? []).map((query) => `${asked[0]}?${query}`)
    return bodiesOf(one, objects).flatMap((body) => [...asked, ...searched].map((call) => ({ route, call, body })))
  })
}

/** Pairs each request about the project with the same request about names that are not in use. */
function pairs(): [Question, Question][] {
  const unknown = questionsAbout(UNKNOWN)
  const found = new Map<string, [Question, Question]>()
  for (const [index, question] of questionsAbout(hidden()).entries()) {
    const other = unknown[index] ?? question
    const key = JSON.stringify(question)
    if (key !== JSON.stringify(other) && !NAMING.has(question.route)) found.set(key, [question, other])
  }
  return [...found.values()]
}

async function replyTo(caller: Caller, { call, body }: Question): Promise<string> {
  const reply = await canary.server.call({ ...caller, call, ...(body === undefined ? {} : { body }) })
  const { 'content-type': type, etag } = reply.headers
  // the ETag of an error depends on its id, and the ETag of a body that contains a name depends on that name
  const isNamed = reply.statusCode >= 400 || reply.body.includes(CANARY) || reply.body.includes(UNKNOWN.word)
  return `${reply.statusCode} ${type ?? ''} ${isNamed ? '' : etag} ${reply.body}`
}

/** Returns a reply without the names of the request and the id of an error. */
function normalized(text: string): string {
  const { segmentId, strategyId, token, request } = hidden()
  const ids = [segmentId, strategyId, token, request, UNKNOWN.segmentId, UNKNOWN.strategyId]
  const words = text
    .replaceAll(UNKNOWN.word, CANARY)
    .replaceAll(/"id":"[0-9a-f-]{36}","name":"/g, '"id":"","name":"')
    // hashes differ, because they depend on the query, which contains the name
    .replace(/"etag":".*?[^\\]","queryHash":"\w+"/, '')
  return ids.reduce((rest, id) => rest.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'id'), words)
}

/**
 * Sends each request once with names from the project and once with unused names. Returns the requests whose replies
 * differ.
 */
async function differences(caller: Caller, asked = pairs()): Promise<object[]> {
  const found: object[] = []
  for (const [ofProject, ofNothing] of asked) {
    const reply = await replyTo(caller, ofProject)
    const expected = await replyTo(caller, ofNothing)
    if (normalized(reply) !== normalized(expected)) found.push({ ...ofProject, reply, expected })
  }
  return found
}

test.each(CALLERS)(
  'a %s gets the same reply to hidden names as to unknown names',
  async (who) => {
    const caller = canary.strangers.get(who)
    expect(caller).toBeDefined()
    expect(pairs().length).toBeGreaterThan(500)
    expect(await differences(caller ?? {})).toEqual([])
  },
  120_000,
)

test('a caller who may not create flags does not learn from the check of an import that a name is taken', async () => {
  const check = async (name: string) => {
    const data = { features: [{ name }], featureStrategies: [], tagTypes: [] }
    const body = { project: 'default', environment: 'development', data }
    return canary.server.call({ as: 'viewer', call: 'POST /api/admin/features-batch/validate', body })
  }
  const taken = await check(`${CANARY}-flag`)
  expect(taken.json()).toEqual((await check(`${UNKNOWN.word}-flag`)).json())
  expect(taken.json().errors).toEqual([])
})

test('a caller who may not create flags does not learn from a plan of files that a name is taken', async () => {
  const plan = async (as: string, name: string) => {
    const files = [{ path: 'a.yaml', content: `kind: Flag\nname: ${name}\n` }]
    return canary.server.call({ as, call: `POST ${PROJECTS}/default/config/plan`, body: { files } })
  }
  const taken = await plan('viewer', `${CANARY}-flag`)
  expect(taken.json().changes).toEqual([
    expect.objectContaining({ kind: 'Flag', name: `${CANARY}-flag`, sentence: expect.stringContaining('Creates') }),
  ])
  expect((await plan('viewer', `${UNKNOWN.word}-flag`)).statusCode).toBe(taken.statusCode)
  expect((await plan('editor', `${CANARY}-flag`)).body).toContain('A flag of another project is named')
})

test('a plan names hidden uses of a segment only to callers who may change the segment', async () => {
  const { server } = canary
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'] }]
  const segment = await server.admin('POST /api/admin/segments', { name: 'for-all', constraints })
  const features = `${PROJECTS}/${CANARY}-project/features`
  await server.admin(`POST ${features}`, { name: `${CANARY}-uses` })
  const review = `PUT ${PROJECTS}/${CANARY}-project/environments/production/change-requests/config`
  await server.admin(review, { changeRequestsEnabled: false, requiredApprovals: 1 })
  await server.admin(`POST ${features}/${CANARY}-uses/environments/production/strategies`, {
    name: 'default',
    segments: [segment.id],
  })
  await server.admin(review, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const content = 'kind: Segment\nname: for-all\nconstraints: []\n'
  const plan = async (as: string) => {
    const body = { files: [{ path: 'a.yaml', content }] }
    const reply = await server.call({ as, call: `POST ${PROJECTS}/default/config/plan`, body })
    return reply.json().obstacles
  }
  expect(await plan('viewer')).toEqual([])
  expect(await plan('editor')).toMatchObject([
    { name: 'for-all', reason: expect.stringContaining('of another project') },
  ])
})

test('no column contains the name that a handler gets in place of a hidden name', async () => {
  const columns = await textColumnsOf(canary.server.db, 'hidden-________-____-')
  expect(columns.filter(({ hasWord }) => hasWord)).toEqual([])
})

test('a member gets other replies to names of the project, so that there is something to hide', async () => {
  const reads = pairs().filter(([{ call }]) => call.startsWith('GET'))
  expect((await differences(canary.member, reads)).length).toBeGreaterThan(60)
}, 120_000)
