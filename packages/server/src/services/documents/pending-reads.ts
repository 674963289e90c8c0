import type { StoredEvent } from '../../store/events/events.ts'

/** What a document has heard of and not read yet. */
export interface PendingReads {
  /** Flags by name; 'all' where the whole environment is to be read. */
  readonly flags: ReadonlySet<string> | 'all'
  readonly segments: boolean
  /** Of the last event that asked for it; 0 where no event did. */
  readonly revisionId: number
}

/** Nothing is to be read. */
export const NOTHING_PENDING: PendingReads = { flags: new Set(), segments: false, revisionId: 0 }

/** Everything is to be read. */
export const ALL_PENDING: PendingReads = { flags: 'all', segments: true, revisionId: 0 }

/** Events that change segments and no flag. */
const OF_SEGMENTS: ReadonlySet<string> = new Set(['segment-created', 'segment-updated'])

/** Whether there is anything to read. */
export function isPending({ flags, segments }: PendingReads): boolean {
  return segments || flags === 'all' || flags.size > 0
}

/** What is to be read after an event that reaches an environment: its flag, the segments, or everything. */
export function readsAfter({ id, type, featureName }: StoredEvent): PendingReads {
  if (featureName !== null) return { flags: new Set([featureName]), segments: false, revisionId: id }
  if (OF_SEGMENTS.has(type)) return { flags: new Set(), segments: true, revisionId: id }
  return { ...ALL_PENDING, revisionId: id }
}

/** Both together; more than `mostFlags` flags are all. */
export function joined(
  one: PendingReads,
  other: PendingReads,
  mostFlags: number = Number.POSITIVE_INFINITY,
): PendingReads {
  const flags = one.flags === 'all' || other.flags === 'all' ? 'all' : new Set([...one.flags, ...other.flags])
  return {
    flags: flags !== 'all' && flags.size > mostFlags ? 'all' : flags,
    segments: one.segments || other.segments,
    revisionId: Math.max(one.revisionId, other.revisionId),
  }
}
