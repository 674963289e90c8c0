import { putResetToken } from '../../../store/access/reset-tokens.ts'
import type { Tx } from '../../../store/database.ts'
import type { Moment } from '../../execute.ts'
import { hashOf } from '../tokens/tokens.ts'

const SECRET_BYTES = 32
const GOOD_MS = 24 * 3_600_000

/**
 * Makes a token by which a person may set a password once, within a day; earlier ones of that person end. The result is
 * in the database as its hash only, and belongs into no event.
 */
export async function makeResetToken(
  tx: Tx,
  { userId, endsTokens }: { readonly userId: number; readonly endsTokens: boolean },
  { now, random, author }: Moment,
): Promise<string> {
  const token = Buffer.from(random(SECRET_BYTES)).toString('base64url')
  await putResetToken(tx, {
    hash: hashOf(token),
    user_id: userId,
    created_by: author.name,
    created_at: now,
    expires_at: now + GOOD_MS,
    ends_tokens: Number(endsTokens),
  })
  return token
}
