import { invalid } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listAdmins } from '@burgee/storage/queries/access/people'
import { findRoleById } from '@burgee/storage/queries/access/roles'
import { isRootType } from './grants.ts'
import { BUILT_IN_ROLES } from './role-permissions.ts'

/** Returns the id of a root role for an id or the name of a built-in role. Returns 0 for an unknown name. */
export function getRootRoleId(role: number | string): number {
  return typeof role === 'number' ? role : (BUILT_IN_ROLES.find(({ name }) => name === role)?.id ?? 0)
}

/** Throws ValidationError if the id belongs to no root role. */
export async function requireRootRole(reader: Reader, id: number): Promise<void> {
  const role = await findRoleById(reader, id)
  if (role === undefined || !isRootType(role.type)) {
    throw invalid(`"rootRole" must be the id of a root role; there is none with the id ${id}.`, 'body/rootRole')
  }
}

/**
 * Runs a change that may remove the Admin role from users, directly or through a group. Throws ConflictError if the
 * change removes the last admin, or the last admin who has a password.
 */
export async function requireRemainingAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  const before = await listAdmins(tx)
  const result = await change()
  const after = await listAdmins(tx)
  const isLost = (who: (one: { password_hash: string }) => boolean) => before.some(who) && !after.some(who)
  if (isLost(({ password_hash }) => password_hash !== '') || isLost(() => true)) {
    throw new Problem('ConflictError', 'This is the last admin: there must always be one.')
  }
  return result
}
