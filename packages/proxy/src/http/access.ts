import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { Repository } from '@burgee/serving/document/repository'
import type { CurrentSecrets, SecretOptions } from '../current-secrets.ts'
import { NotReady, Unauthorized } from './errors.ts'
import { KeyRing } from './key-ring.ts'

/** The access of a caller whose key was accepted; undefined where none was asked for. */
export type KeyAccess = { readonly kind: 'client' | 'server'; readonly key: string } | undefined

/** What decides who may call what. */
export interface AccessDeps {
  readonly repository: Repository
  readonly secrets: CurrentSecrets
  readonly headerName: string
}

interface Rings {
  readonly of: SecretOptions
  readonly clients: KeyRing
  readonly servers: KeyRing
}

/** Permission of routes for OpenFeature's providers, which send client keys in forms of their own. */
export const OFREP_KEY = 'ofrep-key'
/** Permission of their streams, whose address authorises itself. */
export const OFREP_STREAM_ACCESS = 'ready'

/** Permissions of routes that are served before the first sync: what SDKs send is kept for the upstream until then. */
const ALWAYS_READY = new Set(['public', 'any-key'])

/**
 * Makes the check of every request: ready first (503), then the key (401). Permissions of routes: `public`, `ready`
 * (no key), `client-key`, `ofrep-key`, `server-token`, `any-key`. Replaced secrets count from the next request on.
 */
export function accessCheck(deps: AccessDeps): (caller: Caller, route: RouteShape) => KeyAccess {
  const header = deps.headerName.toLowerCase()
  let rings = ringsOf(deps.secrets.current)
  return (caller, route) => {
    const permission = route.permission ?? 'public'
    if (!ALWAYS_READY.has(permission) && deps.repository.state === undefined) throw new NotReady()
    if (permission === 'public' || permission === 'ready') return undefined
    if (rings.of !== deps.secrets.current) rings = ringsOf(deps.secrets.current)
    const key = permission === OFREP_KEY ? ofrepKey(caller, header, rings.clients) : textOf(caller.headers[header])
    if (permission !== 'server-token' && rings.clients.has(key)) return { kind: 'client', key }
    if (!FOR_CLIENTS.has(permission) && rings.servers.has(key)) return { kind: 'server', key }
    throw new Unauthorized()
  }
}

/** Permissions that only client keys give. */
const FOR_CLIENTS = new Set(['client-key', OFREP_KEY])
const BEARER = /^bearer\s+/i

/** The key as it is, behind `Bearer`, or as `X-API-Key`; the configured header and `Authorization` come first. */
function ofrepKey({ headers }: Caller, header: string, keys: KeyRing): string {
  const sent = textOf(headers[header] ?? headers.authorization ?? headers['x-api-key']).trim()
  return keys.has(sent) ? sent : sent.replace(BEARER, '')
}

function textOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' ? sent : ''
}

function ringsOf(secrets: SecretOptions): Rings {
  return {
    of: secrets,
    clients: new KeyRing(secrets.clientKeys),
    servers: new KeyRing(secrets['expServerSideSdkConfig.tokens'] ?? []),
  }
}
