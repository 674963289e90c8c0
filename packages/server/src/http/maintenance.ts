import type { RouteShape } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Path of the maintenance mode settings. */
export const MAINTENANCE = '/api/admin/maintenance'

const ADMINISTRATION = /^\/(api\/admin|openfeature)\//

/**
 * Throws MaintenanceModeError for routes that are refused during maintenance: all changes of administration except
 * leaving maintenance mode. Logins and SDK requests continue. Source: wire protocol
 */
export function refuseInMaintenance(route: Pick<RouteShape, 'method' | 'url'>): void {
  if (isRefusedInMaintenance(route)) throw inMaintenance()
}

/** Returns true if a route is refused during maintenance. */
export function isRefusedInMaintenance({ method, url }: Pick<RouteShape, 'method' | 'url'>): boolean {
  return method !== 'GET' && url !== MAINTENANCE && ADMINISTRATION.test(url)
}

/** Creates the error of requests refused during maintenance. */
export function inMaintenance(): Problem {
  return new Problem('MaintenanceModeError', 'The server is currently in maintenance mode: nothing can be changed.')
}
