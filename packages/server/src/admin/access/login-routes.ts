import { Reply } from '@burgee/kit/http/route'
import { Login, SignedOut, User } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { findCookie, sessionCookie } from '../../core/access/cookies.ts'
import { FailedLogin } from '../../core/access/logins/sessions.ts'
import { getUserName } from '../../core/access/rights/rights.ts'
import { refuseOtherPages } from '../../core/access/same-origin.ts'
import type { SecurityEntry } from '../../core/access/security/security-entry.ts'
import { getRemainingLogins } from '../../core/http/login-rate-limits.ts'
import { LIST } from '../../core/http/problem-lists.ts'
import { tooManyProblem, withRemaining } from '../../core/http/rate-limit-replies.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { createSignOut } from '../sso/oidc-routes.ts'
import { toUser } from './people/users.ts'

const LOGIN = { method: 'POST', route: '/auth/simple/login' }

const NO_PASSWORDS =
  'Password logins are disabled: log in with OpenID Connect (/auth/oidc/login). The operator of the server can enable them again: burgee reset-password --enable-password-login'

/**
 * Creates the routes for login and logout. Source: wire protocol. The reply to a logout can also return the redirect
 * target as JSON (not part of the wire protocol), for pages that cannot follow a redirect to another host.
 */
export const loginRoutes = (parts: Parameters<typeof createSignOut>[0]): Routes => {
  return [
    route({
      method: 'POST',
      url: LOGIN.route,
      permission: 'public',
      tag: 'Access',
      summary: 'Logs in with username (or e-mail address) and password; returns a session cookie.',
      first: (caller, { limits }) => limits.login(caller),
      body: Login,
      replies: { 200: { description: 'The logged-in user', schema: User } },
      problems: ['ValidationError', 'PasswordMismatch', 'NoAccessError', 'ContentTypeerror', 'RateLimitError'],
      handle: async ({ body, caller }, world) => {
        const { callers, limits } = world
        refuseOtherPages(caller, callers)
        if (world.signIn.isPasswordOff()) throw new Problem('NoAccessError', NO_PASSWORDS)
        const address = callers.getAddress(caller)
        const from = { authType: 'simple', ip: address } as const
        const network = callers.getNetwork(caller)
        const id = await world.sessions.findAccountId(body.username)
        const account = id === undefined ? { name: body.username } : { id }
        const taken = await getRemainingLogins(limits.account(caller, account), () =>
          world.sessions.isKnownNetwork(body.username, network),
        )
        const failed = (problem: Problem) => {
          world.security?.record(toFailedLoginEntry(problem, address))
          world.logins.record({ username: getTargetName(problem), ...from, failure: problem.message })
        }
        if (taken.waitMs > 0) {
          failed(new Problem('RateLimitError', 'Too many logins'))
          throw tooManyProblem(taken, new FailedLogin(undefined))
        }
        const options = callers.getCookieOptions(caller)
        const before = findCookie(caller.headers.cookie, options)
        const { user, sessionId } = await world.sessions.login(body, { before, network }).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error
          failed(error)
          throw withRemaining(error, taken)
        })
        world.logins.record({ username: getUserName(user), ...from })
        world.security?.record({
          event: 'login',
          result: 'success',
          status: 200,
          ...toActorFields(user),
          address,
          via: LOGIN,
        })
        const cookie = sessionCookie(sessionId, world.sessions.idleSeconds, options)
        return Reply.json(200, toUser(user), { ...taken.headers, 'set-cookie': cookie })
      },
    }),
    logoutRoute(createSignOut(parts)),
  ]
}

function logoutRoute(signOut: ReturnType<typeof createSignOut>): Routes[number] {
  return route({
    method: 'POST',
    url: '/logout',
    permission: null,
    tag: 'Access',
    summary: 'Ends all sessions of the user; redirects to the provider if single sign-out is enabled.',
    replies: {
      200: { description: 'The URL to open, for clients that accept only JSON', schema: SignedOut },
      302: { description: 'Redirect to the start page, or to the provider' },
    },
    problems: LIST,
    handle: async ({ access, caller }, world) => {
      const { user, session } = access.actor
      const idToken = session === undefined ? undefined : await world.sessions.findIdToken(session)
      if (user !== undefined) await world.sessions.endAll(user.id)
      const location = (await signOut(world, idToken)) ?? `${world.options.baseUriPath}/`
      const isJson = caller.headers.accept === 'application/json'
      const headers = {
        ...(world.options.clearSiteDataOnLogout && { 'clear-site-data': '"cookies", "storage"' }),
        'set-cookie': sessionCookie('', 0, world.callers.getCookieOptions(caller)),
      }
      return isJson ? Reply.json(200, { location }, headers) : new Reply(302, undefined, { ...headers, location })
    },
  })
}

/**
 * Creates a security log entry for a failed login. Omits the submitted name if it belongs to no account, because it may
 * be a mistyped password.
 */
function toFailedLoginEntry({ name: reason, status, cause }: Problem, address: string): SecurityEntry {
  const user = cause instanceof FailedLogin ? cause.user : undefined
  return { event: 'login-failed', result: 'refused', status, reason, ...toActorFields(user), address, via: LOGIN }
}

/** Returns the name of the account whose login failed; empty if no account matches the submitted name. */
function getTargetName({ cause }: Problem): string {
  return cause instanceof FailedLogin && cause.user !== undefined ? getUserName(cause.user) : ''
}

function toActorFields(user: UserRow | undefined) {
  return { actor: user === undefined ? null : getUserName(user), actorId: user?.id ?? null }
}
