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
  registry.gauges('burgee_document_revision', 'Last event that the flags in memory hold, by environment.', () =>
    [...documents.statuses()].flatMap(([environment, { revision }]) =>
      revision === undefined ? [] : [[{ environment }, revision.id] as const],
    ),
  )
  registry.gauges(
    'burgee_document_age_seconds',
    'Since when the flags in memory may be behind the database, by environment; 0 while they are not.',
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
    'Whether the flags in memory are those that were kept on disk, by environment: 1 until the database was read.',
    () =>
      [...documents.statuses()].map(
        ([environment, { snapshotAsOfMs }]) => [{ environment }, Number(snapshotAsOfMs !== undefined)] as const,
      ),
  )
}
