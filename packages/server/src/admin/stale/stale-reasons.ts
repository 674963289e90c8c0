import type { StaleReason } from '@burgee/protocol/administration/stale-flags'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import { isoOrNull } from '../../core/iso-time.ts'

const DAY_MS = 86_400_000
/** Time after which a flag counts as stale if it is on for everyone, or if no SDK evaluates it. */
const STALE_AFTER_MS = 30 * DAY_MS

/** Facts about a flag that its row does not contain; times are in milliseconds since 1970. */
export interface StaleFacts {
  readonly now: number
  /** Expected lifetime of the flag's type; undefined if unlimited. */
  readonly lifetimeDays: number | undefined
  /**
   * Production environments in which the flag is on for everyone; empty unless this is true of all production
   * environments.
   */
  readonly openIn: readonly string[]
  /** Earliest time since which the flag is known to be on for everyone in these environments. */
  readonly openSince: number
  /** Start of the period for which evaluations by SDKs are recorded. */
  readonly knownSince: number
}

type AgingFlag = Pick<FeatureRow, 'stale' | 'created_at' | 'last_seen_at'>

/**
 * Returns the reasons to remove a flag, most certain first. Returns an empty list if there are no reasons. For types
 * with an unlimited lifetime, being on for everyone is not a reason: a kill switch, for example, is always on.
 */
export function getStaleReasons(row: AgingFlag, facts: StaleFacts): StaleReason[] {
  const { now, lifetimeDays, openIn, openSince } = facts
  const reasons: StaleReason[] = []
  if (row.stale === 1) reasons.push({ kind: 'marked' })
  if (lifetimeDays !== undefined && row.created_at < now - lifetimeDays * DAY_MS) {
    reasons.push({ kind: 'overdue', lifetimeDays })
  }
  if (lifetimeDays !== undefined && openIn.length > 0 && openSince < now - STALE_AFTER_MS) {
    reasons.push({ kind: 'open', since: new Date(openSince).toISOString(), environments: [...openIn] })
  }
  const silentSince = row.last_seen_at ?? Math.max(row.created_at, facts.knownSince)
  if (silentSince < now - STALE_AFTER_MS) reasons.push({ kind: 'unseen', since: isoOrNull(row.last_seen_at) })
  return reasons
}
