import { type App, createApp } from '@burgee/kit/http/app'
import { BodyBudget, registerBodySeries } from '@burgee/kit/http/body-budget'
import { listenOn } from '@burgee/kit/http/listening'
import type { RequestTracer } from '@burgee/kit/http/request-tracer'
import type { PreRequestHook, Route } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { createDebugLog, type Logger } from '@burgee/kit/log/logger'
import { withResponseLog } from '@burgee/kit/log/response-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { DecisionLog } from '@burgee/kit/otel/decision-log'
import { CacheSeries } from '@burgee/kit/series/cache-series'
import { registerProcessSeries } from '@burgee/kit/series/process-series'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { registerStreamSeries } from '@burgee/kit/streams/stream-series'
import { Throttle } from '@burgee/kit/throttle'
import type { ProcessGroup } from '@burgee/kit/workers/process-group'
import { withPrivateHeaders } from '@burgee/serving/cache-rules'
import type { ConnectionBook } from '@burgee/serving/connections/connection-book'
import type { PageBook } from '@burgee/serving/connections/page-book'
import { createCorsHook } from '@burgee/serving/cors-replies'
import { withOfrepFailures } from '@burgee/serving/ofrep/ofrep-failure'
import { createBoundedStreams, warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { createDeltas } from '@burgee/serving/sdk/deltas'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { createFlagStreams } from '@burgee/serving/sdk/flag-streams'
import { createFrontends, watchFrontends } from '@burgee/serving/sdk/frontends'
import { createOfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { Environments } from './environments/environments.ts'
import { addressRules, getTrust, networkReader } from './http/address-rules.ts'
import { edgeRoutes } from './http/all-routes.ts'
import { type NodeIdentity, PROBES } from './http/backstage-routes.ts'
import { type Access, accessCheck } from './http/check-token.ts'
import { errorRenderer } from './http/errors.ts'
import { edgeTargets } from './http/evaluation-target.ts'
import { createProxyKeys, type ProxyKeys } from './http/proxy-keys.ts'
import { createTelemetry, type Telemetry } from './http/telemetry.ts'
import { EdgeTokenFeed } from './http/token-change-feed.ts'
import { TokenStreams } from './http/token-streams.ts'
import { getTokenHeader, type ServingOptions } from './options.ts'
import { createRedirectApp, listenWithTls, type TlsListener } from './tls-listener.ts'
import type { EdgeTokens } from './tokens/edge-token.ts'
import type { DownstreamHoldings } from './usage/downstream-holdings.ts'
import type { EdgeUsage } from './usage/usage-interface.ts'
import { VERSION } from './version.ts'

/** Dependencies of a node. The caller starts and stops the node's parts (tokens, flags, storage and reports). */
export interface EdgeDeps {
  readonly options: ServingOptions
  readonly tokens: EdgeTokens
  readonly environments: Environments
  readonly profile: ProfileInUse
  readonly usage: EdgeUsage
  /** Records the revision that each caller has; undefined if there is no upstream to report it to. */
  readonly connections?: ConnectionBook | undefined
  /** Counts the pages that ask for flags; undefined if there is no upstream to report them to. */
  readonly pages?: PageBook | undefined
  /** Collects the reports of edges that use this one; undefined if there is no upstream to report them to. */
  readonly downstream?: Pick<DownstreamHoldings, 'accept'> | undefined
  /** Creates a span for each request; undefined if requests are not traced. */
  readonly tracer?: RequestTracer | undefined
  /** Sends decisions to a collector; undefined if none are sent. */
  readonly decisions?: DecisionLog | undefined
  /** Returns true once there are enough flags to answer requests. */
  readonly isReady: () => boolean
  /** Client keys of proxy SDKs. A client key that names no environment has the scope of the first start-up token. */
  readonly clientKeys: readonly string[]
  readonly firstToken: string | undefined
  readonly identity: NodeIdentity
  /** Metrics of the node's parts; the HTTP side adds its metrics. */
  readonly registry: SeriesRegistry
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  /** Process group of this process; undefined if there is none. */
  readonly group?: ProcessGroup | undefined
  /** Further endpoints, which check their callers themselves; none by default. */
  readonly furtherRoutes?: readonly Route<Access>[]
}

/** A node that answers requests and can be stopped. */
export interface BurgeeEdge {
  readonly app: App
  /** Returns true once there are enough flags to answer requests, until shutdown begins. */
  readonly isReady: () => boolean
  readonly series: SeriesRegistry
  /** Starts listening. Rejects with ListenError if the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /** Reports the node as not ready and closes each connection after its next reply. Listening continues. */
  drain(): void
  /** Replaces all client keys. */
  replaceClientKeys(clientKeys: readonly string[]): void
  /** Closes streams and in-flight requests. */
  close(): Promise<void>
}

/** Name and version for the build information metric. */
export const BUILD = { name: 'burgee_build_info', version: VERSION }
const BODY_LIMIT_BYTES = 100 * 1024
const MS_PER_SECOND = 1000

/** Creates the HTTP side of a node. Nothing runs before `listen`. */
export function createEdge(deps: EdgeDeps): BurgeeEdge {
  const { options, registry } = deps
  let isEnding = false
  const isReady = () => !isEnding && deps.isReady() && deps.group?.isReady() !== false
  const telemetry = createTelemetry({ ...deps, isReady })
  const sdks = createSdkServices(deps, telemetry)
  registerStreamSeries(registry, sdks.streams)
  watchCaches(registry, sdks)
  const process = registerProcessSeries(registry, BUILD)
  const keys = createProxyKeys(deps.clientKeys, deps.firstToken, deps.tokens)
  const { app, plain } = createApps(deps, { ...sdks, telemetry, keys, isReady })
  registerBodySeries(registry, app.bodies)
  let tls: TlsListener | undefined
  const closeAll = async () => {
    tls?.close()
    sdks.flagStreams.close()
    sdks.streams.close()
    process.close()
    await Promise.all([app.close(), plain?.close()])
  }
  let closing: Promise<void> | undefined
  return {
    app,
    isReady,
    series: registry,
    listen: async () => {
      const listener = plain ?? app
      const url = await listenOn(listener, getListenAddress(options))
      tls = await listenWithTls(options, app)
      const address = listener.server.address()
      return { url, port: typeof address === 'object' && address !== null ? address.port : options.port }
    },
    drain: () => {
      isEnding = true
      for (const one of [app, plain]) one?.drain()
      sdks.streams.drain(options.shutdownDelay * MS_PER_SECOND)
    },
    replaceClientKeys: (clientKeys) => keys.replace(clientKeys),
    close: () => {
      isEnding = true
      closing ??= closeAll()
      return closing
    },
  }
}

/** Returns the address at which the node listens, and the names of options that error messages mention. */
export function getListenAddress({
  port,
  interface: host,
  listenBacklog,
}: Pick<ServingOptions, 'port' | 'interface' | 'listenBacklog'>) {
  return { port, host, backlog: listenBacklog, portNames: 'PORT, --port', hostNames: 'INTERFACE, --interface' }
}

function watchCaches(registry: SeriesRegistry, sdks: ReturnType<typeof createSdkServices>): void {
  const caches = new CacheSeries(registry)
  caches.watch('downloads', () => sdks.downloads.getCacheStats())
  caches.watch('deltas', () => sdks.deltas.getCacheSize())
  caches.watch('stream-messages', () => sdks.flagStreams.getCacheSize())
  watchFrontends(caches, sdks.frontends)
}

/** Creates the caches, streams and evaluation targets that answer SDKs. */
function createSdkServices(deps: EdgeDeps, telemetry: Telemetry) {
  const { options, tokens, environments, profile, usage, logger, clock, monotonic, random } = deps
  const debug = createDebugLog(logger, options.logLevel)
  const { maxStreams } = options
  // the primary process of a group logs this warning for the whole group
  if (deps.group === undefined) warnAboutDescriptors({ maxStreams, variable: 'FLAG_MAX_STREAMS', logger })
  const streams = createBoundedStreams({ maxStreams, logger })
  const downloads = createDownloads(environments, { debug })
  const frontends = createFrontends({
    documents: environments,
    profile,
    downloads,
    logger,
    debug,
    clock,
    monotonic,
    random,
  })
  // subscribes before `TokenStreams`, so that the removal of a token is reported before its own streams end
  const tokenChanges = new EdgeTokenFeed(tokens, monotonic)
  const holders = new TokenStreams(tokens)
  const ofrepStreams = createOfrepStreams({ monotonic, frontends, streams, holders, tokens })
  const flagStreams = createFlagStreams({
    clock,
    logger,
    documents: environments,
    streams,
    holders,
    tokenChanges,
    propagated: telemetry.recordPropagation,
    commits: (listener) => environments.subscribe((environment) => listener(environment, clock())),
  })
  // an edge shares no database with other nodes, so it never waits for changes that other nodes made
  const deltas = createDeltas(environments, () => Promise.resolve())
  const targets = edgeTargets({
    frontends,
    ofrepStreams,
    usage,
    clock,
    logger,
    trust: getTrust(options),
    evaluations: telemetry.evaluations,
    repeats: telemetry.repeats,
    decisions: deps.decisions,
  })
  return { streams, downloads, deltas, flagStreams, frontends, ofrepStreams, targets }
}

interface AppParts extends ReturnType<typeof createSdkServices> {
  readonly telemetry: Telemetry
  readonly keys: ProxyKeys
  readonly isReady: () => boolean
}

/** Creates the app that answers requests and, if configured, the plain HTTP app that redirects to TLS. */
function createApps(deps: EdgeDeps, parts: AppParts): { readonly app: App; readonly plain: App | undefined } {
  const { options, tokens, logger, clientKeys, usage } = deps
  const ownRoutes = edgeRoutes({
    ...deps,
    ...parts,
    group: deps.group,
    getPendingUsage: () => usage.getStatus(),
    hasClientKeys: clientKeys.length > 0,
  })
  const routes = [...ownRoutes, ...(deps.furtherRoutes ?? [])]
  const renderError = withOfrepFailures(errorRenderer(logger, new Throttle()), options.basePath)
  const networkOf = networkReader(options)
  const bodies = new BodyBudget({ maxBytes: options.bodyMemoryLimit })
  const app = createApp<Access>({
    routes,
    world: undefined,
    basePath: options.basePath,
    order: 'authorize-first',
    logger,
    renderError,
    authorize: accessCheck({
      tokens,
      keys: parts.keys,
      header: getTokenHeader(options),
      networkOf,
    }),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    bodies,
    owners: (caller, token) => {
      const network = networkOf(caller)
      return token === undefined ? [network] : [network, `token ${token.id}`]
    },
    fastLane: options.httpFastLane,
    streams: parts.streams,
    tracer: deps.tracer,
    onReply: withResponseLog(parts.telemetry.countReply, createDebugLog(logger, options.logLevel)),
    limits: {
      requestTimeoutMs: options.edgeRequestTimeout * MS_PER_SECOND,
      headersTimeoutMs: options.edgeRequestTimeout * MS_PER_SECOND,
      keepAliveTimeoutMs: options.edgeKeepaliveTimeout * MS_PER_SECOND,
      closeGraceMs: getShutdownTimes(options.shutdownDelay).graceMs,
    },
    first: withPrivateHeaders(createPreRequestHook(options, createCorsHook(options, options.basePath, routes))),
  })
  const probes = routes.filter(({ url }) => (PROBES as readonly string[]).includes(url))
  const plain = options.redirectHttpToHttps
    ? createRedirectApp(options, probes, { logger, renderError, bodies })
    : undefined
  return { app, plain }
}

/** Creates the hook that checks the address of the caller before any other check. */
function createPreRequestHook(options: ServingOptions, cors: PreRequestHook): PreRequestHook {
  const rules = addressRules(
    options,
    PROBES.map((path) => `${options.basePath}${path}`.toLowerCase()),
  )
  return (caller) => {
    rules(caller)
    return cors(caller)
  }
}
