import { invalid } from '@burgee/kit/input/refusals'
import type { InactiveUser } from '@burgee/protocol/user'
import type { Reader } from '@burgee/storage/database'
import { listUsersWithLastUse } from '@burgee/storage/queries/access/people'
import type { Change } from '../../../core/execute.ts'
import { isoOrNull } from '../../../core/iso-time.ts'
import type { ServerOptions } from '../../../core/options/options.ts'
import { removePeople } from './user-admin.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Returns the start of the period in which a user must have been active to count as active, in milliseconds since 1970.
 * Users without activity in this period count as inactive.
 */
export function getInactivityCutoff(now: number, { userInactivityThresholdDays: days }: InactivityOptions): number {
  return now - days * DAY_MS
}
type InactivityOptions = Pick<ServerOptions, 'userInactivityThresholdDays'>

/** Returns people who were created before the given time and have had no login, session or token activity since. */
export async function readInactiveUsers(reader: Reader, since: number): Promise<InactiveUser[]> {
  const rows = await listUsersWithLastUse(reader)
  return rows
    .filter((row) => Math.max(row.created_at, row.seen_at ?? 0, row.pat_seen_at ?? 0, row.used_at ?? 0) < since)
    .map((row) => ({
      id: row.id,
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.email === null ? {} : { email: row.email }),
      ...(row.username === null ? {} : { username: row.username }),
      seenAt: isoOrNull(row.seen_at),
      createdAt: new Date(row.created_at).toISOString(),
      patSeenAt: isoOrNull(row.pat_seen_at),
    }))
}

/**
 * Ids of the people to remove because they have been inactive since the given time. `self` is the caller, who cannot be
 * removed.
 */
export interface InactiveRemoval {
  readonly ids: readonly number[]
  readonly since: number
  readonly self: number
}

/**
 * Removes inactive people, either all or none. Throws ValidationError for a user who is not inactive, ConflictError if
 * no admin would remain.
 */
export const removeInactive: Change<InactiveRemoval, void> = async (tx, { ids, since, self }) => {
  const inactive = new Set((await readInactiveUsers(tx, since)).map(({ id }) => id))
  const leaving = [...new Set(ids)]
  for (const id of leaving) {
    if (id === self) throw invalid('You cannot delete your own account as inactive.', 'body/ids')
    if (!inactive.has(id)) throw invalid(`The user with the id ${id} is not inactive or does not exist.`, 'body/ids')
  }
  return { result: undefined, events: await removePeople(tx, leaving) }
}
