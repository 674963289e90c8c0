import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Only pages of the server itself may change anything with a session. Source: docs/adr/0023-same-origin.md */
let server: TestServer
const FLAG = '/api/admin/projects/default/features/f/environments/development'

async function withFlag(given: object = {}, basePath = ''): Promise<TestServer> {
  const started = await startServer({ ...given, baseUriPath: basePath })
  await started.admin(`POST ${basePath}/api/admin/projects/default/features`, { name: 'f' })
  return started
}

beforeAll(async () => {
  server = await withFlag()
})
afterAll(() => server.close())

type Headers = Readonly<Record<string, string>>
type Route = BurgeeServer['routes'][number]

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain;charset=UTF-8']
/** Selects routes that accept a session and that change something. */
const changes = ({ method, permission }: Route) =>
  method !== 'GET' && permission !== 'public' && !/token$/.test(permission ?? '')
const callOf = ({ method, url }: Route) =>
  `${method} ${url.replace('*', 'nothing-here').replace(/:[A-Za-z]+/g, (name) => (name === ':projectId' ? 'default' : 'x'))}`
const calls = (select: (route: Route) => boolean) => server.server.routes.filter(select).map(callOf)

/** Returns the name of an error. Errors of the manifest have a different format, with a status instead of a name. */
const nameIn = ({ name, error }: { readonly name?: string; readonly error?: { readonly status: number } }) =>
  name ?? (error?.status === 403 ? 'NoAccessError' : undefined)

/** Makes a change with an editor's session; these headers are the only information about the page that sends it. */
async function change(on: TestServer, headers: Headers, path = `${FLAG}/on`) {
  const last = await on.lastEventId()
  const reply = await on.call({ as: 'editor', call: `POST ${path}`, isScript: true, headers })
  await on.admin(`POST ${path.replace(/on$/, 'off')}`)
  return { reply, status: reply.statusCode, hasWritten: (await on.eventsAfter(last)).length > 0 }
}

describe('every route that changes something with a session', () => {
  test.each<[string, Headers]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['a neighbouring host, whatever the other headers', { 'sec-fetch-site': 'same-site', origin: 'http://localhost' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['a neighbouring host of the name', { origin: 'http://evil.localhost' }],
    ['the same host over TLS', { origin: 'https://localhost' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page without an origin, on the own address', { origin: 'null', referer: 'http://localhost/' }],
    ['an origin that is none', { origin: 'localhost' }],
    ['two origins', { origin: 'http://localhost, http://evil.example' }],
    ['another page', { referer: 'http://evil.example/http://localhost/' }],
    ['a page that is none', { referer: '/features' }],
    ['a site that is none', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['a site that is none, and another origin', { 'sec-fetch-site': 'own', origin: 'http://evil.example' }],
  ])('refuses requests from %s, and writes nothing', async (_where, headers) => {
    const last = await server.lastEventId()
    const routes = calls(changes)
    expect(routes.length).toBeGreaterThan(100)
    for (const call of routes) {
      const reply = await server.call({ as: 'editor', call, isScript: true, headers })
      expect([call, reply.statusCode, nameIn(reply.json())]).toEqual([call, 403, 'NoAccessError'])
    }
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await server.call({ as: 'editor', call: 'GET /api/admin/user' })).statusCode).toBe(200)
  })

  test.each<[string, Headers]>([
    ['a page of the server', { 'sec-fetch-site': 'same-origin' }],
    ['the person, as bookmarks do', { 'sec-fetch-site': 'none' }],
    ['the own origin', { origin: 'http://localhost' }],
    ['the own origin, with its port', { origin: 'http://localhost:80' }],
    ['an own page', { referer: 'http://localhost/projects/default?sort=name' }],
    ['a script, which names no page', {}],
    ['an own page, where the site is none', { 'sec-fetch-site': 'own', referer: 'http://localhost' }],
  ])('takes what comes from %s', async (_where, headers) => {
    const { reply, hasWritten } = await change(server, headers)
    expect([reply.statusCode, hasWritten, reply.body]).toEqual([200, true, reply.body])
  })

  test('takes tokens from wherever they come', async () => {
    for (const headers of [{}, { origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      const reply = await server.call({ as: 'admin', call: `POST ${FLAG}/on`, headers })
      expect([headers, reply.statusCode]).toEqual([headers, 200])
    }
  })

  test('names both origins in the error, and the remedy', async () => {
    const message = async (headers: Headers) => (await change(server, headers)).reply.json().message
    expect(await message({ origin: 'http://evil.example' })).toBe(
      'A page of http://evil.example must not make changes with a session: this server is http://localhost. If users reach it at another address, set UNLEASH_URL to that address, or TRUST_PROXY to the reverse proxy.',
    )
    expect(await message({ 'sec-fetch-site': 'same-site' })).toBe(
      'A page of another origin must not make changes with a session.',
    )
  })
})

describe("the server's own origin", () => {
  test('differs over TLS', async () => {
    const other = await withFlag({ trustProxy: ['127.0.0.1'] })
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'flags.example' }
    const headers = { ...forwarded, cookie: '__Host-burgee-session=editor-session' }
    try {
      expect((await change(other, { ...headers, origin: 'https://flags.example' })).status).toBe(200)
      expect((await change(other, { ...headers, origin: 'http://flags.example' })).status).toBe(403)
    } finally {
      await other.close()
    }
  })

  test('stays the same below a base path', async () => {
    const other = await withFlag({}, '/base')
    try {
      expect((await change(other, { origin: 'http://localhost' }, `/base${FLAG}/on`)).status).toBe(200)
      expect((await change(other, { origin: 'http://evil.example' }, `/base${FLAG}/on`)).status).toBe(403)
    } finally {
      await other.close()
    }
  })
})

describe('forms', () => {
  const takesNoBody = (route: Route) => changes(route) && route.body === undefined && route.url.startsWith('/api/admin')

  test.each([...FORMS, 'TEXT/html', 'multipart/mixed'])(
    'sent as type %s get 415 from every route of the API',
    async (type) => {
      // only an administrator passes the permission checks of all routes
      await server.db.rows("update users set root_role = 1 where username = 'editor'")
      const last = await server.lastEventId()
      const routes = calls(takesNoBody)
      expect(routes.length).toBeGreaterThan(30)
      for (const call of routes) {
        const reply = await server.call({ as: 'editor', call, raw: 'a=b', headers: { 'content-type': type } })
        expect([call, reply.statusCode, reply.json().name]).toEqual([call, 415, 'ContentTypeerror'])
      }
      expect(await server.eventsAfter(last)).toEqual([])
      await server.db.rows("update users set root_role = 2 where username = 'editor'")
    },
  )

  test('rights come first, and no type or JSON is taken', async () => {
    const form = { 'content-type': 'text/plain' }
    const call = `POST ${FLAG}/on`
    expect((await server.call({ as: 'viewer', call, headers: form })).statusCode).toBe(403)
    expect((await server.call({ call, headers: form })).statusCode).toBe(401)
    expect((await server.call({ as: 'editor', call })).statusCode).toBe(200)
    expect((await server.call({ as: 'editor', call: call.replace(/on$/, 'off'), body: {} })).statusCode).toBe(200)
  })

  test('sent by scripts with a token succeed, since some tools set such a type by default', async () => {
    for (const type of FORMS) {
      const reply = await server.call({ as: 'admin', call: `POST ${FLAG}/on`, headers: { 'content-type': type } })
      expect([type, reply.statusCode]).toEqual([type, 200])
    }
  })
})

describe('a login', () => {
  const call = 'POST /auth/simple/login'
  const body = { username: 'admin', password: 'a good password' }
  test.each<[string, number, Headers]>([
    ['another site', 403, { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', 403, { 'sec-fetch-site': 'same-site' }],
    ['another origin', 403, { origin: 'http://evil.example' }],
    ['a page without an origin', 403, { origin: 'null' }],
    ['another page', 403, { referer: 'http://evil.example/' }],
    ['the own page', 200, { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }],
    ['the own origin', 200, { origin: 'http://localhost' }],
    ['a script, which has no page', 200, {}],
  ])('from %s → %i', async (_where, status, headers) => {
    const reply = await server.call({ call, body, headers })
    expect([reply.statusCode, reply.headers['set-cookie'] !== undefined]).toEqual([status, status === 200])
  })
})
