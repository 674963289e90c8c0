import type { Caller } from '@burgee/kit/http/route'
import type { TokenOwner } from '@burgee/storage/queries/access/people'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { Callers } from '../http/callers.ts'
import type { CallerIdentity } from '../http/denial-audit.ts'
import { ANY_CREDENTIALS, isForSdks, READER, SCIM, SIGNAL } from './access.ts'
import { findCookie } from './cookies.ts'
import type { Sessions } from './logins/sessions.ts'
import { getUserName } from './rights/rights.ts'
import { isPersonal } from './tokens/personal-tokens.ts'
import type { TokenCache } from './tokens/token-cache.ts'
import { hashSecret } from './tokens/tokens.ts'

/** Credentials that have been verified for a request: an API token, a session, or a personal token. */
export type Principal =
  | { readonly kind: 'token'; readonly token: TokenRow }
  | { readonly kind: 'session'; readonly user: UserRow; readonly sessionHash: string }
  | { readonly kind: 'personal-token'; readonly owner: TokenOwner }

/** Dependencies of authentication. */
export interface CredentialStore {
  readonly tokens: TokenCache
  readonly sessions: Sessions
  /** Reads the address and the session cookie of callers. */
  readonly callers: Callers
  /** Returns the owner of a personal token; undefined if the token is unknown or expired. */
  readonly findTokenOwner: (secret: string) => Promise<TokenOwner | undefined>
}

/**
 * Returns the valid credentials of a request that its route accepts; undefined if there are none. A session takes
 * precedence over the authorization header, with two exceptions: SDK routes, which have no sessions, and routes that
 * accept both SDK tokens and logins.
 */
export async function authenticate(
  store: CredentialStore,
  caller: Caller,
  permission: string | null,
): Promise<Principal | undefined> {
  if (permission === 'public' || permission === SCIM || permission === SIGNAL) return undefined
  const token = await authenticateToken(store, caller)
  if (token !== undefined && precedesSession(token, permission)) return token
  const session = isForSdks(permission) ? undefined : await authenticateSession(store, caller)
  return session ?? (await authenticatePersonalToken(store, caller)) ?? token
}

type TokenPrincipal = Extract<Principal, { kind: 'token' }>

function precedesSession({ token }: TokenPrincipal, permission: string | null): boolean {
  if (permission === READER) return token.type === 'client'
  return permission === ANY_CREDENTIALS || isForSdks(permission)
}

async function authenticateToken({ tokens }: CredentialStore, caller: Caller): Promise<TokenPrincipal | undefined> {
  const secret = getSecret(caller)
  const token = secret === '' || isPersonal(secret) ? undefined : await tokens.find(secret)
  return token && { kind: 'token', token }
}

async function authenticateSession(
  { sessions, callers }: CredentialStore,
  caller: Caller,
): Promise<Principal | undefined> {
  const sessionId = findCookie(caller.headers.cookie, callers.getCookieOptions(caller))
  if (sessionId === undefined) return undefined
  const user = await sessions.findUser(sessionId)
  return user && { kind: 'session', user, sessionHash: hashSecret(sessionId) }
}

async function authenticatePersonalToken(
  { findTokenOwner }: CredentialStore,
  caller: Caller,
): Promise<Principal | undefined> {
  const secret = getSecret(caller)
  const owner = isPersonal(secret) ? await findTokenOwner(secret) : undefined
  return owner && { kind: 'personal-token', owner }
}

/** Returns the identity that credentials belong to, for the security log. */
export function toIdentity(principal: Principal | undefined): CallerIdentity {
  if (principal === undefined) return {}
  if (principal.kind === 'token') return { actor: principal.token.name, token: principal.token.id }
  const user = principal.kind === 'session' ? principal.user : principal.owner.user
  return { actor: getUserName(user), actorId: user.id }
}

/** Returns the secret of the authorization header, or an empty string. */
export function getSecret(caller: Caller): string {
  return (caller.headers.authorization ?? '').trim().replace(/^bearer\s+/i, '')
}
