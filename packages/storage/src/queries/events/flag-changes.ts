import type { Reader } from '../../database.ts'

/** Change to a flag that SDKs in an environment receive. */
export interface FlagChange {
  readonly id: number
  /** Time of the commit, in milliseconds since 1970. */
  readonly atMs: number
}

/** Flag in an environment. */
interface FlagInEnvironment {
  readonly feature: string
  readonly environment: string
}

/**
 * Returns the last event that changed a flag in an environment, or the event with the given id if that event changed
 * the flag there. Returns undefined if no event did.
 */
export async function findFlagChange(
  reader: Reader,
  { feature, environment }: FlagInEnvironment,
  id?: number,
): Promise<FlagChange | undefined> {
  let query = reader
    .selectFrom('events')
    .select(['id', 'created_at'])
    .where('feature_name', '=', feature)
    .where('reach', 'in', ['', environment])
  if (id !== undefined) query = query.where('id', '=', id)
  const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row === undefined ? undefined : { id: row.id, atMs: row.created_at }
}

/** Returns true if there is an event of a type about a flag in an environment after the event with the given id. */
export async function hasFlagEventAfter(
  reader: Reader,
  { type, feature, environment, id }: FlagInEnvironment & { readonly type: string; readonly id: number },
): Promise<boolean> {
  const row = await reader
    .selectFrom('events')
    .select('id')
    .where('feature_name', '=', feature)
    .where('id', '>', id)
    .where('type', '=', type)
    .where('environment', '=', environment)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
