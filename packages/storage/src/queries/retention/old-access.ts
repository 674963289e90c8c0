import type { Reader, Tx } from '../../database.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

/**
 * Deletes a batch of sessions and password-reset links that expired before a time. Returns true if more expired
 * sessions or links may remain.
 */
export async function removeExpiredAccess(tx: Tx, before: number): Promise<boolean> {
  for (const table of ['sessions', 'reset_tokens'] as const) {
    const { numDeletedRows } = await tx
      .deleteFrom(table)
      .where('hash', 'in', ({ selectFrom }) =>
        selectFrom(table).select('hash').where('expires_at', '<=', before).limit(BATCH_ROWS),
      )
      .executeTakeFirst()
    if (numDeletedRows > 0n) return true
  }
  return false
}

/** Returns a batch of API tokens that expired before a time. */
export async function listExpiredTokens(reader: Reader, before: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('api_tokens')
    .select('id')
    .where('expires_at', '<=', before)
    .limit(BATCH_ROWS)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns a batch of personal tokens that expired before a time, each with its user. */
export async function listExpiredPersonalTokens(
  reader: Reader,
  before: number,
): Promise<{ id: number; userId: number }[]> {
  const rows = await reader
    .selectFrom('personal_tokens')
    .select(['id', 'user_id as userId'])
    .where('expires_at', '<=', before)
    .limit(BATCH_ROWS)
    .execute()
  return rows
}
