import type { Reply } from '@burgee/kit/http/route'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { passwordCaller } from '../../core/access/passwords/passwords.ts'
import type { Actor } from '../../core/access/rights/rights.ts'
import { tooMany } from '../../core/http/rate-limit-replies.ts'
import type { HttpWorld } from '../../core/http/route.ts'
import { createWrongOldPassword } from './people/user-admin.ts'

/**
 * Checks the current password that a user must repeat before a sensitive change. Counts the attempt against the user's
 * limit. Returns the 429 reply if the limit is exceeded, and undefined if the password is right. Throws
 * PasswordMismatch for a wrong password.
 */
export async function checkCurrentPassword(
  { limits, passwords }: Pick<HttpWorld, 'limits' | 'passwords'>,
  actor: Actor,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
  password: string,
): Promise<Reply | undefined> {
  const taken = limits.ownPassword(id)
  if (taken.waitMs > 0) return tooMany(taken)
  if (await passwords.matches(password, password_hash, passwordCaller(actor))) return undefined
  throw createWrongOldPassword()
}
