import type { Tx } from '@burgee/storage/database'
import { putResetToken } from '@burgee/storage/queries/access/reset-tokens'
import type { ChangeContext } from '../../execute.ts'
import { hashSecret } from '../tokens/tokens.ts'

const SECRET_BYTES = 32
const LIFETIME_MS = 24 * 3_600_000

/** Input for creating a password-reset token. */
export interface ResetTokenInput {
  readonly userId: number
  /** True if using the link also revokes the user's personal tokens. */
  readonly endsTokens: boolean
  readonly mailed?: boolean
}

/**
 * Creates a single-use password-reset token that expires after 24 hours. The new token replaces the user's earlier
 * tokens. A `mailed` token replaces only mailed tokens: anyone can request a mail, and the mail must not invalidate a
 * link from an administrator. Only the hash is stored; never put the returned token into an event.
 */
export async function createResetToken(
  tx: Tx,
  { userId, endsTokens, mailed = false }: ResetTokenInput,
  { now, random, author }: ChangeContext,
): Promise<string> {
  const token = Buffer.from(random(SECRET_BYTES)).toString('base64url')
  const row = {
    hash: hashSecret(token),
    user_id: userId,
    created_by: author.name,
    created_at: now,
    expires_at: now + LIFETIME_MS,
    ends_tokens: Number(endsTokens),
  }
  await putResetToken(tx, row, mailed ? 'own' : 'all')
  return token
}
