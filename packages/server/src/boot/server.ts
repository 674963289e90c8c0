import type { AddressInfo } from 'node:net'
import { registerBodySeries } from '@burgee/kit/http/body-budget'
import { toListenError } from '@burgee/kit/http/listening'
import type { RouteShape } from '@burgee/kit/http/route'
import { createDebugLog } from '@burgee/kit/log/logger'
import type { ClientFeatures } from '@burgee/protocol/feature'
import type { ContextListener } from '@burgee/serving/evaluation/evaluation-routes'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import { CircuitBreakerDatabase } from '@burgee/storage/circuit-breaker-database'
import type { Database } from '@burgee/storage/database'
import { type Revision, readPosition } from '@burgee/storage/epochs'
import { ReconnectingDatabase } from '@burgee/storage/reconnecting-database'
import type { FirstLogin } from '../admin/access/people/first-login.ts'
import { FirstPassword } from '../admin/access/people/first-password.ts'
import { createChangeSchedule } from '../admin/change-requests/schedule.ts'
import { warnOfEnabledWithoutStrategy } from '../admin/flags/last-enabled-strategy.ts'
import { createLifetimes } from '../admin/flags/lifetimes.ts'
import { createSearchIndexer } from '../admin/history/search-indexer.ts'
import { openTrafficSamples } from '../admin/impact/traffic-samples.ts'
import { createRetention } from '../admin/retention/retention.ts'
import { resealSecrets } from '../admin/secrets/reseal-secrets.ts'
import { openSignInMethods } from '../admin/sso/sign-in-methods.ts'
import { createPasswords, deriveByScrypt } from '../core/access/passwords/passwords.ts'
import { openScimAccess } from '../core/access/scim-access.ts'
import { readRemaining } from '../core/access/tokens/token-cache.ts'
import { createTokenSharing } from '../core/access/tokens/token-sharing.ts'
import { SERVER_OPTIONS, type ServerOptions } from '../core/options/options.ts'
import { sealPlainSecrets } from '../core/secrets/seal-plain-secrets.ts'
import type { ServerWorld } from '../core/server-world.ts'
import { openSettings } from '../core/settings.ts'
import { createTelemetry } from '../core/telemetry.ts'
import type { World } from '../core/world.ts'
import { renewEpochIfBehind } from '../delivery/events/epoch-renewal.ts'
import { type OpenBroadcast, openBroadcast } from '../delivery/events/shared-broadcast.ts'
import { SnapshotWriter } from '../delivery/snapshots/snapshot-writer.ts'
import type { Bucket } from '../delivery/usage/usage.ts'
import { createServerApp } from './app.ts'
import {
  composeWorld,
  createDeliverer,
  createDeliveryMeans,
  createMailTransport,
  createSealing,
  getResourceLimits,
  type WorldParts,
} from './composition.ts'
import type { ServerDeps } from './server-deps.ts'
import { closeAll, type ShutdownParts } from './shutdown.ts'
import { describeSnapshotStart, openWithSnapshot, readPreviousSnapshot, startWhenReachable } from './snapshot-start.ts'
import { seedDemo } from './start/demo.ts'
import { setEnabledEnvironments } from './start/enabled-environments.ts'
import { getFirstContent } from './start/first-content.ts'
import { type FirstStartDeps, firstStart, type Start } from './start/first-start.ts'
import { type FirstStartOptions, parseInitTokens, warnOfWeakTokens } from './start/first-start-options.ts'
import { type RunStage, startStages } from './start-stages.ts'

export type { ServerDeps } from './server-deps.ts'

/** Server that is connected to its database and answers requests. */
export interface BurgeeServer {
  /** HTTP app, for `inject` in tests and for further plugins before `listen`. */
  readonly app: ReturnType<typeof createServerApp>['app']
  /** All endpoints as data, for the documentation and for tests that check each endpoint. */
  readonly routes: readonly RouteShape[]
  /**
   * Credentials of the first login while nobody has used them. They were created at this start, or shortly before by
   * another server.
   */
  readonly firstLogin: FirstLogin | undefined
  /** True if this process is the first that started on this database. */
  readonly isNew: boolean
  /**
   * If the database was unavailable at the start: the first login, which is to be announced once the database can be
   * reached. Resolves to undefined in all other cases.
   */
  readonly lateLogin: Promise<FirstLogin | undefined>
  /** Accepts connections at the configured address. Throws ListenError. */
  listen(): Promise<{ url: string; port: number }>
  /**
   * Makes the readiness probe fail, and closes each connection after its next response. The server still accepts
   * connections.
   */
  drain(): void
  /**
   * Shuts down gracefully: stops accepting, finishes requests in flight, writes usage, closes the database. Each step
   * is limited to a few seconds.
   */
  close(): Promise<void>
  /** Returns the document that SDKs download, for a consumer in this process; `['*']` means all projects. */
  features(wanted: {
    readonly environment: string
    readonly projects: readonly string[]
  }): Promise<{ revision: Revision; document: ClientFeatures }>
  /**
   * Calls the listener after a change to the SDK document of an environment that was requested before. The request that
   * made the change waits up to one second for the listener's promise. Returns a function that unsubscribes.
   */
  onChange(listener: () => void | Promise<void>): () => void
  /** Records usage that a consumer in this process reports. */
  recordMetrics(environment: string, appName: string, bucket: Bucket): Promise<void>
  /**
   * Returns a function for a consumer in this process. The consumer calls it with each context for which it evaluates
   * flags of `scope`.
   */
  seen(scope: FrontendScope): ContextListener
  /** Marks flags that are older than the expected lifetime of their type; runs hourly after `listen`. */
  markOverdue(): Promise<void>
  /** Removes data whose retention period has passed; runs hourly after `listen`. */
  removeOld(): Promise<void>
  /** Applies the change requests that are scheduled for now or earlier; runs periodically after `listen`. */
  applyDue(): Promise<void>
  /** Writes usage that is buffered in memory. */
  flush(): Promise<void>
  /** Adds a few demo flags. Does not change existing flags. */
  seedDemo(): Promise<void>
}

/**
 * Opens the database (and locks its directory if it is embedded), creates the initial content on the first start, and
 * builds the HTTP app. Throws DirectoryInUse, FirstStartError, or errors of the file system or the database; in that
 * case everything is closed again.
 */
export async function createServer(deps: ServerDeps): Promise<BurgeeServer> {
  const { options, logger } = deps
  const first = toFirstStartOptions(options)
  warnOfWeakTokens(deps, first)
  const [sealing, smtp] = [createSealing(deps), createMailTransport(deps)]
  const runStage = startStages(options.databaseWait, { monotonic: deps.monotonic, warn: (line) => logger.warn(line) })
  const telemetry = createTelemetry({ limit: options.flagSeriesLimit, monotonic: deps.monotonic })
  const debug = createDebugLog(logger, options.logLevel)
  const kept = await readPreviousSnapshot(options, logger)
  const { db, away } = await openWithSnapshot(options, kept, {
    logger,
    clock: deps.clock,
    debug,
    warn: (line) => logger.warn(line),
    info: (line) => logger.info(line),
    onQuery: (text, outcome) => {
      telemetry.recordQuery(outcome)
      deps.onQuery?.(text)
    },
  })
  let broadcast: OpenBroadcast | undefined
  try {
    const mark = kept.access?.mark
    if (away !== undefined) logger.warn(describeSnapshotStart(away, deps.clock()))
    else if (mark !== undefined) await runStage(() => renewEpochIfBehind(db, mark))
    const seen = away?.mark ?? (await runStage(() => readPosition(db.reader)))
    const opening = () => openBroadcast(db, { logger, debug, clock: deps.clock }, away?.mark)
    broadcast = telemetry.wrapBroadcast(await runStage(opening), seen.id)
    const [passwords, opened] = [createPasswords(deriveByScrypt, deps.passwordCost), broadcast]
    const own = { ...deps, ...sealing, db, broadcast: opened, resourceLimits: getResourceLimits(options) }
    const password = new FirstPassword(passwords, first.password, deps.random)
    const starting = { passwords, options: first, password }
    const begin = () => runStartSteps(own, starting, options.enabledEnvironments, runStage)
    const begun = away === undefined ? await begin() : NOT_STARTED
    const settings = await runStage(() => openSettings({ db, broadcast: opened }, options, away?.settings))
    const ways = await runStage(() => openOptionalServices(own, options, away !== undefined))
    const tokens = away?.tokens ?? (await runStage(() => readRemaining(db.reader, kept.access?.tokens ?? [])))
    const heard = db.kind === 'postgres' ? withCircuitBreaker(db, opened) : db
    const world = composeWorld(deps, {
      db: heard,
      sealing,
      smtp,
      optionalServices: ways,
      deliveryMeans: createDeliveryMeans(deps, sealing),
      broadcast,
      passwords,
      settings,
      telemetry,
      fallbackSnapshot: away,
      tokens,
    })
    if (options.serverMetrics) telemetry.watch(world)
    const keeper = kept.file === undefined ? undefined : new SnapshotWriter({ ...world, broadcast }, kept.file)
    const deliverer = createDeliverer(world, deps.deliveries)
    telemetry.watchSnapshots(() => keeper?.status)
    if (!(db instanceof ReconnectingDatabase)) {
      await runStage(() => warnOfEnabledWithoutStrategy(world))
      return toBurgeeServer(world, { options, broadcast, snapshotWriter: keeper, deliverer }, begun)
    }
    const later = startWhenReachable(db, () => opened.poll().then(() => startLate(world, begin)), deps)
    return toBurgeeServer(world, { options, broadcast, snapshotWriter: keeper, deliverer, later }, begun)
  } catch (error) {
    await broadcast?.close()
    await db.close().catch((reason: unknown) => logger.error('The database could not be closed', reason))
    throw error
  }
}

/** Opens single sign-on, SCIM access and traffic samples. */
async function openOptionalServices(
  world: World,
  options: ServerOptions,
  isAway: boolean,
): Promise<WorldParts['optionalServices']> {
  return {
    signIn: await openSignInMethods(world, options, isAway),
    scim: await openScimAccess(world, isAway),
    traffic: await openTrafficSamples(world, isAway),
  }
}

/** Result of a start while the database is unavailable. */
const NOT_STARTED: Start = { isNew: false, login: undefined }

/**
 * Milliseconds without an answer from the database after which requests fail instead of waiting. The database is polled
 * twice a second.
 */
const MAX_SILENCE_MS = 10_000

function withCircuitBreaker(db: Database, { contact }: OpenBroadcast): CircuitBreakerDatabase {
  return new CircuitBreakerDatabase(
    db,
    () => contact().silentMs > MAX_SILENCE_MS,
    () => contact().lastError,
  )
}

/** Runs the steps that every start performs on its database. */
async function runStartSteps(
  world: World,
  starting: FirstStartDeps,
  enabledEnvironments: ServerOptions['enabledEnvironments'],
  runStage: RunStage,
): Promise<Start> {
  const start = await runStage(() => firstStart(world, starting))
  await runStage(() => sealPlainSecrets(world))
  await runStage(() => resealSecrets(world))
  if (enabledEnvironments !== undefined) await runStage(() => setEnabledEnvironments(world, enabledEnvironments))
  return start
}

/** Runs the start steps once a database that was unavailable can be reached, then reads the SDK documents. */
async function startLate(world: ServerWorld, begin: () => Promise<Start>): Promise<Start> {
  const begun = await begin()
  await world.documents.readInUse()
  await warnOfEnabledWithoutStrategy(world)
  return begun
}

/**
 * Returns the address that a server with these options listens on. Also used to check the address before a server
 * exists.
 */
export function getListenAddress({
  port,
  host,
  listenBacklog,
}: Pick<ServerOptions, 'port' | 'host' | 'listenBacklog'>) {
  return { port, host, backlog: listenBacklog, portNames: 'PORT, --port', hostNames: 'HTTP_HOST, --host' }
}

function toFirstStartOptions(options: ServerOptions): FirstStartOptions {
  return {
    username: options.defaultAdminUsername,
    isNameGiven: options.defaultAdminUsername !== SERVER_OPTIONS.defaultAdminUsername.default,
    password: options.defaultAdminPassword === '' ? undefined : options.defaultAdminPassword,
    tokens: [
      ...parseInitTokens('INIT_ADMIN_API_TOKENS', 'admin', options.initAdminApiTokens),
      ...parseInitTokens('INIT_CLIENT_API_TOKENS', 'client', options.initClientApiTokens),
      ...parseInitTokens('INIT_FRONTEND_API_TOKENS', 'frontend', options.initFrontendApiTokens),
    ],
    content: getFirstContent(options),
  }
}

/** Parts of a server that are not in its world. */
interface ServerParts extends Pick<ShutdownParts, 'options' | 'broadcast' | 'snapshotWriter' | 'deliverer'> {
  /** Remaining start steps, if the database was unavailable at the start; undefined if the start is complete. */
  readonly later?: Promise<Start | undefined>
}

function toBurgeeServer(world: ServerWorld, own: ServerParts, { isNew, login: firstLogin }: Start): BurgeeServer {
  const { options, snapshotWriter, later } = own
  let isDraining = false
  const retention = createRetention(world, options)
  const searchIndexer = createSearchIndexer(world)
  const { app, routes } = createServerApp(world, options, { isDraining: () => isDraining, sizes: retention.sizes })
  const lifetimes = createLifetimes(world, world.changeCounters.invalidate)
  const schedule = createChangeSchedule(world)
  const tokenSharing = createTokenSharing(world)
  world.telemetry.watchSizes(retention.sizes)
  registerBodySeries(world.telemetry.registry, app.bodies)
  let closing: Promise<void> | undefined
  return {
    app,
    routes,
    firstLogin,
    isNew,
    lateLogin: (later ?? Promise.resolve(undefined)).then((begun) => begun?.login),
    async listen() {
      const at = getListenAddress(options)
      if (later === undefined) await world.documents.readInUse()
      await app.listen(at).catch((error: unknown) => {
        throw toListenError(error, at)
      })
      void (later ?? Promise.resolve()).then(() => {
        if (closing !== undefined) return
        lifetimes.start()
        retention.start()
        searchIndexer.start()
        tokenSharing.start()
        schedule.start()
        own.deliverer.start()
        snapshotWriter?.start()
      })
      const { port } = app.server.address() as AddressInfo
      return { url: `http://localhost:${port}${options.baseUriPath}`, port }
    },
    drain() {
      isDraining = true
      app.drain()
      world.streams.drain(options.shutdownDelay * 1000)
    },
    close() {
      isDraining = true
      closing ??= closeAll(app, { ...own, world, lifetimes, retention, searchIndexer, schedule, tokenSharing })
      return closing
    },
    async features(wanted) {
      const { revision, features, segments } = await world.downloads.get(wanted, false)
      return { revision, document: { version: 2, features: [...features()], segments: [...segments] } }
    },
    onChange: (listener) => world.documents.subscribe(() => listener()),
    async recordMetrics(environment, appName, bucket) {
      const reporter = { key: `in process ${environment}`, environment, projects: ['*'], isPublic: true }
      world.usage.count(reporter, appName, bucket)
    },
    seen: (scope) => world.traffic.listener(scope),
    markOverdue: () => lifetimes.run(),
    removeOld: () => retention.run(),
    applyDue: () => schedule.run(),
    flush: () => world.usage.flush(),
    seedDemo: () => seedDemo(world),
  }
}
