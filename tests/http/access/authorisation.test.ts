import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addSession, startServer, type TestServer } from '../scenario.ts'

/**
 * Calls every route as every kind of caller and compares the results with a table in the repository. A result is 401,
 * 403, or `may` for any reply after the permission check. `UPDATE_TABLES=1` rewrites the table; review the diff.
 */
const FILE = join(import.meta.dirname, 'authorisation.json')
const NEW = 'not in the table: run with UPDATE_TABLES=1'
const GONE = 'no such route any more: run with UPDATE_TABLES=1'
const PLAYERS = ['nobody', 'client', 'frontend', 'viewer', 'stranger', 'member', 'editor', 'admin'] as const
type Player = (typeof PLAYERS)[number]
type Route = BurgeeServer['routes'][number]

let server: TestServer
let played = new Map<string, string>()
const cookies = new Map<Player, string>()
/** Routes that would end the sessions of the callers. */
const ENDS_SESSIONS = ['/logout', '/api/admin/user-admin/sessions']
const PASSWORD = 'a password nobody guesses'
const MANIFEST_FLAG = { key: 'flag', type: 'boolean', defaultValue: false }
/** Bodies for routes that take the project for the permission check from the body. */
const BODIES: Readonly<Record<string, object>> = {
  'POST /api/admin/features/:featureName/tags': { type: 'simple', value: 'red' },
  'PUT /api/admin/features/:featureName/tags': { addedTags: [], removedTags: [] },
  'POST /openfeature/v0/manifest/flags': MANIFEST_FLAG,
  'POST /openfeature/v0/manifest/openfeature/v0/manifest/flags': MANIFEST_FLAG,
  'PUT /openfeature/v0/manifest/flags/:key': MANIFEST_FLAG,
  'PUT /openfeature/v0/manifest/openfeature/v0/manifest/flags/:key': MANIFEST_FLAG,
  'POST /api/admin/features/validate': { name: 'new', projectId: 'default' },
  'POST /api/admin/segments/strategies': {
    projectId: 'default',
    environmentId: 'development',
    strategyId: 'none',
    segmentIds: [],
  },
}
const PARAMETERS: Readonly<Record<string, string>> = {
  key: 'flag',
  projectId: 'default',
  featureName: 'flag',
  environment: 'development',
}

async function admin(call: string, body?: unknown) {
  return server.call({ as: 'admin', call, ...(body === undefined ? {} : { body }) })
}

/** Adds a user whose only role is in one project: 4 is Owner, 5 is Member. */
async function addMember(player: Player, project: string, role: number): Promise<void> {
  const made = await admin('POST /api/admin/user-admin', { username: player, password: PASSWORD, rootRole: 3 })
  const { id } = made.json()
  await server.db.rows('insert into project_members (project, user_id, role_id) values (?, ?, ?)', project, id, role)
  const login = await server.call({ call: 'POST /auth/simple/login', body: { username: player, password: PASSWORD } })
  cookies.set(player, String(login.headers['set-cookie']).split(';', 1)[0] ?? '')
}

const pathOf = (route: Route) =>
  route.url.replace('*', 'nothing-here').replaceAll(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? '987654')

async function play(route: Route, player: Player): Promise<string> {
  const call = `${route.method} ${pathOf(route)}`
  const cookie = cookies.get(player)
  const reply = await server.call({
    call,
    ...(cookie === undefined ? (player === 'nobody' ? {} : { as: player }) : { headers: { cookie } }),
    ...(route.method === 'GET' || route.method === 'DELETE'
      ? {}
      : { body: BODIES[`${route.method} ${route.url}`] ?? {} }),
  })
  const { statusCode } = reply
  if (statusCode === 401 && reply.body.includes('PasswordMismatch')) return 'may'
  const isRule = statusCode === 403 && reply.body.includes('InvalidOperationError')
  return (statusCode === 401 || statusCode === 403) && !isRule ? String(statusCode) : 'may'
}

beforeAll(async () => {
  // with `maxStreams: 0`, a stream is rejected at once even for callers who may open one, so the calls end
  server = await startServer({ simpleLoginLimitPerMinute: 1000, maxStreams: 0 })
  await server.db.rows(
    "insert into projects (id, name, mode, default_stickiness, created_at) values ('other', 'Other', 'open', 'default', 0)",
  )
  await addMember('stranger', 'other', 4)
  await addMember('member', 'default', 5)
  const routes = server.server.routes.filter(({ url }) => !ENDS_SESSIONS.includes(url))
  for (const route of routes) {
    const results: string[] = []
    for (const player of PLAYERS) {
      if (route.method !== 'GET') await admin('POST /api/admin/projects/default/features', { name: 'flag' })
      results.push(await play(route, player))
    }
    played.set(`${route.method} ${route.url}`, results.join(' '))
  }
  played = new Map([...played].sort(([a], [b]) => (a < b ? -1 : 1)))
}, 300_000)
afterAll(() => server.close())

const rowsOf = (select: (route: Route) => boolean) =>
  server.server.routes
    .filter(select)
    .map((route) => `${route.method} ${route.url}`)
    .filter((call) => played.has(call))
    .map((call) => {
      const results = played.get(call)?.split(' ') ?? []
      return {
        call,
        may: Object.fromEntries(PLAYERS.map((player, at) => [player, results[at]])) as Record<Player, string>,
      }
    })

describe('authorization', () => {
  test('matches the table', () => {
    if (process.env.UPDATE_TABLES === '1') {
      writeFileSync(
        FILE,
        `${JSON.stringify({ players: PLAYERS.join(' '), routes: Object.fromEntries(played) }, null, 2)}\n`,
      )
    }
    const table = JSON.parse(readFileSync(FILE, 'utf8')) as { players: string; routes: Record<string, string> }
    expect(table.players).toBe(PLAYERS.join(' '))
    const calls = [...new Set([...played.keys(), ...Object.keys(table.routes)])].sort()
    const seen = calls.map((call) => [call, played.get(call) ?? GONE])
    const expected = calls.map((call) => [call, table.routes[call] ?? NEW])
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected))
  })

  test('denies anonymous callers everything that is not public', () => {
    for (const { call, may } of rowsOf((route) => route.permission !== 'public')) {
      expect([call, may.nobody]).toEqual([call, '401'])
    }
  })

  test('SDK tokens grant no access to the admin API, and each only to its own API', () => {
    for (const { call, may } of rowsOf((route) => route.url.startsWith('/api/admin/'))) {
      expect([call, may.client, may.frontend]).toEqual([call, '403', '403'])
    }
    for (const { call, may } of rowsOf((route) => /^\/api\/(client|frontend|proxy)\b/.test(route.url))) {
      expect([call, [may.client, may.frontend].sort()]).toEqual([call, ['403', 'may']])
      expect([call, may.editor]).toEqual([call, '401'])
    }
  })

  test('denies viewers all permissions, and all users except admins the permission ADMIN', () => {
    const isNamed = ({ permission, url }: Route) => /^[A-Z_]+$/.test(permission ?? '') && url.startsWith('/api/admin/')
    for (const { call, may } of rowsOf(isNamed)) expect([call, may.viewer]).toEqual([call, '403'])
    for (const { call, may } of rowsOf((route) => route.permission === 'ADMIN')) {
      expect([call, may.viewer, may.stranger, may.member, may.editor]).toEqual([call, '403', '403', '403', '403'])
    }
  })

  test('the owner of another project may nothing in this one', () => {
    const isHere = ({ permission, url }: Route) => permission !== null && /\/projects\/:projectId/.test(url)
    for (const { call, may } of rowsOf(isHere)) expect([call, may.stranger]).toEqual([call, '403'])
  })

  test('an admin may everything of the admin API', () => {
    for (const { call, may } of rowsOf((route) => route.url.startsWith('/api/admin/'))) {
      expect([call, may.admin]).toEqual([call, 'may'])
    }
  })

  test('logging out requires a login', async () => {
    const call = 'POST /logout'
    expect((await server.call({ call })).statusCode).toBe(401)
    expect((await server.call({ as: 'client', call })).statusCode).toBe(403)
    expect((await server.call({ as: 'viewer', call })).statusCode).toBe(302)
    const viewer = await server.db.row("select id from users where username = 'viewer'")
    await addSession(server.db, 'viewer', Number(viewer?.id), Date.now())
    expect((await server.call({ as: 'viewer', call: 'GET /api/admin/user' })).statusCode).toBe(200)
  })
})

describe('unknown names', () => {
  /**
   * Routes that accept any name, because they return empty lists, or remove objects and also succeed if there are none.
   */
  const CONTENT = [
    /^GET .*\/features$/,
    /^GET \/api\/admin\/events\//,
    /^GET \/api\/admin\/client-metrics\//,
    /^GET \/api\/admin\/archive\//,
    /^GET .*\/projects\/:projectId\/dependencies$/,
    /^(GET|DELETE) \/api\/admin\/api-tokens\//,
    /^GET .*\/metrics\/instances\//,
    /^GET \/invite\//,
    /^GET \/$|^GET \/\*|^GET \/assets/,
    // SCIM has separate tokens: tests/http/scim
    / \/scim\//,
  ]

  test('answer 404 wherever they are read or removed', async () => {
    const routes = server.server.routes.filter(
      ({ method, url }) => url.includes(':') && (method === 'GET' || method === 'DELETE'),
    )
    expect(routes.length).toBeGreaterThan(20)
    for (const { method, url } of routes) {
      if (CONTENT.some((pattern) => pattern.test(`${method} ${url}`))) continue
      const isMine = url.startsWith('/api/admin/user/') || url.endsWith('/favorites')
      const as = isMine ? 'viewer' : url.startsWith('/api/client') ? 'client' : 'admin'
      const call = `${method} ${url.replaceAll(/:\w+/g, 'no-such-thing')}`
      expect([call, (await server.call({ as, call })).statusCode]).toEqual([call, 404])
    }
  })
})
