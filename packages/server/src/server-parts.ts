import { debugOf } from '@burgee/kit/log/logger'
import { createBoundedStreams, warnOfDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { createDeltas } from '@burgee/serving/sdk/deltas'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { createFlagStreams } from '@burgee/serving/sdk/flag-streams'
import { postgresConfigOf } from './database-options.ts'
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
import { commitsOf } from './services/broadcast.ts'
import { createDocuments } from './services/documents/documents.ts'
import { FlagsAfter } from './services/documents/flags-after.ts'
import { createImpactDesk } from './services/impact/impact.ts'
import { Deliverer, PAUSES_MS } from './services/integrations/deliverer.ts'
import type { DeliveryMeans } from './services/integrations/delivery.ts'
import { seriesOfDeliveries } from './services/integrations/delivery-series.ts'
import { resolveBySystem } from './services/integrations/guarded-request.ts'
import { createMails } from './services/mail/letters.ts'
import { MAIL_PAUSES_MS } from './services/mail/mail-queue.ts'
import { createSmtp, type Send } from './services/mail/smtp.ts'
import { NewsFeed } from './services/news-feed.ts'
import { createReadableSecrets } from './services/secrets/readable-secrets.ts'
import { createSecrets, NO_KEY } from './services/secrets/secrets.ts'
import type { ServerWorld } from './services/server-world.ts'
import type { Settings } from './services/settings.ts'
import type { OpenBroadcast } from './services/shared-broadcast.ts'
import { createStorageBudget } from './services/storage-budget.ts'
import type { Telemetry } from './services/telemetry.ts'
import { createUsage } from './services/usage/usage.ts'
import type { World } from './services/world.ts'
import { type Database, generationOf } from './store/database.ts'
import { refuseUnstorable } from './store/errors.ts'
import { EventNames } from './store/events/event-names.ts'
import type { KeptState, KeptToken } from './store/kept/kept-state.ts'

/** Encryption of secrets that the server must be able to decrypt again. */
export type Sealing = Pick<World, 'secrets' | 'readableSecrets'>

type SealingOptions = Pick<ServerDeps['options'], 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'> &
  DatabaseChoice

/** Dependencies of `sealingOf`. */
export interface SealingDeps extends Pick<ServerDeps, 'random' | 'logger'> {
  readonly options: SealingOptions
}

/**
 * Creates the encryption of secrets from the options. Throws if API tokens must be readable although there is neither a
 * key nor a data directory to store one in.
 */
export function sealingOf({ options, random, logger }: SealingDeps): Sealing {
  const { secretKey: key, secretKeyPrevious: previous, apiTokenSecrets } = options
  const dataDir = postgresConfigOf(options) === undefined ? options.dataDir : undefined
  const secrets = createSecrets({ key, previous, dataDir, random })
  if (apiTokenSecrets === 'hashed') return { secrets }
  if (key === undefined && dataDir === undefined) throw new Error(`API_TOKEN_SECRETS is readable. ${NO_KEY}`)
  return { secrets, readableSecrets: createReadableSecrets(secrets, logger) }
}

/** Creates the dependencies of deliveries to integrations from the options. */
export function deliveryMeansOf({ options, clock, deliveries = {} }: ServerDeps, { secrets }: Sealing): DeliveryMeans {
  const { resolve = resolveBySystem } = deliveries
  const guard = { allowPrivate: options.integrationAllowPrivateAddresses, resolve }
  return { guard, secrets, baseUrl: publicUrl(options), clock }
}

/** Creates the sender of integration messages, which registers its metrics with the server's. */
export function delivererOf(world: ServerWorld, { pausesMs = PAUSES_MS }: ServerDeps['deliveries'] = {}): Deliverer {
  return new Deliverer(world, {
    ...world.deliveryMeans,
    pausesMs,
    series: seriesOfDeliveries(world.telemetry.registry),
  })
}

/** Returns the configured resource limits. */
export function limitsOf(options: ServerDeps['options']): World['resourceLimits'] {
  return { segmentValues: options.segmentValuesLimit, strategySegments: options.strategySegmentsLimit }
}

/** Creates the mail transport from the options. Throws OptionsError; warns about options that have no effect. */
export function smtpOf({ options, logger }: Pick<ServerDeps, 'options' | 'logger'>): Send | undefined {
  const idle = mailOptionsWithoutHost(options)
  if (idle.length > 0) {
    logger.warn(
      `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect: without EMAIL_HOST no mail is sent`,
    )
  }
  return createSmtp(options)
}

function mailsOf(world: World, { options, mails }: ServerDeps, send: Send | undefined, telemetry: Telemetry) {
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

/** Parts of a server that exist before `worldOf` combines them. */
export interface WorldParts {
  readonly db: Database
  readonly sealing: Sealing
  /** Sends a mail; undefined if no mail server is configured. */
  readonly smtp: Send | undefined
  /** Single sign-on, SCIM access and traffic samples. */
  readonly ways: Pick<ServerWorld, 'signIn' | 'scim' | 'traffic'>
  readonly deliveryMeans: DeliveryMeans
  readonly broadcast: OpenBroadcast
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
  /** Snapshot that is served until the database can be reached; undefined if the database is reachable. */
  readonly away: KeptState | undefined
  /** Tokens from the snapshot of the previous process. */
  readonly tokens: readonly KeptToken[]
}

/** Combines the parts of a server into its world: all services, and their dependencies. */
export function worldOf(
  deps: ServerDeps,
  { db, sealing, smtp, ways, deliveryMeans, broadcast, passwords, settings, telemetry, away, tokens }: WorldParts,
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
    debug: debugOf(logger, options.logLevel),
    ...sealing,
    resourceLimits: limitsOf(options),
    profile: options.evaluationProfile,
    flagsAfter: new FlagsAfter(() => generationOf(db)),
    storage: createStorageBudget(monotonic, options.readerStorageLimitPerHour),
  }
  const documents = createDocuments(base, away, () => broadcast.mark()?.id)
  const administration = createAdministration({ ...base, broadcast })
  const usage = createUsage(base, (counts) => {
    administration.marks.moved()
    telemetry.used(counts)
  })
  const failedLogins = createFailedLogins(base)
  const { maxStreams, maxStreamsPerUser } = options
  warnOfDescriptors({ maxStreams, variable: 'MAX_STREAMS', logger })
  const streams = createBoundedStreams({ maxStreams, maxStreamsPerUser, logger })
  const sessions = createSessions(base, passwords, {
    ttlHours: options.sessionTtlHours,
    mostPerUser: options.maxParallelSessions,
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
    downloads: createDownloads(documents, { debug: base.debug, check: refuseUnstorable }),
    deltas: createDeltas(documents, () => broadcast.look(), { check: refuseUnstorable }),
    streams,
    flagStreams: createFlagStreams<StreamHolder>({
      ...base,
      documents,
      streams,
      commits: commitsOf(broadcast),
      propagated: telemetry.propagated,
      tokenChanges,
      holders: new StreamHolders(base),
    }),
    usage,
    sessions: telemetry.countedLogins(sessions),
    deliveryMeans,
    rights,
    hidden,
    ...ways,
    impacts: createImpactDesk(clock, options.evaluationProfile),
    mails: mailsOf(base, deps, smtp, telemetry),
    news: new NewsFeed(base, { sessions, rights, hidden }),
  }
  return world
}
