import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { type App, createApp as createHttpApp } from '@burgee/kit/http/app'
import { BodyBudget, registerBodySeries } from '@burgee/kit/http/body-budget'
import { listenOn } from '@burgee/kit/http/listening'
import type { RequestTracer } from '@burgee/kit/http/request-tracer'
import type { Caller } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { createDebugLog, type Logger } from '@burgee/kit/log/logger'
import { withResponseLog } from '@burgee/kit/log/response-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import { registerStreamSeries } from '@burgee/kit/streams/stream-series'
import { Throttle } from '@burgee/kit/throttle'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { withPrivateHeaders } from '@burgee/serving/cache-rules'
import { createCorsHook } from '@burgee/serving/cors-replies'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Repository } from '@burgee/serving/document/repository'
import type { ContextListener } from '@burgee/serving/evaluation/evaluation-routes'
import { getImpactLimits } from '@burgee/serving/impact/impact-options'
import { withOfrepFailures } from '@burgee/serving/ofrep/ofrep-failure'
import { createBoundedStreams, warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import type { ConfigurationListener } from '@burgee/serving/upstream/configuration-source'
import type { AcceptedSecrets, CurrentSecrets } from './current-secrets.ts'
import { createAccessCheck, type KeyAccess } from './http/check-client-key.ts'
import { createErrorRenderer } from './http/errors.ts'
import { createNetworkReader } from './http/network-reader.ts'
import { proxyRoutes } from './http/proxy-routes.ts'
import { createTelemetry, type Telemetry } from './http/telemetry.ts'
import { getListenAddress } from './listen-settings.ts'
import type { EmbeddedProxyOptions } from './options.ts'
import type { Plugins } from './plugins/plugins.ts'
import { type Connection, UPSTREAM_TIMEOUT_MS } from './upstream/connection.ts'
import { StartupConfiguration } from './upstream/startup-configuration.ts'
import { deliverLast } from './usage/last-delivery.ts'
import { MetricsBucket } from './usage/metrics-bucket.ts'
import { Reporter } from './usage/reporter.ts'
import { registerFollowingSeries } from './usage/usage-series.ts'

/** Dependencies of a proxy: its options, inputs and outputs. */
export interface ProxyDeps {
  readonly options: EmbeddedProxyOptions
  readonly secrets: CurrentSecrets<AcceptedSecrets>
  readonly plugins: Plugins
  /** Source of the configuration, and receiver of usage reports. */
  readonly connection: Connection
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  /** Records the contexts for which flags are evaluated; undefined if nothing needs these contexts. */
  readonly onContext?: ContextListener
  /** Creates a span for each request; undefined if no traces are sent. */
  readonly tracer?: RequestTracer | undefined
  /** Sends decisions to a collector; undefined if none are sent. */
  readonly decisions?: DecisionLog | undefined
  /** Project and environment of the flags in decisions; undefined if they are unknown. */
  readonly flagSet?: FrontendScope | undefined
  /** Memory budget for request bodies, if shared with other apps of the process. */
  readonly bodies?: BodyBudget
  /** Process group of this proxy, unless it runs alone. */
  readonly group?: ProcessGroup
  /**
   * True if another component logs the warnings about the process as a whole. By default, true for a member of a group.
   */
  readonly isSupervised?: boolean
}

/** Proxy that can be started, queried and stopped. */
export interface BurgeeProxy {
  /** App that can be mounted and can handle in-process requests; `listen` opens a separate port. */
  readonly app: App
  /** Returns true once the proxy has a configuration. */
  readonly isReady: () => boolean
  /** Metrics of this process. */
  readonly series: SeriesRegistry
  /** Starts to sync without opening a port. Repeated calls have no effect. */
  startSync(): void
  /** Polls the upstream immediately instead of at the next interval. */
  refresh(): void
  /** Starts to listen and to sync. Rejects with ListenError if the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /** Handles a connection that other code has accepted but not read from. */
  accept(socket: Socket): void
  /** Reports the proxy as not ready and sends `Connection: close` with every reply, but continues to listen. */
  drain(): void
  /** Reports the proxy as not ready, finishes requests in flight, delivers the last metrics, and stops. */
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 1_000_000
const RECOMPILE_FAILED = 'Features could not be compiled for the evaluation profile that the upstream announces'

/** Creates a proxy from its parts. Nothing runs before `startSync` or `listen`. */
export function createProxy(deps: ProxyDeps): BurgeeProxy {
  const { options, logger, connection } = deps
  const parts = buildParts(deps)
  const { repository, reporter, startup, telemetry } = parts
  let isDraining = false
  let isClosing = false
  let isRunning = false
  let closing: Promise<void> | undefined
  const app = createHttpApp({ ...buildHttpOptions(deps, parts, () => isDraining), logger })
  registerBodySeries(telemetry.registry, app.bodies)
  const startSync = () => {
    if (isRunning) return
    isRunning = true
    void startup.load().then((isServing) => {
      if (isServing && !isClosing) reporter.start()
    })
    connection.source.start(createConfigurationListener(parts, logger, () => isClosing))
  }
  return {
    app,
    isReady: () => repository.state !== undefined,
    series: telemetry.registry,
    startSync,
    refresh: () => connection.source.refresh?.(),
    listen: async () => {
      const url = await listenOn(app, getListenAddress(options))
      startSync()
      const address = app.server.address()
      return { url, port: typeof address === 'object' && address !== null ? address.port : options.port }
    },
    accept: app.accept,
    drain: () => {
      isDraining = true
      app.drain()
      parts.streams.drain(deps.options.shutdownDelay * 1000)
    },
    close: () => {
      isDraining = true
      isClosing = true
      closing ??= closeAll(app, deps, parts)
      return closing
    },
  }
}

/** Creates the listener that uses each configuration of the upstream, and stores it for the next start. */
function createConfigurationListener(
  parts: ProxyParts,
  logger: Logger,
  isClosing: () => boolean,
): ConfigurationListener {
  const { repository, reporter, startup, telemetry } = parts
  const begin = (taken: FeatureDocument | undefined) => {
    if (taken !== undefined) startup.save(taken)
    if (!reporter.isStarted) logger.info('Received the features from the upstream; the proxy is ready')
    if (!isClosing()) reporter.start()
    return true
  }
  return {
    accept: (document, origin = 'upstream') =>
      repository.replace(document, origin).then(begin, (error: Error) => reportUnusable(parts, logger, error)),
    confirm: () => repository.confirm(),
    fail: (error) => {
      repository.fail(error)
      telemetry.upstreamFailures.add(1, { kind: 'features' })
    },
  }
}

function reportUnusable({ repository }: ProxyParts, logger: Logger, error: Error): false {
  logger.error('Cannot use the received features; keeping the current ones', error)
  repository.fail(error)
  return false
}

async function closeAll(app: App, { connection, options }: ProxyDeps, parts: ProxyParts): Promise<void> {
  const { repository, reporter, startup, streams } = parts
  await connection.source.stop()
  streams.close()
  await app.close()
  await repository.settle()
  await deliverLast(reporter, startup, getShutdownTimes(options.shutdownDelay).flushMs)
  await connection.close()
}

interface ProxyParts {
  readonly repository: Repository
  readonly bucket: MetricsBucket
  readonly reporter: Reporter
  readonly startup: StartupConfiguration
  readonly telemetry: Telemetry
  readonly streams: EventStreams
}

/** Returns the settings of the engine. Each custom strategy that fails is logged once. */
function buildCompileOptions({ plugins, logger, clock, random }: ProxyDeps) {
  const strategyErrors = new Set<string>()
  return {
    clock,
    random,
    hostname: process.env.HOSTNAME ?? hostname(),
    strategies: plugins.strategies,
    onError: (error: unknown, strategy: string) => {
      if (!strategyErrors.has(strategy)) logger.error(`Custom strategy "${strategy}" failed; it counts as false`, error)
      strategyErrors.add(strategy)
    },
  }
}

function buildParts(deps: ProxyDeps): ProxyParts {
  const { options, connection, logger, clock, monotonic, random, group } = deps
  const { isSupervised = group !== undefined } = deps
  const debug = createDebugLog(logger, options.logLevel)
  const { profile } = connection
  const repository = new Repository({
    logger,
    debug,
    clock,
    monotonic,
    compileOptions: buildCompileOptions(deps),
    profile,
    projectName: options.projectName,
  })
  profile.subscribe(() => void repository.recompile().catch((error: unknown) => logger.error(RECOMPILE_FAILED, error)))
  const bucket = new MetricsBucket(clock, {
    isOff: options.metricsInterval === 0,
    impactLimits: getImpactLimits(options),
  })
  const reporter: Reporter = new Reporter({
    bucket,
    sink: connection.sink,
    intervalMs: options.metricsInterval,
    jitterMs: options.metricsJitter,
    random,
    clock,
    monotonic,
    logger,
    debug,
    onFailure: (kind) => telemetry.upstreamFailures.add(1, { kind }),
  })
  const { dispatcher, pollIntervalMs, sourceHash } = connection
  const deliveredAtMs = () => reporter.deliveredAtMs
  const telemetry = createTelemetry({ repository, pollIntervalMs, bucket, deliveredAtMs })
  const startup = new StartupConfiguration({
    options,
    repository,
    profile,
    dispatcher,
    sourceHash,
    logger,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  const { maxStreams } = options
  if (!isSupervised) warnAboutDescriptors({ maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const streams = createBoundedStreams({ maxStreams, logger })
  registerStreamSeries(telemetry.registry, streams)
  registerFollowingSeries(telemetry.registry, connection.source)
  return { repository, bucket, reporter, startup, telemetry, streams }
}

function buildHttpOptions(deps: ProxyDeps, parts: ProxyParts, isDraining: () => boolean) {
  const { options, secrets, plugins, connection, logger, random, monotonic, group, onContext } = deps
  const { repository, bucket, telemetry, streams } = parts
  const debug = createDebugLog(logger, options.logLevel)
  const networkOf = createNetworkReader(options)
  const routes = proxyRoutes({
    options,
    plugins,
    repository,
    bucket,
    telemetry,
    logger,
    monotonic,
    random,
    isClosing: isDraining,
    group,
    secrets,
    streams,
    onContext,
    decisions: deps.decisions,
    flagSet: deps.flagSet,
    pollIntervalMs: connection.pollIntervalMs,
  })
  return {
    routes,
    world: undefined,
    basePath: options.proxyBasePath,
    order: 'validate-first' as const,
    authorize: createAccessCheck({ repository, secrets, headerName: options.clientKeysHeaderName }),
    renderError: withOfrepFailures(createErrorRenderer(logger, new Throttle()), options.proxyBasePath),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    bodies: deps.bodies ?? new BodyBudget({ maxBytes: options.bodyMemoryLimit }),
    owners: (caller: Caller, access: KeyAccess) => {
      const network = networkOf(caller)
      return access === undefined ? [network] : [network, `key ${access.key}`]
    },
    fastLane: options.httpFastLane,
    onReply: withResponseLog(telemetry.reply, debug),
    limits: { closeGraceMs: getShutdownTimes(options.shutdownDelay).graceMs },
    tracer: deps.tracer,
    first: withPrivateHeaders(createCorsHook(options, options.proxyBasePath, routes)),
  }
}
