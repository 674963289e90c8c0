import type { RateLimitResult } from '@burgee/kit/http/rate-limit'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { TokenOwner } from '@burgee/storage/queries/access/people'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { DenialAuditor } from '../http/denial-audit.ts'
import { inMaintenance, refuseInMaintenance } from '../http/maintenance.ts'
import { toGuessProblem } from '../http/rate-limit-replies.ts'
import {
  Access,
  ANY_CREDENTIALS,
  CLIENT,
  EVALUATION,
  FRONTEND,
  isForSdks,
  READER,
  SCIM,
  SIGNAL,
  type TokenScope,
} from './access.ts'
import { authenticate, type CredentialStore, getSecret, type Principal, toIdentity } from './authentication.ts'
import { type HiddenProjectLookups, hiddenNamesIn, listVisibleProjects } from './hidden-project-checks.ts'
import { type LoginMethods, loginRequired } from './login-required.ts'
import { type Actor, requirePermission, toTokenActor, toUserActor } from './rights/rights.ts'
import { refuseForms, refuseOtherPages } from './same-origin.ts'
import type { ScimAccess } from './scim-access.ts'
import { isPersonal } from './tokens/personal-tokens.ts'

/** Flags that a personal token can read, including the projects that are hidden from its owner. */
const FULL_SCOPE: Omit<TokenScope, 'id' | 'expires_at'> = { type: 'admin', environment: '*', projects: ['*'] }

/** Dependencies of the credential checks. */
export interface Credentials extends CredentialStore, HiddenProjectLookups {
  /** True if users must replace a generated or admin-set password before they can do anything else. */
  readonly enforcePasswordChange: boolean
  readonly loadRights: (user: UserRow) => Promise<readonly Grant[]>
  /**
   * Counts a request with an unknown token against the caller's rate limit, and returns how much of the limit is left.
   */
  readonly wrongToken: (caller: Caller) => RateLimitResult
  /** Called with the token and the caller of each request that uses an API token. */
  readonly recordTokenUse: (token: TokenRow, caller: Caller) => void
  /** Called with the token id for each request that uses a personal token. */
  readonly recordPersonalTokenUse: (tokenId: number) => void
  /** Returns true while the admin API is read-only. */
  readonly isInMaintenance: () => boolean
  /** Prefix of the paths of all routes: '' or '/base'. */
  readonly basePath: string
  /** Enabled login methods. */
  readonly signIn: LoginMethods
  /** Checks SCIM tokens. */
  readonly scim: Pick<ScimAccess, 'opens'>
  /** Returns true if a secret is the token of the signal endpoint with this name. */
  readonly opensSignalEndpoint: (name: string, secret: string) => Promise<boolean>
  /** Called for each request that is rejected. */
  readonly refused?: DenialAuditor | undefined
  /** Limits how many credential checks from one network wait for the database at the same time. */
  readonly pending: { check<T>(caller: Caller, work: () => Promise<T>): Promise<T> }
}

const NO_TOKEN =
  'This endpoint requires an API token. Please add an authorization header to your request with a valid token'
const NO_SCIM = 'This endpoint requires the SCIM token, and SCIM must be enabled'
const NO_SIGNAL = 'This endpoint requires the token of the signal endpoint'
const WRONG_TOKEN = 'invalid token: expected a different token type for this endpoint'

/**
 * Creates the function that identifies the caller and checks the required permission. Missing credentials (401) take
 * precedence over missing permissions (403). Source: wire protocol
 */
export function createAuthorizer(credentials: Credentials) {
  return (asking: Caller, route: RouteShape): Access | Promise<Access> => {
    const caller = route.permission === EVALUATION ? withKey(asking) : asking
    return admitFromCache(credentials, caller, route) ?? admitWithLookup(credentials, caller, route)
  }
}

/**
 * Returns the access of an SDK whose token is cached, without creating a promise. Returns undefined for all other
 * requests, which the asynchronous path admits or rejects.
 */
function admitFromCache(
  credentials: Credentials,
  caller: Caller,
  { permission }: Pick<RouteShape, 'permission'>,
): Access | undefined {
  if (!isForSdks(permission)) return undefined
  const secret = getSecret(caller)
  const token = secret === '' || isPersonal(secret) ? undefined : credentials.tokens.peek(secret)
  if (token === undefined || !permitsSdkRequests(token, permission)) return undefined
  credentials.recordTokenUse(token, caller)
  return new Access({ token })
}

async function admitWithLookup(credentials: Credentials, caller: Caller, route: RouteShape): Promise<Access> {
  const attempt: { principal?: Principal | undefined } = {}
  const check = async () => {
    attempt.principal = await authenticate(credentials, caller, route.permission)
    return authorize(credentials, { caller, route, principal: attempt.principal })
  }
  try {
    // many SDKs share one token and send their first requests at the same time; a single query looks up the token for
    // all of them
    const isShared = isForSdks(route.permission) && credentials.tokens.isQuerying(getSecret(caller))
    const isFree = isShared || route.permission === 'public'
    return await (isFree ? check() : credentials.pending.check(caller, check))
  } catch (error) {
    credentials.refused?.(error, caller, route, toIdentity(attempt.principal))
    throw error
  }
}

/** Copies the `X-API-Key` header to `Authorization`, because some OpenFeature providers send their token in it. */
function withKey(caller: Caller): Caller {
  const { authorization, 'x-api-key': key } = caller.headers
  if (authorization !== undefined || typeof key !== 'string') return caller
  return { ...caller, headers: { ...caller.headers, authorization: key } }
}

/**
 * Returns true if a token can be used on SDK routes with this permission. Admin tokens may read everything that SDKs
 * read, as in Unleash 5.x.
 */
function permitsSdkRequests(token: TokenRow, permission: string): boolean {
  if (permission === EVALUATION) return true
  return token.type === (permission === CLIENT ? 'client' : 'frontend') || token.type === 'admin'
}

/** Request after authentication. `principal` is undefined if the request had no valid credentials. */
interface AuthenticatedRequest {
  readonly caller: Caller
  readonly route: RouteShape
  readonly principal: Principal | undefined
}

/** Checks whether the credentials of a request permit it. */
function authorize(credentials: Credentials, request: AuthenticatedRequest): Access | Promise<Access> {
  const { caller, route, principal } = request
  const { permission } = route
  if (permission === 'public') return new Access({})
  if (permission === SCIM) return admitDirectory(credentials, caller, route)
  if (permission === SIGNAL) return admitSignal(credentials, caller)
  if (isForSdks(permission)) return admitSdk(credentials, request, permission)
  if (principal?.kind === 'token') {
    const { token } = principal
    if (permission === ANY_CREDENTIALS) return new Access({ token })
    if (permission === READER && token.type === 'client') {
      credentials.recordTokenUse(token, caller)
      return new Access({ token })
    }
  }
  return admitActor(credentials, request)
}

/**
 * Throws unless the caller sent the SCIM token. Returns no actor, because a user directory has no rights outside the
 * SCIM routes.
 */
function admitDirectory(credentials: Credentials, caller: Caller, route: RouteShape): Access {
  if (!credentials.scim.opens(getSecret(caller))) {
    throw toRefusal(credentials, caller, new Problem('AuthenticationRequired', NO_SCIM))
  }
  if (credentials.isInMaintenance() && route.method !== 'GET') throw inMaintenance()
  return new Access({})
}

/** Throws unless the caller sent the token of the signal endpoint that the path names. Returns no actor. */
async function admitSignal(credentials: Credentials, caller: Caller): Promise<Access> {
  const secret = getSecret(caller)
  const isOpen = secret !== '' && (await credentials.opensSignalEndpoint(caller.params.name ?? '', secret))
  if (!isOpen) throw toRefusal(credentials, caller, new Problem('AuthenticationRequired', NO_SIGNAL))
  return new Access({})
}

/**
 * Admits a token to an SDK route. Personal tokens may read everything that server-side SDKs read, as in Unleash 5.x.
 */
async function admitSdk(
  credentials: Credentials,
  { caller, principal }: AuthenticatedRequest,
  permission: string,
): Promise<Access> {
  if (principal?.kind === 'token') {
    const { token } = principal
    if (!permitsSdkRequests(token, permission)) throw new Problem('NoAccessError', WRONG_TOKEN)
    credentials.recordTokenUse(token, caller)
    return new Access({ token })
  }
  if (principal?.kind !== 'personal-token') {
    throw toRefusal(credentials, caller, new Problem('AuthenticationRequired', NO_TOKEN))
  }
  if (permission === FRONTEND) throw new Problem('NoAccessError', WRONG_TOKEN)
  return new Access({ token: await toPersonalScope(credentials, principal.owner) })
}

/** Returns the flags that a personal token can read, which are those visible to its owner. */
async function toPersonalScope(credentials: Credentials, owner: TokenOwner): Promise<TokenScope> {
  const { user, tokenId, expiresAt } = owner
  if (credentials.enforcePasswordChange && mustChange(user)) throw createPasswordChangeProblem()
  credentials.recordPersonalTokenUse(tokenId)
  const projects = await listVisibleProjects(credentials, user.id, await credentials.loadRights(user))
  return { ...FULL_SCOPE, projects, id: `personal ${tokenId}`, owner: user.id, expires_at: expiresAt }
}

/** Admits a user or an admin token to a route of the admin API. */
async function admitActor(credentials: Credentials, request: AuthenticatedRequest): Promise<Access> {
  const { caller, route } = request
  const { permission } = route
  const via = { method: route.method, route: route.url }
  const actor: Actor = { ...(await toActor(credentials, request)), via }
  if (credentials.enforcePasswordChange) requireChangedPassword(actor, route)
  if (permission !== null && permission !== ANY_CREDENTIALS && permission !== READER) {
    const { projectId, environment } = caller.params
    // checks the permissions as if no project were hidden: the reply for a hidden project must be the same as for a
    // project that does not exist
    requirePermission({ grants: actor.grants, hidden: [] }, permission, { project: projectId, environment })
  }
  const hiddenNames = await hiddenNamesIn(credentials, actor, caller)
  if (actor.session !== undefined) refuseForms(caller, route)
  if (credentials.isInMaintenance()) refuseInMaintenance(route)
  return new Access({ actor, hiddenNames })
}

async function toActor(credentials: Credentials, { caller, principal }: AuthenticatedRequest): Promise<Actor> {
  if (principal === undefined) {
    throw toRefusal(credentials, caller, loginRequired(caller, credentials.basePath, credentials.signIn))
  }
  switch (principal.kind) {
    case 'session':
      refuseOtherPages(caller, credentials.callers)
      return { ...(await personActor(credentials, principal.user, caller)), session: principal.sessionHash }
    case 'personal-token': {
      const { user, tokenId } = principal.owner
      credentials.recordPersonalTokenUse(tokenId)
      return { ...(await personActor(credentials, user, caller)), personalToken: tokenId }
    }
    case 'token':
      if (principal.token.type !== 'admin') throw new Problem('NoAccessError', WRONG_TOKEN)
      credentials.recordTokenUse(principal.token, caller)
      return toTokenActor(principal.token, credentials.callers.getAddress(caller))
  }
}

/** Counts a rejected token against the rate limit of the caller. A request without a token is not counted. */
function toRefusal({ wrongToken }: Credentials, caller: Caller, problem: Problem): Problem {
  return getSecret(caller) === '' ? problem : toGuessProblem(problem, wrongToken(caller))
}

async function personActor(credentials: Credentials, user: UserRow, caller: Caller): Promise<Actor> {
  const grants = await credentials.loadRights(user)
  const hidden = await credentials.listHiddenProjects(user.id, grants)
  return toUserActor(user, credentials.callers.getAddress(caller), { grants, hidden })
}

/** Routes that a user may call before replacing a password that the server generated or an administrator set. */
const BEFORE_CHANGE = new Set(['GET /api/admin/user', 'POST /api/admin/user/change-password', 'POST /logout'])

function requireChangedPassword({ user }: Actor, { method, url }: RouteShape): void {
  if (user !== undefined && mustChange(user) && !BEFORE_CHANGE.has(`${method} ${url}`))
    throw createPasswordChangeProblem()
}

function mustChange(user: UserRow): boolean {
  return user.must_change_password === 1
}

function createPasswordChangeProblem(): Problem {
  const message = 'The password must be changed first, with POST /api/admin/user/change-password.'
  return new Problem('NoAccessError', message, { extra: { passwordChangeRequired: true } })
}
