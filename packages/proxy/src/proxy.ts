import { hostname } from 'node:os'
import { createApp as createHttpApp } from '@burgee/kit/app'
import { corsHeaders, preflight } from '@burgee/kit/cors'
import { createLogger, type Logger } from '@burgee/kit/logger'
import { secretsOf } from '@burgee/kit/options'
import type { FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import { accessCheck } from './access.ts'
import { ContextReader } from './context.ts'
import { errorRenderer } from './errors.ts'
import { evaluationRoutes } from './evaluation-routes.ts'
import { MetricsBucket } from './metrics.ts'
import { loadOptions, PROXY_OPTIONS, type ProxyConfig, type ProxyOptions } from './options.ts'
import { parseQueryString } from './query-string.ts'
import { type MetricsSink, Reporter } from './reporter.ts'
import { Repository } from './repository.ts'
import { sdkRoutes } from './sdk-routes.ts'
import { HttpSource, type Source } from './source.ts'
import { CLIENT_SPEC, Upstream } from './upstream.ts'
import { VERSION } from './version.ts'

/** The outside world, and parts that may be replaced: a source and a sink within the same process. */
export interface ProxyDeps {
  readonly options: ProxyOptions
  readonly logger: Logger
  readonly clock: () => number
  readonly random: () => number
  readonly source: Source
  readonly sink: MetricsSink
}

/** A proxy that can be started, asked and stopped. */
export interface BurgeeProxy {
  /** For `inject`; listening is what `listen` does. */
  readonly app: FastifyInstance
  /** True after the first successful sync. */
  readonly isReady: () => boolean
  /** Begins to synchronise and to listen. Rejects when the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /** Ends in-flight requests, hands over the metrics and stops. */
  close(): Promise<void>
}

const BODY_LIMIT_BYTES = 5_000_000
const CACHE_CONTROL = 'public, max-age=2'
const UPSTREAM_TIMEOUT_MS = 10_000
const MOST_UPSTREAM_BYTES = 512 * 1024 * 1024

/** Builds a proxy from its parts; nothing runs until `listen`. */
export function createProxy(deps: ProxyDeps): BurgeeProxy {
  const { options, logger, clock, random } = deps
  const onError = (error: unknown, strategy: string) => logger.error(`Custom strategy "${strategy}" failed`, error)
  const repository = new Repository({ logger, compileOptions: { clock, random, onError } })
  const bucket = new MetricsBucket(clock)
  const reporter = new Reporter({
    bucket,
    sink: deps.sink,
    intervalMs: options.metricsInterval,
    jitterMs: options.metricsJitter,
    random,
    logger,
  })
  const app = createHttpApp({ ...httpParts(deps, repository, bucket), logger })
  return {
    app,
    isReady: () => repository.state !== undefined,
    listen: async () => {
      const url = await app.listen({
        port: options.port,
        ...(options.host === undefined ? {} : { host: options.host }),
      })
      deps.source.start({
        accept: (document) => {
          repository.replace(document)
          if (repository.state?.revision === 1) logger.info('The features have come; the proxy is ready')
          reporter.start()
        },
        confirm: () => {},
        fail: () => {},
      })
      const address = app.server.address()
      return { url, port: typeof address === 'object' && address !== null ? address.port : options.port }
    },
    close: async () => {
      await deps.source.stop()
      await app.close()
      await reporter.stop()
    },
  }
}

function httpParts(deps: ProxyDeps, repository: Repository, bucket: MetricsBucket) {
  const { options, logger } = deps
  const cors = corsOptions(options)
  const prefix = '/proxy'
  const engine = () => {
    const { state } = repository
    if (state === undefined) throw new Error('The readiness check was passed over')
    return state.engine
  }
  const contexts = new ContextReader({
    appName: options.flagAppName,
    environment: options.environment,
    trustProxy: options.trustProxy,
    random: deps.random,
  })
  const common = { prefix, bucket, cacheControl: CACHE_CONTROL }
  return {
    routes: [
      ...evaluationRoutes({ ...common, engine, contexts, enableAllEndpoint: options.enableAllEndpoint }),
      ...sdkRoutes({ ...common, repository }),
    ],
    basePath: options.proxyBasePath,
    order: 'validate-first' as const,
    authorize: accessCheck({
      repository,
      clientKeys: options.clientKeys,
      serverTokens: options['expServerSideSdkConfig.tokens'] ?? [],
      headerName: options.clientKeysHeaderName,
    }),
    renderError: errorRenderer(logger),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    first: (caller: { method: string; headers: Parameters<typeof corsHeaders>[1] }) =>
      caller.method === 'OPTIONS' ? preflight(cors, caller.headers) : corsHeaders(cors, caller.headers),
  }
}

function corsOptions(options: ProxyOptions) {
  return {
    origin: options['cors.origin'],
    methods: options['cors.methods'],
    allowedHeaders: options['cors.allowedHeaders'],
    exposedHeaders: options['cors.exposedHeaders'],
    credentials: options['cors.credentials'],
    maxAgeSeconds: options['cors.maxAge'],
    optionsSuccessStatus: options['cors.optionsSuccessStatus'],
  }
}

/** The parts of a proxy that stands before an upstream over HTTP. */
export function upstreamParts(options: ProxyOptions, logger: Logger, clock: () => number, random: () => number) {
  const identity = {
    appName: options.flagAppName,
    instanceId: options.flagInstanceId ?? `${hostname()}-${process.pid}-${Math.floor(random() * 1e9).toString(36)}`,
    connectionId: crypto.randomUUID(),
    sdkVersion: `burgee-proxy:${VERSION}`,
  }
  const dispatcher = new Agent({ maxResponseSize: MOST_UPSTREAM_BYTES })
  const upstream = new Upstream({
    url: options.flagUrl,
    token: () => options.flagApiToken,
    identity,
    dispatcher,
    timeoutMs: UPSTREAM_TIMEOUT_MS,
    refreshIntervalMs: options.refreshInterval,
  })
  const source = new HttpSource({
    upstream,
    query: featureQuery(options),
    refreshIntervalMs: options.refreshInterval,
    random,
    logger,
  })
  const startedAt = new Date(clock()).toISOString()
  return { source, sink: upstreamSink(upstream, identity, startedAt, options) }
}

function upstreamSink(
  upstream: Upstream,
  identity: { appName: string; instanceId: string; connectionId: string; sdkVersion: string },
  started: string,
  options: ProxyOptions,
): MetricsSink {
  const platform = {
    platformName: 'node',
    platformVersion: process.version,
    yggdrasilVersion: null,
    specVersion: CLIENT_SPEC,
  }
  const { appName, instanceId, connectionId, sdkVersion } = identity
  return {
    register: () =>
      upstream.post('/client/register', {
        appName,
        instanceId,
        connectionId,
        sdkVersion,
        strategies: BUILT_IN_STRATEGIES,
        started,
        interval: options.metricsInterval,
        ...platform,
      }),
    send: (bucket) => upstream.post('/client/metrics', { appName, instanceId, connectionId, bucket, ...platform }),
  }
}

const BUILT_IN_STRATEGIES = [
  'default',
  'applicationHostname',
  'gradualRolloutRandom',
  'gradualRolloutUserId',
  'gradualRolloutSessionId',
  'userWithId',
  'remoteAddress',
  'flexibleRollout',
]

function featureQuery(options: ProxyOptions): URLSearchParams {
  const query = new URLSearchParams()
  if (options.projectName !== undefined) query.append('project', options.projectName)
  if (options.namePrefix !== undefined) query.append('namePrefix', options.namePrefix)
  for (const { type, value } of options.tags ?? []) query.append('tag', `${type}:${value}`)
  return query
}

/** A logger by the options: the custom one, or lines on standard output without the options' secrets. */
export function loggerOf(options: ProxyOptions, clock: () => number): Logger {
  const secrets = secretsOf(PROXY_OPTIONS, options)
  return (
    options.logger ??
    createLogger({
      level: options.logLevel,
      json: options.useJsonLogger,
      secrets: () => secrets,
      write: (line) => process.stdout.write(line),
      clock,
    })
  )
}

/** Starts a proxy with options from code, completed by the environment. Throws OptionsError for a bad option. */
export async function start(config: ProxyConfig = {}): Promise<BurgeeProxy & { readonly port: number }> {
  const options = loadOptions(config)
  const clock = Date.now
  const random = Math.random
  const logger = loggerOf(options, clock)
  const proxy = createProxy({ options, logger, clock, random, ...upstreamParts(options, logger, clock, random) })
  const { port } = await proxy.listen()
  return { ...proxy, port }
}
