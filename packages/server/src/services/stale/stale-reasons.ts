import type { StaleReason } from '@burgee/protocol/administration/stale-flags'
import type { FeatureRow } from '../../store/features/features.ts'
import { isoOrNull } from '../features/feature-views.ts'

const DAY_MS = 86_400_000
/** So long a flag is on for everybody, or asked for by nobody, before somebody is reminded of it. */
const LONG_MS = 30 * DAY_MS

/** What is known of a flag besides its row; times in milliseconds since 1970. */
export interface StaleFacts {
  readonly now: number
  /** How long its type is meant to live; undefined: for ever. */
  readonly lifetimeDays: number | undefined
  /** Environments for production in which it is on for everybody, all of them or none. */
  readonly openIn: readonly string[]
  /** Since when that is so at least. */
  readonly openSince: number
  /** Since when it would be known that an SDK has asked for it. */
  readonly knownSince: number
}

type Aging = Pick<FeatureRow, 'stale' | 'created_at' | 'last_seen_at'>

/**
 * Why a flag may go, the most certain first; nothing of one that has its place. That a flag is on for everybody is no
 * reason where its type lives for ever: a kill switch is on all the time.
 */
export function staleReasons(row: Aging, facts: StaleFacts): StaleReason[] {
  const { now, lifetimeDays, openIn, openSince } = facts
  const reasons: StaleReason[] = []
  if (row.stale === 1) reasons.push({ kind: 'marked' })
  if (lifetimeDays !== undefined && row.created_at < now - lifetimeDays * DAY_MS) {
    reasons.push({ kind: 'overdue', lifetimeDays })
  }
  if (lifetimeDays !== undefined && openIn.length > 0 && openSince < now - LONG_MS) {
    reasons.push({ kind: 'open', since: new Date(openSince).toISOString(), environments: [...openIn] })
  }
  const silentSince = row.last_seen_at ?? Math.max(row.created_at, facts.knownSince)
  if (silentSince < now - LONG_MS) reasons.push({ kind: 'unseen', since: isoOrNull(row.last_seen_at) })
  return reasons
}
