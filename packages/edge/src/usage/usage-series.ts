import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { EdgeUsage } from './usage-interface.ts'

/** Registers the metric for usage that was dropped. A process group reports the sum over its processes. */
export function registerDropSeries(registry: SeriesRegistry, dropped: () => number): void {
  registry.observableCounter(
    'burgee_edge_usage_dropped_total',
    'Names and registrations that were dropped because there were too many, they were too long, or the upstream rejected them.',
    dropped,
  )
}

/** Registers the metrics for the delivery of usage. A process group reports the sums over its processes. */
export function registerUsageSeries(registry: SeriesRegistry, usage: Pick<EdgeUsage, 'getStatus'>): void {
  registerDropSeries(registry, () => usage.getStatus().dropped)
  registry.observableCounter(
    'burgee_edge_usage_failures_total',
    'Usage reports that the upstream rejected.',
    () => usage.getStatus().failures,
  )
  registry.gauge(
    'burgee_edge_usage_waiting_flags',
    'Flags whose counts are not delivered yet.',
    () => usage.getStatus().waiting.flags,
    'sum',
  )
  registry.gauge(
    'burgee_edge_usage_delivered_epoch_timestamp_ms',
    'Time of the last delivery of usage counts to the upstream.',
    () => usage.getStatus().deliveredAtMs,
  )
}
