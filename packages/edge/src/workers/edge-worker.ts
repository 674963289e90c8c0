import { setTimeout } from 'node:timers/promises'
import { debugOf } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { OptionSources } from '@burgee/kit/options/options'
import { SeriesRegistry } from '@burgee/kit/series/series'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { GroupLink } from '@burgee/kit/workers/group-link'
import { AnnouncedProfile } from '@burgee/serving/upstream/announced-profile'
import { type BurgeeEdge, createEdge } from '../edge.ts'
import { firstDataLimitMsOf } from '../edge-parts.ts'
import { identityOf, loggerOf } from '../edge-setup.ts'
import { EDGE_OPTIONS, loadEdgeOptions } from '../options.ts'
import { seriesOfDrops } from '../usage/usage-series.ts'
import { HandedUsage, type HandedUsageDeps } from './handed-usage.ts'
import type { EdgeNews, EdgePrimaryChannel, EdgeQuestion } from './messages.ts'
import { type MirroredEnvironments, mirrorEnvironments } from './mirrored-environments.ts'
import { MirroredTokens } from './mirrored-tokens.ts'

/** Worker that answers requests. */
export interface StartedEdgeWorker {
  /** Delay between `drain` and `close` if the primary does not dismiss the worker, in seconds. */
  readonly shutdownDelay: number
  /** Resolves when the primary dismisses this worker. */
  readonly dismissed: Promise<void>
  drain(): void
  close(): Promise<void>
}

/** State of a worker, all of it from the primary process. */
class Mirror {
  readonly tokens: MirroredTokens
  readonly mirrored: MirroredEnvironments
  /** Profile as announced by the primary, which has applied the options. */
  readonly profile = new AnnouncedProfile({ configured: undefined, fallback: 'yggdrasil' })
  readonly usage: HandedUsage
  #isReady = false

  constructor(mirrored: MirroredEnvironments, { ask, clock }: HandedUsageDeps) {
    this.mirrored = mirrored
    this.tokens = new MirroredTokens(ask)
    this.usage = new HandedUsage({ ask, clock })
  }

  /** Returns true if the primary has enough flags and this worker uses them. */
  readonly isReady = (): boolean => this.#isReady && this.mirrored.isCaughtUp()

  hear(news: EdgeNews): void {
    switch (news.kind) {
      case 'tokens':
        this.tokens.add(news.tokens)
        break
      case 'token-removed':
        this.tokens.remove(news.text, news.reason)
        break
      case 'profile':
        this.profile.hear(news.profile)
        break
      case 'environments':
        this.mirrored.fetch(news.names, news.isSettled)
        break
      case 'flags':
        this.mirrored.accept(news)
        break
      case 'standings':
        this.#isReady = news.standings.isReady
        this.mirrored.note(news.standings.environments)
        this.usage.note(news.standings.usage)
        break
    }
  }
}

/**
 * Runs one worker of a node, which answers requests. The primary process at the other end of the channel does
 * everything else. If flags are already known, the worker accepts connections only once it answers from them.
 */
export async function startEdgeWorker(channel: EdgePrimaryChannel, sources: OptionSources): Promise<StartedEdgeWorker> {
  const { options } = loadEdgeOptions(sources)
  const [clock, monotonic, random] = [Date.now, PROCESS_CLOCK, Math.random]
  const logger = loggerOf(EDGE_OPTIONS, options, clock)
  const debug = debugOf(logger, options.logLevel)
  const mirrored = mirrorEnvironments({ clock, random, logger, debug, firstDataLimitMs: firstDataLimitMsOf(options) })
  const mirror = new Mirror(mirrored, { ask: (question) => group.ask(question), clock })
  const group: GroupLink<EdgeNews, EdgeQuestion> = new GroupLink(channel, (news) => mirror.hear(news))
  const { environments } = mirrored
  await group.begin()
  const { tokens, profile, usage, isReady } = mirror
  const registry = new SeriesRegistry()
  seriesOfDrops(registry, () => usage.dropped)
  const edge: BurgeeEdge = createEdge({
    options,
    tokens,
    environments,
    profile,
    usage,
    isReady,
    group,
    logger,
    clock,
    monotonic,
    random,
    clientKeys: options.clientKeys ?? [],
    firstToken: options.tokens?.[0],
    registry,
    identity: identityOf(options, { clock, random }),
  })
  const reload = () => {
    try {
      edge.replaceClientKeys(loadEdgeOptions(sources).options.clientKeys ?? [])
    } catch {
      // the primary logs the reason
    }
  }
  group.serve({ series: () => edge.series, reload, drain: edge.drain, accept: edge.app.accept })
  const stopSaying = sayWhenReady(mirror, () => group.ready())
  for (let looks = 0; looks < MOST_LOOKS && !mirrored.isCaughtUp(); looks += 1) await setTimeout(LOOK_MS)
  group.open()
  const close = async () => {
    group.shut()
    stopSaying()
    await edge.close()
    await usage.close(shutdownTimes(options.shutdownDelay).flushMs)
    await environments.close()
  }
  return { shutdownDelay: options.shutdownDelay, dismissed: group.dismissed, drain: edge.drain, close }
}

const LOOK_MS = 20
/**
 * Maximum number of readiness checks. Unreadable flags of one environment must not block answers from other
 * environments.
 */
const MOST_LOOKS = 500

/** Calls `say` once the worker is ready. Returns a function that stops checking. */
function sayWhenReady({ isReady }: Mirror, say: () => void): () => void {
  const timer = setInterval(() => {
    if (!isReady()) return
    clearInterval(timer)
    say()
  }, LOOK_MS)
  return () => clearInterval(timer)
}
