import { createDebugLog } from '@burgee/kit/log/logger'
import { createBoundedStreams, warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { createDeltas } from '@burgee/serving/sdk/deltas'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { createFlagStreams } from '@burgee/serving/sdk/flag-streams'
import { toPostgresConfig } from './database-options.ts'
import { publicUrl } from './http/public-url.ts'
import { mailOptionsWithoutHost } from './mail-options.ts'
import type { DatabaseChoice } from './open-database.ts'
import type { ServerDeps } from './server-deps.ts'
import { createFailedLogins } from './services/access/logins/failed-logins.ts'
import { createLoginHistory } from './services/access/logins/login-history.ts'
import { createSessions } from './services/access/logins/sessions.ts'
import { type StreamHolder, StreamHolders } from './services/access/logins/stream-holders.ts'
import type { Passwords } from './services/access/passwords/passwords.ts'
import { createHiddenProjects } from './services/access/rights/hidden-projects.ts'
import { createPeopleRights } from './services/access/rights/people-rights.ts'
import { createSecurityLog } from './services/access/security/security-log.ts'
import { createTokenCache } from './services/access/tokens/token-cache.ts'
import { TokenWatch } from './services/access/tokens/token-watch.ts'
import { createAdministration } from './services/administration.ts'
import { createCommitSubscription } from './services/broadcast.ts'
import { createDocuments } from './services/documents/documents.ts'
import { CommittedFlags } from './services/documents/flags-after.ts'
import { createImpactEvaluator } from './services/impact/impact.ts'
import { Deliverer, PAUSES_MS } from './services/integrations/deliverer.ts'
import type { DeliveryMeans } from './services/integrations/delivery.ts'
import { createDeliverySeries } from './services/integrations/delivery-series.ts'
import { resolveBySystem } from './services/integrations/guarded-request.ts'
import { createMails } from './services/mail/letters.ts'
import { MAIL_PAUSES_MS } from './services/mail/mail-queue.ts'
import { createSmtp, type Send } from './services/mail/smtp.ts'
import { AdminEventStream } from './services/news-feed.ts'
import { createReadableSecrets } from './services/secrets/readable-secrets.ts'
import { createSecrets, NO_KEY } from './services/secrets/secrets.ts'
import type { ServerWorld } from './services/server-world.ts'
import type { Settings } from './services/settings.ts'
import type { OpenBroadcast } from './services/shared-broadcast.ts'
import { createStorageBudget } from './services/storage-budget.ts'
import type { Telemetry } from './services/telemetry.ts'
import { createUsage } from './services/usage/usage.ts'
import type { World } from './services/world.ts'
import { type Database, getGeneration } from './store/database.ts'
import { requireStorable } from './store/errors.ts'
import { EventNames } from './store/events/event-names.ts'
import type { LoadedSnapshot, SnapshotToken } from './store/kept/kept-state.ts'

/** Encryption of secrets that the server must be able to decrypt again. */
export type Sealing = Pick<World, 'secrets' | 'readableSecrets'>

type SealingOptions = Pick<ServerDeps['options'], 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'> &
  DatabaseChoice

/** Dependencies of `createSealing`. */
export interface SealingDeps extends Pick<ServerDeps, 'random' | 'logger'> {
  readonly options: SealingOptions
}

/**
 * Creates the encryption of secrets from the options. Throws if API tokens must be readable although there is neither a
 * key nor a data directory to store one in.
 */
export function createSealing({ options, random, logger }: SealingDeps): Sealing {
  const { secretKey: key, secretKeyPrevious: previous, apiTokenSecrets } = options
  const dataDir = toPostgresConfig(options) === undefined ? options.dataDir : undefined
  const secrets = createSecrets({ key, previous, dataDir, random })
  if (apiTokenSecrets === 'hashed') return { secrets }
  if (key === undefined && dataDir === undefined) throw new Error(`API_TOKEN_SECRETS is readable. ${NO_KEY}`)
  return { secrets, readableSecrets: createReadableSecrets(secrets, logger) }
}

/** Creates the dependencies of deliveries to integrations from the options. */
export function createDeliveryMeans(
  { options, clock, deliveries = {} }: ServerDeps,
  { secrets }: Sealing,
): DeliveryMeans {
  const { resolve = resolveBySystem } = deliveries
  const guard = { allowPrivate: options.integrationAllowPrivateAddresses, resolve }
  return { guard, secrets, baseUrl: publicUrl(options), clock }
}

/** Creates the sender of integration messages, which registers its metrics with the server's. */
export function createDeliverer(
  world: ServerWorld,
  { pausesMs = PAUSES_MS }: ServerDeps['deliveries'] = {},
): Deliverer {
  return new Deliverer(world, {
    ...world.deliveryMeans,
    pausesMs,
    series: createDeliverySeries(world.telemetry.registry),
  })
}

/** Returns the configured resource limits. */
export function getResourceLimits(options: ServerDeps['options']): World['resourceLimits'] {
  return { segmentValues: options.segmentValuesLimit, strategySegments: options.strategySegmentsLimit }
}

/** Creates the mail transport from the options. Throws OptionsError; warns about options that have no effect. */
export function createMailTransport({ options, logger }: Pick<ServerDeps, 'options' | 'logger'>): Send | undefined {
  const idle = mailOptionsWithoutHost(options)
  if (idle.length > 0) {
    logger.warn(
      `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect: without EMAIL_HOST no mail is sent`,
    )
  }
  return createSmtp(options)
}

function composeMails(world: World, { options, mails }: ServerDeps, send: Send | undefined, telemetry: Telemetry) {
  if (send === undefined) return undefined
  return createMails(world, {
    send,
    logger: world.logger,
    url: publicUrl(options),
    pausesMs: mails?.pausesMs ?? MAIL_PAUSES_MS,
    mails: telemetry.registry.counter(
      'burgee_mails_total',
      'Mails by template and result: success, retry, failure (given up), dropped.',
    ),
  })
}

/** Parts of a server that exist before `composeWorld` combines them. */
export interface WorldParts {
  readonly db: Database
  readonly sealing: Sealing
  /** Sends a mail; undefined if no mail server is configured. */
  readonly smtp: Send | undefined
  /** Single sign-on, SCIM access and traffic samples. */
  readonly optionalServices: Pick<ServerWorld, 'signIn' | 'scim' | 'traffic'>
  readonly deliveryMeans: DeliveryMeans
  readonly broadcast: OpenBroadcast
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
  /** Snapshot that is served until the database can be reached; undefined if the database is reachable. */
  readonly fallbackSnapshot: LoadedSnapshot | undefined
  /** Tokens from the snapshot of the previous process. */
  readonly tokens: readonly SnapshotToken[]
}

/** Combines the parts of a server into its world: all services, and their dependencies. */
export function composeWorld(
  deps: ServerDeps,
  {
    db,
    sealing,
    smtp,
    optionalServices,
    deliveryMeans,
    broadcast,
    passwords,
    settings,
    telemetry,
    fallbackSnapshot,
    tokens,
  }: WorldParts,
): ServerWorld {
  const { options, clock, monotonic, random, logger, securityLogger = logger } = deps
  const security = options.securityLog ? createSecurityLog(securityLogger, monotonic) : undefined
  const base: World = {
    db,
    clock,
    monotonic,
    random,
    logger,
    broadcast,
    security,
    debug: createDebugLog(logger, options.logLevel),
    ...sealing,
    resourceLimits: getResourceLimits(options),
    profile: options.evaluationProfile,
    committedFlags: new CommittedFlags(() => getGeneration(db)),
    storage: createStorageBudget(monotonic, options.readerStorageLimitPerHour),
  }
  const documents = createDocuments(base, fallbackSnapshot, () => broadcast.position()?.id)
  const administration = createAdministration({ ...base, broadcast })
  const usage = createUsage(base, (counts) => {
    administration.changeCounters.invalidate()
    telemetry.recordUsage(counts)
  })
  const failedLogins = createFailedLogins(base)
  const { maxStreams, maxStreamsPerUser } = options
  warnAboutDescriptors({ maxStreams, variable: 'MAX_STREAMS', logger })
  const streams = createBoundedStreams({ maxStreams, maxStreamsPerUser, logger })
  const sessions = createSessions(base, passwords, {
    ttlHours: options.sessionTtlHours,
    maxPerUser: options.maxParallelSessions,
    failed: failedLogins,
  })
  const rights = createPeopleRights(base)
  const hidden = createHiddenProjects(base)
  // must subscribe first, so that it is notified of a deleted token before the streams of that token end
  const tokenChanges = new TokenWatch(base)
  const world: ServerWorld = {
    ...base,
    ...administration,
    settings,
    telemetry,
    passwords,
    eventNames: new EventNames(),
    failedLogins,
    logins: createLoginHistory(base),
    tokens: createTokenCache(base, tokens),
    documents,
    contact: () => broadcast.contact(),
    downloads: createDownloads(documents, { debug: base.debug, check: requireStorable }),
    deltas: createDeltas(documents, () => broadcast.poll(), { check: requireStorable }),
    streams,
    flagStreams: createFlagStreams<StreamHolder>({
      ...base,
      documents,
      streams,
      commits: createCommitSubscription(broadcast),
      propagated: telemetry.recordPropagation,
      tokenChanges,
      holders: new StreamHolders(base),
    }),
    usage,
    sessions: telemetry.wrapSessions(sessions),
    deliveryMeans,
    rights,
    hidden,
    ...optionalServices,
    impacts: createImpactEvaluator(clock, options.evaluationProfile),
    mails: composeMails(base, deps, smtp, telemetry),
    adminEvents: new AdminEventStream(base, { sessions, rights, hidden }),
  }
  return world
}
