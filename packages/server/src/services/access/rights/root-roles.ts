import { invalid } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import { admins } from '../../../store/access/people.ts'
import { roleById } from '../../../store/access/roles.ts'
import type { Reader, Tx } from '../../../store/database.ts'
import { isRootType } from './grants.ts'
import { BUILT_IN_ROLES } from './role-permissions.ts'

/** Id of a root role that a body names by its id, or one that every installation has by its name. */
export function rootRoleId(role: number | string): number {
  return typeof role === 'number' ? role : (BUILT_IN_ROLES.find(({ name }) => name === role)?.id ?? 0)
}

/** Throws ValidationError where there is no root role with an id. */
export async function requireRootRole(reader: Reader, id: number): Promise<void> {
  const role = await roleById(reader, id)
  if (role === undefined || !isRootType(role.type)) {
    throw invalid(`"rootRole" must be the id of a root role; there is none with the id ${id}.`, 'body/rootRole')
  }
}

/**
 * Makes a change that may take the role Admin from people, of their own or by a group. Throws ConflictError where nobody
 * would be left who can log in as admin; whoever has no password cannot, but counts where nobody else could before.
 */
export async function keepAnAdmin<T>(tx: Tx, change: () => Promise<T>): Promise<T> {
  const before = await admins(tx)
  const result = await change()
  const after = await admins(tx)
  const isLost = (who: (one: { password_hash: string }) => boolean) => before.some(who) && !after.some(who)
  if (isLost(({ password_hash }) => password_hash !== '') || isLost(() => true)) {
    throw new Problem('ConflictError', 'This is the last admin: there must always be one.')
  }
  return result
}
