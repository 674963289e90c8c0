import type { Route } from '@burgee/kit/http/route'
import type { Logger } from '@burgee/kit/log/logger'
import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import { lookupToggles } from '@burgee/protocol/evaluation'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { type EvaluationTarget, evaluationRoutes } from '@burgee/serving/evaluation/evaluation-routes'
import type { ProxyOptions } from '../options.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import type { ProcessGroup } from '../workers/process-group.ts'
import type { KeyAccess } from './access.ts'
import { healthRoutes } from './health-routes.ts'
import { describeProxy } from './openapi.ts'
import { sdkRoutes } from './sdk-routes.ts'
import type { StaleDeps, Telemetry } from './telemetry.ts'

/** What the proxy's endpoints stand on. */
export interface ProxyRouteDeps extends StaleDeps {
  readonly options: ProxyOptions
  readonly plugins: Plugins
  readonly bucket: MetricsBucket
  readonly telemetry: Telemetry
  readonly logger: Logger
  readonly random: () => number
  readonly isClosing: () => boolean
  readonly group: ProcessGroup | undefined
}

const PREFIX = '/proxy'
const CACHE_CONTROL = 'public, max-age=2'
const PROBLEMS = ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType', 'EnricherFailed', 'NotReady']

/** Every endpoint of the proxy, in the order of its documentation. */
export function proxyRoutes(deps: ProxyRouteDeps): Route<KeyAccess>[] {
  const { options, repository, pollIntervalMs, bucket, telemetry, clock, isClosing, group } = deps
  const target = targetOf(deps)
  const lookup = lookupToggles(options.evaluationNameLimit)
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
    ...sdkRoutes({ ...common, bucket, repository }),
    ...healthRoutes({
      ...{ prefix: PREFIX, repository, pollIntervalMs, registry: telemetry.registry, clock, isClosing, group },
    }),
  ]
  return options.enableOAS ? [...api, ...docsRoutes<KeyAccess>(() => describeProxy(api, lookup, options))] : api
}

/** All callers are answered from the one configuration. */
function targetOf({ options, plugins, repository, bucket, telemetry, logger, random }: ProxyRouteDeps) {
  const target: EvaluationTarget = {
    answers: () => {
      const { state } = repository
      if (state === undefined) throw new Error('The readiness check was passed over')
      return state.answers
    },
    contexts: new ContextReader({
      appName: options.flagAppName,
      environment: options.environment,
      trustProxy: options.trustProxy,
      trustedAddressWins: options.trustedAddressWins,
      enrichers: plugins.enrichers,
      random,
      logger,
    }),
    bucket,
    evaluations: telemetry.evaluations,
    repeats: telemetry.repeats,
  }
  return target
}
