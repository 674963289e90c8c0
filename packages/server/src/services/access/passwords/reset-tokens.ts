import { putResetToken } from '../../../store/access/reset-tokens.ts'
import type { Tx } from '../../../store/database.ts'
import type { Moment } from '../../execute.ts'
import { hashOf } from '../tokens/tokens.ts'

const SECRET_BYTES = 32
const GOOD_MS = 24 * 3_600_000

/** A token that is wanted. */
export interface WantedLink {
  readonly userId: number
  /** Whether the person's own tokens end at its use. */
  readonly endsTokens: boolean
  readonly mailed?: boolean
}

/**
 * Makes a token by which a person may set a password once, within a day; earlier ones of that person end, or where it is
 * `mailed` those that were mailed: anybody may ask for one, and must not end what an administrator has made. The result
 * is in the database as its hash only, and belongs into no event.
 */
export async function makeResetToken(
  tx: Tx,
  { userId, endsTokens, mailed = false }: WantedLink,
  { now, random, author }: Moment,
): Promise<string> {
  const token = Buffer.from(random(SECRET_BYTES)).toString('base64url')
  const row = {
    hash: hashOf(token),
    user_id: userId,
    created_by: author.name,
    created_at: now,
    expires_at: now + GOOD_MS,
    ends_tokens: Number(endsTokens),
  }
  await putResetToken(tx, row, mailed ? 'own' : 'all')
  return token
}
