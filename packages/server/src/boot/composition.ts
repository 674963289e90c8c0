import { hostname } from 'node:os'
import { createDebugLog } from '@burgee/kit/log/logger'
import { getImpactLimits } from '@burgee/serving/impact/impact-options'
import { createBoundedStreams, warnAboutDescriptors } from '@burgee/serving/sdk/bounded-streams'
import { createDeltas } from '@burgee/serving/sdk/deltas'
import { createDownloads } from '@burgee/serving/sdk/downloads'
import { createFlagStreams } from '@burgee/serving/sdk/flag-streams'
import type { Database } from '@burgee/storage/database'
import { requireStorable } from '@burgee/storage/errors'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import type { OpenedSnapshot, SnapshotToken } from '@burgee/storage/queries/snapshot/snapshot-state'
import { AuditExporter } from '../admin/audit-export/audit-exporter.ts'
import { createSender } from '../admin/audit-export/event-receivers.ts'
import { createAuditExportSeries } from '../admin/audit-export/export-series.ts'
import { AdminEventStream } from '../admin/events/admin-event-stream.ts'
import { createImpactEvaluator } from '../admin/impact/impact.ts'
import { PrometheusReads } from '../admin/impact-metrics/prometheus-reads.ts'
import { Deliverer, PAUSES_MS } from '../admin/integrations/deliverer.ts'
import { createDeliverySeries } from '../admin/integrations/delivery-series.ts'
import { resolveBySystem } from '../admin/integrations/guarded-request.ts'
import type { DeliveryMeans } from '../admin/integrations/integration-delivery.ts'
import { createMails } from '../admin/mail/email-messages.ts'
import { createMailCounter, MAIL_PAUSES_MS } from '../admin/mail/mail-queue.ts'
import { createSmtp, type Send } from '../admin/mail/smtp.ts'
import { createFailedLogins } from '../core/access/logins/failed-login-counts.ts'
import { createLoginHistory } from '../core/access/logins/login-history.ts'
import { createSessions } from '../core/access/logins/sessions.ts'
import { type StreamHolder, StreamHolders } from '../core/access/logins/stream-holders.ts'
import type { Passwords } from '../core/access/passwords/passwords.ts'
import { createHiddenProjects } from '../core/access/rights/hidden-projects.ts'
import { createPeopleRights } from '../core/access/rights/people-rights.ts'
import { createSecurityLog } from '../core/access/security/security-log.ts'
import { createTokenCache } from '../core/access/tokens/token-cache.ts'
import { TokenWatch } from '../core/access/tokens/token-watch.ts'
import { createAdministration } from '../core/administration.ts'
import { createCallers } from '../core/http/callers.ts'
import { publicUrl } from '../core/http/public-url.ts'
import { getAuditReceiver } from '../core/options/audit-export-options.ts'
import { toPostgresConfig } from '../core/options/database-options.ts'
import { requireEncryptedMail } from '../core/options/encryption-options.ts'
import { getResourceLimits } from '../core/options/limit-options.ts'
import { mailOptionsWithoutHost } from '../core/options/mail-options.ts'
import { createReadableSecrets } from '../core/secrets/readable-secrets.ts'
import { createSecrets, NO_KEY } from '../core/secrets/secrets.ts'
import type { ServerWorld } from '../core/server-world.ts'
import type { Settings } from '../core/settings.ts'
import { createStorageBudget } from '../core/storage-budget.ts'
import type { Telemetry } from '../core/telemetry.ts'
import type { World } from '../core/world.ts'
import { createDocuments } from '../delivery/documents/documents.ts'
import { createCommitSubscription } from '../delivery/events/broadcast.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import { FleetBook } from '../delivery/fleet/fleet-book.ts'
import { createImpactReports } from '../delivery/impact/impact-reports.ts'
import { withRunDocuments } from '../delivery/test-runs/run-documents.ts'
import { withRunTokens } from '../delivery/test-runs/run-tokens.ts'
import { TestRuns } from '../delivery/test-runs/test-runs.ts'
import { createUsage } from '../delivery/usage/usage-buffer.ts'
import type { DatabaseChoice } from './open-database.ts'
import type { ServerDeps } from './server-deps.ts'

/** Encryption of secrets that the server must be able to decrypt again. */
export type Sealing = Pick<World, 'secrets' | 'readableSecrets'>

type SealingOptions = Pick<ServerDeps['options'], 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'> &
  DatabaseChoice

/** Dependencies of `createSealing`. */
export interface SealingDeps extends Pick<ServerDeps, 'random' | 'logger'> {
  readonly options: SealingOptions
}

/**
 * Creates the encryption of secrets from the options. Throws if API tokens must be readable but there is neither a key
 * nor a data directory that could store a key.
 */
export function createSealing({ options, random, logger }: SealingDeps): Sealing {
  const { secretKey: key, secretKeyPrevious: previous, apiTokenSecrets } = options
  const dataDir = toPostgresConfig(options) === undefined ? options.dataDir : undefined
  const secrets = createSecrets({ key, previous, dataDir, random })
  if (apiTokenSecrets === 'hashed') return { secrets }
  if (key === undefined && dataDir === undefined) throw new Error(`API_TOKEN_SECRETS is readable. ${NO_KEY}`)
  return { secrets, readableSecrets: createReadableSecrets(secrets, logger) }
}

/** Creates what the delivery of events to integrations depends on, from the options. */
export function createDeliveryMeans(
  { options, clock, deliveries = {} }: ServerDeps,
  { secrets }: Sealing,
): DeliveryMeans {
  const { resolve = resolveBySystem } = deliveries
  const {
    integrationAllowPrivateAddresses: allowPrivate,
    integrationAllowedHosts: allowedHosts,
    requireEncryption,
  } = options
  const guard = { allowPrivate, allowedHosts, requireEncryption, resolve }
  return { guard, secrets, baseUrl: publicUrl(options), clock }
}

/** Creates the sender of integration messages, and registers its metrics. */
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

/** Creates the export of events, and registers its metrics; returns undefined if the options name no receiver. */
export function createAuditExporter(
  world: ServerWorld,
  { options, deliveries: { exportEveryMs, resolve = resolveBySystem } = {} }: ServerDeps,
): AuditExporter | undefined {
  const receiver = getAuditReceiver(options)
  if (receiver === undefined) return undefined
  const { requireEncryption, auditExportStart } = options
  return new AuditExporter(world, {
    send: createSender(receiver, { resolve, requireEncryption, hostname: hostname() }),
    series: createAuditExportSeries(world.telemetry.registry),
    startsWithAll: auditExportStart === 'all',
    receiver: receiver.url.host,
    ...(exportEveryMs === undefined ? {} : { everyMs: exportEveryMs }),
  })
}

/** Creates the mail transport from the options. Throws OptionsError; warns about options that have no effect. */
export function createMailTransport({ options, logger }: Pick<ServerDeps, 'options' | 'logger'>): Send | undefined {
  const idle = mailOptionsWithoutHost(options)
  if (idle.length > 0) {
    logger.warn(
      `${idle.join(', ')} ${idle.length === 1 ? 'has' : 'have'} no effect: without EMAIL_HOST no mail is sent`,
    )
  }
  return createSmtp(requireEncryptedMail(options))
}

function composeMails(world: World, { options, mails }: ServerDeps, send: Send | undefined, telemetry: Telemetry) {
  if (send === undefined) return undefined
  return createMails(world, {
    send,
    logger: world.logger,
    url: publicUrl(options),
    pausesMs: mails?.pausesMs ?? MAIL_PAUSES_MS,
    mails: createMailCounter(telemetry.registry),
  })
}

/** Parts of a server that exist before `composeWorld` combines them. */
export interface WorldParts {
  readonly db: Database
  readonly sealing: Sealing
  /** Sends a mail; undefined if no mail server is configured. */
  readonly smtp: Send | undefined
  /** Services for single sign-on, SCIM access and traffic samples. */
  readonly optionalServices: Pick<ServerWorld, 'signIn' | 'scim' | 'traffic'>
  readonly deliveryMeans: DeliveryMeans
  readonly broadcast: OpenBroadcast
  readonly passwords: Passwords
  readonly settings: Settings
  readonly telemetry: Telemetry
  readonly decisions: ServerWorld['decisions']
  /** Snapshot that is served until the database can be reached; undefined if the database is already reachable. */
  readonly fallbackSnapshot: OpenedSnapshot | undefined
  /** Tokens in the snapshot that the previous process has written. */
  readonly tokens: readonly SnapshotToken[]
}

/** Builds what changes and queries depend on: database, clocks, logs, secrets and limits. */
function composeBase(deps: ServerDeps, { db, sealing, broadcast }: WorldParts): World {
  const { options, clock, monotonic, random, logger, securityLogger = logger } = deps
  const security = options.securityLog ? createSecurityLog(securityLogger, monotonic) : undefined
  return {
    db,
    clock,
    monotonic,
    random,
    logger,
    broadcast,
    security,
    onEvents: deps.onEvents,
    onSafeguardCheck: deps.onSafeguardCheck,
    debug: createDebugLog(logger, options.logLevel),
    ...sealing,
    resourceLimits: getResourceLimits(options),
    profile: options.evaluationProfile,
    storage: createStorageBudget(monotonic, options.readerStorageLimitPerHour),
  }
}

/** Creates the downloads, deltas and streams that SDKs read flags from. */
function composeSdkServices(
  base: World,
  {
    documents,
    broadcast,
    streams,
    tokenChanges,
    telemetry,
  }: Pick<ServerWorld, 'documents' | 'streams'> &
    Pick<WorldParts, 'broadcast' | 'telemetry'> & { readonly tokenChanges: TokenWatch },
): Pick<ServerWorld, 'downloads' | 'deltas' | 'streams' | 'flagStreams'> {
  return {
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
  }
}

function composeFleet(
  { options }: ServerDeps,
  base: World,
  { documents, broadcast, telemetry }: Pick<ServerWorld, 'documents'> & Pick<WorldParts, 'broadcast' | 'telemetry'>,
): FleetBook {
  return new FleetBook(base, {
    delivered: telemetry.recordDelivery,
    getNetwork: createCallers(options).getNetwork,
    documents,
    subscribe: broadcast.subscribeToNodes,
  })
}

/** Combines the parts of a server into its world, which contains all services and their dependencies. */
export function composeWorld(deps: ServerDeps, parts: WorldParts): ServerWorld {
  const { smtp, optionalServices, deliveryMeans, broadcast, passwords, settings, telemetry } = parts
  const { options, clock, logger } = deps
  const base = composeBase(deps, parts)
  // must subscribe before the documents and streams, which read the runs that an event has changed
  const testRuns = new TestRuns(base)
  const environments = createDocuments(base, parts.fallbackSnapshot, () => broadcast.position()?.id)
  const documents = withRunDocuments(environments, testRuns, logger)
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
  // must subscribe before the streams do, so that it receives the deletion of a token before the token's streams end
  const tokenChanges = new TokenWatch(base)
  const fleet = composeFleet(deps, base, { documents, broadcast, telemetry })
  const world: ServerWorld = {
    ...base,
    ...administration,
    settings,
    telemetry,
    decisions: parts.decisions,
    passwords,
    eventNames: new EventNames(),
    failedLogins,
    logins: createLoginHistory(base),
    tokens: withRunTokens(createTokenCache(base, parts.tokens), testRuns),
    testRuns,
    documents,
    contact: () => broadcast.contact(),
    ...composeSdkServices(base, { documents, broadcast, streams, tokenChanges, telemetry }),
    usage,
    fleet,
    impactReports: createImpactReports(base, {
      limits: getImpactLimits(options),
      isExposed: options.exposeImpactMetrics,
    }),
    sessions: telemetry.wrapSessions(sessions),
    deliveryMeans,
    prometheusReads: new PrometheusReads(),
    rights,
    hidden,
    ...optionalServices,
    impacts: createImpactEvaluator(clock, options.evaluationProfile),
    mails: composeMails(base, deps, smtp, telemetry),
    adminEvents: new AdminEventStream({ ...base, fleet }, { sessions, rights, hidden }),
  }
  return world
}
