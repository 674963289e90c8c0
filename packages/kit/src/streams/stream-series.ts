import type { SeriesRegistry } from '../series/series.ts'
import type { EventStreams } from './event-streams.ts'

/** The series of open streams, by `kind`; of several processes, the sum. */
export function seriesOfStreams(registry: SeriesRegistry, { counts }: Pick<EventStreams, 'counts'>): void {
  registry.gauges(
    'burgee_streams',
    'Event streams that are open, by kind.',
    () => [...counts].map(([kind, count]) => [{ kind }, count] as const),
    'sum',
  )
}
