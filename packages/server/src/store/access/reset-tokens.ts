import type { Insertable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'
import type { UserRow } from './users.ts'

/** Notes a token by which a person may set a password, in the place of earlier ones: `own` of those by the same maker. */
export async function putResetToken(
  tx: Tx,
  row: Insertable<Schema['reset_tokens']>,
  earlier: 'own' | 'all',
): Promise<void> {
  const ended = tx.deleteFrom('reset_tokens').where('user_id', '=', row.user_id)
  await (earlier === 'all' ? ended : ended.where('created_by', '=', row.created_by)).execute()
  await tx.insertInto('reset_tokens').values(row).execute()
}

/** Ends all tokens by which a person may set a password. */
export async function removeResetTokens(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}

/** The person of a token by which to set a password, who made it, and whether their own tokens end at its use. */
export type LinkOwnerRow = UserRow & { readonly created_by: string; readonly ends_tokens: number }

/** The person of a token that is still good. */
export function userOfResetToken(reader: Reader, hash: string, now: number): Promise<LinkOwnerRow | undefined> {
  return reader
    .selectFrom('reset_tokens as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('u')
    .select(['r.created_by', 'r.ends_tokens'])
    .where('r.hash', '=', hash)
    .where('r.expires_at', '>', now)
    .executeTakeFirst()
}
