import type { SeriesRegistry } from '@burgee/kit/series/series'
import { registerImpactRefusals } from '@burgee/serving/impact/impact-series'
import type { Downloads } from '@burgee/serving/sdk/downloads'
import type { ImpactReports } from '../impact/impact-reports.ts'
import type { Usage } from './usage-buffer.ts'

/** Adds metrics of usage reports and of downloads. */
export function watchUsage(
  registry: SeriesRegistry,
  { usage, downloads }: { readonly usage: Pick<Usage, 'tally'>; readonly downloads: Pick<Downloads, 'getCacheStats'> },
): void {
  const { tally } = usage
  registry.observableCounter('burgee_usage_reports_total', 'Accepted usage reports.', () => tally().reports)
  registry.observableCounter(
    'burgee_usage_dropped_total',
    'Names in usage reports that were dropped because they cannot be stored, or because too many names were waiting.',
    () => tally().dropped,
  )
  registry.gauge('burgee_usage_waiting', 'Names in usage reports that wait to be written.', () => tally().waiting)
  registry.observableCounter(
    'burgee_client_snapshots_total',
    'Assembled downloads.',
    () => downloads.getCacheStats().made,
  )
  registry.gauge('burgee_client_snapshot_bytes', 'Memory of cached downloads.', () => downloads.getCacheStats().bytes)
}

/** Adds metrics of reports with impact metrics. */
export function watchImpact(registry: SeriesRegistry, { tally, refusals }: ImpactReports): void {
  registerImpactRefusals(registry, refusals)
  registry.observableCounter(
    'burgee_impact_reports_total',
    'Accepted reports with impact metrics.',
    () => tally().reports,
  )
  registry.gauge('burgee_impact_waiting', 'Series of impact metrics that wait to be written.', () => tally().waiting)
}
