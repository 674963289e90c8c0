import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { SERIES_TYPE, type SeriesRegistry } from '@burgee/kit/series/series'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { NotReady } from '@burgee/serving/access-errors'
import { forwardedMetricsHook } from '@burgee/serving/forwarded-metrics'
import Type from 'typebox'
import { isStale, type StaleDeps } from '../upstream/staleness.ts'
import type { KeyAccess } from './check-client-key.ts'

/** Dependencies of the operational endpoints. */
export interface HealthDeps extends StaleDeps {
  readonly prefix: string
  readonly registry: SeriesRegistry
  /** Returns true once shutdown has started. The proxy is then still alive, but not ready. */
  readonly isClosing: () => boolean
  /**
   * Process group of this process; undefined if there is none. If there is a group, readiness and metrics describe the
   * whole group.
   */
  readonly group?: ProcessGroup | undefined
  /** True to serve metrics to requests that came through a reverse proxy. */
  readonly forwardedMetrics: boolean
}

const route = routesFor<KeyAccess>()
const Nullable = Type.Union([Type.Number(), Type.Null()])

const Health = Type.Object({
  status: Type.String(),
  origin: Type.Union([Type.String(), Type.Null()]),
  stale: Type.Boolean(),
  revision: Type.Integer(),
  features: Type.Integer(),
  stateAgeMs: Nullable,
  syncedAt: Type.Union([Type.String(), Type.Null()]),
  upstreamFailures: Type.Integer(),
  lastError: Type.Union([Type.Object({ message: Type.String(), at: Type.String() }), Type.Null()]),
})

/** Creates the routes for health checks and Prometheus metrics. None of these routes requires a key. */
export function healthRoutes(deps: HealthDeps): Route<KeyAccess>[] {
  const { prefix, repository, isClosing, group } = deps
  const tag = 'Operational'
  return [
    route({
      method: 'GET',
      url: `${prefix}/health`,
      tag,
      permission: 'ready',
      summary: 'Health check: fails until there is a configuration to serve.',
      replies: { 200: { description: 'Ready.', contentType: 'text/html' } },
      problems: ['NotReady'],
      handle: () => {
        if (group?.isReady() === false) throw new NotReady()
        return new Reply(200, 'ok', htmlHeaders())
      },
    }),
    route({
      method: 'GET',
      url: `${prefix}/health/ready`,
      tag,
      permission: 'public',
      summary: 'Readiness check for load balancers, with the age of the configuration and the last error.',
      replies: { 200: { description: 'Ready.', schema: Health }, 503: { description: 'Not ready.', schema: Health } },
      problems: [],
      handle: () => {
        const isReady = repository.state !== undefined && group?.isReady() !== false && !isClosing()
        return Reply.json(
          isReady ? 200 : 503,
          buildHealth(deps, isReady ? 'ready' : isClosing() ? 'closing' : 'not ready'),
        )
      },
    }),
    route({
      method: 'GET',
      url: `${prefix}/health/live`,
      tag,
      permission: 'public',
      summary: 'Liveness check.',
      replies: { 200: { description: 'Alive.', schema: Health } },
      problems: [],
      handle: () => Reply.json(200, buildHealth(deps, 'alive')),
    }),
    route({
      method: 'GET',
      url: `${prefix}/internal-backstage/prometheus`,
      tag,
      permission: 'public',
      summary: 'Returns metrics in the Prometheus text format, also before there is a configuration.',
      first: forwardedMetricsHook(deps.forwardedMetrics),
      replies: { 200: { description: 'The series.', contentType: 'text/plain' } },
      problems: ['NotForwarded'],
      handle: async () => {
        const text = await (group?.seriesText() ?? deps.registry.text())
        return new Reply(200, text, { 'content-type': SERIES_TYPE })
      },
    }),
  ]
}

function buildHealth(deps: HealthDeps, status: string) {
  const { repository } = deps
  const { state } = repository
  const { syncedAtMs, failures, lastError } = repository.status
  return {
    status,
    origin: state?.origin ?? null,
    stale: isStale(deps),
    revision: state?.revision ?? 0,
    features: state?.engine.names.length ?? 0,
    stateAgeMs: repository.syncedAgoMs === undefined ? null : Math.round(repository.syncedAgoMs),
    syncedAt: syncedAtMs === undefined ? null : new Date(syncedAtMs).toISOString(),
    upstreamFailures: failures,
    lastError:
      lastError === undefined ? null : { message: lastError.message, at: new Date(lastError.atMs).toISOString() },
  }
}
