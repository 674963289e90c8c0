import type { CompletedReply } from '@burgee/kit/http/app-options'
import { CacheSeries } from '@burgee/kit/series/cache-series'
import { createReplyCounter } from '@burgee/kit/series/reply-counter'
import { type Counter, SeriesRegistry } from '@burgee/kit/series/series'
import { getCachedReplies, MAX_CACHED_REPLY_BYTES } from '@burgee/serving/document/repository'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import { isStale, type StaleDeps } from '../upstream/staleness.ts'
import type { MetricsBucket } from '../usage/metrics-bucket.ts'
import { createUpstreamFailureCounter, registerDeliverySeries, registerDropSeries } from '../usage/usage-series.ts'

/** Prometheus metrics of the proxy. */
export interface Telemetry {
  readonly registry: SeriesRegistry
  /** Counts evaluated flags in replies, including cached replies. */
  readonly evaluations: Counter
  /** Counts failed requests to the upstream by `kind`: features, metrics, register. */
  readonly upstreamFailures: Counter
  /** Counts replies to contexts that occurred before, so that nothing had to be evaluated. */
  readonly repeats: Counter
  /** Counts a reply by route pattern and status; called after each reply. */
  readonly reply: (seen: CompletedReply) => void
}

/** State of the proxy that metrics read when they are collected. */
export interface TelemetryDeps extends StaleDeps {
  readonly bucket: MetricsBucket
  readonly deliveredAtMs: () => number | undefined
}

const MS_PER_SECOND = 1000

/** Registers all metrics. The first three metrics have names that users of the Unleash proxy already monitor. */
export function createTelemetry(deps: TelemetryDeps): Telemetry {
  const { repository, bucket } = deps
  const registry = new SeriesRegistry()
  const ageSeconds = () => {
    const { syncedAgoMs } = repository
    return syncedAgoMs === undefined ? undefined : syncedAgoMs / MS_PER_SECOND
  }
  registerDeliverySeries(registry, deps.deliveredAtMs)
  registry.gauge(
    'last_metrics_fetch_epoch_timestamp_ms',
    'Time at which the configuration was last fetched or confirmed.',
    () => repository.status.syncedAtMs ?? 0,
  )
  registry.observableCounter('unleash_proxy_up', 'Always 1 while the proxy runs.', () => 1, 'greatest')
  registry.gauge('burgee_proxy_ready', '1 once a configuration is loaded, 0 before.', () =>
    repository.state === undefined ? 0 : 1,
  )
  registry.gauge(
    'burgee_proxy_stale',
    '1 while the configuration comes from a backup or bootstrap, or the upstream has missed three fetches.',
    () => Number(isStale(deps)),
  )
  registry.gauge(
    'burgee_proxy_state_age_seconds',
    'Time since the upstream last sent or confirmed the configuration.',
    ageSeconds,
  )
  registry.gauge(
    'burgee_proxy_state_revision',
    'Configurations accepted since the start.',
    () => repository.state?.revision ?? 0,
  )
  registry.gauge(
    'burgee_proxy_features',
    'Features in the configuration.',
    () => repository.state?.engine.names.length ?? 0,
  )
  const replies = () => ({ ...getCachedReplies(repository.state), limitBytes: MAX_CACHED_REPLY_BYTES })
  new CacheSeries(registry).watch('replies', replies)
  registerDropSeries(registry, bucket)
  registerImpactRefusals(registry, bucket.refusals)
  return { registry, ...createReplyCounters(registry), upstreamFailures: createUpstreamFailureCounter(registry) }
}

function createReplyCounters(registry: SeriesRegistry): Pick<Telemetry, 'evaluations' | 'repeats' | 'reply'> {
  return {
    evaluations: registry.counter(
      'burgee_proxy_evaluations_total',
      'Features evaluated in replies, including repeated replies.',
    ),
    repeats: registry.counter(
      'burgee_proxy_repeated_replies_total',
      'Evaluation replies to repeated contexts, served without an evaluation.',
    ),
    reply: createReplyCounter(registry.counter('burgee_proxy_http_requests_total', 'Replies by route and status.')),
  }
}
