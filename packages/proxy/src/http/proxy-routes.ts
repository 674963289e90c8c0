import type { Route } from '@burgee/kit/http/route'
import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { createLookupToggles } from '@burgee/protocol/evaluation'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import {
  type ContextListener,
  type EvaluationTarget,
  evaluationRoutes,
} from '@burgee/serving/evaluation/evaluation-routes'
import { type OfrepTarget, ofrepRoutes } from '@burgee/serving/ofrep/ofrep-routes'
import type { AcceptedSecrets, CurrentSecrets } from '../current-secrets.ts'
import type { EmbeddedProxyOptions } from '../options.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import { type KeyAccess, OFREP_KEY } from './access.ts'
import { healthRoutes } from './health-routes.ts'
import { createNetworkReader } from './network-reader.ts'
import { createOfrepStreams, type OfrepStreams } from './ofrep-streams.ts'
import { describeProxy } from './openapi.ts'
import { sdkRoutes } from './sdk-routes.ts'
import type { StaleDeps, Telemetry } from './telemetry.ts'

/** Dependencies of the proxy's endpoints. */
export interface ProxyRouteDeps extends StaleDeps {
  readonly options: EmbeddedProxyOptions
  readonly plugins: Plugins
  readonly bucket: MetricsBucket
  readonly telemetry: Telemetry
  readonly logger: Logger
  readonly monotonic: MonotonicClock
  readonly random: () => number
  readonly isClosing: () => boolean
  readonly group: ProcessGroup | undefined
  readonly secrets: CurrentSecrets<AcceptedSecrets>
  readonly streams: EventStreams
  readonly onContext: ContextListener | undefined
}

const PREFIX = '/proxy'
const CACHE_CONTROL = 'public, max-age=2'
/** HTTP caches do not store replies to POST. The provider does, and revalidates each time. */
const OFREP_CACHE_CONTROL = 'private, no-cache'
const PROBLEMS = ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType', 'EnricherFailed', 'NotReady']
const OFREP_PROBLEMS = PROBLEMS.map((name) => (name === 'Unauthorized' ? 'OfrepUnauthorized' : name))

/** Creates all endpoints of the proxy, in the order of its documentation. */
export function proxyRoutes(deps: ProxyRouteDeps): Route<KeyAccess>[] {
  const { options, repository, pollIntervalMs, bucket, telemetry, isClosing, group } = deps
  const networkOf = createNetworkReader(options)
  const ofrep = createOfrepStreams({
    ...deps,
    basePath: options.proxyBasePath,
    environment: options.environment,
    getNetwork: networkOf,
  })
  const target = createTarget(deps, ofrep)
  const lookup = createLookupToggles(options.evaluationNameLimit)
  const common = { prefix: PREFIX, cacheControl: CACHE_CONTROL, keyHeader: options.clientKeysHeaderName }
  const api = [
    ...evaluationRoutes<KeyAccess>({
      ...common,
      target: () => target,
      tag: 'Evaluation',
      permission: 'client-key',
      problems: { ofQuery: PROBLEMS, ofBody: PROBLEMS },
      enableAllEndpoint: options.enableAllEndpoint,
      lookup,
      bodyLimitBytes: options.evaluationBodyLimit,
    }),
    ...ofrepRoutes<KeyAccess>({
      target: () => target,
      envelope: (access) => ofrep.envelope(access),
      permission: OFREP_KEY,
      problems: OFREP_PROBLEMS,
      cacheControl: OFREP_CACHE_CONTROL,
      keyHeader: ofrepKeyHeaders(options),
      bodyLimitBytes: options.evaluationBodyLimit,
    }),
    ...ofrep.routes,
    ...sdkRoutes({ ...common, bucket, getNetwork: networkOf, repository }),
    ...healthRoutes({
      prefix: PREFIX,
      repository,
      pollIntervalMs,
      registry: telemetry.registry,
      isClosing,
      group,
      forwardedMetrics: options.forwardedMetrics,
    }),
  ]
  return options.enableOAS ? [...api, ...docsRoutes<KeyAccess>(() => describeProxy(api, lookup, options))] : api
}

/** Returns the headers that may carry the key, for `Vary`. */
function ofrepKeyHeaders({ clientKeysHeaderName }: EmbeddedProxyOptions): string {
  return [...new Set([clientKeysHeaderName.toLowerCase(), 'authorization', 'x-api-key'])].join(', ')
}

/** Creates the evaluation target. All callers share one configuration. */
function createTarget(
  { options, plugins, repository, bucket, telemetry, logger, random, onContext }: ProxyRouteDeps,
  ofrep: OfrepStreams,
) {
  const { environment } = options
  const stateOf = () => {
    const { state } = repository
    if (state === undefined) throw new Error('The readiness check was passed over')
    return state
  }
  const target: EvaluationTarget & OfrepTarget = {
    answers: () => stateOf().answers,
    ofrep: () => stateOf().ofrep.get(),
    waitForTag: (tag) => ofrep.changes.waitForTag(tag),
    contexts: new ContextReader({
      appName: options.flagAppName,
      environment,
      trustProxy: options.trustProxy,
      trustedAddressWins: options.trustedAddressWins,
      enrichers: plugins.enrichers,
      sessionChance: random,
      logger,
    }),
    bucket,
    evaluations: telemetry.evaluations,
    cacheHits: telemetry.repeats,
    onContext,
  }
  return target
}
