import { createDebugLog, type Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { SeriesRegistry } from '@burgee/kit/series/series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { getImpactLimits } from '@burgee/serving/impact/impact-options'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { createEnvironments } from './environments/edge-environments.ts'
import type { Environments } from './environments/environments.ts'
import { networkReader } from './http/address-rules.ts'
import type { NodeIdentity } from './http/backstage-routes.ts'
import { type EdgeOptions, getMetricsIntervalMs, getRefreshIntervalMs } from './options.ts'
import { createReadinessCheck } from './readiness.ts'
import type { EdgeSnapshot, EdgeStorage } from './storage/edge-storage.ts'
import { FolderStorage } from './storage/folder-storage.ts'
import { RedisStorage } from './storage/redis-storage.ts'
import { SnapshotWriter } from './storage/snapshot-writer.ts'
import { TokenRegistry } from './tokens/token-registry.ts'
import { HttpUpstream, type HttpUpstreamDeps } from './upstream/http-upstream.ts'
import type { EdgeUpstream } from './upstream/upstream-interface.ts'
import { upstreamConnections } from './upstream-connections.ts'
import { createUsage } from './usage/bulk-reporter.ts'
import { HoldingsReporter } from './usage/holdings-reporter.ts'
import type { SharedUsage } from './usage/usage-interface.ts'
import { registerUsageSeries } from './usage/usage-series.ts'
import { VERSION } from './version.ts'

/** Parts of a node with an upstream: its tokens, flags, storage and reports. */
export interface EdgeParts {
  readonly tokens: TokenRegistry
  readonly environments: Environments
  readonly profile: AnnouncedProfile
  readonly usage: SharedUsage
  readonly holdings: HoldingsReporter
  /** Returns true once there are enough flags to answer requests. */
  readonly isReady: () => boolean
  /** Loads the stored state and starts to send requests to the upstream. */
  start(): void
  /** Delivers the last reports, stores the state, and releases all resources. */
  close(): Promise<void>
}

/** Dependencies of `createParts`. */
export interface EdgePartsDeps {
  readonly options: EdgeOptions
  readonly identity: NodeIdentity
  readonly registry: SeriesRegistry
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
}

const MS_PER_SECOND = 1000
/**
 * Time that, added to the request timeout of the upstream, is the maximum wait for the first flags of an environment.
 */
const FIRST_DATA_EXTRA_MS = 1000

/** Returns the maximum time that a caller waits for the first flags of an environment, in milliseconds. */
export function getFirstDataLimitMs({ upstreamRequestTimeout }: Pick<EdgeOptions, 'upstreamRequestTimeout'>): number {
  return upstreamRequestTimeout * MS_PER_SECOND + FIRST_DATA_EXTRA_MS
}

/** Creates the parts. Throws OptionsError if a file cannot be read, and Error for a malformed token. */
export function createParts(deps: EdgePartsDeps): EdgeParts {
  const { options, registry, logger, clock, monotonic, random } = deps
  const debug = createDebugLog(logger, options.logLevel)
  const profile = new AnnouncedProfile({ configured: options.evaluationProfile, fallback: 'yggdrasil' })
  const upstream = createUpstream(deps, {
    onRejected: (token) => void tokens.handleRejectedFetch(token),
    onTokenChanges: (changes) => tokens.applyChanges(changes),
    onProfile: (name) => profile.applyAnnouncement(name),
  })
  const tokens: TokenRegistry = new TokenRegistry({
    upstream,
    monotonic,
    random,
    logger,
    isDynamic: options.dynamic,
    startTokens: options.tokens ?? [],
    pretrustedTokens: options.pretrustedTokens ?? [],
    guessLimitPerMinute: options.tokenGuessLimitPerMinute,
    revalidationIntervalMs: options.tokenRevalidationIntervalSeconds * MS_PER_SECOND,
  })
  const { fetching } = tokens
  const environments = createEnvironments({
    fetching,
    clock,
    random,
    logger,
    debug,
    createSource: (token: string) => upstream.createSource(token),
    firstDataLimitMs: getFirstDataLimitMs(options),
  })
  const intervalMs = getMetricsIntervalMs(options)
  const impactLimits = getImpactLimits(options)
  const times = { clock, monotonic, random, logger, debug }
  const usage = createUsage({ upstream, fetching, intervalMs, impactLimits, ...times })
  const isSupported = () => profile.announced !== undefined
  const getNetwork = networkReader(options)
  const holdings = new HoldingsReporter({ upstream, fetching, environments, isSupported, getNetwork, clock, debug })
  registerUsageSeries(registry, usage)
  registerImpactRefusals(registry, usage.refusals)
  const writer = createSnapshotWriter(deps, { tokens, environments, profile })
  return {
    tokens,
    environments,
    profile,
    usage,
    holdings,
    isReady: createReadinessCheck(options, tokens, environments),
    start: () => {
      tokens.start()
      if (intervalMs > 0) holdings.start()
      void writer?.load((snapshot) => restoreSnapshot(snapshot, { tokens, environments, profile }))
    },
    close: async () => {
      const { flushMs, freeMs } = getShutdownTimes(options.shutdownDelay)
      await Promise.all([usage.close(flushMs), holdings.close(flushMs), writer?.close(flushMs)])
      tokens.close()
      await Promise.race([environments.close(), new Promise((resolve) => setTimeout(resolve, freeMs).unref())])
      await upstream.close()
    },
  }
}

/** Uses the snapshot of an earlier start until the upstream responds. */
async function restoreSnapshot(
  snapshot: EdgeSnapshot,
  { tokens, environments, profile }: Pick<EdgeParts, 'tokens' | 'environments' | 'profile'>,
): Promise<void> {
  if (profile.announced === undefined) profile.applyAnnouncement(snapshot.profile)
  tokens.restore(snapshot.tokens)
  await environments.restore(snapshot.documents)
}

function createUpstream(
  deps: EdgePartsDeps,
  listeners: Pick<HttpUpstreamDeps, 'onRejected' | 'onTokenChanges' | 'onProfile'>,
): EdgeUpstream {
  const { options, identity, logger, monotonic, random } = deps
  const { appName, instanceId } = identity
  return new HttpUpstream({
    url: options.upstreamUrl,
    identity: { appName, instanceId, connectionId: crypto.randomUUID(), sdkVersion: `burgee-edge:${VERSION}` },
    dispatcher: upstreamConnections(options),
    timeoutMs: options.upstreamRequestTimeout * MS_PER_SECOND,
    refreshIntervalMs: getRefreshIntervalMs(options),
    metricsIntervalMs: getMetricsIntervalMs(options),
    streaming: options.streaming,
    tokenHeader: options.tokenHeader ?? options.upstreamAuthHeader,
    headers: Object.fromEntries(options.customClientHeaders),
    ...listeners,
    monotonic,
    random,
    logger,
    debug: createDebugLog(logger, options.logLevel),
  })
}

function createSnapshotWriter(
  deps: EdgePartsDeps,
  { tokens, environments, profile }: Pick<EdgeParts, 'tokens' | 'environments' | 'profile'>,
): SnapshotWriter | undefined {
  const storage = createStorage(deps)
  if (storage === undefined) return undefined
  const now = (): EdgeSnapshot => ({
    tokens: toSnapshotTokens(tokens),
    documents: environments.documents(),
    profile: profile.announced,
  })
  const keeping = new SnapshotWriter({ storage, takeSnapshot: now, ...deps })
  tokens.subscribe({ added: () => keeping.markChanged('soon'), removed: () => keeping.markChanged('soon') })
  environments.subscribe(() => keeping.markChanged())
  profile.subscribe(() => keeping.markChanged())
  return keeping
}

/**
 * Returns the tokens to store. Omits pretrusted tokens, because the options will contain them at the next start as
 * well.
 */
function toSnapshotTokens(tokens: TokenRegistry): EdgeSnapshot['tokens'] {
  return tokens
    .all()
    .filter(({ origin }) => origin === 'start' || origin === 'upstream')
    .map(({ text, kind, environment, projects }) => ({ token: text, type: kind, environment, projects }))
}

function createStorage({ options, monotonic, random, logger }: EdgePartsDeps): EdgeStorage | undefined {
  const { backupFolder, redisUrl, redisHost, redisScheme } = options
  if (backupFolder !== undefined) return new FolderStorage(backupFolder, logger)
  if (redisUrl === undefined && redisHost === undefined) return undefined
  return new RedisStorage({
    address: {
      mode: options.redisMode,
      urls: redisUrl ?? [],
      host: redisHost ?? '',
      port: options.redisPort,
      username: options.redisUsername,
      password: options.redisPassword,
      isSecure: options.redisSecure || redisScheme === 'tls' || redisScheme === 'rediss',
    },
    readTimeoutMs: options.redisReadConnectionTimeoutMilliseconds,
    writeTimeoutMs: options.redisWriteConnectionTimeoutMilliseconds,
    monotonic,
    random,
    logger,
  })
}
