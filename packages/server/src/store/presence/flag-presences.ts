import type { Reader, Tx } from '../database.ts'
import { BATCH_ROWS } from '../retention/batch.ts'

/** Of whom nothing is heard for so long looks at nothing any more. */
export const PRESENCE_KEPT_MS = 60_000

/** Which flag a person looks at, as they last said it, and whether others may know. */
export interface Presence {
  readonly isShown: boolean
  readonly feature: string | null
  /** In milliseconds since 1970. */
  readonly seenAt: number
}

/** Where a person is. */
export async function presenceOf(reader: Reader, userId: number): Promise<Presence> {
  const row = await reader
    .selectFrom('users as u')
    .leftJoin('flag_presences as p', 'p.user_id', 'u.id')
    .leftJoin('hidden_presences as h', 'h.user_id', 'u.id')
    .select(['p.feature_name', 'p.seen_at', 'h.user_id as hidden'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return { isShown: (row?.hidden ?? null) === null, feature: row?.feature_name ?? null, seenAt: row?.seen_at ?? 0 }
}

/** Ids of people who look at a flag and let others know, of whom was heard after a time; the newest, so many at most. */
export async function presentAt(
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

/** Puts a person to a flag, away from where they were. */
export async function putPresence(tx: Tx, userId: number, feature: string, seenAt: number): Promise<void> {
  const place = { feature_name: feature, seen_at: seenAt }
  await tx
    .insertInto('flag_presences')
    .values({ user_id: userId, ...place })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(place))
    .execute()
}

/** Takes a person away from a flag, if they are there still; from any where none is named. */
export async function dropPresence(tx: Tx, userId: number, feature?: string): Promise<void> {
  const own = tx.deleteFrom('flag_presences').where('user_id', '=', userId)
  await (feature === undefined ? own : own.where('feature_name', '=', feature)).execute()
}

/** Notes whether others may know where a person is. */
export async function putShown(tx: Tx, userId: number, isShown: boolean): Promise<void> {
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

/** Removes some of those of whom was not heard since a time. */
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
