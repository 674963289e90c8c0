import type { FailedRequest } from '@burgee/kit/http/app-options'
import { Refusal } from '@burgee/kit/http/refusal'
import { type Caller, Reply, type Route } from '@burgee/kit/http/route'
import { InvalidRequest } from '@burgee/kit/input/validation'
import { Problem } from '@burgee/protocol/problem'
import type { RequestRoute } from '@burgee/storage/queries/events/events'
import { findCookie } from '../access/cookies.ts'
import { FailedLogin } from '../access/logins/sessions.ts'
import { isFromServerPage } from '../access/same-origin.ts'
import type { SecurityEntry, SecurityLog } from '../access/security/security-entry.ts'
import type { Callers } from './callers.ts'

/** Identity of the caller. Fields that were not known when the request was denied are missing. */
export interface CallerIdentity {
  actor?: string
  actorId?: number
  /** Public id of the token that the caller used. */
  token?: string
}

/** Called with the error of each failed request. */
export type DenialAuditor = (
  error: unknown,
  caller: Caller,
  route: Pick<Route, 'method' | 'url'>,
  known: CallerIdentity,
) => void

const DENIAL_STATUSES = new Set([401, 403, 429])
/** HTTP statuses for requests whose input is rejected. */
const REJECTION_STATUSES = new Set([400, 413, 415])
const TOO_MANY = 429

/**
 * Creates the function that writes rejected requests to the security log: 401, 403, and 429 after wrong tokens or
 * passwords. Returns undefined if there is no security log.
 */
export function createDenialAuditor(security: SecurityLog | undefined, callers: Callers): DenialAuditor | undefined {
  if (security === undefined) return undefined
  const { getAddress } = callers
  return (error, caller, { method, url }, identity) => {
    if (!(error instanceof Problem) || !DENIAL_STATUSES.has(error.status)) return
    // login routes write their own log entries
    if (error.cause instanceof FailedLogin) return
    if (method === 'GET' && isFirstRead(error, caller, callers)) return
    const { status, name: reason } = error
    const request = describeRequest(identity, getAddress(caller), { method, route: url })
    const details = { ...request.details, ...describeNeeds(error) }
    security.record({ ...request, event: 'refused', status, reason, details })
  }
}

/** Returns the parts of a log entry that describe the request and its caller. */
function describeRequest(identity: CallerIdentity, address: string, via: RequestRoute): Omit<SecurityEntry, 'event'> {
  const { actor, actorId, token } = identity
  const details = token === undefined ? {} : { token }
  return { result: 'refused', actor: actor ?? null, actorId: actorId ?? null, address, via, details }
}

/**
 * Returns true for the request that the admin UI sends on load to find out who is logged in. The server rejects this
 * request if there is no session, or if the user must change the password first. Other clients can imitate this
 * request. The imitation only hides requests without credentials, or with a valid session, from the log.
 */
function isFirstRead({ status, extra }: Problem, caller: Caller, callers: Callers): boolean {
  const { authorization, cookie } = caller.headers
  if (authorization !== undefined || !isFromServerPage(caller, callers)) return false
  if (status === 401) return findCookie(cookie, callers.getCookieOptions(caller)) === undefined
  return extra.passwordChangeRequired === true
}

const MAX_NAME_LENGTH = 100

/** Returns the missing permission and its scope, for example `UPDATE_FEATURE_ENVIRONMENT in production of shop`. */
function describeNeeds({ extra }: Problem): { readonly needs?: string } {
  const { permissions, project, environment } = extra
  if (!Array.isArray(permissions)) return {}
  const places = [environment, project].filter((name) => typeof name === 'string')
  const where = places.map((name, at) => `${at === 0 ? 'in' : 'of'} ${name.slice(0, MAX_NAME_LENGTH)}`)
  return { needs: [permissions.join(', '), ...where].join(' ') }
}

/** Called with a request's error before the error is rendered. */
export type RejectionAuditor = (
  error: unknown,
  caller: Caller,
  request: FailedRequest<{ readonly identity: CallerIdentity }>,
) => void

/**
 * Creates the function that writes requests with invalid input (400, 413, 415) to the security log. An entry contains
 * the route and the name of the error, but no input. Returns undefined if there is no security log.
 */
export function createRejectionAuditor(
  security: SecurityLog | undefined,
  { getAddress }: Callers,
): RejectionAuditor | undefined {
  if (security === undefined) return undefined
  return (error, caller, { route, access }) => {
    const rejection = toRejection(error)
    if (rejection === undefined || !REJECTION_STATUSES.has(rejection.status)) return
    const via = { method: caller.method, route }
    const request = describeRequest(access?.identity ?? {}, getAddress(caller), via)
    security.record({ ...request, event: 'rejected', ...rejection })
  }
}

function toRejection(error: unknown): { readonly status: number; readonly reason: string } | undefined {
  if (error instanceof InvalidRequest) return { status: 400, reason: 'ValidationError' }
  if (error instanceof Refusal) return { status: error.status, reason: error.reason }
  return error instanceof Problem ? { status: error.status, reason: error.name } : undefined
}

/** Writes requests that exceed a rate limit to the security log. */
export type LimitAuditor = (
  reply: unknown,
  caller: Caller,
  route: Pick<Route, 'method' | 'url'>,
  known: CallerIdentity,
) => void

/** Creates the function that writes 429 replies to the security log; undefined if there is no security log. */
export function createLimitAuditor(
  security: SecurityLog | undefined,
  { getAddress }: Callers,
): LimitAuditor | undefined {
  if (security === undefined) return undefined
  return (reply, caller, { method, url }, identity) => {
    if (!(reply instanceof Reply) || reply.status !== TOO_MANY) return
    const request = describeRequest(identity, getAddress(caller), { method, route: url })
    security.record({ ...request, event: 'limited', status: TOO_MANY, reason: 'RateLimitError' })
  }
}

/** Wraps a route so that its 429 replies are also logged. A synchronous handler stays synchronous. */
export function auditLimits<Access extends { readonly identity: CallerIdentity }, World>(
  route: Route<Access, World>,
  limited: LimitAuditor,
): Route<Access, World> {
  const { first, handle } = route
  return {
    ...route,
    ...(first === undefined
      ? {}
      : {
          first: (caller: Caller, world: World) => {
            const response = first(caller, world)
            limited(response, caller, route, {})
            return response
          },
        }),
    handle: (input, world) => {
      const look = (result: unknown): unknown => {
        limited(result, input.caller, route, input.access.identity)
        return result
      }
      const result = handle(input, world)
      return result instanceof Promise ? result.then(look) : look(result)
    },
  }
}

/** Wraps a route so that its rejections are also logged. A synchronous handler stays synchronous. */
export function auditDenials<Access extends { readonly identity: CallerIdentity }, World>(
  route: Route<Access, World>,
  refused: DenialAuditor,
): Route<Access, World> {
  const { handle } = route
  return {
    ...route,
    handle: (input, world) => {
      const tell = (error: unknown): never => {
        refused(error, input.caller, route, input.access.identity)
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
