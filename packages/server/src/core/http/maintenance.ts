import type { RouteShape } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Path of the settings for maintenance mode. */
export const MAINTENANCE = '/api/admin/maintenance'

const ADMINISTRATION = /^\/(api\/admin|openfeature)\//

/**
 * Throws MaintenanceModeError if a route is blocked in maintenance mode. All changes through the admin API are blocked,
 * except turning maintenance mode off. Logins and SDK requests still work. Source: wire protocol
 */
export function refuseInMaintenance(route: Pick<RouteShape, 'method' | 'url'>): void {
  if (isRefusedInMaintenance(route)) throw inMaintenance()
}

/** Returns true if a route is blocked in maintenance mode. */
export function isRefusedInMaintenance({ method, url }: Pick<RouteShape, 'method' | 'url'>): boolean {
  return method !== 'GET' && url !== MAINTENANCE && ADMINISTRATION.test(url)
}

/** Creates the error for requests that maintenance mode blocks. */
export function inMaintenance(): Problem {
  return new Problem('MaintenanceModeError', 'The server is in maintenance mode: changes are disabled.')
}
