import type { InboxFlag } from '@burgee/protocol/administration/inbox'
import type { Reader } from '@burgee/storage/database'
import { listUnusedFlags, type UnusedFlagRow } from '@burgee/storage/queries/code-references/unused-flags'
import { readHistoryStart } from '@burgee/storage/queries/flags/audience-changes'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { toRemoval } from '../removal/code-links.ts'

/** Time of a reading of the inbox, and the number of days after which a flag counts as unused. */
export interface InboxTimes {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly unusedFlagDays: number
}

const DAY_MS = 86_400_000
/** Maximum number of removals from the code to search, newest first. */
const MAX_REMOVALS = 500

/**
 * Lists flags that the actor created and may archive, that no code refers to anymore, and that no SDK evaluates. If the
 * creator of a flag has left, lists the flag for the users who may update its project.
 */
export async function listInboxFlags(
  reader: Reader,
  actor: Actor,
  { now, unusedFlagDays }: InboxTimes,
): Promise<InboxFlag[]> {
  const unseenSince = now - unusedFlagDays * DAY_MS
  const { userId: owner, hidden } = actor
  const rows = await listUnusedFlags(reader, { owner, unseenSince, now, hidden, limit: MAX_REMOVALS })
  const hasUnseen = rows.some((row) => row.last_seen_at === null)
  // an import contains flags without the times of their evaluations
  const isUnseenKnown = hasUnseen && (await readHistoryStart(reader)) < unseenSince
  const newest = new Map<string, UnusedFlagRow>()
  for (const row of rows) {
    const isUnused = row.last_seen_at !== null || isUnseenKnown
    if (isUnused && isResponsible(actor, row) && !newest.has(row.feature_name)) newest.set(row.feature_name, row)
  }
  return [...newest].map(([feature, row]) => ({
    project: row.project,
    feature,
    removal: toRemoval(row),
    lastSeenAt: row.last_seen_at === null ? null : new Date(Number(row.last_seen_at)).toISOString(),
  }))
}

function isResponsible(actor: Actor, { project, owner_id: ownerId }: UnusedFlagRow): boolean {
  const isOwner = ownerId === null ? hasPermission(actor, 'UPDATE_PROJECT', { project }) : ownerId === actor.userId
  return isOwner && hasPermission(actor, 'DELETE_FEATURE', { project })
}
