import type { RateLimitResult } from '@burgee/kit/http/rate-limit'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { TokenOwner } from '@burgee/storage/queries/access/people'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { Callers } from '../http/callers.ts'
import type { CallerIdentity, DenialAuditor } from '../http/denial-audit.ts'
import { inMaintenance, refuseInMaintenance } from '../http/maintenance.ts'
import { toGuessProblem } from '../http/rate-limit.ts'
import { findCookie } from './cookies.ts'
import type { HiddenName } from './hidden-names.ts'
import { type HiddenProjectLookups, hiddenNamesIn, listVisibleProjects } from './hidden-project-checks.ts'
import { type LoginMethods, loginRequired } from './login-required.ts'
import type { Sessions } from './logins/sessions.ts'
import { type Actor, getUserName, requirePermission, toTokenActor, toUserActor } from './rights/rights.ts'
import { refuseForms, refuseOtherPages } from './same-origin.ts'
import type { ScimAccess } from './scim-access.ts'
import { isPersonal } from './tokens/personal-tokens.ts'
import type { TokenCache } from './tokens/token-cache.ts'
import { hashSecret } from './tokens/tokens.ts'

/** Value of `permission` for routes that require a client token: the server-side SDK API. */
export const CLIENT = 'client token'
/** Value of `permission` for routes that require a frontend token: the frontend API. */
export const FRONTEND = 'frontend token'
/** Value of `permission` for routes that require a client or frontend token: the OpenFeature API. */
export const EVALUATION = 'client or frontend token'
/**
 * Value of `permission` for routes that describe flags. They accept client tokens, and every caller of the admin API.
 */
export const READER = 'client token or login'
/**
 * Value of `permission` for the SCIM routes. They require the SCIM token that administrators create for their user
 * directory.
 */
export const SCIM = 'SCIM token'
/** Value of `permission` for routes that always reply 404, to any authenticated caller. */
export const ANY_CREDENTIALS = 'any credentials'

/**
 * Flags that a token can read: those of `projects` (`*`: all projects) in `environment` (`*`: the default environment).
 */
export type TokenScope = Pick<TokenRow, 'id' | 'type' | 'environment' | 'projects' | 'expires_at'> &
  Partial<Pick<TokenRow, 'hash'>> & {
    /** Id of the user who owns this personal token. */
    readonly owner?: number
  }

/** Read scope of a personal token, before the projects that are hidden from its user are removed. */
const FULL_SCOPE: Omit<TokenScope, 'id' | 'expires_at'> = { type: 'admin', environment: '*', projects: ['*'] }

const NO_NAMES: readonly HiddenName[] = []

/**
 * Caller of a request. On admin API routes it has an actor, on SDK routes a token. Reading the actor on an SDK route,
 * or the token on an admin route, throws TypeError.
 */
export class Access {
  readonly #actor: Actor | undefined
  readonly #reach: TokenScope | undefined
  /** Names in the path that are hidden from the caller. */
  readonly hiddenNames: readonly HiddenName[]

  constructor(who: { actor?: Actor; token?: TokenScope; hiddenNames?: readonly HiddenName[] }) {
    this.#actor = who.actor
    this.#reach = who.token
    this.hiddenNames = who.hiddenNames ?? NO_NAMES
  }

  get actor(): Actor {
    if (this.#actor === undefined) throw new TypeError('This route has no actor')
    return this.#actor
  }

  /** The actor if there is one, otherwise the token. */
  get reader(): { readonly actor: Actor } | { readonly token: TokenScope } {
    return this.#actor === undefined ? { token: this.token } : { actor: this.#actor }
  }

  /** Identity of the caller, for the security log. */
  get identity(): CallerIdentity {
    if (this.#actor === undefined) return {}
    const { name: actor, userId: actorId, token } = this.#actor
    return { actor, actorId, ...(token === undefined ? {} : { token: token.id }) }
  }

  /** Key of the token or user whose quotas the request counts against; undefined without credentials. */
  get holder(): string | undefined {
    if (this.#actor?.user !== undefined) return `user ${this.#actor.user.id}`
    const token = this.#actor?.token ?? this.#reach
    if (token === undefined) return undefined
    return 'owner' in token && token.owner !== undefined ? `user ${token.owner}` : `token ${token.id}`
  }

  get token(): TokenScope {
    if (this.#reach === undefined) throw new TypeError('This route has no token')
    return this.#reach
  }
}

/** Dependencies of the credential checks. */
export interface Credentials extends HiddenProjectLookups {
  readonly tokens: TokenCache
  readonly sessions: Sessions
  /** Reads the address and the session cookie of callers. */
  readonly callers: Callers
  /** True if users must change a generated or admin-set password before anything else. */
  readonly enforcePasswordChange: boolean
  readonly loadRights: (user: UserRow) => Promise<readonly Grant[]>
  /** Returns the owner of a personal token; undefined if it is unknown or expired. */
  readonly findTokenOwner: (secret: string) => Promise<TokenOwner | undefined>
  /** Counts a request with an unknown token against the rate limit of the caller, and returns the remaining limit. */
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
  /** Called for each request that is rejected. */
  readonly refused?: DenialAuditor | undefined
  /** Limits how many credential checks of one network wait for the database at once. */
  readonly pending: { check<T>(caller: Caller, work: () => Promise<T>): Promise<T> }
}

const NO_TOKEN =
  'This endpoint requires an API token. Please add an authorization header to your request with a valid token'
const NO_SCIM = 'This endpoint requires the token of SCIM, and that SCIM is enabled'
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
 * callers, including those that must be rejected with a reason.
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
  const known: CallerIdentity = {}
  const check = () => admit(credentials, caller, route, known)
  try {
    // many SDKs share one token and one lookup of it, and their first requests arrive together
    const isShared = isForSdks(route.permission) && credentials.tokens.isQuerying(getSecret(caller))
    const isFree = isShared || route.permission === 'public'
    return await (isFree ? check() : credentials.pending.check(caller, check))
  } catch (error) {
    credentials.refused?.(error, caller, route, known)
    throw error
  }
}

/** Returns true if routes with this permission take an API token and have no actor. */
export function isForSdks(permission: string | null): permission is string {
  return permission === CLIENT || permission === FRONTEND || permission === EVALUATION
}

/** Copies the `X-API-Key` header to `Authorization`, because OpenFeature providers may send their token in it. */
function withKey(caller: Caller): Caller {
  const { authorization, 'x-api-key': key } = caller.headers
  if (authorization !== undefined || typeof key !== 'string') return caller
  return { ...caller, headers: { ...caller.headers, authorization: key } }
}

/**
 * Returns true if a token can be used on SDK routes with this permission. Admin tokens may read what SDKs read, as in
 * Unleash 5.x.
 */
function permitsSdkRequests(token: TokenRow, permission: string): boolean {
  if (permission === EVALUATION) return true
  return token.type === (permission === CLIENT ? 'client' : 'frontend') || token.type === 'admin'
}

/**
 * Identifies the caller and checks the permission. Stores the caller's identity in `known` as soon as it is found, so
 * that rejections can log it.
 */
async function admit(
  credentials: Credentials,
  caller: Caller,
  route: RouteShape,
  known: CallerIdentity,
): Promise<Access> {
  const { permission } = route
  if (permission === 'public') return new Access({})
  if (permission === SCIM) return requireDirectory(credentials, caller, route)
  const token = await findCallerToken(credentials, caller)
  if (token !== undefined) Object.assign(known, { actor: token.name, token: token.id })
  if (isForSdks(permission)) {
    return new Access({ token: await resolveScope(credentials, caller, { token, permission, known }) })
  }
  if (permission === ANY_CREDENTIALS && token !== undefined) return new Access({ token })
  if (permission === READER && token?.type === 'client') {
    credentials.recordTokenUse(token, caller)
    return new Access({ token })
  }
  const actor = {
    ...(await resolveActor(credentials, caller, token, known)),
    via: { method: route.method, route: route.url },
  }
  if (credentials.enforcePasswordChange) requireChangedPassword(actor, route)
  if (permission !== null && permission !== ANY_CREDENTIALS && permission !== READER) {
    const { projectId, environment } = caller.params
    // checks only the granted permissions, because the reply for a hidden project must be the same as for a project
    // that does not exist
    requirePermission({ grants: actor.grants, hidden: [] }, permission, { project: projectId, environment })
  }
  const hiddenNames = await hiddenNamesIn(credentials, actor, caller)
  if (actor.session !== undefined) refuseForms(caller, route)
  if (credentials.isInMaintenance()) refuseInMaintenance(route)
  return new Access({ actor, hiddenNames })
}

/**
 * Throws unless the caller sent the SCIM token. Returns no actor, because a user directory has no rights outside the
 * SCIM routes.
 */
function requireDirectory(credentials: Credentials, caller: Caller, route: RouteShape): Access {
  if (!credentials.scim.opens(getSecret(caller))) {
    throw toRefusal(credentials, caller, new Problem('AuthenticationRequired', NO_SCIM))
  }
  if (credentials.isInMaintenance() && route.method !== 'GET') throw inMaintenance()
  return new Access({})
}

/** Stores a user as the identity of the caller. Replaces the token if the request contained one as well. */
function setIdentity(known: CallerIdentity, user: UserRow): void {
  known.actor = getUserName(user)
  known.actorId = user.id
  delete known.token
}

/** Returns the flags that a token can read. Personal tokens may read what server-side SDKs read, as in Unleash 5.x. */
async function resolveScope(
  credentials: Credentials,
  caller: Caller,
  { token, permission, known }: { token: TokenRow | undefined; permission: string; known: CallerIdentity },
): Promise<TokenScope> {
  if (token !== undefined) {
    if (!permitsSdkRequests(token, permission)) throw new Problem('NoAccessError', WRONG_TOKEN)
    credentials.recordTokenUse(token, caller)
    return token
  }
  const owner = await findOwner(credentials, caller)
  if (owner === undefined) throw toRefusal(credentials, caller, new Problem('AuthenticationRequired', NO_TOKEN))
  setIdentity(known, owner.user)
  if (permission === FRONTEND) throw new Problem('NoAccessError', WRONG_TOKEN)
  if (credentials.enforcePasswordChange && mustChange(owner.user)) throw createPasswordChangeProblem()
  credentials.recordPersonalTokenUse(owner.tokenId)
  const projects = await listVisibleProjects(credentials, owner.user.id, await credentials.loadRights(owner.user))
  return { ...FULL_SCOPE, projects, id: `personal ${owner.tokenId}`, owner: owner.user.id, expires_at: owner.expiresAt }
}

/** Returns the actor of a request. A valid session takes precedence over the authorization header. */
async function resolveActor(
  credentials: Credentials,
  caller: Caller,
  token: TokenRow | undefined,
  known: CallerIdentity,
): Promise<Actor> {
  const sessionId = findCookie(caller.headers.cookie, credentials.callers.getCookieOptions(caller))
  const user = sessionId === undefined ? undefined : await credentials.sessions.findUser(sessionId)
  if (user !== undefined && sessionId !== undefined) {
    setIdentity(known, user)
    refuseOtherPages(caller, credentials.callers)
    return { ...(await personActor(credentials, user, caller)), session: hashSecret(sessionId) }
  }
  const owner = await findOwner(credentials, caller)
  if (owner !== undefined) {
    setIdentity(known, owner.user)
    credentials.recordPersonalTokenUse(owner.tokenId)
    return { ...(await personActor(credentials, owner.user, caller)), personalToken: owner.tokenId }
  }
  if (token === undefined)
    throw toRefusal(credentials, caller, loginRequired(caller, credentials.basePath, credentials.signIn))
  if (token.type !== 'admin') throw new Problem('NoAccessError', WRONG_TOKEN)
  credentials.recordTokenUse(token, caller)
  return toTokenActor(token, credentials.callers.getAddress(caller))
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

async function findOwner(credentials: Credentials, caller: Caller): Promise<TokenOwner | undefined> {
  const secret = getSecret(caller)
  return isPersonal(secret) ? credentials.findTokenOwner(secret) : undefined
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
  const message = 'The password must be changed first, by POST /api/admin/user/change-password.'
  return new Problem('NoAccessError', message, { extra: { passwordChangeRequired: true } })
}

function getSecret(caller: Caller): string {
  return (caller.headers.authorization ?? '').trim().replace(/^bearer\s+/i, '')
}

async function findCallerToken({ tokens }: Credentials, caller: Caller): Promise<TokenRow | undefined> {
  const secret = getSecret(caller)
  return secret === '' || isPersonal(secret) ? undefined : tokens.find(secret)
}
