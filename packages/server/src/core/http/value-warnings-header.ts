import { Reply, type Route, type RouteShape } from '@burgee/kit/http/route'
import type { HeaderDocs } from '@burgee/kit/openapi/openapi'
import { getInputWarnings, getStoredValueWarnings } from './value-warnings.ts'

/** Response header of a change that stores values which SDKs in different languages evaluate differently. */
export const WARNINGS_HEADER = 'x-burgee-warnings'

const TARGETING = /^\/api\/admin\/.*(?:strateg|variants|segments|constraints|change-requests|release-plan)/
const DESCRIPTION =
  'Values in the change that official SDKs interpret differently, if there are any: a JSON array of ' +
  '`{"message", "affectedItems"}`, whose items are paths such as `constraints/0/value`'

function storesTargeting({ url, method }: Pick<RouteShape, 'url' | 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE' && TARGETING.test(url)
}

/** Describes the header of a route for the API documentation. */
export function valueWarningsDocs(route: Pick<RouteShape, 'url' | 'method'>): HeaderDocs {
  return storesTargeting(route) ? { reply: { [WARNINGS_HEADER]: DESCRIPTION } } : {}
}

/**
 * Wraps a route so that its replies carry the header. Routes that cannot store such values are returned as they are.
 */
export function withValueWarnings<Access, World>(route: Route<Access, World>): Route<Access, World> {
  if (!storesTargeting(route)) return route
  const { handle } = route
  const status = Math.min(...Object.keys(route.replies).map(Number))
  return {
    ...route,
    handle: async (input, world) => {
      const result = await handle(input, world)
      const isPlain = typeof result === 'object' && result !== null && !(result instanceof Reply)
      const warnings = isPlain ? getStoredValueWarnings(result) : getInputWarnings(input.body)
      if (warnings.length === 0) return result
      const header = { [WARNINGS_HEADER]: asciiJson(warnings) }
      if (result instanceof Reply) return new Reply(result.status, result.body, { ...result.headers, ...header })
      return result === undefined ? new Reply(status, undefined, header) : Reply.json(status, result, header)
    },
  }
}

/** Serializes a value as JSON in ASCII, because headers cannot contain other characters. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
