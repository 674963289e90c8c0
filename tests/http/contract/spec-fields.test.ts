import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { FIELDS, type FieldRow, type FieldsOf } from './spec-fields.ts'

let server: TestServer
const replies = new Map<FieldsOf, unknown[]>()
const F = '/api/admin/projects/default/features'
const DEV = 'environments/development'
const PASSWORD = 'a password nobody guesses'

async function ask(call: string, body?: unknown, headers?: Record<string, string>) {
  const reply = await server.call({
    call,
    ...(headers === undefined ? { as: 'admin' } : { headers }),
    ...(body === undefined ? {} : { body }),
  })
  return reply.body === '' ? undefined : reply.json()
}

function keep(of: FieldsOf, ...bodies: readonly unknown[]): void {
  replies.set(of, [...(replies.get(of) ?? []), ...bodies])
}

const ONLY_1 = { contextName: 'userId', operator: 'IN', values: ['1'] }
const LATER = { contextName: 'appName', operator: 'NUM_GT', value: '1' }
const VARIANT = { name: 'v', weight: 1000, payload: { type: 'json', value: '{}' } }

async function makeFlags(): Promise<void> {
  const { id } = await ask('POST /api/admin/segments', { name: 's', constraints: [ONLY_1, LATER] })
  for (const name of ['full', 'custom', 'varied']) await ask(`POST ${F}`, { name })
  const rollout = { name: 'flexibleRollout', parameters: { rollout: '100', groupId: 'g', stickiness: 'default' } }
  const variants = [{ ...VARIANT, weightType: 'variable', stickiness: 'default' }]
  await ask(`POST ${F}/full/${DEV}/strategies`, { ...rollout, title: 't', variants })
  await ask(`POST ${F}/full/${DEV}/strategies`, { ...rollout, constraints: [ONLY_1, LATER], segments: [id], variants })
  await ask(`POST ${F}/custom/${DEV}/strategies`, { name: 'applicationHostname' })
  await ask(`POST ${F}/custom/${DEV}/strategies`, { ...rollout, disabled: true })
  const overrides = [{ contextName: 'userId', values: ['2'] }]
  await ask(`PUT ${F}/varied/${DEV}/variants`, [{ ...VARIANT, overrides }])
  for (const name of ['full', 'custom', 'varied']) await ask(`POST ${F}/${name}/${DEV}/on`)
  for (const name of ['child', 'parent']) await ask(`POST ${F}`, { name })
  await ask(`POST ${F}/child/dependencies`, { feature: 'parent' })
  await ask('POST /api/admin/features/full/tags', { type: 'simple', value: 'red' })
}

async function play(): Promise<void> {
  const call = 'POST /api/admin/playground/advanced'
  const context = { appName: 'app', userId: '1,2', currentTime: '2026-01-01T00:00:00Z', properties: { a: 'b' } }
  const input = { environments: ['development', 'production'], projects: '*', context }
  keep(call, await ask(call, input), await ask(call, { ...input, context: { ...context, odd: 5 } }))
}

async function beSomebody(): Promise<void> {
  const person = { username: 'ada', email: 'ada@example.com', name: 'Ada', password: PASSWORD, rootRole: 2 }
  await ask('POST /api/admin/user-admin', person)
  const LOGIN = 'POST /auth/simple/login'
  const credentials = { username: 'ada', password: PASSWORD }
  keep(LOGIN, await ask(LOGIN, credentials, {}))
  const reply = await server.call({ call: LOGIN, body: credentials })
  keep(LOGIN, reply.json())
  const headers = { cookie: String(reply.headers['set-cookie']).split(';', 1)[0] ?? '' }
  await ask('POST /api/admin/feedback', { feedbackId: 'first' }, headers)
  await ask('POST /api/admin/splash/hello', {}, headers)
  keep('GET /api/admin/user', await ask('GET /api/admin/user', undefined, headers))
}

beforeAll(async () => {
  server = await startServer()
  await makeFlags()
  await play()
  await beSomebody()
  keep('GET /api/admin/ui-config', await ask('GET /api/admin/ui-config'))
  keep('GET /api/admin/events/{featureName}', await ask('GET /api/admin/events/full'))
  for (const call of ['POST /auth/simple/login', `PUT ${F}/full`]) keep('errors', await ask(call, [], {}))
  keep('errors', await ask(`GET ${F}/nope`), await ask('POST /auth/simple/login', undefined, {}))
})
afterAll(() => server.close())

/** Returns all values of each field in a reply. Does not descend into objects whose content is not checked. */
function valuesOf(of: FieldsOf): Map<string, unknown[]> {
  const shapes = new Map(FIELDS[of].map((row: FieldRow) => [row.field, row.shape]))
  const found = new Map<string, unknown[]>()
  const fieldsIn = (value: object, path: string): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (shapes.get(path) === 'map') into(inner, `${path}{}`)
      else note(path === '' ? key : `${path}.${key}`, inner)
    }
  }
  const into = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) fieldsIn(value, path)
    else for (const item of value) into(item, `${path}[]`)
  }
  const note = (path: string, value: unknown): void => {
    found.set(path, [...(found.get(path) ?? []), value])
    if (shapes.get(path) !== 'open') into(value, path)
  }
  for (const reply of replies.get(of) ?? []) into(reply, '')
  return found
}

describe.each(Object.keys(FIELDS) as FieldsOf[])('%s', (of) => {
  test('each field is as documented', () => {
    const values = valuesOf(of)
    const seen = (row: FieldRow) => values.get(row.field) ?? []
    const rows: readonly FieldRow[] = FIELDS[of]
    expect(rows.filter((row) => seen(row).length === 0).map((row) => row.field)).toEqual([])
    expect(rows.filter((row) => !seen(row).every(row.is)).map((row) => [row.field, seen(row)])).toEqual([])
  })

  test('contains no other operations', () => {
    const extra = of === 'errors' ? ['path', 'type', 'defaultHidden'] : []
    const known = new Set([...FIELDS[of].map((row) => row.field), ...extra])
    expect([...valuesOf(of).keys()].filter((field) => !known.has(field))).toEqual([])
  })
})

test('the limits in the UI configuration are enforced', async () => {
  const { resourceLimits } = await ask('GET /api/admin/ui-config')
  const strategies = `POST ${F}/full/${DEV}/strategies`
  const { id } = await ask('POST /api/admin/segments', { name: 'limit', constraints: [] })
  const withSegments = (count: number) => ({ name: 'default', segments: Array(count).fill(id) })
  const withValues = (count: number) => ({
    name: `of ${count}`,
    constraints: [{ contextName: 'userId', operator: 'IN', values: Array.from({ length: count }, (_, n) => `${n}`) }],
  })
  const status = async (call: string, body: object) => (await server.call({ as: 'admin', call, body })).statusCode
  const most = resourceLimits.strategySegments
  expect([await status(strategies, withSegments(most)), await status(strategies, withSegments(most + 1))]).toEqual([
    200, 400,
  ])
  const values = resourceLimits.segmentValues
  expect(resourceLimits.constraintValues).toBe(values)
  const segments = 'POST /api/admin/segments'
  expect([await status(segments, withValues(values)), await status(segments, withValues(values + 1))]).toEqual([
    201, 400,
  ])
})
