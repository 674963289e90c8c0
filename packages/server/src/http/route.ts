import { type Route, routesFor } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { Retention } from '../services/retention/retention.ts'
import type { ServerWorld } from '../services/server-world.ts'
import type { Access } from './access/auth.ts'
import type { Callers } from './callers.ts'
import type { RouteRateLimits } from './route-rate-limits.ts'
import type { UiBuild } from './ui/ui-build.ts'

/** Context of handlers: the server and its HTTP side. */
export interface HttpWorld extends ServerWorld {
  readonly options: ServerOptions
  readonly callers: Callers
  readonly limits: RouteRateLimits
  /** Returns true once shutdown was requested: the process is no longer ready, but still answers. */
  readonly isDraining: () => boolean
  /** Returns the sizes of stored data, as last measured. */
  readonly sizes: Retention['sizes']
  /** Admin UI; undefined if it is not built. */
  readonly ui: UiBuild | undefined
}

/** Endpoints of the server; handlers get the world as their second argument. */
export type Routes = readonly Route<Access, HttpWorld>[]

/** Creates an endpoint of the server; its schemas determine the types of the handler's input. */
export const route = routesFor<Access, HttpWorld>()
