import { Reply, type Route, routesFor } from '@burgee/kit/route'
import { Login, User } from '@burgee/protocol/access'
import type { ServerWorld } from '../services/server-world.ts'
import { userView } from '../services/users.ts'
import type { Access } from './auth.ts'
import { type CookieOptions, cookieOf, sessionCookie } from './cookies.ts'
import { createRateLimit } from './rate-limit.ts'

const route = routesFor<Access>()
const MINUTE_MS = 60_000
const ADDRESS_FACTOR = 10

/** What the login routes need besides the world. */
export interface LoginOptions extends CookieOptions {
  readonly loginsPerMinute: number
}

/** Login and logout. Source: wire protocol */
export function loginRoutes(world: ServerWorld, options: LoginOptions): Route<Access>[] {
  const { clock } = world
  const byAccount = createRateLimit({ most: options.loginsPerMinute, windowMs: MINUTE_MS, clock })
  // each login costs a password hash: names made up by the thousand must not occupy the machine
  const byAddress = createRateLimit({ most: options.loginsPerMinute * ADDRESS_FACTOR, windowMs: MINUTE_MS, clock })
  return [
    route({
      method: 'POST',
      url: '/auth/simple/login',
      permission: 'public',
      tag: 'Access',
      summary: 'Exchanges username (or e-mail) and password for a session cookie.',
      body: Login,
      replies: { 200: { description: 'Who is logged in now', schema: User } },
      problems: ['ValidationError', 'PasswordMismatch', 'ContentTypeerror', 'RateLimitError'],
      handle: async ({ body, caller }) => {
        const wait = Math.max(
          byAccount.take(`${caller.remoteAddress} ${body.username.toLowerCase()}`),
          byAddress.take(caller.remoteAddress),
        )
        if (wait > 0) return tooMany(wait)
        const { user, sessionId } = await world.sessions.login(body, cookieOf(caller.headers.cookie, options))
        const cookie = sessionCookie(sessionId, world.sessions.idleSeconds, options)
        return Reply.json(200, userView(user), { 'set-cookie': cookie })
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
      handle: async ({ access }) => {
        if (access.actor.user !== undefined) await world.sessions.endAll(access.actor.user.id)
        return new Reply(302, undefined, {
          location: `${options.basePath}/`,
          'clear-site-data': '"cookies", "storage"',
          'set-cookie': sessionCookie('', 0, options),
        })
      },
    }),
  ]
}

/** Text, as the established server answers. Source: wire protocol "rate limits". */
function tooMany(waitMs: number): Reply {
  return new Reply(429, 'Too many requests, please try again later.', {
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': String(Math.ceil(waitMs / 1000)),
  })
}
