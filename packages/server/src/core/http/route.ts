import { type Route, routesFor } from '@burgee/kit/http/route'
import type { Retention } from '../../admin/retention/retention.ts'
import type { UiBuild } from '../../admin/ui/ui-build.ts'
import type { Access } from '../access/access.ts'
import type { ServerOptions } from '../options/options.ts'
import type { ServerWorld } from '../server-world.ts'
import type { Callers } from './callers.ts'
import type { RouteRateLimits } from './route-rate-limits.ts'

/** Context of handlers: the world of the server, and parts that only HTTP needs. */
export interface HttpWorld extends ServerWorld {
  readonly options: ServerOptions
  readonly callers: Callers
  readonly limits: RouteRateLimits
  /**
   * Returns true once a shutdown has been requested. From then on, the readiness probe fails, but requests are still
   * answered.
   */
  readonly isDraining: () => boolean
  /** Returns the last measured sizes of stored data. */
  readonly sizes: Retention['sizes']
  /** Admin UI; undefined if it is not built. */
  readonly ui: UiBuild | undefined
}

/** Endpoint of the server. The endpoint's handler gets an `HttpWorld` as second argument. */
export type Routes = readonly Route<Access, HttpWorld>[]

/** Creates an endpoint of the server. The types of the handler's input come from the schemas. */
export const route = routesFor<Access, HttpWorld>()
