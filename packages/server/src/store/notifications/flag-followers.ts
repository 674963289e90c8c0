import type { FollowerReason } from '@burgee/protocol/user'
import type { Reader } from '../database.ts'

/**
 * Who follows which flag, and so hears of its changes: who made it, and who likes it; where both hold, the first reason
 * counts. The rule is this, read from both sides.
 */
const FOLLOWS = {
  maker: (reader: Reader) =>
    reader
      .selectFrom('features')
      .select(['name as feature', 'created_by_user_id as userId'])
      .orderBy('created_at', 'desc'),
  favorite: (reader: Reader) =>
    reader.selectFrom('feature_favorites').select(['feature_name as feature', 'user_id as userId']),
} satisfies Record<FollowerReason, unknown>

/** Names of flags that a person follows, archived ones too, so many of each reason at most; of those they made the newest. */
export async function flagsFollowedBy(
  reader: Reader,
  userId: number,
  limit: number,
): Promise<ReadonlyMap<string, FollowerReason>> {
  const made = await FOLLOWS.maker(reader)
    .where('created_by_user_id', '=', userId)
    .orderBy('name')
    .limit(limit)
    .execute()
  const liked = await FOLLOWS.favorite(reader).where('user_id', '=', userId).execute()
  return firstReasons(
    made.map(({ feature }) => feature),
    liked.map(({ feature }) => feature),
    limit,
  )
}

/** Ids of who follows a flag, programs and who is not there any more among them; so many who like it at most. */
export async function followersOf(
  reader: Reader,
  feature: string,
  limit: number,
): Promise<ReadonlyMap<number, FollowerReason>> {
  const makers = await FOLLOWS.maker(reader).where('name', '=', feature).execute()
  const likers = await FOLLOWS.favorite(reader)
    .where('feature_name', '=', feature)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return firstReasons(
    makers.flatMap(({ userId }) => (userId === null ? [] : [userId])),
    likers.flatMap(({ userId }) => userId),
    limit,
  )
}

function firstReasons<K>(made: readonly K[], liked: readonly K[], limit: number): Map<K, FollowerReason> {
  const makers = new Set(made)
  const others = liked.filter((one) => !makers.has(one)).slice(0, limit)
  return new Map<K, FollowerReason>([
    ...made.map((one) => [one, 'maker'] as const),
    ...others.map((one) => [one, 'favorite'] as const),
  ])
}
