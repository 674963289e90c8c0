import { invalid } from '@burgee/kit/input/refusals'
import type { Reader } from '@burgee/storage/database'
import { findRoleById } from '@burgee/storage/queries/access/roles'
import { isRootType } from './grants.ts'
import { BUILT_IN_ROLES } from './role-permissions.ts'

/** Returns the id of a root role, given its id or the name of a built-in role. Returns 0 for an unknown name. */
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
