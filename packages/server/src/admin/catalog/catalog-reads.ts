import { EVENTS, type EventType } from '@burgee/protocol/event'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { ALL_PENDING, NOTHING_PENDING, type PendingReads } from '../../delivery/documents/following-reads.ts'

/** Data that must be reread after an event: the flag that the event names, all segments, everything, or nothing. */
type RequiredRead = 'flag' | 'segments' | 'all' | 'nothing'

/**
 * Data that must be reread after events for which the default does not apply. By default, an event about a flag
 * requires rereading that flag, and any other event requires nothing.
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
  // every flag contains the types and the sort orders of its environments
  'environment-updated': 'all',
  'environment-deleted': 'all',
  'project-deleted': 'all',
  'project-environment-added': 'all',
  'project-environment-removed': 'all',
  'instance-imported': 'all',
}

/**
 * Returns the data that must be reread after an event. For event types that this version does not know, everything must
 * be reread.
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
