import type { Route } from '@burgee/kit/http/route'
import type { Turns } from '@burgee/kit/turns'

const ADMINISTRATION = '/api/admin'

/**
 * Returns the route with its admin API reads queued: twenty lists requested at once would otherwise delay all SDKs.
 * Changes are not queued, because concurrent changes are written together; neither are the routes of SDKs.
 */
export function inTurn<Access, World>(route: Route<Access, World>, turns: Turns): Route<Access, World> {
  if (route.method !== 'GET' || !route.url.startsWith(ADMINISTRATION)) return route
  const { handle } = route
  return { ...route, handle: (input, world) => turns.take(() => handle(input, world)) }
}
