import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { ImpactRefusals } from './impact-refusals.ts'

/** Registers the counter of refused parts of impact metrics. A process group reports the sum over its processes. */
export function registerImpactRefusals(registry: SeriesRegistry, refusals: ImpactRefusals): void {
  registry.counters(
    'burgee_impact_refused_total',
    'Rejected parts of impact metrics, by reason: malformed, name, labels, value, buckets, metrics, series, connections, undelivered.',
    () => refusals.list(),
  )
}
