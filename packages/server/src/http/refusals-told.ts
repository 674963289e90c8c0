import type { Caller, Route } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { FailedLogin } from '../services/access/logins/sessions.ts'
import type { SecurityLog } from '../services/access/security/security-entry.ts'
import { cookieOf } from './access/cookies.ts'
import { isFromServerPage } from './access/same-origin.ts'
import type { Callers } from './callers.ts'

/** Identity of the caller, as far as authentication has established it. */
export interface Known {
  actor?: string
  actorId?: number
  /** Public id of the token that the caller used. */
  token?: string
}

/** Called with the error of a failed request. */
export type Refused = (error: unknown, caller: Caller, route: Pick<Route, 'method' | 'url'>, known: Known) => void

const REFUSALS = new Set([401, 403, 429])

/**
 * Creates the function that writes rejected requests to the security log: 401, 403, and 429 after wrong tokens or
 * passwords. Returns undefined if there is no security log.
 */
export function refusalTeller(security: SecurityLog | undefined, callers: Callers): Refused | undefined {
  if (security === undefined) return undefined
  const { addressOf } = callers
  return (error, caller, { method, url }, { actor = null, actorId = null, token }) => {
    if (!(error instanceof Problem) || !REFUSALS.has(error.status)) return
    // login routes write their own log entries
    if (error.cause instanceof FailedLogin) return
    if (method === 'GET' && isFirstRead(error, caller, callers)) return
    const { status, name: reason } = error
    const address = addressOf(caller)
    const via = { method, route: url }
    const details = { ...(token === undefined ? {} : { token }), ...needsOf(error) }
    security.note({ event: 'refused', result: 'refused', status, reason, actor, actorId, address, via, details })
  }
}

/**
 * Returns true for the read that the admin UI sends to find out who is logged in. It is rejected if there is no
 * session, or if the user must change the password first. Other clients can imitate this read, but that only keeps
 * requests without credentials, or with a valid session, out of the log.
 */
function isFirstRead({ status, extra }: Problem, caller: Caller, callers: Callers): boolean {
  const { authorization, cookie } = caller.headers
  if (authorization !== undefined || !isFromServerPage(caller, callers)) return false
  if (status === 401) return cookieOf(cookie, callers.cookieOf(caller)) === undefined
  return extra.passwordChangeRequired === true
}

const LONGEST_NAME = 100

/** Returns the missing permission and its scope, for example `UPDATE_FEATURE_ENVIRONMENT in production of shop`. */
function needsOf({ extra }: Problem): { readonly needs?: string } {
  const { permissions, project, environment } = extra
  if (!Array.isArray(permissions)) return {}
  const places = [environment, project].filter((name) => typeof name === 'string')
  const where = places.map((name, at) => `${at === 0 ? 'in' : 'of'} ${name.slice(0, LONGEST_NAME)}`)
  return { needs: [permissions.join(', '), ...where].join(' ') }
}

/** Returns the route, changed so that its rejections are logged. A synchronous handler stays synchronous. */
export function toldOf<Access extends { readonly known: Known }, World>(
  route: Route<Access, World>,
  refused: Refused,
): Route<Access, World> {
  const { handle } = route
  return {
    ...route,
    handle: (input, world) => {
      const tell = (error: unknown): never => {
        refused(error, input.caller, route, input.access.known)
        throw error
      }
      try {
        const result = handle(input, world)
        return result instanceof Promise ? result.catch(tell) : result
      } catch (error) {
        return tell(error)
      }
    },
  }
}
