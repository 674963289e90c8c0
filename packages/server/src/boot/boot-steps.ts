import { createDebugLog, type DebugLog } from '@burgee/kit/log/logger'
import type { OpenTelemetry } from '@burgee/kit/otel/collector-connection'
import { openTelemetry } from '@burgee/kit/otel/open-telemetry'
import { CircuitBreakerDatabase } from '@burgee/storage/circuit-breaker-database'
import type { Database } from '@burgee/storage/database'
import { FirstPassword } from '../admin/access/people/first-password.ts'
import { warnOfEnabledWithoutStrategy } from '../admin/flags/last-enabled-strategy.ts'
import { openTrafficSamples } from '../admin/impact/traffic-samples.ts'
import type { Send } from '../admin/mail/smtp.ts'
import { resealSecrets } from '../admin/secrets/reseal-secrets.ts'
import { openSignInMethods } from '../admin/sso/sign-in-methods.ts'
import { createPasswords, deriveByScrypt, type Passwords } from '../core/access/passwords/passwords.ts'
import { openScimAccess } from '../core/access/scim-access.ts'
import { readRemaining } from '../core/access/tokens/token-cache.ts'
import { toPostgresConfig } from '../core/options/database-options.ts'
import { getResourceLimits } from '../core/options/limit-options.ts'
import { SERVER_OPTIONS, type ServerOptions } from '../core/options/options.ts'
import { sealPlainSecrets } from '../core/secrets/seal-plain-secrets.ts'
import type { ServerWorld } from '../core/server-world.ts'
import { openSettings } from '../core/settings.ts'
import { createTelemetry, type Telemetry } from '../core/telemetry.ts'
import { VERSION } from '../core/version.ts'
import type { World } from '../core/world.ts'
import { renewEpochIfBehind } from '../delivery/events/epoch-renewal.ts'
import { type OpenBroadcast, openBroadcast } from '../delivery/events/shared-broadcast.ts'
import {
  composeWorld,
  createDeliveryMeans,
  createMailTransport,
  createSealing,
  type Sealing,
  type WorldParts,
} from './composition.ts'
import type { ServerDeps } from './server-deps.ts'
import {
  describeSnapshotStart,
  openWithSnapshot,
  type PreviousSnapshot,
  readPreviousSnapshot,
  type StartDatabase,
} from './snapshot-start.ts'
import { setEnabledEnvironments } from './start/enabled-environments.ts'
import { getFirstContent } from './start/first-content.ts'
import { firstStart, type Start } from './start/first-start.ts'
import { type FirstStartOptions, parseInitTokens, warnOfWeakTokens } from './start/first-start-options.ts'
import { type RunStage, startStages } from './start-stages.ts'

const INSTANCE_ID_BYTES = 8

/** Parts of a server that exist before its database is opened. */
export interface Boot {
  readonly deps: ServerDeps
  readonly firstStart: FirstStartOptions
  readonly sealing: Sealing
  /** Sends a mail; undefined if no mail server is configured. */
  readonly smtp: Send | undefined
  readonly passwords: Passwords
  readonly telemetry: Telemetry
  readonly debug: DebugLog | undefined
  /** Runs a step of the start, and repeats it while the database is unavailable. */
  readonly runStage: RunStage
  readonly snapshot: PreviousSnapshot
  /** Connection to an OpenTelemetry collector; undefined if the options name none. */
  readonly openTelemetry: OpenTelemetry | undefined
}

/** Checks the options, and creates all parts that do not need the database. Throws FirstStartError. */
export async function prepareBoot(deps: ServerDeps): Promise<Boot> {
  const { options, logger, monotonic } = deps
  const firstStartOptions = toFirstStartOptions(options)
  warnOfWeakTokens(deps, firstStartOptions)
  const telemetry = createTelemetry({ limit: options.flagSeriesLimit, monotonic })
  return {
    deps,
    firstStart: firstStartOptions,
    sealing: createSealing(deps),
    smtp: createMailTransport(deps),
    passwords: createPasswords(deriveByScrypt, deps.passwordCost),
    telemetry,
    debug: createDebugLog(logger, options.logLevel),
    runStage: startStages(options.databaseWait, { monotonic, warn: (line) => logger.warn(line) }),
    snapshot: await readPreviousSnapshot(options, logger),
    openTelemetry: await openServerTelemetry(deps, telemetry),
  }
}

function openServerTelemetry(deps: ServerDeps, telemetry: Telemetry): Promise<OpenTelemetry | undefined> {
  const { options, logger, clock, random } = deps
  return openTelemetry({
    options,
    serviceName: 'burgee-server',
    version: VERSION,
    instanceId: Buffer.from(random(INSTANCE_ID_BYTES)).toString('hex'),
    database: toPostgresConfig(options) === undefined ? 'sqlite' : 'postgresql',
    readMetrics: () => telemetry.snapshot(),
    logger,
    clock,
  })
}

/** Opens the database. If the database is unavailable but a snapshot can be served, opens the database later. */
export function connectDatabase({
  deps,
  debug,
  telemetry,
  snapshot,
  openTelemetry: otel,
}: Boot): Promise<StartDatabase> {
  const { options, clock, logger, onQuery } = deps
  return openWithSnapshot(options, snapshot, {
    logger,
    clock,
    debug,
    warn: (line) => logger.warn(line),
    info: (line) => logger.info(line),
    onQuery: (text, outcome) => {
      telemetry.recordQuery(outcome)
      otel?.tracing?.recordQuery({ text, ...outcome })
      onQuery?.(text)
    },
  })
}

/**
 * Starts a new database epoch if the database is older than the snapshot, and subscribes to the events of all nodes.
 */
export async function openEvents(boot: Boot, { db, away }: StartDatabase): Promise<OpenBroadcast> {
  const { deps, debug, runStage, snapshot, telemetry } = boot
  const { logger, clock, monotonic } = deps
  const previous = snapshot.access?.mark
  if (away !== undefined) logger.warn(describeSnapshotStart(away, clock()))
  else if (previous !== undefined) await runStage(() => renewEpochIfBehind(db, previous))
  const broadcast = await runStage(() => openBroadcast(db, { logger, debug, clock, monotonic }, away?.mark))
  return telemetry.wrapBroadcast(broadcast, broadcast.lastReceived().id)
}

/** Database that the start steps use, and the broadcast of its events. */
export interface BootStorage extends StartDatabase {
  readonly broadcast: OpenBroadcast
}

function composeStartWorld({ deps, sealing }: Boot, { db, broadcast }: BootStorage): World {
  return { ...deps, ...sealing, db, broadcast, resourceLimits: getResourceLimits(deps.options) }
}

/** Result of a start while the database was unavailable. */
export const NOT_STARTED: Start = { isNew: false, login: undefined }

/**
 * Returns the function that runs the start steps on the database. The steps create the content of a new database,
 * encrypt secrets, and enable the environments that the options name.
 */
export function createStartSteps(boot: Boot, storage: BootStorage): () => Promise<Start> {
  const { deps, passwords, runStage } = boot
  const { enabledEnvironments } = deps.options
  const world = composeStartWorld(boot, storage)
  const password = new FirstPassword(passwords, boot.firstStart.password, deps.random)
  const first = { passwords, options: boot.firstStart, password, progressLogger: deps.progressLogger }
  return async () => {
    const start = await runStage(() => firstStart(world, first))
    await runStage(() => sealPlainSecrets(world))
    await runStage(() => resealSecrets(world))
    if (enabledEnvironments !== undefined) await runStage(() => setEnabledEnvironments(world, enabledEnvironments))
    return start
  }
}

/**
 * Reads settings, login methods and known tokens (from the snapshot if the database is unavailable), and builds all
 * services.
 */
export async function loadWorld(boot: Boot, storage: BootStorage): Promise<ServerWorld> {
  const { deps, sealing, smtp, passwords, telemetry, runStage, snapshot } = boot
  const { options } = deps
  const { db, away, broadcast } = storage
  const startWorld = composeStartWorld(boot, storage)
  const settings = await runStage(() => openSettings({ db, broadcast }, options, away?.settings))
  const optionalServices = await runStage(() => openOptionalServices(startWorld, options, away !== undefined))
  const tokens = away?.tokens ?? (await runStage(() => readRemaining(db.reader, snapshot.access?.tokens ?? [])))
  const world = composeWorld(deps, {
    db: db.kind === 'postgres' ? withCircuitBreaker(db, broadcast) : db,
    sealing,
    smtp,
    optionalServices,
    deliveryMeans: createDeliveryMeans(deps, sealing),
    broadcast,
    passwords,
    settings,
    telemetry,
    decisions: boot.openTelemetry?.decisions,
    fallbackSnapshot: away,
    tokens,
  })
  if (options.serverMetrics || boot.openTelemetry !== undefined) telemetry.watch(world)
  return world
}

/** Loads the settings for single sign-on, SCIM access and traffic samples. */
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

function withCircuitBreaker(db: Database, { contact }: OpenBroadcast): CircuitBreakerDatabase {
  return new CircuitBreakerDatabase(
    db,
    () => contact().silentMs,
    () => contact().lastError,
  )
}

/**
 * Waits until a database that was unavailable can be reached, runs the start steps, and then reads the SDK documents.
 */
export async function startLate(world: ServerWorld, begin: () => Promise<Start>): Promise<Start> {
  const begun = await begin()
  await world.documents.readInUse()
  await warnOfEnabledWithoutStrategy(world)
  return begun
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
