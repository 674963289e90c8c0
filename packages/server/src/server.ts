import type { AddressInfo } from 'node:net'
import { seriesOfBodies } from '@burgee/kit/http/body-budget'
import { explainListening } from '@burgee/kit/http/listening'
import type { RouteShape } from '@burgee/kit/http/route'
import { debugOf } from '@burgee/kit/log/logger'
import type { ClientFeatures } from '@burgee/protocol/feature'
import type { SeenContext } from '@burgee/serving/evaluation/evaluation-routes'
import type { FrontendScope } from '@burgee/serving/sdk/frontends'
import { createServerApp } from './http/app.ts'
import { beginLate, keptStartText, readKept } from './kept-start.ts'
import { openDatabase, openOrAwait } from './open-database.ts'
import { SERVER_OPTIONS, type ServerOptions } from './options.ts'
import type { ServerDeps } from './server-deps.ts'
import { closeAll, type Ending } from './server-end.ts'
import { delivererOf, deliveryMeansOf, limitsOf, sealingOf, smtpOf, type WorldParts, worldOf } from './server-parts.ts'
import { createPasswords, deriveByScrypt } from './services/access/passwords/passwords.ts'
import type { FirstLogin } from './services/access/people/first-login.ts'
import { FirstPassword } from './services/access/people/first-password.ts'
import { stillThere } from './services/access/tokens/token-cache.ts'
import { createTokenSharing } from './services/access/tokens/token-sharing.ts'
import { createChangeSchedule } from './services/change-requests/schedule.ts'
import { warnOfOnWithoutStrategy } from './services/features/last-enabled-strategy.ts'
import { createLifetimes } from './services/features/lifetimes.ts'
import { openTrafficSamples } from './services/impact/traffic-samples.ts'
import { StateKeeper } from './services/kept/state-keeper.ts'
import { createRetention } from './services/retention/retention.ts'
import { openScimAccess } from './services/scim/scim-access.ts'
import { resealSecrets } from './services/secrets/reseal-secrets.ts'
import { sealPlainSecrets } from './services/secrets/seal-plain-secrets.ts'
import type { ServerWorld } from './services/server-world.ts'
import { openSettings } from './services/settings.ts'
import { type OpenBroadcast, openBroadcast, renewWhereBehind } from './services/shared-broadcast.ts'
import { openSignInWays } from './services/sso/sign-in-ways.ts'
import { seedDemo } from './services/start/demo.ts'
import { setEnabledEnvironments } from './services/start/enabled-environments.ts'
import { firstContentOf } from './services/start/first-content.ts'
import { type FirstStartDeps, firstStart, type Start } from './services/start/first-start.ts'
import { type FirstStartOptions, parseInitTokens, warnOfWeakTokens } from './services/start/first-start-options.ts'
import { createTelemetry } from './services/telemetry.ts'
import type { Bucket } from './services/usage/usage.ts'
import type { World } from './services/world.ts'
import { type RunStage, startStages } from './start-stages.ts'
import { AwaitedDatabase } from './store/awaited-database.ts'
import type { Database } from './store/database.ts'
import { currentMark, type Revision } from './store/epochs.ts'
import { HeardDatabase } from './store/heard-database.ts'

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
  seen(scope: FrontendScope): SeenContext
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
  const first = firstStartOptions(options)
  warnOfWeakTokens(deps, first)
  const [sealing, smtp] = [sealingOf(deps), smtpOf(deps)]
  const runStage = startStages(options.databaseWait, { monotonic: deps.monotonic, warn: (line) => logger.warn(line) })
  const telemetry = createTelemetry({ limit: options.flagSeriesLimit, monotonic: deps.monotonic })
  const debug = debugOf(logger, options.logLevel)
  const kept = await readKept(options, logger)
  const db = await (kept.state === undefined ? openDatabase : openOrAwait)(options, {
    clock: deps.clock,
    debug,
    warn: (line) => logger.warn(line),
    info: (line) => logger.info(line),
    onQuery: (text, outcome) => {
      telemetry.query(outcome)
      deps.onQuery?.(text)
    },
  })
  let broadcast: OpenBroadcast | undefined
  try {
    const away = db instanceof AwaitedDatabase ? kept.state : undefined
    const mark = kept.state?.mark
    if (away !== undefined) logger.warn(keptStartText(away, deps.clock()))
    else if (mark !== undefined) await runStage(() => renewWhereBehind(db, mark))
    const seen = away?.mark ?? (await runStage(() => currentMark(db.reader)))
    const opening = () => openBroadcast(db, { logger, debug, clock: deps.clock }, away?.mark)
    broadcast = telemetry.counted(await runStage(opening), seen.id)
    const [passwords, opened] = [createPasswords(deriveByScrypt, deps.passwordCost), broadcast]
    const own = { ...deps, ...sealing, db, broadcast: opened, resourceLimits: limitsOf(options) }
    const password = new FirstPassword(passwords, first.password, deps.random)
    const starting = { passwords, options: first, password }
    const begin = () => begunOn(own, starting, options.enabledEnvironments, runStage)
    const begun = away === undefined ? await begin() : NOT_BEGUN
    const settings = await runStage(() => openSettings({ db, broadcast: opened }, options, away?.settings))
    const ways = await runStage(() => openWays(own, options, away !== undefined))
    const tokens = away?.tokens ?? (await runStage(() => stillThere(db.reader, kept.state?.tokens ?? [])))
    const heard = db.kind === 'postgres' ? heardOver(db, opened) : db
    const world = worldOf(deps, {
      db: heard,
      ...{ sealing, smtp, ways },
      deliveryMeans: deliveryMeansOf(deps, sealing),
      broadcast,
      passwords,
      settings,
      telemetry,
      away,
      tokens,
    })
    if (options.serverMetrics) telemetry.watch(world)
    const keeper = kept.file === undefined ? undefined : new StateKeeper({ ...world, broadcast }, kept.file)
    const deliverer = delivererOf(world, deps.deliveries)
    telemetry.watchKeeping(() => keeper?.keeping)
    if (!(db instanceof AwaitedDatabase)) {
      await runStage(() => warnOfOnWithoutStrategy(world))
      return serverOver(world, { options, broadcast, keeper, deliverer }, begun)
    }
    const later = beginLate(db, () => opened.look().then(() => beginOn(world, begin)), deps)
    return serverOver(world, { options, broadcast, keeper, deliverer, later }, begun)
  } catch (error) {
    await broadcast?.close()
    await db.close().catch((reason: unknown) => logger.error('The database could not be closed', reason))
    throw error
  }
}

/** Opens single sign-on, SCIM access and traffic samples. */
async function openWays(world: World, options: ServerOptions, isAway: boolean): Promise<WorldParts['ways']> {
  return {
    signIn: await openSignInWays(world, options, isAway),
    scim: await openScimAccess(world, isAway),
    traffic: await openTrafficSamples(world, isAway),
  }
}

/** Result of a start while the database is unavailable. */
const NOT_BEGUN: Start = { isNew: false, login: undefined }

/**
 * Milliseconds without an answer from the database after which requests fail instead of waiting. The database is polled
 * twice a second.
 */
const SILENCE_MS = 10_000

function heardOver(db: Database, { contact }: OpenBroadcast): HeardDatabase {
  return new HeardDatabase(
    db,
    () => contact().silentMs > SILENCE_MS,
    () => contact().trouble,
  )
}

/** Runs the steps that every start performs on its database. */
async function begunOn(
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
async function beginOn(world: ServerWorld, begin: () => Promise<Start>): Promise<Start> {
  const begun = await begin()
  await world.documents.readAll()
  await warnOfOnWithoutStrategy(world)
  return begun
}

/**
 * Returns the address that a server with these options listens on. Also used to check the address before a server
 * exists.
 */
export function listenAt({ port, host, listenBacklog }: Pick<ServerOptions, 'port' | 'host' | 'listenBacklog'>) {
  return { port, host, backlog: listenBacklog, portNames: 'PORT, --port', hostNames: 'HTTP_HOST, --host' }
}

function firstStartOptions(options: ServerOptions): FirstStartOptions {
  return {
    username: options.defaultAdminUsername,
    isNameGiven: options.defaultAdminUsername !== SERVER_OPTIONS.defaultAdminUsername.default,
    password: options.defaultAdminPassword === '' ? undefined : options.defaultAdminPassword,
    tokens: [
      ...parseInitTokens('INIT_ADMIN_API_TOKENS', 'admin', options.initAdminApiTokens),
      ...parseInitTokens('INIT_CLIENT_API_TOKENS', 'client', options.initClientApiTokens),
      ...parseInitTokens('INIT_FRONTEND_API_TOKENS', 'frontend', options.initFrontendApiTokens),
    ],
    content: firstContentOf(options),
  }
}

/** Parts of a server that are not in its world. */
interface Own extends Pick<Ending, 'options' | 'broadcast' | 'keeper' | 'deliverer'> {
  /** Remaining start steps, if the database was unavailable at the start; undefined if the start is complete. */
  readonly later?: Promise<Start | undefined>
}

function serverOver(world: ServerWorld, own: Own, { isNew, login: firstLogin }: Start): BurgeeServer {
  const { options, keeper, later } = own
  let isDraining = false
  const retention = createRetention(world, options)
  const { app, routes } = createServerApp(world, options, { isDraining: () => isDraining, sizes: retention.sizes })
  const lifetimes = createLifetimes(world, world.marks.moved)
  const schedule = createChangeSchedule(world)
  const tokenSharing = createTokenSharing(world)
  world.telemetry.watchSizes(retention.sizes)
  seriesOfBodies(world.telemetry.registry, app.bodies)
  let closing: Promise<void> | undefined
  return {
    app,
    routes,
    firstLogin,
    isNew,
    lateLogin: (later ?? Promise.resolve(undefined)).then((begun) => begun?.login),
    async listen() {
      const at = listenAt(options)
      if (later === undefined) await world.documents.readAll()
      await app.listen(at).catch((error: unknown) => {
        throw explainListening(error, at)
      })
      void (later ?? Promise.resolve()).then(() => {
        if (closing !== undefined) return
        lifetimes.start()
        retention.start()
        tokenSharing.start()
        schedule.start()
        own.deliverer.start()
        keeper?.start()
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
      closing ??= closeAll(app, { ...own, world, lifetimes, retention, schedule, tokenSharing })
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
