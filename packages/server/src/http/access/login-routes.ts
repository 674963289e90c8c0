import { Reply } from '@burgee/kit/http/route'
import { Login, User } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { nameOf } from '../../services/access/rights.ts'
import type { SecurityEntry } from '../../services/access/security-entry.ts'
import { FailedLogin } from '../../services/access/sessions.ts'
import { userView } from '../../services/access/users.ts'
import type { UserRow } from '../../store/access/users.ts'
import { LIST } from '../problem-lists.ts'
import { tooMany, withLeft } from '../rate-limit.ts'
import { type Routes, route } from '../route.ts'
import { cookieOf, sessionCookie } from './cookies.ts'
import { refuseLoginElsewhere } from './same-origin.ts'

const LOGIN = { method: 'POST', route: '/auth/simple/login' }

/** Login and logout. Source: wire protocol */
export const loginRoutes: Routes = [
  route({
    method: 'POST',
    url: LOGIN.route,
    permission: 'public',
    tag: 'Access',
    summary: 'Exchanges username (or e-mail) and password for a session cookie.',
    first: (caller, { limits }) => limits.login(caller),
    body: Login,
    replies: { 200: { description: 'Who is logged in now', schema: User } },
    problems: ['ValidationError', 'PasswordMismatch', 'NoAccessError', 'ContentTypeerror', 'RateLimitError'],
    handle: async ({ body, caller }, world) => {
      const { callers, limits } = world
      refuseLoginElsewhere(caller, callers)
      const address = callers.addressOf(caller)
      const taken = limits.account(address, body.username)
      const failed = (problem: Problem) => world.security?.note(failedLogin(problem, address))
      if (taken.waitMs > 0) {
        failed(new Problem('RateLimitError', 'Too many logins'))
        return tooMany(taken)
      }
      const options = callers.cookieOf(caller)
      const before = cookieOf(caller.headers.cookie, options)
      const { user, sessionId } = await world.sessions.login(body, before).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error
        failed(error)
        throw withLeft(error, taken)
      })
      world.security?.note({ event: 'login', result: 'success', status: 200, ...whoOf(user), address, via: LOGIN })
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
    problems: LIST,
    handle: async ({ access, caller }, world) => {
      if (access.actor.user !== undefined) await world.sessions.endAll(access.actor.user.id)
      return new Reply(302, undefined, {
        location: `${world.options.baseUriPath}/`,
        'clear-site-data': '"cookies", "storage"',
        'set-cookie': sessionCookie('', 0, world.callers.cookieOf(caller)),
      })
    },
  }),
]

/** A line of the security log. What was typed as a name stays out where nobody has it: it may be a password. */
function failedLogin({ name: reason, status, cause }: Problem, address: string): SecurityEntry {
  const user = cause instanceof FailedLogin ? cause.user : undefined
  return { event: 'login-failed', result: 'refused', status, reason, ...whoOf(user), address, via: LOGIN }
}

function whoOf(user: UserRow | undefined) {
  return { actor: user === undefined ? null : nameOf(user), actorId: user?.id ?? null }
}
