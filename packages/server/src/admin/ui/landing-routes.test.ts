import { createApp } from '@burgee/kit/http/app'
import { Reply } from '@burgee/kit/http/route'
import { SILENT } from '@burgee/kit/log/logger'
import { expect, test } from 'vitest'
import { Access } from '../../core/access/access.ts'
import type { HttpWorld } from '../../core/http/route.ts'
import { landingRoutes } from './landing-routes.ts'

/** Requests a page of a server with a base path, with the given Host header. */
async function page(basePath: string, host: string, path = '/') {
  const app = createApp<Access, HttpWorld>({
    routes: landingRoutes,
    world: { options: { baseUriPath: basePath } } as HttpWorld,
    basePath,
    order: 'authorize-first',
    authorize: () => new Access({}),
    renderError: () => new Reply(404),
    parseQuery: () => ({}),
    bodyLimitBytes: 1000,
    logger: SILENT,
  })
  return app.inject({ url: `${basePath}${path}`, headers: { host } })
}

test('the page shows commands for the address it was asked under', async () => {
  const reply = await page('', 'flags.example.com:8080')
  expect(reply.statusCode).toBe(200)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  })
  expect(reply.body).toContain('http://flags.example.com:8080/auth/simple/login')
  expect(reply.body).toContain("curl -b cookies.txt -X POST -H 'origin: http://flags.example.com:8080'")
  expect(reply.body).toContain('href="/health"')
})

test('below a base path, all its addresses are', async () => {
  const reply = await page('/team/flags', '[::1]:4242')
  expect(reply.body).toContain('http://[::1]:4242/team/flags/auth/simple/login')
  expect(reply.body).toContain('href="/team/flags/health"')
  expect((await page('/team/flags', 'localhost', '')).statusCode).toBe(200)
})

test.each([
  '"><script>alert(1)</script>',
  'evil.example.com/path',
  'user:password@evil.example.com',
  "'; rm -rf / #",
  'a b',
  '`reboot`',
])('rejects the invalid host %s and does not repeat it', async (host) => {
  const reply = await page('', host)
  expect(reply.statusCode).toBe(400)
  expect(reply.body).not.toContain(host)
  expect(reply.body).not.toContain('<script')
})

test('a host that a shell would run is valid in a request, and is not on the page', async () => {
  const reply = await page('', '$(reboot)')
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toContain('http://localhost:4242/auth/simple/login')
  expect(reply.body).not.toContain('$(reboot)')
})
