import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type { Route } from '@burgee/kit/http/route'

const ADMINISTRATION = '/api/admin'

/**
 * Returns a route that runs admin API reads one after another. If the reads ran concurrently, twenty list requests
 * would delay all SDKs. Changes are not queued, because concurrent changes can share a commit. SDK routes are not
 * queued either.
 */
export function serializeReads<Access, World>(
  route: Route<Access, World>,
  turns: EventLoopBudget,
): Route<Access, World> {
  if (route.method !== 'GET' || !route.url.startsWith(ADMINISTRATION)) return route
  const { handle } = route
  return { ...route, handle: (input, world) => turns.run(() => handle(input, world)) }
}
