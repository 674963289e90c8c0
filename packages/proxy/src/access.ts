import type { Caller, Route } from '@burgee/kit/route'
import { NotReady, Unauthorized } from './errors.ts'
import type { KeyAccess } from './evaluation-routes.ts'
import { KeyRing } from './keys.ts'
import type { Repository } from './repository.ts'

/** What decides who may call what. */
export interface AccessDeps {
  readonly repository: Repository
  readonly clientKeys: readonly string[]
  readonly serverTokens: readonly string[]
  readonly headerName: string
}

/** Routes that are served before the first sync: what SDKs send is kept until the upstream can have it. */
const ALWAYS_READY = new Set(['public', 'any-key'])

/**
 * Makes the check of every request: ready first (503), then the key (401). Permissions of routes: `public`, `ready`
 * (no key), `client-key`, `server-token`, `any-key`.
 */
export function accessCheck(deps: AccessDeps): (caller: Caller, route: Route<KeyAccess>) => KeyAccess {
  const clients = new KeyRing(deps.clientKeys)
  const servers = new KeyRing(deps.serverTokens)
  const header = deps.headerName.toLowerCase()
  return (caller, route) => {
    const permission = route.permission ?? 'public'
    if (!ALWAYS_READY.has(permission) && deps.repository.state === undefined) throw new NotReady()
    if (permission === 'public' || permission === 'ready') return undefined
    const sent = caller.headers[header]
    const key = typeof sent === 'string' ? sent : ''
    if (permission !== 'server-token' && clients.has(key)) return { kind: 'client' }
    if (permission !== 'client-key' && servers.has(key)) return { kind: 'server' }
    throw new Unauthorized()
  }
}
