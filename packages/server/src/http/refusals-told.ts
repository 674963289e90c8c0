import type { Caller, Route } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { FailedLogin } from '../services/access/logins/sessions.ts'
import type { SecurityLog } from '../services/access/security/security-entry.ts'
import { cookieOf } from './access/cookies.ts'
import { isFromOwnPage } from './access/same-origin.ts'
import type { Callers } from './callers.ts'

/** Who calls, as far as that has been found out. */
export interface Known {
  actor?: string
  actorId?: number
  /** Public id of the token by which they came. */
  token?: string
}

/** Hears of what a request has failed with. */
export type Refused = (error: unknown, caller: Caller, route: Pick<Route, 'method' | 'url'>, known: Known) => void

const REFUSALS = new Set([401, 403, 429])

/**
 * Tells the security log of failures that refuse somebody: 401, 403, and 429 of guesses. Without one, nothing is told.
 */
export function refusalTeller(security: SecurityLog | undefined, callers: Callers): Refused | undefined {
  if (security === undefined) return undefined
  const { addressOf } = callers
  return (error, caller, { method, url }, { actor = null, actorId = null, token }) => {
    if (!(error instanceof Problem) || !REFUSALS.has(error.status)) return
    // logins tell by themselves
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
 * True for a read that the admin UI begins before it knows who is logged in: nobody is, so that no credentials are refused, or
 * somebody whose password must be changed first. Callers other than browsers can claim the same, and gain nothing but
 * silence about a request without credentials, or with a good session.
 */
function isFirstRead({ status, extra }: Problem, caller: Caller, callers: Callers): boolean {
  const { authorization, cookie } = caller.headers
  if (authorization !== undefined || !isFromOwnPage(caller, callers)) return false
  if (status === 401) return cookieOf(cookie, callers.cookieOf(caller)) === undefined
  return extra.passwordChangeRequired === true
}

const LONGEST_NAME = 100

/** Which right was missing, and where: `UPDATE_FEATURE_ENVIRONMENT in production of shop`. */
function needsOf({ extra }: Problem): { readonly needs?: string } {
  const { permissions, project, environment } = extra
  if (!Array.isArray(permissions)) return {}
  const places = [environment, project].filter((name) => typeof name === 'string')
  const where = places.map((name, at) => `${at === 0 ? 'in' : 'of'} ${name.slice(0, LONGEST_NAME)}`)
  return { needs: [permissions.join(', '), ...where].join(' ') }
}

/** The same route, which tells of refusals; what answers at once still does. */
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
