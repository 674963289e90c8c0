import { Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { SERIES_TYPE } from '@burgee/kit/series/series'
import { forwardedMetricsHook } from '@burgee/serving/forwarded-metrics'
import { describeIdentity } from '@burgee/storage/drivers/postgres/server-identity'
import { DatabaseGone, explainDbError } from '@burgee/storage/errors'
import Type from 'typebox'
import { ANY_CREDENTIALS } from '../access/access.ts'
import { createPathNotFound, DATA_DIRECTORY_GONE } from './errors.ts'
import { READ } from './problem-lists.ts'
import { type HttpWorld, type Routes, route } from './route.ts'

const Health = Type.Object({ health: Type.String() })
/**
 * Reply of the health and readiness probes.
 *
 * - `health`: DEGRADED while changes cannot be written.
 * - `database`: problem with the database.
 * - `notifications`: reason why other nodes' changes are found only by polling.
 * - `server`: identity of the PostgreSQL primary.
 * - `documents`: set while flags are served from the snapshot on disk.
 * - `status`: set during a shutdown.
 */
const Readiness = Type.Object({
  health: Type.Enum(['GOOD', 'DEGRADED', 'BAD']),
  database: Type.Optional(Type.String()),
  notifications: Type.Optional(Type.String()),
  server: Type.Optional(Type.String()),
  documents: Type.Optional(Type.String()),
  status: Type.Optional(Type.Literal('closing')),
})

/** Routes of the liveness and readiness probes. Both routes require no credentials. */
export const systemRoutes: Routes = [
  route({
    method: 'GET',
    url: '/health',
    permission: 'public',
    tag: 'System',
    summary: 'Liveness check.',
    replies: { 200: { description: 'Alive', schema: Health } },
    problems: [],
    handle: () => ({ health: 'GOOD' }),
  }),
  route({
    method: 'GET',
    url: '/ready',
    permission: 'public',
    tag: 'System',
    summary: 'Readiness check: SDKs can be served, from memory if the database is down.',
    replies: {
      200: { description: 'Ready', schema: Readiness },
      503: {
        description:
          'Not ready: the database is down and there is no configuration to serve, or the process is shutting down',
        schema: Readiness,
      },
    },
    problems: [],
    handle: (_input, world) => {
      if (world.isDraining()) return Reply.json(503, { health: 'BAD', status: 'closing' })
      const database = findDatabaseProblem(world)
      const server = { ...describeNotifications(world), ...getServerInfo(world) }
      if (database === undefined) return { health: 'GOOD', ...server }
      const statuses = [...world.documents.statuses().values()]
      const isServed = statuses.some(({ revision }) => revision !== undefined)
      const keptAsOfMs = statuses.find((status) => status.snapshotAsOfMs !== undefined)?.snapshotAsOfMs
      const kept =
        keptAsOfMs === undefined ? {} : { documents: `kept on disk as of ${new Date(keptAsOfMs).toISOString()}` }
      return Reply.json(isServed ? 200 : 503, { health: isServed ? 'DEGRADED' : 'BAD', database, ...server, ...kept })
    },
  }),
]

/**
 * Returns the problem with the database; undefined if it is reachable. Does not query the database, which may not
 * answer.
 */
function findDatabaseProblem({ db, contact }: HttpWorld): string | undefined {
  try {
    db.requirePresent()
  } catch (error) {
    // the start of the outage has already been logged
    if (error instanceof DatabaseGone) return DATA_DIRECTORY_GONE
    throw error
  }
  const { lostSinceMs, lastError } = contact()
  const refusal = db.server?.().refusal
  if (lostSinceMs !== undefined) {
    const reason = refusal?.reason ?? explainDbError(lastError)
    return `unreachable since ${timeText(lostSinceMs)}${reason === undefined ? '' : `: ${reason}`}`
  }
  return refusal && `changes cannot be written since ${timeText(refusal.sinceMs)}: ${refusal.reason}`
}

/** Describes why other nodes' changes are found only by polling. Empty while notifications arrive. */
function describeNotifications({ contact }: HttpWorld): { readonly notifications?: string } {
  const { notificationFailure: failure } = contact()
  if (failure === undefined) return {}
  const reason = explainDbError(failure.error)
  const since = `failed since ${timeText(failure.sinceMs)}, and polling finds changes of other nodes`
  return { notifications: reason === undefined ? since : `${since}: ${reason}` }
}

/** Returns the name of the database server, without its address, because this endpoint is public. */
function getServerInfo({ db }: HttpWorld): { readonly server?: string } {
  const primary = db.server?.().primary
  return primary === undefined ? {} : { server: `primary, ${describeIdentity(primary)}` }
}

function timeText(ms: number): string {
  return new Date(ms).toISOString()
}

/**
 * Route of the Prometheus metrics. The route requires no credentials. Source: wire protocol "GET
 * /internal-backstage/prometheus".
 */
export const seriesRoutes: Routes = [
  route({
    method: 'GET',
    url: '/internal-backstage/prometheus',
    permission: 'public',
    tag: 'System',
    summary: 'Returns metrics in the Prometheus text format, without names of private projects.',
    first: (caller, { options }) => forwardedMetricsHook(options.forwardedMetrics)(caller),
    replies: { 200: { description: 'The series', contentType: 'text/plain' } },
    problems: ['NotFoundError'],
    handle: async (_input, { telemetry }) =>
      new Reply(200, await telemetry.text(), { 'content-type': SERIES_TYPE, 'cache-control': 'no-store' }),
  }),
]

/** Route of impact metrics for scraping. The route requires no credentials. Source: wire protocol "Guarded releases" */
export const impactSeriesRoutes: Routes = [
  route({
    method: 'GET',
    url: '/internal-backstage/impact/metrics',
    permission: 'public',
    tag: 'System',
    summary:
      'Returns totals of the impact metrics that SDKs have reported to this server, in the Prometheus text format.',
    first: (caller, { options }) => forwardedMetricsHook(options.forwardedMetrics)(caller),
    replies: { 200: { description: 'The series', contentType: 'text/plain' } },
    problems: ['NotFoundError'],
    handle: (_input, { impactReports, clock }) =>
      new Reply(200, impactReports.totals?.format(clock()) ?? '', {
        'content-type': SERIES_TYPE,
        'cache-control': 'no-store',
      }),
  }),
]

/**
 * Routes for all API paths that no other route handles. These routes reply 401 without credentials and 404 otherwise.
 * Source: wire protocol "paths".
 */
export const unknownApiRoutes: Routes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  route({
    method,
    url: '/api/*',
    permission: ANY_CREDENTIALS,
    tag: 'System',
    summary: 'Answers 404: there is no such page.',
    replies: { 404: { description: 'Not found' } },
    problems: READ,
    handle: ({ caller }) => {
      throw createPathNotFound(getPath(caller.url))
    },
  }),
)
