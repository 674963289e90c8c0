import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { CallerIdentity } from '../http/denial-audit.ts'
import type { HiddenName } from './hidden-names.ts'
import type { Actor } from './rights/rights.ts'

/** Value of `permission` for routes that require a client token: the server-side SDK API. */
export const CLIENT = 'client token'
/** Value of `permission` for routes that require a frontend token: the frontend API. */
export const FRONTEND = 'frontend token'
/** Value of `permission` for routes that require a client or frontend token: the OpenFeature API. */
export const EVALUATION = 'client or frontend token'
/**
 * Value of `permission` for routes that describe flags. These routes accept client tokens and every caller of the admin
 * API.
 */
export const READER = 'client token or login'
/**
 * Value of `permission` for the SCIM routes. These routes require the SCIM token that administrators create for their
 * user directory.
 */
export const SCIM = 'SCIM token'
/**
 * Value of `permission` for the route that receives alerts. This route requires the token of the signal endpoint that
 * its path names.
 */
export const SIGNAL = 'signal token'
/** Value of `permission` for routes that always reply 404, to any authenticated caller. */
export const ANY_CREDENTIALS = 'any credentials'

/**
 * Flags that a token can read: flags of `projects` (`*`: all projects) in `environment` (`*`: the default environment).
 */
export type TokenScope = Pick<TokenRow, 'id' | 'type' | 'environment' | 'projects' | 'expires_at'> &
  Partial<Pick<TokenRow, 'hash'>> & {
    /** Id of the user who owns this personal token. */
    readonly owner?: number
  }

/** Returns true if routes with this permission require an API token and have no actor. */
export function isForSdks(permission: string | null): permission is string {
  return permission === CLIENT || permission === FRONTEND || permission === EVALUATION
}

const NO_NAMES: readonly HiddenName[] = []

/**
 * Caller of a request. On admin API routes the caller has an actor, on SDK routes a token. Reading the actor on an SDK
 * route, or the token on an admin route, throws TypeError.
 */
export class Access {
  readonly #actor: Actor | undefined
  readonly #scope: TokenScope | undefined
  /** Names in the request path that are hidden from the caller. */
  readonly hiddenNames: readonly HiddenName[]

  constructor(who: { actor?: Actor; token?: TokenScope; hiddenNames?: readonly HiddenName[] }) {
    this.#actor = who.actor
    this.#scope = who.token
    this.hiddenNames = who.hiddenNames ?? NO_NAMES
  }

  get actor(): Actor {
    if (this.#actor === undefined) throw new TypeError('This route has no actor')
    return this.#actor
  }

  /** The actor, or the token if there is no actor. */
  get reader(): { readonly actor: Actor } | { readonly token: TokenScope } {
    return this.#actor === undefined ? { token: this.token } : { actor: this.#actor }
  }

  /** Identity of the caller, for the security log. */
  get identity(): CallerIdentity {
    if (this.#actor === undefined) return {}
    const { name: actor, userId: actorId, token } = this.#actor
    return { actor, actorId, ...(token === undefined ? {} : { token: token.id }) }
  }

  /** Key of the token or user whose quotas are charged for the request; undefined without credentials. */
  get holder(): string | undefined {
    if (this.#actor?.user !== undefined) return `user ${this.#actor.user.id}`
    const token = this.#actor?.token ?? this.#scope
    if (token === undefined) return undefined
    return 'owner' in token && token.owner !== undefined ? `user ${token.owner}` : `token ${token.id}`
  }

  get token(): TokenScope {
    if (this.#scope === undefined) throw new TypeError('This route has no token')
    return this.#scope
  }
}
