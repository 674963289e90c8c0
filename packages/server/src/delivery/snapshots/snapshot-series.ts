import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { SnapshotWriterStatus } from './snapshot-writer.ts'

const MS_PER_SECOND = 1000

/** Adds metrics of the snapshot on disk; `read` returns undefined if snapshots are disabled. */
export function watchSnapshots(registry: SeriesRegistry, read: () => SnapshotWriterStatus | undefined): void {
  registry.gauge('burgee_kept_timestamp_seconds', 'Time of the last write of the snapshot on disk.', () => {
    const writtenAtMs = read()?.writtenAtMs
    return writtenAtMs === undefined ? undefined : writtenAtMs / MS_PER_SECOND
  })
  registry.gauge('burgee_kept_bytes', 'Size of the snapshot on disk.', () => read()?.bytes)
  registry.observableCounter('burgee_kept_failures_total', 'Failed writes.', () => read()?.failures ?? 0)
}
