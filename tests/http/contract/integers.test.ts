import { randomBytes } from 'node:crypto'
import { CHANGE_PAYLOADS } from '@burgee/protocol/administration/change-request'
import { MAX_ROW_ID } from '@burgee/protocol/row-id'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { knownAt } from './known-values.ts'
import { type SampledSchema, sampleOf } from './sample-body.ts'

/**
 * Integers in paths, queries and bodies. The test cases come from the OpenAPI document. Both databases must reply the
 * same: PostgreSQL fails for integers that its columns cannot hold, SQLite does not.
 */
let server: TestServer
let operations: readonly Operation[]
let scimToken: string
beforeAll(async () => {
  server = await startServer({ secretKey: randomBytes(32).toString('base64') })
  operations = await readOperations()
  await createObjects()
  await server.admin('POST /api/admin/scim-settings', { enabled: true })
  const { token } = await server.admin('POST /api/admin/scim-settings/generate-new-token')
  scimToken = token
})
afterAll(() => server.close())

const as = 'admin'

interface Schema extends SampledSchema {
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Parameter {
  readonly in: 'path' | 'query'
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
}

/**
 * Spellings of numbers that are not their canonical decimal form; more of them are in
 * packages/kit/src/input/validation.test.ts.
 */
const UNUSUAL = ['0x1', '1e0', ' 1', '+1', '01', '1.0', '\u0661', '-0', '1n']
const LARGE = ['2147483648', '9007199254740992', '9223372036854775808', '1e30']
const FORMS = [...UNUSUAL, ...LARGE, '-1']

/** Path parameters whose values are numbers, by name. */
const NUMBERED = new Set(['groupId', 'roleId', 'segmentId', 'userId', 'accountId', 'tokenId', 'changeId'])
/** Paths in which the parameter `id` is a number. */
const NUMBERED_IDS =
  /^\/api\/admin\/(addons|user\/tokens|playground\/change-request)\/|\/(change-requests|comments)\/\{id\}/
/** Path parameters whose values are texts, so that an unusual number may name an object. */
const TEXTS = new Set([
  ...['environment', 'token', 'featureName', 'projectId', 'contextField', 'legalValue', 'template', 'name', 'type'],
  ...['value', 'appName', 'period', 'from', 'parent', 'planId', 'sourceMilestoneId', 'milestoneId', 'safeguardId'],
  ...['strategyId', 'linkId', 'runId', 'templateId', 'strategyName', 'repository', 'branch', 'key', 'id'],
])

const EXISTING: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'f',
  environment: 'development',
}

async function readOperations(): Promise<readonly Operation[]> {
  const { paths } = (await server.call({ call: 'GET /docs/openapi.json' })).json()
  type Described = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema?: Schema }> } }
  return Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      body: Object.values(requestBody?.content ?? {})[0]?.schema,
    })),
  )
}

/** Creates objects with the id 1 that unusual spellings of 1 must not reach. */
async function createObjects(): Promise<void> {
  await server.admin('POST /api/admin/projects/default/features', { name: 'f' })
  await server.admin('POST /api/admin/segments', { name: 'all', constraints: [] })
  await server.admin('POST /api/admin/groups', { name: 'all' })
  await server.admin('POST /api/admin/projects/default/features/f/comments', { text: 'a' })
  const parameters = { url: 'https://example.org' }
  const events = ['feature-created']
  await server.admin('POST /api/admin/addons', { provider: 'webhook', enabled: false, parameters, events })
}

const isNumbered = ({ path }: Operation, name: string) =>
  NUMBERED.has(name) || (name === 'id' && NUMBERED_IDS.test(path))

function toPath({ path }: Operation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? EXISTING[name] ?? '1'))
}

/** Sends a call with the credentials that the path requires, and a body if the operation has one. */
async function send({ method, path }: Operation, url: string, body?: unknown): Promise<number> {
  const caller = path.startsWith('/scim')
    ? `Bearer ${scimToken}`
    : (CALLERS.find(([prefix]) => prefix.test(path))?.[1] ?? as)
  const sent = body ?? (method === 'GET' || method === 'DELETE' ? undefined : {})
  const { statusCode } = await server.call({
    as: caller,
    call: `${method} ${url}`,
    ...(sent === undefined ? {} : { body: sent }),
  })
  return statusCode
}

const CALLERS: readonly (readonly [RegExp, string])[] = [
  [/^\/api\/client\//, 'client'],
  [/^\/api\/(frontend|proxy)\b|^\/ofrep/, 'frontend'],
]

test('each path parameter is known as a number or as a text', () => {
  const names = operations.flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === 'path').map(({ name }) => name),
  )
  expect([...new Set(names)].filter((name) => !TEXTS.has(name) && !NUMBERED.has(name))).toEqual([])
  expect(operations.filter((one) => one.parameters.some(({ name }) => isNumbered(one, name))).length).toBeGreaterThan(
    40,
  )
})

test('an id in a path is found in its canonical form only, and is never an error of the server', async () => {
  const wrong: unknown[] = []
  for (const operation of operations) {
    for (const { name } of operation.parameters.filter((one) => one.in === 'path')) {
      const numbered = isNumbered(operation, name)
      for (const form of numbered ? FORMS : ['1e30', '2147483648']) {
        const url = toPath(operation, { [name]: form })
        const status = await send(operation, url)
        if (status >= 500 || (numbered && status < 400)) wrong.push([operation.method, url, status])
      }
    }
  }
  expect(wrong).toEqual([])
}, 300_000)

test('an integer in a query is accepted in its canonical form only, and within its bounds', async () => {
  const wrong: unknown[] = []
  let tried = 0
  for (const operation of operations) {
    for (const { name, schema } of operation.parameters.filter((one) => one.in === 'query' && isInteger(one.schema))) {
      tried++
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
      const canonical = ['1', ...LARGE.slice(0, 3), '-1']
      const isAccepted = (form: string) =>
        canonical.includes(form) && Number(form) >= minimum && Number(form) <= maximum
      for (const form of ['1', ...FORMS, '']) {
        const others = operation.parameters
          .filter((one) => one.in === 'query' && one.required === true && one.name !== name)
          .map((one) => `&${one.name}=x`)
        const url = `${toPath(operation, {})}?${name}=${encodeURIComponent(form)}${others.join('')}`
        const status = await send(operation, url)
        const isRight = isAccepted(form) ? status < 500 && status !== 400 : status === 400
        if (!isRight) wrong.push([operation.method, url, status])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(30)
}, 300_000)

const isInteger = ({ type }: Schema) => type === 'integer' || type === 'number'

test('ids in a search condition are accepted in their canonical form only', async () => {
  const search = (condition: string) =>
    server.call({
      as,
      call: `GET /api/admin/search/change-requests?requestedApproverId=${encodeURIComponent(condition)}`,
    })
  expect((await search('IS_ANY_OF:1,2147483647')).statusCode).toBe(200)
  // a condition ignores spaces around its values
  for (const form of FORMS.filter((one) => one.trim() === one)) {
    const { statusCode, body } = await search(`IS_ANY_OF:1,${form}`)
    expect([form, statusCode, body]).toEqual([form, 400, expect.stringContaining('requestedApproverId')])
  }
})

/** Integer or number within the schema of a body, with the path to it: `.groups[].id`. */
interface Place {
  readonly path: string
  readonly name: string
  readonly schema: Schema
}

function findNumbers(schema: Schema, path = '', name = ''): readonly Place[] {
  return [
    ...(isInteger(schema) ? [{ path, name, schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => findNumbers(one, `${path}.${key}`, key)),
    ...Object.values(schema.patternProperties ?? {}).flatMap((one) => findNumbers(one, `${path}{}`)),
    ...(schema.items === undefined ? [] : findNumbers(schema.items, `${path}[]`, name)),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap((one) => findNumbers(one, path, name)),
  ]
}

/** Numbers without bounds, or beyond the integers of a database, and what makes them safe. */
const UNBOUNDED: readonly (readonly [RegExp, string])[] = [
  [/ \.(bucket\.toggles\{\}|metrics\[\])\.(yes|no|variants\{\})$/, 'counters, which stop at the largest safe number'],
  [/ \.metrics\[\]\.timestamp$/, 'times; hours out of range are dropped'],
  [/ \.bucket\.(start|stop)$/, 'times; the schema also takes dates, so that the hour is checked later'],
  [/ \.holdings\[\]\.(revision|oldest)$/, 'kept in memory, up to the largest safe number'],
  [/code-refs.*\.(updateSequenceId|syncTime|commitTime|time)$/, 'stored in 64 bits'],
  [/register \.(interval|started)$/, 'not stored as numbers'],
  [/ \.(context\.)?currentTime$/, 'evaluated, not stored'],
  [/ (\.safeguard)?\.triggerCondition\.threshold$/, 'stored as a fraction'],
]

test('each number in a body has bounds that both databases can store', () => {
  const payloads = Object.entries(CHANGE_PAYLOADS).map(([action, schema]) => ({
    method: 'payload',
    path: action,
    body: schema as Schema,
    parameters: [],
  }))
  const unbounded = [...operations, ...payloads].flatMap(({ method, path, body = {} }) =>
    findNumbers(body)
      .filter(({ schema: { minimum, maximum } }) => {
        const isBounded = minimum !== undefined && maximum !== undefined
        return !isBounded || minimum < -MAX_ROW_ID || maximum > MAX_ROW_ID
      })
      .map((place) => `${method} ${path} ${place.path}`),
  )
  expect(unbounded.filter((one) => !UNBOUNDED.some(([pattern]) => pattern.test(one)))).toEqual([])
  expect(UNBOUNDED.filter(([pattern]) => !unbounded.some((one) => pattern.test(one)))).toEqual([])
})

test('an integer in a body is no error of the server, however large', async () => {
  const wrong: unknown[] = []
  let count = 0
  for (const operation of operations) {
    const { method, path, body = {} } = operation
    for (const { path: place, name, schema } of findNumbers(body)) {
      const { maximum = Number.MAX_SAFE_INTEGER, minimum = -Number.MAX_SAFE_INTEGER } = schema
      const tried = [maximum, maximum + 1, minimum - 1, 1.5, 2 ** 31, 2 ** 53, 1e30, '0x10']
      for (const value of tried) {
        const known = knownAt(++count, { url: path.replaceAll(/\{(\w+)\}/g, ':$1'), method })
        const sample = sampleOf(body, { ...known, [name]: place.endsWith('[]') ? [value] : value })
        const status = await send(operation, toPath(operation, {}), sample)
        if (status >= 500) wrong.push([method, path, place, value, status])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(500)
}, 300_000)
