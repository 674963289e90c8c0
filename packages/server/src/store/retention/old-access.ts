import type { Reader, Tx } from '../database.ts'
import { BATCH_ROWS } from './batch.ts'

/** Removes sessions and links for passwords that ran out before a time. */
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

/** API tokens that ran out before a time; some of them. */
export async function tokensExpiredBefore(reader: Reader, before: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('api_tokens')
    .select('id')
    .where('expires_at', '<=', before)
    .limit(BATCH_ROWS)
    .execute()
  return rows.map(({ id }) => id)
}

/** Personal tokens that ran out before a time, with whose they are; some of them. */
export async function personalTokensExpiredBefore(
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
