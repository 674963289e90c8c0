import { type Route, routesFor } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { Retention } from '../services/retention/retention.ts'
import type { ServerWorld } from '../services/server-world.ts'
import type { Access } from './access/auth.ts'
import type { Callers } from './callers.ts'
import type { RouteRateLimits } from './route-rate-limits.ts'
import type { UiBuild } from './ui/ui-build.ts'

/** Context of handlers: the server's world, and additions that only HTTP needs. */
export interface HttpWorld extends ServerWorld {
  readonly options: ServerOptions
  readonly callers: Callers
  readonly limits: RouteRateLimits
  /** Returns true once shutdown was requested. The readiness probe fails then, but requests are still answered. */
  readonly isDraining: () => boolean
  /** Returns the last measured sizes of stored data. */
  readonly sizes: Retention['sizes']
  /** Admin UI; undefined if it is not built. */
  readonly ui: UiBuild | undefined
}

/** Endpoints of the server. Their handlers get the world as second argument. */
export type Routes = readonly Route<Access, HttpWorld>[]

/** Creates an endpoint of the server. The types of the handler's input come from the schemas. */
export const route = routesFor<Access, HttpWorld>()
