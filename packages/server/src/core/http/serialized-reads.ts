import type { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type { Route } from '@burgee/kit/http/route'
import { MCP } from './mcp-path.ts'

const ADMINISTRATION = '/api/admin'

/**
 * Wraps a route so that admin API reads and agents' calls run one after another. If the reads ran concurrently, twenty
 * list requests would delay all SDKs. Changes are not queued, because concurrent changes can share a commit. SDK routes
 * are not queued either.
 */
export function serializeReads<Access, World>(
  route: Route<Access, World>,
  turns: EventLoopBudget,
): Route<Access, World> {
  const isRead = route.method === 'GET' && route.url.startsWith(ADMINISTRATION)
  if (!isRead && route.url !== MCP) return route
  const { handle } = route
  return { ...route, handle: (input, world) => turns.run(() => handle(input, world)) }
}
