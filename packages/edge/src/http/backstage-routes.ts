import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { SERIES_TYPE, type SeriesRegistry } from '@burgee/kit/series/series'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { forwardedMetricsHook } from '@burgee/serving/forwarded-metrics'
import Type from 'typebox'
import type { Environments } from '../environments/environments.ts'
import type { ServingOptions } from '../options.ts'
import type { EdgeTokens } from '../tokens/edge-token.ts'
import { shortenToken } from '../tokens/token-syntax.ts'
import { VERSION } from '../version.ts'
import type { Access } from './check-token.ts'

/** Identity that a node presents to operators. */
export interface NodeIdentity {
  readonly appName: string
  readonly instanceId: string
  /** Milliseconds since 1970. */
  readonly startedAtMs: number
}

/** Dependencies of the operator pages. */
export interface BackstageDeps {
  readonly options: ServingOptions
  readonly tokens: EdgeTokens
  readonly environments: Environments
  readonly registry: SeriesRegistry
  readonly identity: NodeIdentity
  readonly isReady: () => boolean
  /** Returns the reports that have not been delivered, as plain data. */
  readonly getPendingUsage: () => unknown
  readonly clock: () => number
  /** Process group of this process; undefined if there is none. The metric series of all its processes are merged. */
  readonly group: ProcessGroup | undefined
}

const BASE = '/internal-backstage'
/** Endpoints to which the address lists do not apply. */
export const PROBES = [`${BASE}/health`, `${BASE}/ready`] as const
const NOT_READY = { error: 'Edge is not ready to serve requests', status: 'NOTREADY' }
const route = routesFor<Access>()
const Status = Type.Object({ status: Type.String(), error: Type.Optional(Type.String()) })

/**
 * Returns the routes for health checks, metrics and the state of the node. Pages that show anything other than numbers
 * are disabled by default. Source: wire protocol
 */
export function backstageRoutes(deps: BackstageDeps): Route<Access>[] {
  const { options } = deps
  const probes = [page('health', 'Returns whether the process is alive.', () => ({ status: 'OK' })), readyRoute(deps)]
  const first = forwardedMetricsHook(options.forwardedMetrics)
  const pages = operatorPages(deps).map((one) => {
    return { ...one, first, problems: [...one.problems, 'NotForwarded'] }
  })
  return [...probes, ...pages]
}

/**
 * Returns the routes for metrics and state. By default, these routes reject requests that come through reverse proxies.
 */
function operatorPages(deps: BackstageDeps): readonly Route<Access>[] {
  const { options, identity } = deps
  const open = (isClosed: boolean, routes: readonly Route<Access>[]) => (isClosed ? [] : routes)
  return [
    page('info', 'Returns the name and version of the program.', () => ({
      app: 'burgee edge',
      version: VERSION,
      ...describeIdentity(identity),
    })),
    ...open(options.disableMetricsEndpoint, [seriesRoute(deps)]),
    ...open(options.disableTokensEndpoint, [
      page('tokens', 'Lists the known tokens in shortened form.', () => tokensPage(deps)),
    ]),
    ...open(options.disableFeaturesEndpoint, [
      page('features', 'Lists the flags of each environment by name, and whether they are on.', () =>
        featuresPage(deps),
      ),
    ]),
    ...open(options.disableMetricsBatchEndpoint, [
      page('metricsbatch', 'Lists reports that have not been delivered yet.', () => deps.getPendingUsage()),
    ]),
    ...open(options.disableInstanceDataEndpoint, [
      page('instancedata', 'Describes this node and the state of its connection to the upstream.', () =>
        instancePage(deps),
      ),
    ]),
  ]
}

function page(name: string, summary: string, handle: () => unknown): Route<Access> {
  return route({
    method: 'GET',
    url: `${BASE}/${name}`,
    tag: 'Operational',
    permission: 'public',
    summary,
    replies: { 200: { description: 'The state.', schema: Type.Unknown() } },
    problems: [],
    handle,
  })
}

function readyRoute({ isReady }: BackstageDeps): Route<Access> {
  return route({
    method: 'GET',
    url: `${BASE}/ready`,
    tag: 'Operational',
    permission: 'public',
    summary: 'Readiness check for load balancers.',
    replies: { 200: { description: 'Ready.', schema: Status }, 503: { description: 'Not ready.', schema: Status } },
    problems: [],
    handle: () => (isReady() ? { status: 'READY' } : Reply.json(503, NOT_READY)),
  })
}

function seriesRoute({ registry, group }: BackstageDeps): Route<Access> {
  return route({
    method: 'GET',
    url: `${BASE}/metrics`,
    tag: 'Operational',
    permission: 'public',
    summary: 'Returns metrics in the Prometheus text format.',
    replies: { 200: { description: 'The series.', contentType: 'text/plain' } },
    problems: [],
    handle: async () => new Reply(200, await (group?.seriesText() ?? registry.text()), { 'content-type': SERIES_TYPE }),
  })
}

function tokensPage({ tokens }: BackstageDeps) {
  const shown = tokens.all().map(({ text, kind, environment, projects, origin }) => {
    return { token: shortenToken(text), type: kind, environment, projects, origin, status: 'Validated' }
  })
  return { token_validation_status: shown }
}

function featuresPage({ environments }: BackstageDeps) {
  return environments.listStatuses().map(({ environment }) => {
    const flags = environments.peek(environment)?.flags ?? []
    const features = flags.map(({ feature: { name, project, enabled } }) => ({ name, project, enabled }))
    return { environment, features }
  })
}

function instancePage({ environments, identity, clock, tokens }: BackstageDeps) {
  return {
    ...describeIdentity(identity),
    version: VERSION,
    uptimeSeconds: Math.round((clock() - identity.startedAtMs) / 1000),
    tokens: tokens.all().length,
    environments: environments.listStatuses().map(({ syncedAtMs, lastError, ...standing }) => ({
      ...standing,
      syncedAt: syncedAtMs === undefined ? null : new Date(syncedAtMs).toISOString(),
      lastError:
        lastError === undefined ? null : { message: lastError.message, at: new Date(lastError.atMs).toISOString() },
    })),
  }
}

function describeIdentity({ appName, instanceId, startedAtMs }: NodeIdentity) {
  return { appName, instanceId, started: new Date(startedAtMs).toISOString() }
}
