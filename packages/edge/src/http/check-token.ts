import type { Network } from '@burgee/kit/http/client-network'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { TokenRefused } from '../tokens/token-refusal.ts'
import type { ProxyKeys } from './proxy-keys.ts'

/** Token of the caller; undefined on routes that require none. */
export type Access = EdgeToken | undefined

/** Permission for routes that require a backend token. */
export const BACKEND = 'backend'
/** Permission for routes that require a frontend token. */
export const FRONTEND = 'frontend'
/**
 * Permission for OpenFeature routes. OpenFeature routes accept backend and frontend tokens. The token can also be sent
 * in headers that only OpenFeature providers use.
 */
export const OPENFEATURE = 'openfeature'
/** Permission for routes that require a client key of a proxy SDK. */
export const CLIENT_KEY = 'client-key'

/** Dependencies of the access check. */
export interface AccessDeps {
  readonly tokens: EdgeTokens
  readonly keys: ProxyKeys
  /** Header that contains the token, in lower case. */
  readonly header: string
  readonly networkOf: (caller: Caller) => Network
}

/**
 * Creates the access check. For known tokens, the check returns synchronously, so that ordinary requests need no
 * promise. For other tokens, the check throws or rejects with TokenRefused or TokenUndecided. For client keys, the
 * check throws Unauthorized or NotReady.
 */
export function accessCheck(deps: AccessDeps): (caller: Caller, route: RouteShape) => Access | Promise<Access> {
  const { tokens, keys, header, networkOf } = deps
  return (caller, { permission }) => {
    if (permission === 'public' || permission === null) return undefined
    const sent = toTrimmedText(caller.headers[header])
    if (permission === CLIENT_KEY) return keys.getToken(sent)
    const text = permission === OPENFEATURE ? openFeatureToken(caller, sent, tokens) : sent
    const known = tokens.find(text)
    if (known !== undefined) return requireKind(known, permission)
    if (text === '') throw new TokenRefused('missing')
    return tokens
      .admit(text, { network: networkOf(caller), kind: 'sdk' })
      .then((token) => requireKind(token, permission))
  }
}

/** Returns the token of a request, on a route that requires a token. */
export function requireToken(access: Access): EdgeToken {
  if (access === undefined) throw new Error('The token was not validated')
  return access
}

function requireKind(token: EdgeToken, permission: string): EdgeToken {
  if (permission !== OPENFEATURE && token.kind !== permission) throw new TokenRefused('kind')
  return token
}

const BEARER = /^bearer\s+/i

/**
 * Returns the token of a request: from the configured header, from `Authorization`, or from `X-API-Key`, in this order
 * of precedence. `Bearer` before the token is optional.
 */
function openFeatureToken({ headers }: Caller, sent: string, tokens: EdgeTokens): string {
  const text = sent || toTrimmedText(headers.authorization) || toTrimmedText(headers['x-api-key'])
  return tokens.find(text) === undefined ? text.replace(BEARER, '') : text
}

function toTrimmedText(sent: string | string[] | undefined): string {
  return typeof sent === 'string' ? sent.trim() : ''
}
