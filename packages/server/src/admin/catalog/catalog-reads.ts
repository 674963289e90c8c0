import { EVENTS, type EventType } from '@burgee/protocol/event'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { ALL_PENDING, NOTHING_PENDING, type PendingReads } from '../../delivery/documents/following-reads.ts'

/** Data to read again after an event: the flag of the event, all segments, everything, or nothing. */
type RequiredRead = 'flag' | 'segments' | 'all' | 'nothing'

/**
 * Data to read after events for which the default does not apply. By default, an event of a flag requires reading that
 * flag, and other events require nothing.
 */
const READS: Partial<Record<EventType, RequiredRead>> = {
  'feature-favorited': 'nothing',
  'feature-unfavorited': 'nothing',
  'feature-snoozed': 'nothing',
  'feature-unsnoozed': 'nothing',
  'feature-comment-added': 'nothing',
  'feature-comment-edited': 'nothing',
  'feature-comment-deleted': 'nothing',
  'segment-created': 'segments',
  'segment-updated': 'segments',
  'segment-deleted': 'segments',
  'tag-deleted': 'all',
  'tag-type-deleted': 'all',
  // every flag contains the type and the sort order of its environments
  'environment-updated': 'all',
  'environment-deleted': 'all',
  'project-deleted': 'all',
  'project-environment-added': 'all',
  'project-environment-removed': 'all',
  'instance-imported': 'all',
}

/**
 * Returns the data to read again after an event. For event types that this version does not know, returns that
 * everything must be read.
 */
export function getCatalogReads({ id, type, featureName }: StoredEvent): PendingReads {
  const read = Object.hasOwn(EVENTS, type) ? (READS[type as EventType] ?? getDefaultRead(featureName)) : 'all'
  if (read === 'all') return { ...ALL_PENDING, revisionId: id }
  const flags = read === 'flag' && featureName !== null ? new Set([featureName]) : new Set<string>()
  return { ...NOTHING_PENDING, flags, segments: read === 'segments', revisionId: id }
}

function getDefaultRead(featureName: string | null): RequiredRead {
  return featureName === null ? 'nothing' : 'flag'
}
