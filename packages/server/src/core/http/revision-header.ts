import { type Caller, Reply, type Route, type RouteShape } from '@burgee/kit/http/route'
import type { HeaderDocs } from '@burgee/kit/openapi/openapi'
import { REVISION_HEADER, REVISION_PATTERN, type Revisions } from '../../delivery/events/event-revisions.ts'

const ADMINISTRATION = '/api/admin'

/** Describes a route's revision header for the API documentation. */
export function revisionDocs({ url, method }: Pick<RouteShape, 'url' | 'method'>): HeaderDocs {
  if (!url.startsWith(ADMINISTRATION)) return {}
  const requested =
    'A revision that a change returned. The server responds once it has read that change, after at most one second'
  const revisionText =
    'Revision after the change, as `<number>:<epoch>`; a request with this revision reads the written state'
  const request = { [REVISION_HEADER]: { description: requested, pattern: REVISION_PATTERN } }
  return { request, ...(method === 'GET' ? {} : { reply: { [REVISION_HEADER]: revisionText } }) }
}

/**
 * Wraps an admin route so that it first waits until this node has loaded the revision named in the request header.
 * Replies to changes contain the new revision. Routes outside the admin API are returned unchanged.
 */
export function withRevision<Access, World>(route: Route<Access, World>, revisions: Revisions): Route<Access, World> {
  if (!route.url.startsWith(ADMINISTRATION)) return route
  const { handle } = route
  const changes = route.method !== 'GET'
  const status = Math.min(...Object.keys(route.replies).map(Number))
  return {
    ...route,
    handle: (input, world) => {
      const asked = getRequestedRevision(input.caller)
      if (asked === undefined && !changes) return handle(input, world)
      const result =
        asked === undefined ? handle(input, world) : revisions.waitFor(asked).then(() => handle(input, world))
      return changes
        ? Promise.resolve(result).then((done) => withRevisionHeader(done, status, revisions.now()))
        : result
    },
  }
}

function getRequestedRevision({ headers }: Caller): string | undefined {
  const asked = headers[REVISION_HEADER]
  return Array.isArray(asked) ? asked[0] : asked
}

function withRevisionHeader(result: unknown, status: number, revision: string): Reply {
  const header = { [REVISION_HEADER]: revision }
  if (result instanceof Reply) return new Reply(result.status, result.body, { ...result.headers, ...header })
  return result === undefined ? new Reply(status, undefined, header) : Reply.json(status, result, header)
}
