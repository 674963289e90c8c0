import type { Counter, SeriesRegistry } from '@burgee/kit/series/series'
import type { ConfigurationSource } from '@burgee/serving/upstream/configuration-source'
import type { MetricsBucket } from './metrics-bucket.ts'

/**
 * Adds the metric for the time of the last delivery of usage, in milliseconds since 1970. A group reports the value of
 * its first process.
 */
export function registerDeliverySeries(registry: SeriesRegistry, deliveredAtMs: () => number | undefined): void {
  registry.gauge(
    'last_metrics_update_epoch_timestamp_ms',
    'Time of the last delivery of usage counts to the upstream.',
    () => deliveredAtMs() ?? 0,
    'first',
  )
}

/** Adds the metric for usage counts that a bucket dropped. A group reports the sum over its processes. */
export function registerDropSeries(registry: SeriesRegistry, bucket: MetricsBucket): void {
  registry.observableCounter(
    'burgee_proxy_metrics_dropped_total',
    'Toggles and variants whose usage counts were dropped because there were too many names, names were too long, or the upstream rejected them.',
    () => bucket.dropped,
  )
}

/**
 * Adds the metric that is 1 while the proxy is connected to the upstream's stream. In a group, only the primary process
 * has this metric.
 */
export function registerFollowingSeries(
  registry: SeriesRegistry,
  source: Pick<ConfigurationSource, 'isFollowing'>,
): void {
  registry.gauge(
    'burgee_proxy_following',
    '1 while a stream of the upstream reports changes, 0 while the proxy polls.',
    () => (source.isFollowing === undefined ? undefined : Number(source.isFollowing)),
  )
}

/**
 * Creates the counter of failed requests to the upstream by `kind`: features, metrics, register. A group reports the
 * value of its first process.
 */
export function createUpstreamFailureCounter(registry: SeriesRegistry): Counter {
  const kinds = ['features', 'metrics', 'register'].map((kind) => ({ kind }))
  return registry.counterFromZero(
    'burgee_proxy_upstream_failures_total',
    'Failed requests to the upstream.',
    kinds,
    'first',
  )
}
