import type { Network } from '@burgee/kit/http/network'
import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'
import { TokenRefused } from '../tokens/token-refusal.ts'
import type { ProxyKeys } from './proxy-keys.ts'

/** The token of a caller; undefined where none was asked for. */
export type Access = EdgeToken | undefined

/** Permission of routes for tokens of servers. */
export const BACKEND = 'backend'
/** Permission of routes for tokens of front ends. */
export const FRONTEND = 'frontend'
/** Permission of routes for OpenFeature's providers of both, which send their token in forms of their own. */
export const OPENFEATURE = 'openfeature'
/** Permission of routes for keys of the client proxy. */
export const CLIENT_KEY = 'client-key'

/** What decides who may call what. */
export interface AccessDeps {
  readonly tokens: EdgeTokens
  readonly keys: ProxyKeys
  /** Header that carries the token, in lower case. */
  readonly header: string
  readonly networkOf: (caller: Caller) => Network
}

/**
 * Makes the check of every request: at once for tokens that are known, so that plain requests need no promise. Throws or
 * rejects with TokenRefused and TokenUndecided; for client keys with Unauthorized and NotReady.
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

/** The token of a route that asks for one. */
export function tokenOf(access: Access): EdgeToken {
  if (access === undefined) throw new Error('The check of the token was passed over')
  return access
}

function ofKind(token: EdgeToken, permission: string): EdgeToken {
  if (permission !== OPENFEATURE && token.kind !== permission) throw new TokenRefused('kind')
  return token
}

const BEARER = /^bearer\s+/i

/** As it is, behind `Bearer`, or as `X-API-Key`; the configured header and `Authorization` come first. */
function openFeatureToken({ headers }: Caller, sent: string, tokens: EdgeTokens): string {
  const text = sent || textOf(headers.authorization) || textOf(headers['x-api-key'])
  return tokens.known(text) === undefined ? text.replace(BEARER, '') : text
}

function textOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' ? sent.trim() : ''
}
