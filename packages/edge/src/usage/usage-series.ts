import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { EdgeUsage } from './edge-usage.ts'

/** Registers the series of dropped usage; a process group reports the sum. */
export function seriesOfDrops(registry: SeriesRegistry, dropped: () => number): void {
  registry.counterOf(
    'burgee_edge_usage_dropped_total',
    'Names and registrations that were dropped: too many, too long, or refused by the upstream.',
    dropped,
  )
}

/** Registers the series of usage delivery; a process group reports their sums. */
export function seriesOfUsage(registry: SeriesRegistry, usage: Pick<EdgeUsage, 'standing'>): void {
  seriesOfDrops(registry, () => usage.standing().dropped)
  registry.counterOf(
    'burgee_edge_usage_failures_total',
    'Reports of usage that the upstream did not take.',
    () => usage.standing().failures,
  )
  registry.gauge(
    'burgee_edge_usage_waiting_flags',
    'Flags whose counts are not delivered yet.',
    () => usage.standing().waiting.flags,
    'sum',
  )
  registry.gauge(
    'burgee_edge_usage_delivered_epoch_timestamp_ms',
    'When usage was last delivered upstream.',
    () => usage.standing().deliveredAtMs,
  )
}
