import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addSession, type Scenario, scenarios, startServer, type TestServer } from '../scenario.ts'
import { knownAt, PARAMETERS, PASSWORD } from './known-values.ts'
import { type SampledSchema, sampleOf, withMember } from './sample-body.ts'

/**
 * Unexpected properties in a body are either rejected or ignored. They never become columns and never override path
 * parameters. There is one test case for each route with a body, from the list of routes.
 */
let server: TestServer
type Route = BurgeeServer['routes'][number]
const as = 'admin'

/** Names of columns, of the members of changes, and of Object.prototype. */
const NAMES: Readonly<Record<string, unknown>> = {
  id: 7,
  created_at: 1,
  createdAt: 1,
  updated_at: 1,
  app_name: 'other',
  hash: 'x',
  password_hash: 'x',
  project: 'p3',
  projectId: 'p3',
  feature: 'g',
  feature_name: 'g',
  name: 'other',
  environment: 'production',
  user_id: 1,
  userId: 1,
  root_role: 1,
  rowid: 1,
  author: 'x',
  now: 1,
  tx: 1,
  body: {},
  self: 1,
  ...Object.fromEntries([['__proto__', { id: 7 }]]),
  constructor: { name: 'x' },
  toString: 'x',
  'a"b; --': 'x',
}

/** Names that are also tried in nested objects. */
const DEEP = new Set(['__proto__', 'id'])

/** On PostgreSQL only the names of columns are sent, because bodies are checked before a database is asked. */
const SENT = Object.entries(NAMES).filter(([name]) => inject('driver') === 'sqlite' || /^(?:id|\w+_\w+)$/.test(name))

beforeAll(async () => {
  server = await startServer({ createUserRateLimitPerMinute: 10_000, passwordResetLimitPerMinute: 10_000 })
  await addSession(server.db, 'admin', 1, Date.now())
  await server.admin('POST /api/admin/projects', { id: 'p3', name: 'p3' })
  await server.admin('POST /api/admin/projects/p3/features', { name: 'g' })
  await server.admin('POST /api/admin/environments', { name: 'stage', type: 'test' })
  await server.admin('POST /api/admin/segments', { name: 'all', constraints: [] })
  await server.admin('POST /api/admin/context', { name: 'own' })
  await server.admin('POST /api/admin/strategies', { name: 'own', parameters: [] })
  await server.admin('POST /api/admin/tag-types', { name: 'own' })
  const body = { username: 'member', rootRole: 'Viewer', password: PASSWORD }
  const { id } = await server.admin('POST /api/admin/user-admin', body)
  await server.admin(`PUT /api/admin/projects/default/users/${id}/roles`, { roles: [4] })
  await addSession(server.db, 'member', id, Date.now())
}, 60_000)
afterAll(() => server.close())

const pathOf = ({ url }: Route) =>
  url.replace('*', 'x').replaceAll(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? 'x')

function credentials({ permission, url }: Route) {
  if (permission === 'client token') return { as: 'client' }
  if (permission === 'frontend token') return { as: 'frontend' }
  return url.startsWith('/auth') ? {} : { headers: { cookie: 'burgee-session=admin-session' } }
}

function send(route: Route, body: unknown) {
  return server.call({ ...credentials(route), call: `${route.method} ${pathOf(route)}`, raw: JSON.stringify(body) })
}

test('unknown properties break no route', async () => {
  const routes = server.server.routes.filter(({ body }) => body !== undefined)
  expect(routes.length).toBeGreaterThan(70)
  const failed: unknown[] = []
  const misfits: unknown[] = []
  const taken = new Set<string>()
  let count = 0
  for (const route of routes) {
    const fits = () => sampleOf(route.body as SampledSchema, knownAt(++count, route))
    const call = `${route.method} ${route.url}`
    await server.call({ as, call: 'POST /api/admin/projects/default/features', body: { name: 'flag' } })
    const plain = await send(route, fits())
    // a body that its own schema rejects would prove nothing
    if (plain.body.includes('Request validation failed')) misfits.push([call, plain.json().message])
    for (const [name, member] of SENT) {
      const bodies = withMember(fits(), name, member)
      for (const body of DEEP.has(name) ? bodies : bodies.slice(0, 1)) {
        const { statusCode } = await send(route, body)
        if (statusCode < 300) taken.add(call)
        if (statusCode >= 500) failed.push([call, body, statusCode])
      }
    }
  }
  expect(misfits).toEqual([])
  expect(failed).toEqual([])
  expect(server.logged.filter((line) => line.startsWith('error'))).toEqual([])
  expect(taken.size).toBeGreaterThan(55)
}, 300_000)

describe('notes of an application', () => {
  const call = 'POST /api/admin/metrics/applications/shop'
  scenarios(() => server, [
    {
      name: 'with further properties',
      as,
      call,
      body: { description: 'd', first_seen_at: 1, nonsense: 1 },
      status: 202,
    },
    {
      name: 'keep what they know',
      as,
      call: 'GET /api/admin/metrics/applications/shop',
      status: 200,
      has: { appName: 'shop', description: 'd', url: null },
    },
  ] satisfies Scenario[])
})

describe('settings of a project', () => {
  const call = '/api/admin/projects/p3'
  scenarios(() => server, [
    {
      name: 'with a name',
      as,
      call: `PUT ${call}/settings`,
      body: { name: 'other', description: 'other' },
      status: 200,
    },
    { name: 'change no name', as, call: `GET ${call}`, status: 200, has: { name: 'p3', description: null } },
  ] satisfies Scenario[])
})

describe('a body that names another place than the path, by an owner of the project in the path', () => {
  const P = '/api/admin/projects/default'
  const member = { headers: { cookie: 'burgee-session=member-session' } }
  const theirs = { project: 'p3', feature: 'g', featureName: 'g', projectId: 'p3' }
  const variants = [{ name: 'v', weight: 1000 }]
  const state = async () => [
    await server.db.rows("select name, stale, archived_at from features where project = 'p3'"),
    await server.db.rows("select * from feature_environments where feature_name = 'g' order by environment"),
    await server.db.rows("select * from project_environments where project = 'p3' order by environment"),
  ]
  let before: unknown
  beforeAll(async () => {
    before = await state()
  })
  scenarios(() => server, [
    {
      name: 'marks nothing stale there',
      ...member,
      call: `POST ${P}/stale`,
      body: { features: ['g'], stale: true, ...theirs },
      status: 404,
    },
    {
      name: 'sets no variants there',
      ...member,
      call: `PUT ${P}/features/nothing/variants-batch`,
      body: { environments: ['development'], variants, ...theirs },
      status: 404,
    },
    {
      name: 'gives it no environment',
      ...member,
      call: `POST ${P}/environments`,
      body: { environment: 'nothing', ...theirs },
      status: 404,
    },
  ] satisfies Scenario[])
  test('adds environments here, not there', async () => {
    await server.call({ ...member, call: `POST ${P}/environments`, body: { environment: 'stage', ...theirs } })
    expect(await state()).toEqual(before)
  })
})
