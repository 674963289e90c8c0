import { CHANGE_ACTIONS, CHANGE_PAYLOADS } from '@burgee/protocol/administration/change-request'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { type CalledRoute, knownAt, PARAMETERS } from './known-values.ts'
import { type SampledSchema, sampleOf } from './sample-body.ts'

/**
 * A property that restricts who gets a flag is stored or rejected by name, but never ignored. The test covers every
 * object in every admin request body of the OpenAPI document, and in patches, change requests and imports.
 */
const as = 'admin'
const P = '/api/admin/projects/default'
const F = `${P}/features/flag`
const E = `${F}/environments/development`
const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }]

let server: TestServer
let strategyId: string
beforeAll(async () => {
  server = await startServer()
  await server.admin(`POST ${P}/features`, { name: 'flag' })
  await server.admin(`POST ${P}/features`, { name: 'parent' })
  await server.admin(`POST ${F}/dependencies`, { feature: 'parent' })
  strategyId = (await server.admin(`POST ${E}/strategies`, { name: 'default', constraints })).id
})
afterAll(() => server.close())

interface OpenSchema extends SampledSchema {
  readonly $ref?: string
  readonly additionalProperties?: unknown
}

/**
 * Body, and the names in RESTRICTIONS that the test added to one of its objects because the schema does not declare
 * them.
 */
interface Attempt {
  readonly body: unknown
  readonly names: readonly string[]
}

/** Returns bodies in which one object has all names that it does not declare. */
function attemptsOf(schema: OpenSchema, value: unknown): Attempt[] {
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return attemptsOf(first, value)
  if (Array.isArray(value)) {
    const inner = value.length === 0 ? [] : attemptsOf(schema.items ?? {}, value[0])
    return inner.map(({ body, names }) => ({ names, body: [body, ...value.slice(1)] }))
  }
  const { properties, patternProperties, additionalProperties } = schema
  if (properties === undefined || typeof value !== 'object' || value === null) return []
  const members: Readonly<Record<string, unknown>> = { ...value }
  const inner = Object.entries(properties).flatMap(([key, one]) =>
    attemptsOf(one, members[key]).map(({ body, names }) => ({ names, body: { ...members, [key]: body } })),
  )
  if (patternProperties !== undefined || (additionalProperties ?? false) !== false) return inner
  const undeclared = RESTRICTIONS.filter((rule) => !Object.hasOwn(properties, rule.replace('!', '')))
  const extra = Object.fromEntries(
    undeclared.map((rule) => [rule.replace('!', ''), rule.startsWith('!') ? false : 'x']),
  )
  return [{ names: Object.keys(extra), body: { ...members, ...extra } }, ...inner]
}

/** Returns the body schema of an operation with references resolved. */
function resolved(node: unknown, schemas: Readonly<Record<string, unknown>>): OpenSchema {
  if (Array.isArray(node)) return node.map((one) => resolved(one, schemas)) as OpenSchema
  if (typeof node !== 'object' || node === null) return node as OpenSchema
  const { $ref } = node as OpenSchema
  if (typeof $ref === 'string') return resolved(schemas[$ref.replace('#/components/schemas/', '')], schemas)
  return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, resolved(one, schemas)])) as OpenSchema
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: unknown } } }
}

/** Routes that only validate a name and store nothing. */
const NAME_CHECKS = /^\/api\/admin\/(context|environments|features|projects|roles|segments|tag-types)\/validate$/

async function adminBodies(): Promise<(CalledRoute & { readonly schema: OpenSchema })[]> {
  const { paths, components }: Description = (await server.call({ call: 'GET /docs/openapi.json' })).json()
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/admin/') && !NAME_CHECKS.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        if (requestBody === undefined) return []
        const schema = resolved(requestBody.content['application/json'].schema, components.schemas)
        return [{ url: path.replaceAll(/\{(\w+)\}/g, ':$1'), method: method.toUpperCase(), schema }]
      }),
    )
}

const isNamed = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text)

/** Returns the names that did not lead to a rejection. */
async function ignoredIn(call: string, { body, names }: Attempt, caller = as): Promise<readonly string[]> {
  const reply = await server.call({ as: caller, call, body })
  if (reply.statusCode !== 400) return [`all, as ${reply.statusCode} ${reply.body}`]
  const ignored = names.filter((name) => !isNamed(reply.body, name))
  return ignored.length === 0 ? [] : [...ignored, reply.body]
}

test('every object of every body of administration rejects each undeclared restriction by name', async () => {
  const routes = await adminBodies()
  expect(routes.length).toBeGreaterThan(90)
  const last = await server.lastEventId()
  const ignored: unknown[] = []
  let count = 0
  let tried = 0
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? 'x')
    const attempts = attemptsOf(route.schema, sampleOf(route.schema, knownAt(++count, route)))
    for (const attempt of attempts) {
      const names = await ignoredIn(`${route.method} ${path}`, attempt)
      if (names.length > 0) ignored.push([route.method, route.url, names])
    }
    tried += attempts.length
  }
  expect(ignored).toEqual([])
  expect(tried).toBeGreaterThan(150)
  expect(await server.eventsAfter(last)).toEqual([])
}, 60_000)

test('every payload of a change request rejects each undeclared restriction by name', async () => {
  const call = `POST ${P}/environments/development/change-requests`
  const enabled = { changeRequestsEnabled: true, requiredApprovals: 1 }
  await server.admin(`PUT ${P}/environments/development/change-requests/config`, enabled)
  const ignored: unknown[] = []
  for (const action of CHANGE_ACTIONS) {
    const schema = CHANGE_PAYLOADS[action] as OpenSchema
    const sample = sampleOf(schema, knownAt(1, { url: '/payload', method: 'POST' }))
    const feature = action.endsWith('Segment') ? null : 'flag'
    for (const { body: payload, names } of attemptsOf(schema, sample)) {
      const found = await ignoredIn(call, { body: { feature, action, payload }, names }, 'editor')
      if (found.length > 0) ignored.push([action, found])
    }
  }
  const disabled = { changeRequestsEnabled: false, requiredApprovals: 1 }
  await server.admin(`PUT ${P}/environments/development/change-requests/config`, disabled)
  expect(ignored).toEqual([])
})

describe('a patch with a restriction', () => {
  test.each<[string, string, string, unknown]>([
    ['a strategy', `${E}/strategies/ID`, '/segmentIds', [1]],
    ['a strategy', `${E}/strategies/ID`, '/enabled', false],
    ['a constraint', `${E}/strategies/ID`, '/constraints/0/rules', [1]],
    ['a flag', F, '/archived', true],
    ['a flag', F, '/enabled', false],
    ['a flag', F, '/strategies', [{ name: 'default', constraints }]],
    ['a flag', F, '/dependencies/0/enabled', false],
  ])('fails for %s at %s and names %s', async (_what, place, path, value) => {
    const last = await server.lastEventId()
    const call = `PATCH ${place.replace('ID', strategyId)}`
    const reply = await server.call({ as, call, body: [{ op: 'add', path, value }] })
    const name = path.split('/').at(path.startsWith('/dependencies') ? 1 : -1) ?? ''
    expect([reply.statusCode, isNamed(reply.body, name)]).toEqual([400, true])
    expect(await server.eventsAfter(last)).toEqual([])
  })
})

test('a flag that was read may be sent back, and patched', async () => {
  const flag = await server.admin(`GET ${F}`)
  expect(flag.dependencies).toHaveLength(1)
  const changed = await server.admin(`PUT ${F}`, { ...flag, description: 'new' })
  expect(changed.description).toBe('new')
  await server.admin(`PATCH ${F}`, [{ op: 'replace', path: '/description', value: 'newer' }])
  await server.admin(`PUT ${F}`, { archived: false, archivedAt: null, segments: [], dependencies: [] })
  const reply = await server.call({ as, call: `PUT ${F}`, body: { ...flag, dependencies: [{ feature: 'other' }] } })
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('"dependencies"')])
})

describe('an import with a restriction', () => {
  const at = { featureName: 'came', environment: 'development' }
  const strategy = { name: 'default', enabled: false }
  const batch = (data: object) => ({
    project: 'default',
    environment: 'development',
    data: { features: [{ name: 'came' }], featureStrategies: [], tagTypes: [], ...data },
  })
  const state = (more: object) => ({ version: 4, features: [{ name: 'came' }], ...more })
  test.each<[string, string, string, unknown]>([
    [
      'a strategy of a state of version 2 that is not enabled',
      'state/import',
      'enabled',
      { version: 2, features: [{ name: 'came', enabled: true, strategies: [strategy] }] },
    ],
    [
      'a strategy of a state of version 4 that is not enabled',
      'state/import',
      'enabled',
      state({ featureStrategies: [{ ...at, strategyName: 'default', enabled: false }] }),
    ],
    [
      'a strategy of an export that is not enabled',
      'features-batch/import',
      'enabled',
      batch({ featureStrategies: [{ featureName: 'came', ...strategy }] }),
    ],
    [
      'a variant of a state that is not enabled',
      'state/import',
      'enabled',
      state({ featureEnvironments: [{ ...at, variants: [{ name: 'v', weight: 1000, enabled: false }] }] }),
    ],
    [
      'a flag of an export with rules',
      'features-batch/import',
      'rules',
      batch({ features: [{ name: 'came', rules: [1] }] }),
    ],
  ])('fails for %s and names it', async (_what, url, name, body) => {
    const last = await server.lastEventId()
    const reply = await server.call({ as, call: `POST /api/admin/${url}`, body })
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringMatching(new RegExp(`\\b${name}\\b`))])
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('preserves a disabled strategy as disabled', async () => {
    const featureStrategies = [
      { ...at, id: 'a', strategyName: 'default', disabled: true },
      { ...at, id: 'b', strategyName: 'default', constraints },
    ]
    const featureEnvironments = [{ ...at, enabled: true }]
    const document = state({ featureStrategies, featureEnvironments })
    expect((await server.call({ as, call: 'POST /api/admin/state/import', body: document })).statusCode).toBe(202)
    const stored = await server.admin(`GET ${P}/features/came/environments/development/strategies`)
    expect(stored.map(({ disabled }: { disabled: boolean }) => disabled)).toEqual([true, false])
  })
})
