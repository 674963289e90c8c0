import { setTimeout } from 'node:timers/promises'
import { createDebugLog } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { OptionSources } from '@burgee/kit/options/options'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { GroupLink } from '@burgee/kit/workers/group-link'
import { getImpactLimits } from '@burgee/serving/impact/impact-options'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { type BurgeeEdge, createEdge } from '../edge.ts'
import { getFirstDataLimitMs } from '../edge-parts.ts'
import { createEdgeLogger, createIdentity, openEdgeTelemetry } from '../edge-setup.ts'
import { networkReader } from '../http/address-rules.ts'
import { EDGE_OPTIONS, loadEdgeOptions } from '../options.ts'
import { registerDropSeries } from '../usage/usage-series.ts'
import type { EdgePrimaryChannel, WorkerRequest, WorkerUpdate } from './edge-messages.ts'
import { type ForwardedHoldings, startForwardedHoldings } from './forwarded-holdings.ts'
import { ForwardedUsage, type ForwardedUsageDeps } from './forwarded-usage.ts'
import { type MirroredEnvironments, mirrorEnvironments } from './mirrored-environments.ts'
import { MirroredTokens } from './mirrored-tokens.ts'

/** Worker that answers requests. */
export interface StartedEdgeWorker {
  /** Seconds between `drain` and `close`, unless the primary process dismisses the worker earlier. */
  readonly shutdownDelay: number
  /** Resolves when the primary dismisses this worker. */
  readonly dismissed: Promise<void>
  drain(): void
  close(): Promise<void>
}

/** State of a worker. The primary process sends the state completely. */
class Mirror {
  readonly tokens: MirroredTokens
  readonly mirrored: MirroredEnvironments
  /** Evaluation profile as sent by the primary process, which has already applied the options. */
  readonly profile = new AnnouncedProfile({ configured: undefined, fallback: 'yggdrasil' })
  readonly usage: ForwardedUsage
  #isReady = false

  constructor(mirrored: MirroredEnvironments, deps: ForwardedUsageDeps) {
    this.mirrored = mirrored
    this.tokens = new MirroredTokens(deps.ask)
    this.usage = new ForwardedUsage(deps)
  }

  /** Returns true if the primary process has enough flags and this worker has loaded all of them. */
  readonly isReady = (): boolean => this.#isReady && this.mirrored.isCaughtUp()

  applyUpdate(news: WorkerUpdate): void {
    switch (news.kind) {
      case 'tokens':
        this.tokens.add(news.tokens)
        break
      case 'token-removed':
        this.tokens.remove(news.text, news.reason)
        break
      case 'profile':
        this.profile.applyAnnouncement(news.profile)
        break
      case 'environments':
        this.mirrored.fetch(news.names, news.isSettled)
        break
      case 'flags':
        this.mirrored.accept(news)
        break
      case 'standings':
        this.#isReady = news.status.isReady
        this.mirrored.setStatuses(news.status.environments)
        this.usage.setStatus(news.status.usage)
        break
    }
  }
}

/**
 * Runs one worker of a node, which answers requests. The primary process, at the other end of the channel, does all
 * other work. If the primary process already has flags, the worker accepts connections only once it has loaded them.
 */
export async function startEdgeWorker(channel: EdgePrimaryChannel, sources: OptionSources): Promise<StartedEdgeWorker> {
  const { options } = loadEdgeOptions(sources)
  const [clock, monotonic, random] = [Date.now, PROCESS_CLOCK, Math.random]
  const logger = createEdgeLogger(EDGE_OPTIONS, options, clock)
  const debug = createDebugLog(logger, options.logLevel)
  const mirrored = mirrorEnvironments({ clock, random, logger, debug, firstDataLimitMs: getFirstDataLimitMs(options) })
  const impactLimits = getImpactLimits(options)
  const mirror = new Mirror(mirrored, { ask: (question) => group.ask(question), clock, impactLimits })
  const group: GroupLink<WorkerUpdate, WorkerRequest> = new GroupLink(channel, (news) => mirror.applyUpdate(news))
  const { environments } = mirrored
  await group.begin()
  const { tokens, profile, usage, isReady } = mirror
  const registry = new SeriesRegistry()
  registerDropSeries(registry, () => usage.dropped)
  registerImpactRefusals(registry, usage.refusals)
  const holdings: ForwardedHoldings = startForwardedHoldings({
    ask: (question) => group.ask(question),
    clock,
    getNetwork: networkReader(options),
  })
  const identity = createIdentity(options, { clock, random })
  const openTelemetry = await openEdgeTelemetry({ options, identity, registry, logger, clock })
  const edge: BurgeeEdge = createEdge({
    options,
    tracer: openTelemetry?.tracing,
    decisions: openTelemetry?.decisions,
    tokens,
    environments,
    profile,
    usage,
    connections: holdings.connections,
    pages: holdings.pages,
    downstream: holdings.downstream,
    isReady,
    group,
    logger,
    clock,
    monotonic,
    random,
    clientKeys: options.clientKeys ?? [],
    firstToken: options.tokens?.[0],
    registry,
    identity,
  })
  const reload = () => {
    try {
      edge.replaceClientKeys(loadEdgeOptions(sources).options.clientKeys ?? [])
    } catch {
      // not logged, because the primary process logs the reason
    }
  }
  group.serve({ series: () => edge.series, reload, drain: edge.drain, accept: edge.app.accept })
  const stopSaying = notifyWhenReady(mirror, () => group.ready())
  for (let looks = 0; looks < MAX_READY_POLLS && !mirrored.isCaughtUp(); looks += 1) await setTimeout(READY_POLL_MS)
  group.open()
  openTelemetry?.start()
  const close = async () => {
    group.shut()
    stopSaying()
    holdings.close()
    await edge.close()
    await usage.close(getShutdownTimes(options.shutdownDelay).flushMs)
    await environments.close()
    await openTelemetry?.close()
  }
  return { shutdownDelay: options.shutdownDelay, dismissed: group.dismissed, drain: edge.drain, close }
}

const READY_POLL_MS = 20
/**
 * Maximum number of checks, at startup, whether the worker is ready. After this many checks, the worker accepts
 * connections in any case, because malformed flags in one environment must not block answers for other environments.
 */
const MAX_READY_POLLS = 500

/** Calls `say` as soon as the worker is ready. Returns a function that stops checking. */
function notifyWhenReady({ isReady }: Mirror, say: () => void): () => void {
  const timer = setInterval(() => {
    if (!isReady()) return
    clearInterval(timer)
    say()
  }, READY_POLL_MS)
  return () => clearInterval(timer)
}
