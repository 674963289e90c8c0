import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { ImpactRefusals } from './impact-refusals.ts'

/**
 * Registers the counter for rejected parts of impact metrics. If several processes form a group, the counter is the sum
 * over all of them.
 */
export function registerImpactRefusals(registry: SeriesRegistry, refusals: ImpactRefusals): void {
  registry.counters(
    'burgee_impact_refused_total',
    'Rejected parts of impact metrics, by reason: malformed, name, labels, value, buckets, metrics, series, connections, undelivered.',
    () => refusals.list(),
  )
}
