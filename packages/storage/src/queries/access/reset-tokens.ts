import type { Insertable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { UserRow } from './users.ts'

/**
 * Stores a password-reset token. Replaces all earlier tokens of the user. With `own`, replaces only tokens created by
 * the same author.
 */
export async function putResetToken(
  tx: Tx,
  row: Insertable<Schema['reset_tokens']>,
  earlier: 'own' | 'all',
): Promise<void> {
  const ended = tx.deleteFrom('reset_tokens').where('user_id', '=', row.user_id)
  await (earlier === 'all' ? ended : ended.where('created_by', '=', row.created_by)).execute()
  await tx.insertInto('reset_tokens').values(row).execute()
}

/** Deletes all password-reset tokens of a user, or of several users. */
export async function removeResetTokens(tx: Tx, of: number | readonly number[]): Promise<void> {
  await tx
    .deleteFrom('reset_tokens')
    .where('user_id', 'in', typeof of === 'number' ? [of] : of)
    .execute()
}

/**
 * Result row for a password-reset token: its user, and its author. `ends_tokens` is 1 if using the token revokes the
 * user's personal tokens.
 */
export type ResetTokenUserRow = UserRow & { readonly created_by: string; readonly ends_tokens: number }

/** Returns the user of a password-reset token; undefined if it is unknown or has expired. */
export function findResetTokenUser(reader: Reader, hash: string, now: number): Promise<ResetTokenUserRow | undefined> {
  return reader
    .selectFrom('reset_tokens as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('u')
    .select(['r.created_by', 'r.ends_tokens'])
    .where('r.hash', '=', hash)
    .where('r.expires_at', '>', now)
    .executeTakeFirst()
}
