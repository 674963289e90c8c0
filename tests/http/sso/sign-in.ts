import { expect } from 'vitest'
import type { TestServer } from '../scenario.ts'
import { HOME, type Somebody, type TestProvider } from './provider.ts'

/** Returns the cookies that a reply sets, by name. */
export function cookiesOf(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const lines = [headers['set-cookie'] ?? []].flat()
  return Object.fromEntries(lines.map((line) => String(line).split(';', 1)[0]?.split('=') ?? []))
}

/**
 * Starts a login. Returns the authorization URL, and the cookie that the browser stores until it returns from the
 * provider.
 */
export async function leave(server: TestServer, next = ''): Promise<{ to: string; cookie: string }> {
  const reply = await server.call({ call: `GET /auth/oidc/login${next}` })
  expect(reply.statusCode, reply.body).toBe(302)
  return { to: String(reply.headers.location), cookie: `burgee-sign-in=${cookiesOf(reply.headers)['burgee-sign-in']}` }
}

/** Returns to the URL that the provider redirected to. */
export function comeBack(server: TestServer, url: string, cookie: string) {
  return server.call({ call: `GET ${url.slice(HOME.length)}`, headers: { cookie } })
}

/** Logs a user in through the provider. Returns the final reply. */
export async function signIn(server: TestServer, provider: TestProvider, who: Somebody, next?: string) {
  provider.put(who)
  const { to, cookie } = await leave(server, next)
  return comeBack(server, await provider.visit(to), cookie)
}

/** Creates an administrator and logs in once through the provider, which is required before disabling passwords. */
export async function signInAdmin(server: TestServer, provider: TestProvider): Promise<void> {
  const email = 'root@example.com'
  const users = (await server.admin('GET /api/admin/user-admin')).users as readonly { readonly email?: string }[]
  if (!users.some((user) => user.email === email))
    await server.admin('POST /api/admin/user-admin', { email, rootRole: 1 })
  const reply = await signIn(server, provider, { sub: 'root', email, email_verified: true })
  expect(reply.statusCode, reply.body).toBe(302)
}
