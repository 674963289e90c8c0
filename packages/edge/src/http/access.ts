import type { Network } from '@burgee/kit/http/network'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { TokenRefused } from '../tokens/token-refusal.ts'
import type { ProxyKeys } from './proxy-keys.ts'

/** Token of the caller; undefined on routes that require none. */
export type Access = EdgeToken | undefined

/** Permission of routes for backend tokens. */
export const BACKEND = 'backend'
/** Permission of routes for frontend tokens. */
export const FRONTEND = 'frontend'
/** Permission of routes for OpenFeature providers, with backend or frontend tokens in headers of their own. */
export const OPENFEATURE = 'openfeature'
/** Permission of routes for client keys of proxy SDKs. */
export const CLIENT_KEY = 'client-key'

/** Dependencies of the access check. */
export interface AccessDeps {
  readonly tokens: EdgeTokens
  readonly keys: ProxyKeys
  /** Header that carries the token, in lower case. */
  readonly header: string
  readonly networkOf: (caller: Caller) => Network
}

/**
 * Creates the access check. It answers synchronously for known tokens, so that ordinary requests need no promise. It
 * throws or rejects with TokenRefused and TokenUndecided; for client keys, with Unauthorized and NotReady.
 */
export function accessCheck(deps: AccessDeps): (caller: Caller, route: RouteShape) => Access | Promise<Access> {
  const { tokens, keys, header, networkOf } = deps
  return (caller, { permission }) => {
    if (permission === 'public' || permission === null) return undefined
    const sent = textOf(caller.headers[header])
    if (permission === CLIENT_KEY) return keys.tokenOf(sent)
    const text = permission === OPENFEATURE ? openFeatureToken(caller, sent, tokens) : sent
    const known = tokens.known(text)
    if (known !== undefined) return ofKind(known, permission)
    if (text === '') throw new TokenRefused('missing')
    return tokens.admit(text, { network: networkOf(caller), kind: 'sdk' }).then((token) => ofKind(token, permission))
  }
}

/** Returns the token on a route that requires one. */
export function tokenOf(access: Access): EdgeToken {
  if (access === undefined) throw new Error('The check of the token was passed over')
  return access
}

function ofKind(token: EdgeToken, permission: string): EdgeToken {
  if (permission !== OPENFEATURE && token.kind !== permission) throw new TokenRefused('kind')
  return token
}

const BEARER = /^bearer\s+/i

/**
 * Reads the token as sent, after `Bearer`, or from `X-API-Key`. The configured header comes first, then
 * `Authorization`.
 */
function openFeatureToken({ headers }: Caller, sent: string, tokens: EdgeTokens): string {
  const text = sent || textOf(headers.authorization) || textOf(headers['x-api-key'])
  return tokens.known(text) === undefined ? text.replace(BEARER, '') : text
}

function textOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' ? sent.trim() : ''
}
