import type { Caller, RouteShape } from '@burgee/kit/http/route'
import { NotReady, Unauthorized } from '@burgee/serving/access-errors'
import type { Repository } from '@burgee/serving/document/repository'
import type { AcceptedSecrets, CurrentSecrets } from '../current-secrets.ts'
import { KeyRing } from './key-ring.ts'

/** Access of a caller whose key is valid; undefined for routes that require no key. */
export type KeyAccess = { readonly kind: 'client' | 'server'; readonly key: string } | undefined

/** Dependencies of the access check. */
export interface AccessDeps {
  readonly repository: Repository
  readonly secrets: CurrentSecrets<AcceptedSecrets>
  readonly headerName: string
}

interface KeyRings {
  readonly secrets: AcceptedSecrets
  readonly clients: KeyRing
  readonly servers: KeyRing
}

/** Permission for OpenFeature routes. Callers can send the client key in one of several headers. */
export const OFREP_KEY = 'ofrep-key'
/**
 * Permission for OpenFeature change streams. The permission requires no key, because the stream's URL contains a secret
 * channel.
 */
export const OFREP_STREAM_ACCESS = 'ready'

/**
 * Permissions for routes that are served even before the first sync. Usage that SDKs report before the first sync is
 * queued for the upstream.
 */
const ALWAYS_READY = new Set(['public', 'any-key'])

/**
 * Creates the access check. The check first tests readiness (503), and then the key (401). The permissions are
 * `public`, `ready` (no key), `client-key`, `ofrep-key`, `server-token` and `any-key`. Rotated secrets take effect with
 * the next request.
 */
export function createAccessCheck(deps: AccessDeps): (caller: Caller, route: RouteShape) => KeyAccess {
  const header = deps.headerName.toLowerCase()
  let rings = createKeyRings(deps.secrets.current)
  return (caller, route) => {
    const permission = route.permission ?? 'public'
    if (!ALWAYS_READY.has(permission) && deps.repository.state === undefined) throw new NotReady()
    if (permission === 'public' || permission === 'ready') return undefined
    if (rings.secrets !== deps.secrets.current) rings = createKeyRings(deps.secrets.current)
    const key = permission === OFREP_KEY ? getOfrepKey(caller, header, rings.clients) : toText(caller.headers[header])
    if (permission !== 'server-token' && rings.clients.has(key)) return { kind: 'client', key }
    if (!CLIENT_ONLY.has(permission) && rings.servers.has(key)) return { kind: 'server', key }
    throw new Unauthorized()
  }
}

/** Permissions that only client keys grant. */
const CLIENT_ONLY = new Set(['client-key', OFREP_KEY])
const BEARER = /^bearer\s+/i

/**
 * Returns the key of a request: from the configured header, from `Authorization`, or from `X-API-Key`, in this order of
 * precedence. `Bearer` before the key is optional.
 */
function getOfrepKey({ headers }: Caller, header: string, keys: KeyRing): string {
  const sent = toText(headers[header] ?? headers.authorization ?? headers['x-api-key']).trim()
  return keys.has(sent) ? sent : sent.replace(BEARER, '')
}

function toText(sent: string | string[] | undefined): string {
  return typeof sent === 'string' ? sent : ''
}

function createKeyRings(secrets: AcceptedSecrets): KeyRings {
  return {
    secrets: secrets,
    clients: new KeyRing(secrets.clientKeys),
    servers: new KeyRing(secrets['expServerSideSdkConfig.tokens'] ?? []),
  }
}
