import { compileValidator } from '@burgee/kit/input/validation'
import type { BurgeeServer } from '@burgee/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Rules that all routes must follow. The test cases come from the list of routes. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Route = BurgeeServer['routes'][number]

const PUBLIC = [
  'GET /',
  'GET /health',
  'GET /ready',
  'GET /internal-backstage/prometheus',
  'POST /auth/simple/login',
  'GET /auth/oidc/login',
  'GET /auth/oidc/callback',
  'GET /invite/:token/validate',
  'POST /invite/:token/signup',
  'GET /auth/reset/validate',
  'POST /auth/reset/validate-password',
  'POST /auth/reset/password',
  'POST /auth/reset/password-email',
  'GET /mcp',
  'DELETE /mcp',
  'GET /.well-known/oauth-protected-resource',
  'GET /ofrep/v1/stream',
  'POST /edge/validate',
  'POST /edge/metrics',
  'GET /docs/openapi.json',
  'GET /docs/openapi',
  'GET /docs/openapi/page.js',
  'GET /docs/openapi/page.css',
]

function pathOf(route: Route): string {
  return route.url
    .replace('*', 'nothing-here')
    .replace(/:[A-Za-z]+/g, (name) => (name === ':projectId' ? 'default' : 'x'))
}

/** Checks all routes that `select` matches. Runs inside a test, because the list comes from a running server. */
async function each(select: (route: Route) => boolean, check: (route: Route, call: string) => Promise<void>) {
  const routes = server.server.routes.filter(select)
  expect(routes.length).toBeGreaterThan(0)
  for (const route of routes) await check(route, `${route.method} ${pathOf(route)}`)
}

/** Returns the token type of an SDK route. */
const sdkRole = (route: Route) => /^(client|frontend) token$/.exec(route.permission ?? '')?.[1]
/** Excludes routes that accept both types of token, because these routes reject neither. */
const isSdk = (route: Route) => sdkRole(route) !== undefined
const isAdmin = (route: Route) => route.url.startsWith('/api/admin')
/**
 * Any known user may evaluate flags, manage their own account, query the status of a token they know, and propose
 * changes for approval. Previewing an edit requires the permission to save it, which depends on the edit.
 */
const PROPOSALS = /^\/api\/admin\/projects\/:projectId\/(environments\/:environment\/)?change-requests(?!\/config)/
/**
 * The permissions for a promotion depend on its changes: tests/http/promotion. Everyone may plan a project's files:
 * tests/http/config.
 */
const PROMOTIONS = /\/environments\/:environment\/promotions(\/plan|\/undo)?$|\/config\/plan$/
const OWN =
  /^\/api\/admin\/(playground|api-tokens\/connection|user|feedback|splash|events|constraints|record-ui-error|features-batch\/(?:export|validate))\b|\/(favorites|impact)$/
/**
 * Which of two permissions applies depends on whether the caller wrote the comment. For callers with neither
 * permission, the error names the lesser one.
 */
const EITHER: Readonly<Record<string, string>> = {
  'DELETE /api/admin/projects/:projectId/features/:featureName/comments/:id': 'UPDATE_FEATURE',
}
const writes = (route: Route) =>
  isAdmin(route) && route.method !== 'GET' && ![OWN, PROPOSALS, PROMOTIONS].some((own) => own.test(route.url))

describe('every route', () => {
  test('has schemas that can be compiled, which a server does at the first request', () => {
    for (const { url, params, query, body } of server.server.routes) {
      for (const schema of [params, query, body]) {
        if (schema !== undefined) expect(() => compileValidator(schema, 'part'), url).not.toThrow()
      }
    }
  })

  test('requires a token unless it is on the list of public routes', async () => {
    const open = server.server.routes.filter((route) => route.permission === 'public')
    expect(open.map((route) => `${route.method} ${route.url}`)).toEqual(PUBLIC)
  })

  test('reads at most 100 kB of a body before it knows the caller', () => {
    const long = server.server.routes.filter(
      ({ permission, bodyLimitBytes = 0 }) => permission === 'public' && bodyLimitBytes > 100_000,
    )
    expect(long.map(({ method, url }) => `${method} ${url}`)).toEqual([])
  })

  test('answers 401 to anonymous callers, and writes nothing', async () => {
    const last = await server.lastEventId()
    await each(
      (route) => route.permission !== 'public',
      async (_route, call) => {
        const reply = await server.call({ call, ...(call.startsWith('GET') ? {} : { body: {} }) })
        expect([call, reply.statusCode]).toEqual([call, 401])
      },
    )
    expect(await server.eventsAfter(last)).toEqual([])
  })

  test('under the admin API answers 403 to SDK tokens', async () => {
    for (const as of ['client', 'frontend']) {
      await each(isAdmin, async (_route, call) => {
        expect([call, (await server.call({ as, call })).statusCode]).toEqual([call, 403])
      })
    }
  })

  test('every writing admin route requires a permission that a viewer lacks', async () => {
    await each(writes, async (route, call) => {
      const needed = route.permission ?? EITHER[`${route.method} ${route.url}`] ?? null
      expect([call, needed]).not.toEqual([call, null])
      const reply = await server.call({ as: 'viewer', call, body: {} })
      // the project of a tag comes from its flag, which does not exist
      expect([call, reply.statusCode]).toEqual([call, 403])
      expect(reply.json().permissions).toEqual([needed])
    })
  })

  test('used by SDKs answers 403 to tokens of another type', async () => {
    await each(isSdk, async (route, call) => {
      const as = sdkRole(route) === 'client' ? 'frontend' : 'client'
      expect([call, (await server.call({ as, call })).statusCode]).toEqual([call, 403])
    })
  })

  test('answers 415 to other media than its own, and 400 to a body that is not an object or array', async () => {
    await server.admin('POST /api/admin/scim-settings', { enabled: true })
    const { token } = await server.admin('POST /api/admin/scim-settings/generate-new-token')
    const { token: signalToken } = await server.admin('POST /api/admin/signal-endpoints', { name: 'x' })
    await each(
      // agents use personal tokens, and errors in a different format
      (route) => route.body !== undefined && route.bodyOptional !== true && route.url !== '/mcp',
      async (route, call) => {
        const isOfDirectory = call.includes(' /scim/')
        const own = new Map<string | null, string>([
          ['SCIM token', token],
          ['signal token', signalToken],
        ]).get(route.permission)
        const as = own === undefined ? (sdkRole(route) ?? 'admin') : `Bearer ${own}`
        const headers = { 'content-type': 'text/plain' }
        expect([call, (await server.call({ as, call, raw: '{}', headers })).statusCode]).toEqual([call, 415])
        expect([call, (await server.call({ as, call })).statusCode]).toEqual([call, 415])
        const reply = await server.call({ as, call, body: 'text' })
        expect([call, reply.statusCode]).toEqual([call, 400])
        const told = { id: expect.any(String), name: 'ValidationError', message: expect.any(String) }
        // OpenFeature and SCIM have their own error formats
        const form = call.includes(' /openfeature/') ? { error: { status: 400, message: expect.any(String) } } : told
        expect(reply.json()).toMatchObject(isOfDirectory ? { status: '400', detail: expect.any(String) } : form)
      },
    )
  })

  test('never returns 500 for hostile names', async () => {
    const names = [
      '__proto__',
      '%00',
      'constructor',
      "'; drop table features; --",
      '%F0%9F%8F%B4',
      '..%2f..',
      '-1',
      'x'.repeat(900),
    ]
    for (const name of names) {
      await each(
        (route) => route.url.includes(':'),
        async (route) => {
          const call = `${route.method} ${route.url.replace(/:[A-Za-z]+/g, encodeURI(decodeURIComponent(name)))}`
          const as = sdkRole(route) ?? 'admin'
          const reply = await server.call({ as, call, ...(route.body === undefined ? {} : { body: {} }) })
          expect([call, reply.statusCode < 500]).toEqual([call, true])
        },
      )
    }
    expect(server.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })

  test('names problems that exist', async () => {
    const { PROBLEMS } = await import('@burgee/protocol/problem')
    for (const route of server.server.routes) {
      for (const problem of route.problems) expect(Object.keys(PROBLEMS)).toContain(problem)
    }
  })
})
