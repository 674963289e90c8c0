import { type Route, routesFor } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { Retention } from '../services/retention/retention.ts'
import type { ServerWorld } from '../services/server-world.ts'
import type { Access } from './access/auth.ts'
import type { Callers } from './callers.ts'
import type { RouteRateLimits } from './route-rate-limits.ts'
import type { UiBuild } from './ui/ui-build.ts'

/** What handlers work with: the server, and what its HTTP side is made of. */
export interface HttpWorld extends ServerWorld {
  readonly options: ServerOptions
  readonly callers: Callers
  readonly limits: RouteRateLimits
  /** The process was asked to end: not ready any more, still answering. */
  readonly isDraining: () => boolean
  /** How much is stored, as of the last look. */
  readonly sizes: Retention['sizes']
  /** The admin UI; undefined where it is not built. */
  readonly ui: UiBuild | undefined
}

/** Endpoints of the server: plain data, whose handlers get the world as their second argument. */
export type Routes = readonly Route<Access, HttpWorld>[]

/** Makes an endpoint of the server; its schemas decide what its handler sees. */
export const route = routesFor<Access, HttpWorld>()
