import type { RouteShape } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

/** Where maintenance mode is turned on and off. */
export const MAINTENANCE = '/api/admin/maintenance'

const ADMINISTRATION = /^\/(api\/admin|openfeature)\//

/**
 * Refuses what is no read of administration while there is maintenance, but the end of it. Logins and SDKs go on. Throws
 * MaintenanceModeError. Source: wire protocol
 */
export function refuseInMaintenance(route: Pick<RouteShape, 'method' | 'url'>): void {
  if (isRefusedInMaintenance(route)) throw inMaintenance()
}

/** Whether a route is one of those. */
export function isRefusedInMaintenance({ method, url }: Pick<RouteShape, 'method' | 'url'>): boolean {
  return method !== 'GET' && url !== MAINTENANCE && ADMINISTRATION.test(url)
}

/** What is told of maintenance. */
export function inMaintenance(): Problem {
  return new Problem('MaintenanceModeError', 'The server is currently in maintenance mode: nothing can be changed.')
}
