import type { Route } from '@burgee/kit/http/route'
import type { Turns } from '@burgee/kit/turns'

const ADMINISTRATION = '/api/admin'

/**
 * The same route, which answers in turn with others of its kind if it reads what administration shows: twenty lists that
 * are asked for at once would keep SDKs waiting for all of them. Changes stay as they are: those of one turn are written
 * together. So do the routes of SDKs.
 */
export function inTurn<Access, World>(route: Route<Access, World>, turns: Turns): Route<Access, World> {
  if (route.method !== 'GET' || !route.url.startsWith(ADMINISTRATION)) return route
  const { handle } = route
  return { ...route, handle: (input, world) => turns.take(() => handle(input, world)) }
}
