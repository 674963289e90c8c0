import type { Caller, RouteShape } from '@burgee/kit/http/route'
import type { Repository } from '@burgee/serving/document/repository'
import type { CurrentSecrets, SecretOptions } from '../current-secrets.ts'
import { NotReady, Unauthorized } from './errors.ts'
import { KeyRing } from './key-ring.ts'

/** The access of a caller whose key was accepted; undefined where none was asked for. */
export type KeyAccess = { readonly kind: 'client' | 'server' } | undefined

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

/** Permissions of routes that are served before the first sync: what SDKs send is kept for the upstream until then. */
const ALWAYS_READY = new Set(['public', 'any-key'])

/**
 * Makes the check of every request: ready first (503), then the key (401). Permissions of routes: `public`, `ready`
 * (no key), `client-key`, `server-token`, `any-key`. Replaced secrets count from the next request on.
 */
export function accessCheck(deps: AccessDeps): (caller: Caller, route: RouteShape) => KeyAccess {
  const header = deps.headerName.toLowerCase()
  let rings = ringsOf(deps.secrets.current)
  return (caller, route) => {
    const permission = route.permission ?? 'public'
    if (!ALWAYS_READY.has(permission) && deps.repository.state === undefined) throw new NotReady()
    if (permission === 'public' || permission === 'ready') return undefined
    if (rings.of !== deps.secrets.current) rings = ringsOf(deps.secrets.current)
    const sent = caller.headers[header]
    const key = typeof sent === 'string' ? sent : ''
    if (permission !== 'server-token' && rings.clients.has(key)) return { kind: 'client' }
    if (permission !== 'client-key' && rings.servers.has(key)) return { kind: 'server' }
    throw new Unauthorized()
  }
}

function ringsOf(secrets: SecretOptions): Rings {
  return {
    of: secrets,
    clients: new KeyRing(secrets.clientKeys),
    servers: new KeyRing(secrets['expServerSideSdkConfig.tokens'] ?? []),
  }
}
