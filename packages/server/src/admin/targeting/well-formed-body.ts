import type { Route } from '@burgee/kit/http/route'
import { requireWellFormed } from './well-formed.ts'

const ADMIN = '/api/admin/'

/**
 * Wraps a route so that it rejects a body with a lone surrogate anywhere in it, in an error that names the property.
 * The databases treat text with a lone surrogate differently: SQLite stores it within JSON, PostgreSQL rejects it. SDK
 * routes are returned unchanged, because they check each name in a report themselves and drop only the invalid ones.
 */
export function withWellFormedBody<Access, World>(route: Route<Access, World>): Route<Access, World> {
  if (route.body === undefined || !route.url.startsWith(ADMIN)) return route
  const { handle } = route
  return {
    ...route,
    handle: (input, world) => {
      requireWellFormed(input.body, 'body')
      return handle(input, world)
    },
  }
}
