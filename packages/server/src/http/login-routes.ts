import { Reply, type Route, routesFor } from '@burgee/kit/route'
import { Login, User } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import type { ServerWorld } from '../services/server-world.ts'
import { userView } from '../services/users.ts'
import type { Access } from './auth.ts'
import type { Callers } from './callers.ts'
import { cookieOf, sessionCookie } from './cookies.ts'
import type { Limits } from './limits.ts'
import { tooMany } from './rate-limit.ts'

const route = routesFor<Access>()

/** What the login routes need besides the world. */
export interface LoginOptions {
  /** '' or '/base'. */
  readonly basePath: string
  readonly callers: Callers
  readonly limits: Limits
}

/** Login and logout. Source: wire protocol */
export function loginRoutes(world: ServerWorld, { basePath, callers, limits }: LoginOptions): Route<Access>[] {
  return [
    route({
      method: 'POST',
      url: '/auth/simple/login',
      permission: 'public',
      tag: 'Access',
      summary: 'Exchanges username (or e-mail) and password for a session cookie.',
      first: limits.login,
      body: Login,
      replies: { 200: { description: 'Who is logged in now', schema: User } },
      problems: ['ValidationError', 'PasswordMismatch', 'ContentTypeerror', 'RateLimitError'],
      handle: async ({ body, caller }) => {
        const taken = limits.account(callers.addressOf(caller), body.username)
        if (taken.waitMs > 0) return tooMany(taken)
        const options = callers.cookieOf(caller)
        const before = cookieOf(caller.headers.cookie, options)
        const { user, sessionId } = await world.sessions.login(body, before).catch(withHeaders(taken.headers))
        const cookie = sessionCookie(sessionId, world.sessions.idleSeconds, options)
        return Reply.json(200, userView(user), { ...taken.headers, 'set-cookie': cookie })
      },
    }),
    route({
      method: 'POST',
      url: '/logout',
      permission: null,
      tag: 'Access',
      summary: 'Ends all sessions of the user.',
      replies: { 302: { description: 'To the start page' } },
      problems: ['AuthenticationRequired'],
      handle: async ({ access, caller }) => {
        if (access.actor.user !== undefined) await world.sessions.endAll(access.actor.user.id)
        return new Reply(302, undefined, {
          location: `${basePath}/`,
          'clear-site-data': '"cookies", "storage"',
          'set-cookie': sessionCookie('', 0, callers.cookieOf(caller)),
        })
      },
    }),
  ]
}

/** A refused login says as well what is left of the limit. */
function withHeaders(headers: Readonly<Record<string, string>>) {
  return (error: unknown): never => {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.name, error.message, { cause: error, headers })
  }
}
