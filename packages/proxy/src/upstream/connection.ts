import { hostname } from 'node:os'
import { debugOf, type Logger } from '@burgee/kit/log/logger'
import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { type ConfigurationSource, PollingSource } from '@burgee/serving/upstream/configuration-source'
import { createDispatcher } from '@burgee/serving/upstream/dispatcher'
import { FollowingSource } from '@burgee/serving/upstream/following-source'
import { CLIENT_SPEC, Upstream, type UpstreamIdentity } from '@burgee/serving/upstream/upstream'
import type { Dispatcher } from 'undici'
import type { CurrentSecrets } from '../current-secrets.ts'
import type { ProxyOptions } from '../options.ts'
import type { MetricsSink } from '../usage/reporter.ts'
import { VERSION } from '../version.ts'

/** What connects a proxy with its upstream. */
export interface Connection {
  readonly source: ConfigurationSource
  readonly sink: MetricsSink
  readonly profile: AnnouncedProfile
  /** How often the source asks; undefined where it hears of changes by itself. */
  readonly pollIntervalMs?: number | undefined
  /** For further requests to the outside (bootstrap); undefined where nothing goes over HTTP. */
  readonly dispatcher: Dispatcher | undefined
  close(): Promise<void>
}

/** What an HTTP connection needs. */
export interface ConnectionDeps {
  readonly options: ProxyOptions
  readonly secrets: CurrentSecrets
  readonly logger: Logger
  readonly clock: () => number
  readonly random: () => number
  /** Names of the operator's own strategies, told when registering. */
  readonly strategyNames: readonly string[]
}

/** How long one request to the upstream may take. */
export const UPSTREAM_TIMEOUT_MS = 10_000

/** A connection to an upstream over HTTP, through proxy servers where the options name them. */
export function connectHttp(deps: ConnectionDeps): Connection {
  const { options, random, logger } = deps
  const identity = identityOf(options, random)
  const { httpProxy, httpsProxy, allProxy, noProxy } = options
  const connect = { rejectUnauthorized: options['httpOptions.rejectUnauthorized'] }
  const addresses = [options.flagUrl, options['expBootstrap.url']].filter((address) => address !== undefined)
  const dispatcher = createDispatcher({ connect, addresses, httpProxy, httpsProxy, allProxy, noProxy })
  const profile = profileOf(options)
  const upstream = new Upstream({
    onProfile: (name) => profile.hear(name),
    url: options.flagUrl,
    token: () => deps.secrets.current.flagApiToken,
    identity,
    dispatcher,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    refreshIntervalMs: options.refreshInterval,
    metricsIntervalMs: options.metricsInterval,
    optionNames: { token: 'FLAG_API_TOKEN (or UNLEASH_API_TOKEN)', url: 'flagUrl' },
  })
  const query = featureQuery(options)
  const debug = debugOf(logger, options.logLevel)
  const polling = { upstream, query, refreshIntervalMs: options.refreshInterval, random, logger, debug }
  const { namePrefix } = options
  return {
    source: isFollowing(options) ? new FollowingSource({ ...polling, namePrefix }) : new PollingSource(polling),
    sink: upstreamSink(upstream, identity, deps),
    profile,
    pollIntervalMs: options.refreshInterval,
    dispatcher,
    close: () => dispatcher.destroy(),
  }
}

/** The profile of the option, else as the upstream announces it, else that of the established proxy. */
export function profileOf({ evaluationProfile }: Pick<ProxyOptions, 'evaluationProfile'>): AnnouncedProfile {
  return new AnnouncedProfile({ configured: evaluationProfile, fallback: 'node' })
}

/** A stream does not say which tags flags have. */
function isFollowing({ streaming, tags = [] }: ProxyOptions): boolean {
  return streaming === 'auto' && tags.length === 0
}

function identityOf(options: ProxyOptions, random: () => number): UpstreamIdentity {
  const unique = Math.floor(random() * Number.MAX_SAFE_INTEGER).toString(36)
  return {
    appName: options.flagAppName,
    instanceId: options.flagInstanceId ?? `${hostname()}-${process.pid}-${unique}`,
    connectionId: crypto.randomUUID(),
    sdkVersion: `burgee-proxy:${VERSION}`,
  }
}

function featureQuery(options: ProxyOptions): URLSearchParams {
  const query = new URLSearchParams()
  if (options.projectName !== undefined) query.append('project', options.projectName)
  if (options.namePrefix !== undefined) query.append('namePrefix', options.namePrefix)
  for (const { type, value } of options.tags ?? []) query.append('tag', `${type}:${value}`)
  return query
}

function upstreamSink(upstream: Upstream, identity: UpstreamIdentity, deps: ConnectionDeps): MetricsSink {
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
  }
}
