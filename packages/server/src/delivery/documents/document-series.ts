import type { SeriesRegistry } from '@burgee/kit/series/series'
import type { DatabaseContact } from '../events/database-contact.ts'
import type { Documents } from './documents.ts'

const MS_PER_SECOND = 1000

/** Adds revision and age of the documents, by environment. */
export function watchDocuments(
  registry: SeriesRegistry,
  {
    documents,
    contact,
    clock,
  }: {
    readonly documents: Pick<Documents, 'statuses'>
    readonly contact: () => DatabaseContact
    readonly clock: () => number
  },
): void {
  registry.gauges('burgee_document_revision', 'Last event included in the flags in memory, by environment.', () =>
    [...documents.statuses()].flatMap(([environment, { revision }]) =>
      revision === undefined ? [] : [[{ environment }, revision.id] as const],
    ),
  )
  registry.gauges(
    'burgee_document_age_seconds',
    'How long the flags in memory may have been older than the database, by environment; 0 while they are current.',
    () => {
      const now = clock()
      return [...documents.statuses()].map(([environment, { behindSinceMs }]) => {
        const sinceMs = Math.min(now, behindSinceMs ?? now, contact().lostSinceMs ?? now)
        return [{ environment }, (now - sinceMs) / MS_PER_SECOND] as const
      })
    },
  )
  registry.gauges(
    'burgee_document_kept',
    '1 while the flags in memory come from the snapshot on disk, by environment; 0 once the database was read.',
    () =>
      [...documents.statuses()].map(
        ([environment, { snapshotAsOfMs }]) => [{ environment }, Number(snapshotAsOfMs !== undefined)] as const,
      ),
  )
}
