import { hostname } from 'node:os'
import { createDebugLog, type Logger } from '@burgee/kit/log/logger'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import { toWireMetrics } from '@burgee/serving/impact/impact-wire'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import { createDispatcher } from '@burgee/serving/upstream/dispatcher'
import { FollowingSource } from '@burgee/serving/upstream/following-source'
import { PollingSource } from '@burgee/serving/upstream/polling-source'
import { CLIENT_SPEC, Upstream, type UpstreamIdentity } from '@burgee/serving/upstream/upstream'
import type { Dispatcher } from 'undici'
import type { CurrentSecrets } from '../current-secrets.ts'
import type { ProxyOptions } from '../options.ts'
import type { MetricsSink } from '../usage/reporter.ts'
import { VERSION } from '../version.ts'
import { hashSource } from './backup-storage.ts'

/** Connection of a proxy to its upstream. */
export interface Connection {
  readonly source: ConfigurationSource
  readonly sink: MetricsSink
  readonly profile: AnnouncedProfile
  /** Poll interval; undefined if the source pushes changes. */
  readonly pollIntervalMs?: number | undefined
  /**
   * Dispatcher for other outgoing requests, such as fetching the bootstrap. Undefined if there are no requests over
   * HTTP.
   */
  readonly dispatcher: Dispatcher | undefined
  /**
   * Hash of everything that determines which flags the upstream returns. Undefined if the source needs no backup unless
   * configured.
   */
  readonly sourceHash?: string | undefined
  close(): Promise<void>
}

/** Dependencies of an HTTP connection. */
export interface ConnectionDeps {
  readonly options: ProxyOptions
  readonly secrets: CurrentSecrets
  readonly logger: Logger
  readonly clock: () => number
  readonly random: () => number
  /** Names of custom strategies, reported at registration. */
  readonly strategyNames: readonly string[]
}

/** Time limit of a request to the upstream. */
export const UPSTREAM_TIMEOUT_MS = 10_000

/** Connects to an upstream over HTTP, through a proxy server if one is configured. */
export function connectHttp(deps: ConnectionDeps): Connection {
  const { options, random, logger } = deps
  const identity = createIdentity(options, random)
  const { httpProxy, httpsProxy, allProxy, noProxy } = options
  const connect = { rejectUnauthorized: options['httpOptions.rejectUnauthorized'] }
  const addresses = [options.flagUrl, options['expBootstrap.url']].filter((address) => address !== undefined)
  const dispatcher = createDispatcher({ connect, addresses, httpProxy, httpsProxy, allProxy, noProxy })
  const profile = createProfile(options)
  const upstream = new Upstream({
    onProfile: (name) => profile.applyAnnouncement(name),
    url: options.flagUrl,
    token: () => deps.secrets.current.flagApiToken,
    identity,
    dispatcher,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    refreshIntervalMs: options.refreshInterval,
    metricsIntervalMs: options.metricsInterval,
    optionNames: { token: 'FLAG_API_TOKEN (or UNLEASH_API_TOKEN)', url: 'flagUrl' },
  })
  const query = buildFeatureQuery(options)
  const debug = createDebugLog(logger, options.logLevel)
  const polling = { upstream, query, refreshIntervalMs: options.refreshInterval, random, logger, debug }
  const { namePrefix } = options
  return {
    source: isFollowing(options) ? new FollowingSource({ ...polling, namePrefix }) : new PollingSource(polling),
    sink: createUpstreamSink(upstream, identity, deps),
    profile,
    pollIntervalMs: options.refreshInterval,
    dispatcher,
    sourceHash: hashSource(options),
    close: () => dispatcher.destroy(),
  }
}

/**
 * Returns the evaluation profile: the configured one, or else the one that the upstream announces, or else the default
 * of the Unleash proxy.
 */
export function createProfile({ evaluationProfile }: Pick<ProxyOptions, 'evaluationProfile'>): AnnouncedProfile {
  return new AnnouncedProfile({ configured: evaluationProfile, fallback: 'node' })
}

/**
 * Returns true if the proxy follows a stream of its upstream. A proxy that filters by tags cannot follow a stream,
 * because streams omit the tags of flags.
 */
function isFollowing({ streaming, tags = [] }: ProxyOptions): boolean {
  return streaming === 'auto' && tags.length === 0
}

function createIdentity(options: ProxyOptions, random: () => number): UpstreamIdentity {
  const unique = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
  return {
    appName: options.flagAppName,
    instanceId: options.flagInstanceId ?? `${hostname()}-${process.pid}-${unique}`,
    connectionId: crypto.randomUUID(),
    sdkVersion: `burgee-proxy:${VERSION}`,
  }
}

function buildFeatureQuery(options: ProxyOptions): URLSearchParams {
  const query = new URLSearchParams()
  if (options.projectName !== undefined) query.append('project', options.projectName)
  if (options.namePrefix !== undefined) query.append('namePrefix', options.namePrefix)
  for (const { type, value } of options.tags ?? []) query.append('tag', `${type}:${value}`)
  return query
}

function createUpstreamSink(upstream: Upstream, identity: UpstreamIdentity, deps: ConnectionDeps): MetricsSink {
  const started = new Date(deps.clock()).toISOString()
  const { appName, instanceId, connectionId, sdkVersion } = identity
  const platform = {
    platformName: 'node',
    platformVersion: process.versions.node,
    yggdrasilVersion: null,
    specVersion: CLIENT_SPEC,
  }
  return {
    register: () =>
      upstream.post('/client/register', {
        appName,
        instanceId,
        connectionId,
        sdkVersion,
        strategies: [...BUILT_IN_STRATEGIES.map(({ name }) => name), ...deps.strategyNames],
        started,
        interval: deps.options.metricsInterval,
        ...platform,
      }),
    send: (bucket) => upstream.post('/client/metrics', { appName, instanceId, connectionId, bucket, ...platform }),
    sendImpact: (rows) =>
      upstream.post('/client/metrics/bulk', { applications: [], metrics: [], impactMetrics: toWireMetrics(rows) }),
  }
}
