import type { Counter, SeriesRegistry } from '@burgee/kit/series/series'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import type { MetricsBucket } from './metrics-bucket.ts'

/** The series of when usage was last delivered, in milliseconds since 1970; of several processes, the first one's. */
export function seriesOfDelivery(registry: SeriesRegistry, deliveredAtMs: () => number | undefined): void {
  registry.gauge(
    'last_metrics_update_epoch_timestamp_ms',
    'When usage was last delivered upstream.',
    () => deliveredAtMs() ?? 0,
    'first',
  )
}

/** The series of usage counts that a bucket dropped; of several processes, the sum. */
export function seriesOfDropped(registry: SeriesRegistry, bucket: MetricsBucket): void {
  registry.counterOf(
    'burgee_proxy_metrics_dropped_total',
    'Toggles and variants whose usage counts were dropped: too many names, too long ones, or refused by the upstream.',
    () => bucket.dropped,
  )
}

/** The series of whether a stream of the upstream is followed; of several processes, that of the one that could. */
export function seriesOfFollowing(registry: SeriesRegistry, source: Pick<ConfigurationSource, 'isFollowing'>): void {
  registry.gauge('burgee_proxy_following', 'Whether a stream of the upstream tells of changes.', () =>
    source.isFollowing === undefined ? undefined : Number(source.isFollowing),
  )
}

/** Counts failed requests to the upstream, by `kind`: features, metrics, register; of several processes, the first one's. */
export function upstreamFailuresOf(registry: SeriesRegistry): Counter {
  return registry.counter('burgee_proxy_upstream_failures_total', 'Failed requests to the upstream.', 'first')
}
