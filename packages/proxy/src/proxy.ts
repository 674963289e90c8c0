import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { type App, createApp as createHttpApp } from '@burgee/kit/http/app'
import { BodyBudget, seriesOfBodies } from '@burgee/kit/http/body-budget'
import { listenOn } from '@burgee/kit/http/listening'
import type { Caller } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { debugOf, type Logger } from '@burgee/kit/log/logger'
import { toldReplies } from '@burgee/kit/log/replies-told'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import { seriesOfStreams } from '@burgee/kit/streams/stream-series'
import { Throttle } from '@burgee/kit/throttle'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { forCallerAlone } from '@burgee/serving/cache-rules'
import { corsFirst } from '@burgee/serving/cors-replies'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { Repository } from '@burgee/serving/document/repository'
import type { SeenContext } from '@burgee/serving/evaluation/evaluation-routes'
import { withOfrepFailures } from '@burgee/serving/ofrep/ofrep-failure'
import { createBoundedStreams, warnOfDescriptors } from '@burgee/serving/sdk/bounded-streams'
import type { CurrentSecrets } from './current-secrets.ts'
import { accessCheck, type KeyAccess } from './http/access.ts'
import { errorRenderer } from './http/errors.ts'
import { networkReader } from './http/network-reader.ts'
import { proxyRoutes } from './http/proxy-routes.ts'
import { createTelemetry, type Telemetry } from './http/telemetry.ts'
import { listenAt } from './listening.ts'
import type { ProxyOptions } from './options.ts'
import type { Plugins } from './plugins/plugins.ts'
import { type Connection, UPSTREAM_TIMEOUT_MS } from './upstream/connection.ts'
import { StartupConfiguration } from './upstream/startup-configuration.ts'
import { deliverLast } from './usage/last-delivery.ts'
import { MetricsBucket } from './usage/metrics-bucket.ts'
import { Reporter } from './usage/reporter.ts'
import { seriesOfFollowing } from './usage/usage-series.ts'

/** What a proxy is given: its options and everything it reads from or talks to. */
export interface ProxyDeps {
  readonly options: ProxyOptions
  readonly secrets: CurrentSecrets
  readonly plugins: Plugins
  /** Where configuration comes from and usage goes to. */
  readonly connection: Connection
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  /** Hears of contexts that flags are evaluated for; undefined where nobody wants to. */
  readonly seen?: SeenContext
  /** Memory for request bodies, where this proxy shares it with others of its process. */
  readonly bodies?: BodyBudget
  /** The processes that this one is a part of, where it is not alone. */
  readonly group?: ProcessGroup
  /** Whether another part of the program warns of what concerns the whole; by default so for one of a group. */
  readonly isSupervised?: boolean
}

/** A proxy that can be started, asked and stopped. */
export interface BurgeeProxy {
  /** For `inject` and for mounting; `listen` opens a port of its own. */
  readonly app: App
  /** True once there is a configuration to answer from. */
  readonly isReady: () => boolean
  /** What this process counts. */
  readonly series: SeriesRegistry
  /** Begins to synchronise, without a port; once. */
  startSync(): void
  /** Asks the upstream now rather than at the next interval. */
  refresh(): void
  /** Begins to listen and to synchronise. Rejects with ListenError when the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /** Answers a connection that somebody else has accepted, of which nothing was read. */
  accept(socket: Socket): void
  /** Not ready any more, and every reply is the last of its connection; listening goes on. */
  drain(): void
  /** Says that it is no longer ready, ends in-flight requests, delivers the last metrics and stops. */
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 1_000_000
const RECOMPILE_FAILED = 'Features could not be compiled for the evaluation profile that the upstream announces'

/** Builds a proxy from its parts; nothing runs before `startSync` or `listen`. */
export function createProxy(deps: ProxyDeps): BurgeeProxy {
  const { options, logger, connection } = deps
  const parts = buildParts(deps)
  const { repository, reporter, startup, telemetry } = parts
  let isDraining = false
  let isClosing = false
  let isRunning = false
  let closing: Promise<void> | undefined
  const app = createHttpApp({ ...httpParts(deps, parts, () => isDraining), logger })
  seriesOfBodies(telemetry.registry, app.bodies)
  const startSync = () => {
    if (isRunning) return
    isRunning = true
    void startup.load().then((isServing) => {
      if (isServing && !isClosing) reporter.start()
    })
    connection.source.start({
      accept: (document, origin = 'upstream') => {
        const begin = (taken: FeatureDocument | undefined) => {
          if (taken !== undefined) startup.save(taken)
          if (!reporter.isStarted) logger.info('The features have come from the upstream; the proxy is ready')
          if (!isClosing) reporter.start()
          return true
        }
        return repository.replace(document, origin).then(begin, (error: Error) => unusable(parts, logger, error))
      },
      confirm: () => repository.confirm(),
      fail: (error) => {
        repository.fail(error)
        telemetry.upstreamFailures.add(1, { kind: 'features' })
      },
    })
  }
  return {
    app,
    isReady: () => repository.state !== undefined,
    series: telemetry.registry,
    startSync,
    refresh: () => connection.source.refresh?.(),
    listen: async () => {
      const url = await listenOn(app, listenAt(options))
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

function unusable({ repository }: Parts, logger: Logger, error: Error): false {
  logger.error('The features that have come cannot be used; those before stay in use', error)
  repository.fail(error)
  return false
}

async function closeAll(app: App, { connection, options }: ProxyDeps, parts: Parts): Promise<void> {
  const { repository, reporter, startup, streams } = parts
  await connection.source.stop()
  streams.close()
  await app.close()
  await repository.settle()
  await deliverLast(reporter, startup, shutdownTimes(options.shutdownDelay).flushMs)
  await connection.close()
}

interface Parts {
  readonly repository: Repository
  readonly bucket: MetricsBucket
  readonly reporter: Reporter
  readonly startup: StartupConfiguration
  readonly telemetry: Telemetry
  readonly streams: EventStreams
}

function buildParts(deps: ProxyDeps): Parts {
  const { options, plugins, connection, logger, clock, monotonic, random, group } = deps
  const { isSupervised = group !== undefined } = deps
  const strategyErrors = new Set<string>()
  const compileOptions = {
    clock,
    random,
    hostname: process.env.HOSTNAME ?? hostname(),
    strategies: plugins.strategies,
    onError: (error: unknown, strategy: string) => {
      if (!strategyErrors.has(strategy)) logger.error(`Custom strategy "${strategy}" failed; it counts as false`, error)
      strategyErrors.add(strategy)
    },
  }
  const debug = debugOf(logger, options.logLevel)
  const { profile } = connection
  const repository = new Repository({
    ...{ logger, debug, clock, monotonic, compileOptions, profile },
    projectName: options.projectName,
  })
  profile.follow(() => void repository.recompile().catch((error: unknown) => logger.error(RECOMPILE_FAILED, error)))
  const bucket = new MetricsBucket(clock, options.metricsInterval === 0)
  const reporter: Reporter = new Reporter({
    bucket,
    sink: connection.sink,
    intervalMs: options.metricsInterval,
    jitterMs: options.metricsJitter,
    random,
    clock,
    logger,
    debug,
    onFailure: (kind) => telemetry.upstreamFailures.add(1, { kind }),
  })
  const { dispatcher, pollIntervalMs } = connection
  const deliveredAtMs = () => reporter.deliveredAtMs
  const telemetry = createTelemetry({ repository, pollIntervalMs, bucket, deliveredAtMs })
  const startup = new StartupConfiguration({
    ...{ options, repository, profile, dispatcher, logger },
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  const { maxStreams } = options
  if (!isSupervised) warnOfDescriptors({ maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const streams = createBoundedStreams({ maxStreams, logger })
  seriesOfStreams(telemetry.registry, streams)
  seriesOfFollowing(telemetry.registry, connection.source)
  return { repository, bucket, reporter, startup, telemetry, streams }
}

function httpParts(deps: ProxyDeps, parts: Parts, isDraining: () => boolean) {
  const { options, secrets, plugins, connection, logger, random, monotonic, group, seen } = deps
  const { repository, bucket, telemetry, streams } = parts
  const debug = debugOf(logger, options.logLevel)
  const networkOf = networkReader(options)
  const routes = proxyRoutes({
    ...{ options, plugins, repository, bucket, telemetry, logger, monotonic, random, isClosing: isDraining, group },
    ...{ secrets, streams, seen },
    pollIntervalMs: connection.pollIntervalMs,
  })
  return {
    routes,
    world: undefined,
    basePath: options.proxyBasePath,
    order: 'validate-first' as const,
    authorize: accessCheck({ repository, secrets, headerName: options.clientKeysHeaderName }),
    renderError: withOfrepFailures(errorRenderer(logger, new Throttle()), options.proxyBasePath),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    bodies: deps.bodies ?? new BodyBudget({ maxBytes: options.bodyMemoryLimit }),
    owners: (caller: Caller, access: KeyAccess) => {
      const network = networkOf(caller)
      return access === undefined ? [network] : [network, `key ${access.key}`]
    },
    fastLane: options.httpFastLane,
    onReply: toldReplies(telemetry.reply, debug),
    limits: { closeGraceMs: shutdownTimes(options.shutdownDelay).graceMs },
    first: forCallerAlone(corsFirst(options, options.proxyBasePath, routes)),
  }
}
