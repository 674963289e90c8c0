import type { SeriesRegistry } from '../series/series.ts'
import type { EventStreams } from './event-streams.ts'

/**
 * Adds metrics for the number of open streams by `kind`, and of rejected streams by `kind` and `reason`. For a group of
 * processes, the values are sums over all processes.
 */
export function registerStreamSeries(
  registry: SeriesRegistry,
  streams: Pick<EventStreams, 'counts' | 'refused'>,
): void {
  registry.gauges(
    'burgee_streams',
    'Open event streams, by kind.',
    () => [...streams.counts].map(([kind, count]) => [{ kind }, count] as const),
    'sum',
  )
  registry.counters('burgee_streams_refused_total', 'Rejected event streams, by kind and reason.', () =>
    streams.refused.map(({ kind, reason, count }) => [{ kind, reason }, count] as const),
  )
}
