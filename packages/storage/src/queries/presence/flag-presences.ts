import type { Reader, Tx } from '../../database.ts'
import { BATCH_ROWS } from '../retention/deletion-batch.ts'

/** Lifetime in milliseconds of the record that a user is viewing a flag, unless the record is renewed. */
export const PRESENCE_TTL_MS = 60_000

/** Flag that a user was viewing at the user's last report, and whether other users may see this. */
export interface Presence {
  readonly isShown: boolean
  readonly feature: string | null
  /** Time of the last report in milliseconds since 1970. */
  readonly seenAt: number
}

/** Returns the flag that a user is viewing, according to the user's last report. */
export async function readPresence(reader: Reader, userId: number): Promise<Presence> {
  const row = await reader
    .selectFrom('users as u')
    .leftJoin('flag_presences as p', 'p.user_id', 'u.id')
    .leftJoin('hidden_presences as h', 'h.user_id', 'u.id')
    .select(['p.feature_name', 'p.seen_at', 'h.user_id as hidden'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return { isShown: (row?.hidden ?? null) === null, feature: row?.feature_name ?? null, seenAt: row?.seen_at ?? 0 }
}

/**
 * Returns the ids of users who have reported since a given time that they are viewing this flag, and who allow others
 * to see this. Returns at most `limit` ids, most recent report first.
 */
export async function listPresentUserIds(
  reader: Reader,
  feature: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<number[]> {
  const rows = await reader
    .selectFrom('flag_presences')
    .select('user_id')
    .where('feature_name', '=', feature)
    .where('seen_at', '>', after)
    .where('user_id', 'not in', ({ selectFrom }) => selectFrom('hidden_presences').select('user_id'))
    .orderBy('seen_at', 'desc')
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** Stores which flag a user is viewing, replacing the previous flag. */
export async function putPresence(tx: Tx, userId: number, feature: string, seenAt: number): Promise<void> {
  const place = { feature_name: feature, seen_at: seenAt }
  await tx
    .insertInto('flag_presences')
    .values({ user_id: userId, ...place })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(place))
    .execute()
}

/**
 * Deletes the record of which flag a user is viewing. If `feature` is given, deletes the record only if it names that
 * flag.
 */
export async function deletePresence(tx: Tx, userId: number, feature?: string): Promise<void> {
  const own = tx.deleteFrom('flag_presences').where('user_id', '=', userId)
  await (feature === undefined ? own : own.where('feature_name', '=', feature)).execute()
}

/** Stores whether other users may see which flag a user is viewing. */
export async function putPresenceVisibility(tx: Tx, userId: number, isShown: boolean): Promise<void> {
  if (isShown) {
    await tx.deleteFrom('hidden_presences').where('user_id', '=', userId).execute()
    return
  }
  await tx
    .insertInto('hidden_presences')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Deletes a batch of records of viewed flags that were not renewed since a time. Returns true if more such records may
 * remain.
 */
export async function removePresences(tx: Tx, before: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('flag_presences')
    .where('user_id', 'in', ({ selectFrom }) =>
      selectFrom('flag_presences').select('user_id').where('seen_at', '<=', before).limit(BATCH_ROWS),
    )
    .where('seen_at', '<=', before)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
