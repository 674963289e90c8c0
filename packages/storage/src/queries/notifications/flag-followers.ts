import type { FollowerReason } from '@burgee/protocol/user'
import type { Reader } from '../../database.ts'

/**
 * Queries for the followers of a flag: its creator, and users who marked it as a favorite. Followers are notified of
 * changes to the flag. A user who is both is treated as the creator. Each query can be filtered by user, to find the
 * flags that a user follows, or by flag, to find its followers.
 */
const FOLLOWER_QUERIES = {
  maker: (reader: Reader) =>
    reader
      .selectFrom('features')
      .select(['name as feature', 'created_by_user_id as userId'])
      .orderBy('created_at', 'desc'),
  favorite: (reader: Reader) =>
    reader.selectFrom('feature_favorites').select(['feature_name as feature', 'user_id as userId']),
} satisfies Record<FollowerReason, unknown>

/**
 * Returns the flags that a user follows, including archived flags; at most `limit` created flags and `limit` favorites.
 * If the user has created more flags than `limit`, returns the newest of them.
 */
export async function readFollowedFlags(
  reader: Reader,
  userId: number,
  limit: number,
): Promise<ReadonlyMap<string, FollowerReason>> {
  const made = await FOLLOWER_QUERIES.maker(reader)
    .where('created_by_user_id', '=', userId)
    .orderBy('name')
    .limit(limit)
    .execute()
  const liked = await FOLLOWER_QUERIES.favorite(reader).where('user_id', '=', userId).execute()
  return mergeReasons(
    made.map(({ feature }) => feature),
    liked.map(({ feature }) => feature),
    limit,
  )
}

/**
 * Returns the user ids of a flag's followers: its creator, and up to `limit` users who marked it as a favorite. May
 * include service accounts and deleted users.
 */
export async function readFollowers(
  reader: Reader,
  feature: string,
  limit: number,
): Promise<ReadonlyMap<number, FollowerReason>> {
  const makers = await FOLLOWER_QUERIES.maker(reader).where('name', '=', feature).execute()
  const likers = await FOLLOWER_QUERIES.favorite(reader)
    .where('feature_name', '=', feature)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return mergeReasons(
    makers.flatMap(({ userId }) => (userId === null ? [] : [userId])),
    likers.flatMap(({ userId }) => userId),
    limit,
  )
}

function mergeReasons<K>(made: readonly K[], liked: readonly K[], limit: number): Map<K, FollowerReason> {
  const makers = new Set(made)
  const others = liked.filter((one) => !makers.has(one)).slice(0, limit)
  return new Map<K, FollowerReason>([
    ...made.map((one) => [one, 'maker'] as const),
    ...others.map((one) => [one, 'favorite'] as const),
  ])
}
