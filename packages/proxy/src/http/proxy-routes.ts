import { Reply, type Route } from '@burgee/kit/http/route'
import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { createLookupToggles } from '@burgee/protocol/evaluation'
import { NotReady, Unauthorized } from '@burgee/serving/access-errors'
import type { Repository, RepositoryState } from '@burgee/serving/document/repository'
import { ContextReader } from '@burgee/serving/evaluation/context-reader'
import { createDecisionListener } from '@burgee/serving/evaluation/decision-listener'
import {
  type ContextListener,
  type EvaluationTarget,
  evaluationRoutes,
} from '@burgee/serving/evaluation/evaluation-routes'
import type { FollowedFlags } from '@burgee/serving/ofrep/change-streams'
import { type OfrepTarget, ofrepRoutes } from '@burgee/serving/ofrep/ofrep-routes'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import { createOfrepEnvelopes, ofrepStreamRoutes } from '@burgee/serving/sdk/ofrep-stream-routes'
import { type ChannelToken, createOfrepStreams, type OfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import { getStreamRefusalHead, STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import type { AcceptedSecrets, CurrentSecrets } from '../current-secrets.ts'
import type { EmbeddedProxyOptions } from '../options.ts'
import type { Plugins } from '../plugins/plugins.ts'
import type { StaleDeps } from '../upstream/staleness.ts'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import { ChannelKeys } from './channel-keys.ts'
import { type KeyAccess, OFREP_KEY, OFREP_STREAM_ACCESS } from './check-client-key.ts'
import { healthRoutes } from './health-routes.ts'
import { createNetworkReader } from './network-reader.ts'
import { describeProxy } from './openapi.ts'
import { sdkRoutes } from './sdk-routes.ts'
import type { Telemetry } from './telemetry.ts'

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
  readonly decisions: DecisionLog | undefined
  /** Project and environment of the flags; undefined if they are unknown. */
  readonly flagSet: FrontendScope | undefined
}

const PREFIX = '/proxy'
const CACHE_CONTROL = 'public, max-age=2'
/**
 * `Cache-Control` header of OpenFeature replies. HTTP caches do not store replies to POST. The OpenFeature provider
 * itself stores replies, and revalidates them each time.
 */
const OFREP_CACHE_CONTROL = 'private, no-cache'
const PROBLEMS = ['ValidationFailed', 'Unauthorized', 'TooLarge', 'MediaType', 'EnricherFailed', 'NotReady']
const OFREP_PROBLEMS = PROBLEMS.map((name) => (name === 'Unauthorized' ? 'OfrepUnauthorized' : name))

/** Creates all endpoints of the proxy, in the order of its documentation. */
export function proxyRoutes(deps: ProxyRouteDeps): Route<KeyAccess>[] {
  const { options, repository, pollIntervalMs, bucket, telemetry, isClosing, group } = deps
  const networkOf = createNetworkReader(options)
  const { channelKeys, ofrepStreams } = createChangeStreams(deps)
  const envelopeOf = createOfrepEnvelopes(ofrepStreams, options.proxyBasePath)
  const target = createTarget(deps, ofrepStreams)
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
      envelope: (access) => envelopeOf(options.environment, channelKeys.findByKey(access?.key)),
      permission: OFREP_KEY,
      problems: OFREP_PROBLEMS,
      cacheControl: OFREP_CACHE_CONTROL,
      keyHeader: ofrepKeyHeaders(options),
      bodyLimitBytes: options.evaluationBodyLimit,
    }),
    ...ofrepStreamRoutes<KeyAccess, ChannelToken>({
      ofrepStreams,
      streams: deps.streams,
      getScope: () => SCOPE,
      getNetwork: networkOf,
      permission: OFREP_STREAM_ACCESS,
      replies: STREAM_REPLIES,
      problems: ['ValidationFailed', 'Unauthorized', 'NotReady', 'TooManyStreams'],
      createUnknownError: () => new Unauthorized(),
      createRefusal,
    }),
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

/** Scope that all callers have, because all of them receive the same flags. */
const SCOPE = { environment: '', projects: ['*'] } as const
const STREAM_REPLIES = { 200: { description: 'Events, until the connection ends', contentType: 'text/event-stream' } }

/**
 * Creates the streams that notify OpenFeature providers of changes, and the registry of client keys that may open them.
 */
function createChangeStreams({ repository, secrets, streams, monotonic }: ProxyRouteDeps) {
  const channelKeys = new ChannelKeys(secrets)
  const flags: FollowedFlags = {
    tag: () => repository.state?.ofrep.get().tag ?? '',
    changedAtMs: () => repository.status.changedAtMs ?? 0,
    changedAgoMs: () => repository.changedAgoMs,
    subscribe: (changed) => repository.subscribe(changed),
  }
  const frontends = { getFlags: () => flags, stateFor: () => requireState(repository) }
  const ofrepStreams = createOfrepStreams({ monotonic, frontends, streams, holders: channelKeys, tokens: channelKeys })
  return { channelKeys, ofrepStreams }
}

function requireState({ state }: Repository): RepositoryState {
  if (state === undefined) throw new NotReady()
  return state
}

function createRefusal(streams: EventStreams, kind: string, caller: StreamCaller): Reply | undefined {
  const refusal = streams.refusal(kind, caller)
  if (refusal === undefined) return undefined
  const { status, headers } = getStreamRefusalHead(refusal)
  return Reply.json(status, { error: STREAM_REFUSALS[refusal] }, headers)
}

/** Returns the names of the headers that can contain the key, for `Vary`. */
function ofrepKeyHeaders({ clientKeysHeaderName }: EmbeddedProxyOptions): string {
  return [...new Set([clientKeysHeaderName.toLowerCase(), 'authorization', 'x-api-key'])].join(', ')
}

/** Creates the target that evaluates flags. All callers share one configuration. */
function createTarget(
  { options, plugins, repository, bucket, telemetry, logger, random, onContext, decisions, flagSet }: ProxyRouteDeps,
  ofrepStreams: OfrepStreams<ChannelToken>,
) {
  const { environment } = options
  const stateOf = () => requireState(repository)
  const target: EvaluationTarget & OfrepTarget = {
    answers: () => stateOf().answers,
    ofrep: () => stateOf().ofrep.get(),
    waitForTag: (tag) => ofrepStreams.waitForTag(SCOPE, tag),
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
    version: () => stateOf().ofrep.get().tag,
    onDecision: createDecisionListener(decisions, flagSet),
  }
  return target
}
