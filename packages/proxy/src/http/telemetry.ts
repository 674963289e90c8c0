import type { SeenReply } from '@burgee/kit/http/app-options'
import { CacheSeries } from '@burgee/kit/series/cache-series'
import { type Counter, type Labels, SeriesRegistry } from '@burgee/kit/series/series'
import { cachedReplyBytes, MAX_CACHED_REPLY_BYTES, type Repository } from '@burgee/serving/document/repository'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import { seriesOfDelivery, seriesOfDropped, upstreamFailuresOf } from '../usage/usage-series.ts'

/** What the proxy tells Prometheus about itself. */
export interface Telemetry {
  readonly registry: SeriesRegistry
  /** Decisions in replies, whether asked for one by one or all at once; those of repeated replies count as well. */
  readonly evaluations: Counter
  /** Failed requests to the upstream, by `kind`: features, metrics, register. */
  readonly upstreamFailures: Counter
  /** Replies to contexts that came before, for which nothing was evaluated. */
  readonly repeats: Counter
  /** Hears of every reply, counted by route pattern and status. */
  readonly reply: (seen: SeenReply) => void
}

/** What is read when the series are asked for. */
export interface TelemetryDeps extends StaleDeps {
  readonly bucket: MetricsBucket
  readonly deliveredAtMs: () => number | undefined
}

const MS_PER_SECOND = 1000

/** Registers all series. The first three carry the names that users of the established proxy already watch. */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { repository, bucket } = deps
  const registry = new SeriesRegistry()
  const ageSeconds = () => {
    const { syncedAgoMs } = repository
    return syncedAgoMs === undefined ? undefined : syncedAgoMs / MS_PER_SECOND
  }
  seriesOfDelivery(registry, deps.deliveredAtMs)
  registry.gauge(
    'last_metrics_fetch_epoch_timestamp_ms',
    'When the configuration was last fetched or confirmed.',
    () => repository.status.syncedAtMs ?? 0,
  )
  registry.counterOf('unleash_proxy_up', 'Always 1 while the proxy runs.', () => 1, 'greatest')
  registry.gauge('burgee_proxy_ready', 'Whether there is a configuration to answer from.', () =>
    repository.state === undefined ? 0 : 1,
  )
  registry.gauge(
    'burgee_proxy_stale',
    'Whether the configuration comes from a backup or bootstrap, or the upstream has missed three fetches.',
    () => Number(isStale(deps)),
  )
  registry.gauge(
    'burgee_proxy_state_age_seconds',
    'Time since the upstream last sent or confirmed the configuration.',
    ageSeconds,
  )
  registry.gauge(
    'burgee_proxy_state_revision',
    'Configurations put in place since the start.',
    () => repository.state?.revision ?? 0,
  )
  registry.gauge(
    'burgee_proxy_features',
    'Features in the configuration.',
    () => repository.state?.engine.names.length ?? 0,
  )
  const replies = () => ({ bytes: cachedReplyBytes(repository.state), limitBytes: MAX_CACHED_REPLY_BYTES })
  new CacheSeries(registry).watch('replies', replies)
  seriesOfDropped(registry, bucket)
  return { registry, ...replyCounters(registry), upstreamFailures: upstreamFailuresOf(registry) }
}

function replyCounters(registry: SeriesRegistry): Pick<Telemetry, 'evaluations' | 'repeats' | 'reply'> {
  return {
    evaluations: registry.counter(
      'burgee_proxy_evaluations_total',
      'Features evaluated in replies, those of repeated replies included.',
    ),
    repeats: registry.counter(
      'burgee_proxy_repeated_replies_total',
      'Evaluation replies to contexts that came before, for which nothing was evaluated.',
    ),
    reply: countReplies(registry.counter('burgee_proxy_http_requests_total', 'Replies by route and status.')),
  }
}

/** Counts replies; routes and statuses are few, so their labels are kept. */
function countReplies(counter: Counter): (seen: SeenReply) => void {
  const routes = new Map<string, Map<number, Labels>>()
  return ({ route, status }) => {
    const statuses = routes.get(route) ?? new Map<number, Labels>()
    routes.set(route, statuses)
    const labels = statuses.get(status) ?? { route, status: String(status) }
    statuses.set(status, labels)
    counter.add(1, labels)
  }
}

const MISSED_POLLS = 3
/** An interval may be shorter than a reply takes. */
const SHORTEST_STALE_MS = 1000

/** What tells a stale configuration. */
export interface StaleDeps {
  readonly repository: Repository
  /** How often the upstream is asked; undefined where it tells of changes by itself. */
  readonly pollIntervalMs: number | undefined
}

/**
 * Whether the configuration in use may be out of date: it is a backup or bootstrap, because the upstream has not answered
 * yet, or the upstream has not answered three times in a row.
 */
export function isStale({ repository, pollIntervalMs }: StaleDeps): boolean {
  const { state } = repository
  if (state === undefined) return false
  if (state.origin !== 'upstream' || pollIntervalMs === undefined) return state.origin !== 'upstream'
  const longestMs = Math.max(MISSED_POLLS * pollIntervalMs, SHORTEST_STALE_MS)
  return (repository.syncedAgoMs ?? Number.POSITIVE_INFINITY) > longestMs
}
