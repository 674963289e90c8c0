import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

let server: TestServer
const F = '/api/admin/projects/default/features'

beforeAll(async () => {
  server = await startServer()
  await server.call({ as: 'admin', call: `POST ${F}`, body: { name: 'f' } })
})
afterAll(() => server.close())

describe('headers for browsers and caches', () => {
  const PRIVATE = 'private, no-cache'
  test.each([
    ['GET /api/admin/user', 'viewer', 200, 'no-store'],
    ['GET /api/admin/user', '', 401, 'no-store'],
    ['GET //API//admin/user', 'viewer', 200, 'no-store'],
    ['GET //API/admin/ui-config?x=1', 'viewer', 200, PRIVATE],
    [`GET ${F}`, 'viewer', 200, PRIVATE],
    [`GET ${F}/f`, 'viewer', 200, PRIVATE],
    [`GET ${F}/f/comments`, 'viewer', 200, 'no-store'],
    [`GET ${F}/f?x=/comments`, 'viewer', 200, PRIVATE],
    ['GET /api/admin/projects', 'viewer', 200, 'no-store'],
    ['GET /api/admin/nope', 'viewer', 404, 'no-store'],
    ['GET /api/admin/%zz', 'viewer', 404, 'no-store'],
    ['GET /scim/v2/Users', '', 401, 'no-store'],
    ['GET /invite/x/validate', '', 400, 'no-store'],
    ['GET /api/client/features', 'client', 200, PRIVATE],
    ['GET /api/frontend', 'frontend', 200, 'no-cache'],
    ['POST /api/admin/user/tokens', 'viewer', 415, 'no-store'],
    ['POST /auth/simple/login', '', 415, 'no-store'],
    ['GET /auth/reset/validate?token=x', '', 401, 'no-store'],
    ['POST /logout', '', 401, 'no-store'],
    ['GET /health', '', 200, undefined],
  ] as const)('%s as "%s" → %s, %s', async (call, as, status, kept) => {
    const { statusCode, headers } = await server.call({ as, call })
    expect([statusCode, headers['cache-control']]).toEqual([status, kept])
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  test('no reply that shows people, addresses or secrets is stored by a browser', async () => {
    const PERSONAL = /"(email|username|secret|ip|token|inviteLink|emailHash|password)":\{/
    const sensitive = server.server.routes.filter(
      ({ url, replies }) => /^\/(api\/admin|scim|invite)\b/.test(url) && PERSONAL.test(JSON.stringify(replies)),
    )
    expect(sensitive.length).toBeGreaterThan(40)
    for (const { method, url } of sensitive) {
      const path = url.replace(/:[A-Za-z]+/g, (name) => (name === ':projectId' ? 'default' : '1'))
      const { headers } = await server.call({ as: 'viewer', call: `${method} ${path}` })
      expect(headers['cache-control'], `${method} ${url}`).toBe('no-store')
    }
  })

  test('no HTML reply may be framed by another page', async () => {
    const pages = server.server.routes.filter(({ replies }) =>
      Object.values(replies).some(({ contentType }) => contentType === 'text/html'),
    )
    expect(pages.length).toBeGreaterThan(4)
    const calls = pages.map(
      ({ method, url }) => `${method} ${url.replace('*', 'nothing').replace(':template', 'getting-started')}`,
    )
    for (const call of calls) {
      const { headers } = await server.call({ as: 'admin', call })
      if (!String(headers['content-type']).startsWith('text/html')) continue
      expect(headers['content-security-policy'], call).toContain("frame-ancestors 'none'")
    }
  })

  test('304 has the same headers', async () => {
    const call = 'GET /api/admin/ui-config'
    const { headers } = await server.call({ as: 'viewer', call })
    const again = await server.call({ as: 'viewer', call, headers: { 'if-none-match': String(headers.etag) } })
    expect([again.statusCode, again.headers['cache-control']]).toEqual([304, PRIVATE])
  })
})

describe('security headers of every reply', () => {
  const told = { 'referrer-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' }
  const calls = [
    'GET /',
    'GET /projects/default',
    'GET /docs/openapi',
    'GET /docs/openapi/',
    'GET /docs/openapi.json',
    'GET /health',
    'GET /api/admin/user',
    'GET /api/admin/nope',
    'GET /%zz',
    'POST /auth/simple/login',
  ]

  test.each(calls)('%s has a type and a charset if it has a body', async (call) => {
    const { headers, body } = await server.call({ call })
    if (body !== '') expect(headers['content-type']).toMatch(/; charset=utf-8$/)
  })

  test.each(calls)('%s shows its address to no other site and shares no window', async (call) => {
    const { headers } = await server.call({ call })
    expect(headers).toMatchObject({ ...told, 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  const HOST_ALONE = 'max-age=31536000'
  const tls: readonly [name: string, options: Parameters<typeof startServer>[0], expected: string][] = [
    ['for this host alone with SECURE_HEADERS', { secureCookies: true }, HOST_ALONE],
    ['for this host alone if UNLEASH_URL begins with https', { serverUrl: 'https://flags.example' }, HOST_ALONE],
    [
      'for subdomains with HSTS_INCLUDE_SUBDOMAINS',
      { secureCookies: true, hstsIncludeSubdomains: true },
      `${HOST_ALONE}; includeSubDomains`,
    ],
  ]
  test.each(tls)('include HSTS %s', async (_name, options, expected) => {
    const secure = await startServer({ ...options, baseUriPath: '/flags' })
    try {
      for (const call of calls.map((one) => one.replace(' /', ' /flags/'))) {
        const { headers } = await secure.call({ call })
        expect([call, headers]).toEqual([
          call,
          expect.objectContaining({ ...told, 'strict-transport-security': expected }),
        ])
      }
    } finally {
      await secure.close()
    }
  })

  test.each([
    ['without TLS, also for subdomains', { serverUrl: 'http://flags.example', hstsIncludeSubdomains: true }],
    ['with SECURE_HEADERS=false, also for an https URL', { serverUrl: 'https://flags.example', secureCookies: false }],
  ])('include no HSTS %s', async (_name, options) => {
    const plain = await startServer(options)
    try {
      for (const call of calls)
        expect((await plain.call({ call })).headers).not.toHaveProperty('strict-transport-security')
    } finally {
      await plain.close()
    }
  })

  test('no policy of a page allows a base address or a plugin', async () => {
    for (const call of calls) {
      const { headers } = await server.call({ call })
      const policy = String(headers['content-security-policy'])
      if (!String(headers['content-type']).startsWith('text/html')) continue
      expect(policy, call).toContain("default-src 'none'")
      expect(policy, call).toContain("base-uri 'none'")
      expect(policy, call).not.toContain('object-src')
    }
  })
})

describe('pages of other origins', () => {
  const ON = `POST ${F}/f/environments/development/on`
  const OFF = `POST ${F}/f/environments/development/off`
  const from = (site: string) => ({ 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })

  test.each(['cross-site', 'same-site'])('cannot change anything with a login: %s', async (site) => {
    const last = await server.lastEventId()
    for (const call of [ON, `DELETE ${F}/f`, 'POST /api/admin/splash/x', 'POST /logout']) {
      const reply = await server.call({ as: 'editor', call, headers: from(site) })
      expect([call, reply.statusCode, reply.json().name]).toEqual([call, 403, 'NoAccessError'])
    }
    expect(await server.eventsAfter(last)).toEqual([])
    expect((await server.call({ as: 'editor', call: 'GET /api/admin/user' })).statusCode).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot send JSON as %s',
    async (type) => {
      const raw = JSON.stringify({ name: 'forged' })
      const headers = { 'content-type': type }
      expect((await server.call({ as: 'editor', call: `POST ${F}`, raw, headers })).statusCode).toBe(415)
      const login = JSON.stringify({ username: 'admin', password: 'a good password' })
      const reply = await server.call({ call: 'POST /auth/simple/login', raw: login, headers })
      expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([415, undefined])
    },
  )

  test('receive no CORS permission to read or send more', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'PUT' }
    const asked = await server.call({ call: `OPTIONS ${F}`, headers })
    const read = await server.call({ as: 'editor', call: `GET ${F}`, headers })
    for (const reply of [asked, read]) {
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('the own page, links to it and tokens are not concerned', async () => {
    for (const headers of [from('same-origin'), from('none')]) {
      expect((await server.call({ as: 'editor', call: ON, headers })).statusCode).toBe(200)
      expect((await server.call({ as: 'editor', call: OFF, headers })).statusCode).toBe(200)
    }
    const headers = from('cross-site')
    expect((await server.call({ as: 'editor', call: `GET ${F}/f`, headers })).statusCode).toBe(200)
    expect((await server.call({ as: 'admin', call: ON, headers })).statusCode).toBe(200)
  })
})
