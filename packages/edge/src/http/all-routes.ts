import type { Route } from '@burgee/kit/http/route'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { ConnectionBook } from '@burgee/serving/connections/connection-book'
import { getBaseEnvironment } from '@burgee/serving/document/run-environment'
import { deltaRoutes } from '@burgee/serving/sdk/delta-routes'
import type { Deltas } from '@burgee/serving/sdk/deltas'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import { type ClientRouteDeps, flagRoutes } from '@burgee/serving/sdk/flag-routes'
import type { FlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import { getTokenHeader } from '../options.ts'
import type { EdgeToken } from '../tokens/edge-token.ts'
import type { DownstreamHoldings } from '../usage/downstream-holdings.ts'
import { networkReader } from './address-rules.ts'
import { type BackstageDeps, backstageRoutes } from './backstage-routes.ts'
import { type Access, BACKEND, requireToken } from './check-token.ts'
import { backendReportRoutes } from './edge-report-routes.ts'
import { type FrontendRouteDeps, frontendRoutes, openFeatureRoutes } from './frontend-routes.ts'
import { describeEdge } from './openapi.ts'
import { GUARDED_QUERY } from './problem-lists.ts'
import { proxyRoutes } from './proxy-routes.ts'
import type { Telemetry } from './telemetry.ts'
import { validateRoutes } from './validate-routes.ts'

/** Dependencies of all endpoints. */
export interface EdgeRouteDeps extends FrontendRouteDeps, BackstageDeps {
  readonly downloads: Downloads
  readonly profile: ProfileInUse
  readonly deltas: Deltas
  readonly streams: EventStreams
  readonly flagStreams: FlagStreams<EdgeToken>
  readonly ofrepStreams: OfrepStreams<EdgeToken>
  readonly telemetry: Telemetry
  readonly connections?: ConnectionBook | undefined
  readonly downstream?: Pick<DownstreamHoldings, 'accept'> | undefined
  readonly monotonic: MonotonicClock
  /** True if proxy SDKs are served as well. */
  readonly hasClientKeys: boolean
}

/** Returns every endpoint of a node, in the order of its documentation. */
export function edgeRoutes(deps: EdgeRouteDeps): Route<Access>[] {
  const { options, ofrepStreams, streams, usage, downstream, tokens, monotonic } = deps
  const networkOf = networkReader(options)
  const api = [
    ...frontendRoutes(deps),
    ...backendRoutes(deps),
    ...backendReportRoutes({ usage, downstream, networkOf }),
    ...openFeatureRoutes(deps, ofrepStreams, streams),
    ...(deps.hasClientKeys ? proxyRoutes(deps, deps.isReady) : []),
    ...validateRoutes({
      tokens,
      networkOf,
      monotonic,
      limitPerMinute: options.edgeValidateLimitPerMinute,
    }),
    ...backstageRoutes(deps),
  ]
  if (!options.enableOAS) return api
  return [...api, ...docsRoutes<Access>(() => describeEdge(api, options.basePath, getTokenHeader(options)))]
}

function backendRoutes(deps: EdgeRouteDeps): Route<Access>[] {
  const { downloads, profile, deltas, streams, flagStreams, telemetry, connections } = deps
  const networkOf = networkReader(deps.options)
  const routeDeps: ClientRouteDeps<Access> = {
    base: '/api/client',
    tag: 'Client',
    permission: BACKEND,
    getScope: requireToken,
    problems: { search: [...GUARDED_QUERY, 'ValidationError'], list: GUARDED_QUERY },
    downloaded: (environment, result) =>
      telemetry.downloads.add(1, { environment: getBaseEnvironment(environment), result }),
    connections,
  }
  return [
    ...flagRoutes<Access>({ ...routeDeps, downloads, profile, methods: ['GET', 'POST'] }),
    ...deltaRoutes<Access, EdgeToken>({
      ...routeDeps,
      deltas,
      streams,
      flagStreams,
      getHolder: requireToken,
      getStreamCaller: (access, caller) => ({ network: networkOf(caller), token: requireToken(access).id }),
    }),
  ]
}
