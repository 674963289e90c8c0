import { PERMISSION_SCOPES } from '@burgee/protocol/administration/permission'
import type { Grant } from '@burgee/protocol/grant'
import type { Reader } from '@burgee/storage/database'
import type { Assignment } from '@burgee/storage/queries/access/assignments'
import { listRolePermissions, listRoles, type RolePermissionRow } from '@burgee/storage/queries/access/roles'
import { ADMIN_ROLE, BUILT_IN_ROLES, type RoleRights } from './role-permissions.ts'

/** All roles with their permissions, keyed by role id. */
export type Roles = ReadonlyMap<number, RoleRights>

/** Grants of an admin. */
export const ADMIN: readonly Grant[] = [{ permission: 'ADMIN' }]

/** Reads all roles with their permissions. */
export async function readRoles(reader: Reader): Promise<Roles> {
  const given = Map.groupBy(await listRolePermissions(reader), ({ role_id }) => role_id)
  const rows = await listRoles(reader)
  return new Map(rows.map((row) => [row.id, { ...row, permissions: getRolePermissions(row.id, given.get(row.id)) }]))
}

/**
 * Returns the permissions of a role. The permissions of built-in roles are defined in the code, those of custom roles
 * are stored.
 */
export function getRolePermissions(id: number, stored: readonly RolePermissionRow[] = []): RoleRights['permissions'] {
  const builtIn = BUILT_IN_ROLES.find((role) => role.id === id)
  return builtIn?.permissions ?? stored.map(({ permission, environment }) => ({ permission, environment }))
}

/** Returns true if roles of a type are assigned globally instead of in a project. */
export function isRootType(type: string): boolean {
  return type === 'root' || type === 'root-custom'
}

/**
 * Returns the grants of a root role and of further role assignments, without duplicates. An assignment grants nothing
 * if the role does not exist or has the wrong type: only root roles apply globally, and only other roles apply in a
 * project.
 */
export function resolveGrants(
  rootRole: number,
  more: readonly Pick<Assignment, 'role_id' | 'project'>[],
  roles: Roles,
) {
  const assignments = [{ role_id: rootRole, project: null }, ...more]
  // ADMIN includes every other permission
  if (assignments.some(({ role_id, project }) => role_id === ADMIN_ROLE && project === null)) return ADMIN
  const found = new Map<string, Grant>()
  for (const { role_id, project } of assignments) {
    const role = roles.get(role_id)
    if (role === undefined) continue
    for (const grant of getRoleGrants(role, project)) found.set(getKey(grant), grant)
  }
  return [...found.values()]
}

/** Returns the grants that a role gives in a project; null means globally. */
export function getRoleGrants({ type, permissions }: RoleRights, project: string | null): Grant[] {
  if (isRootType(type) !== (project === null)) return []
  return permissions.flatMap(({ permission, environment, project: only }): Grant[] => {
    const reach = PERMISSION_SCOPES.get(permission)
    if (reach === 'root') return project === null ? [{ permission }] : []
    const where = project ?? only ?? '*'
    if (reach === 'project') return [{ permission, project: where }]
    return reach === undefined ? [] : [{ permission, project: where, environment: environment ?? '*' }]
  })
}

function getKey({ permission, project, environment }: Grant): string {
  return JSON.stringify([permission, project, environment])
}
