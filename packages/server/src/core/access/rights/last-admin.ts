import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { listAdmins } from '@burgee/storage/queries/access/people'

/**
 * Runs a change that can remove the Admin role from users, directly or through a group. Throws ConflictError if the
 * change removes the last admin, or the last admin who has a password.
 */
export async function requireRemainingAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  const before = await listAdmins(tx)
  const result = await change()
  const after = await listAdmins(tx)
  const isLost = (who: (one: { password_hash: string }) => boolean) => before.some(who) && !after.some(who)
  if (isLost(({ password_hash }) => password_hash !== '') || isLost(() => true)) {
    throw new Problem('ConflictError', 'This is the last administrator: there must always be one.')
  }
  return result
}
