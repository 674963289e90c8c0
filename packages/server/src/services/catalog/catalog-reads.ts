import { EVENTS, type EventType } from '@burgee/protocol/event'
import type { StoredEvent } from '../../store/events/events.ts'
import { ALL_PENDING, NOTHING_PENDING, type PendingReads } from '../documents/pending-reads.ts'

/** What of all flags is read anew after an event: its flag, the segments, everything, or nothing. */
type Read = 'flag' | 'segments' | 'all' | 'nothing'

/** Events that change what lists of flags show, and how; those of flags that are not named here have the flag read. */
const READS: Partial<Record<EventType, Read>> = {
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
  // type and order of an environment stand in every flag
  'environment-updated': 'all',
  'environment-deleted': 'all',
  'project-deleted': 'all',
  'project-environment-added': 'all',
  'project-environment-removed': 'all',
  'instance-imported': 'all',
}

/** What is to be read after an event. One whose name this version does not know has everything read. */
export function catalogReadsAfter({ id, type, featureName }: StoredEvent): PendingReads {
  const read = Object.hasOwn(EVENTS, type) ? (READS[type as EventType] ?? defaultOf(featureName)) : 'all'
  if (read === 'all') return { ...ALL_PENDING, revisionId: id }
  const flags = read === 'flag' && featureName !== null ? new Set([featureName]) : new Set<string>()
  return { ...NOTHING_PENDING, flags, segments: read === 'segments', revisionId: id }
}

function defaultOf(featureName: string | null): Read {
  return featureName === null ? 'nothing' : 'flag'
}
