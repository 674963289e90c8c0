import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Role without its permissions. */
export type RoleRow = Selectable<Schema['roles']>

/** Permission of a custom role. */
export type RolePermissionRow = Selectable<Schema['role_permissions']>

/** Permission of a role, without the id of the role. */
export type StoredPermission = Omit<RolePermissionRow, 'role_id'>

/** Lists all roles, sorted by id. */
export function listRoles(reader: Reader): Promise<RoleRow[]> {
  return reader.selectFrom('roles').selectAll().orderBy('id').execute()
}

/** Returns a role by id. */
export function findRoleById(reader: Reader, id: number): Promise<RoleRow | undefined> {
  return reader.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lists the permissions of all custom roles, or of one custom role. */
export function listRolePermissions(reader: Reader, roleId?: number): Promise<RolePermissionRow[]> {
  let query = reader.selectFrom('role_permissions').selectAll()
  if (roleId !== undefined) query = query.where('role_id', '=', roleId)
  return query.orderBy('role_id').orderBy('permission').orderBy('environment').execute()
}

/** Inserts a role and returns it with its id. */
export function insertRole(tx: Tx, row: Omit<RoleRow, 'id'>): Promise<RoleRow> {
  return tx.insertInto('roles').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Updates name and description of a role. */
export async function updateRole(tx: Tx, { id, name, description }: RoleRow): Promise<void> {
  await tx.updateTable('roles').set({ name, description }).where('id', '=', id).execute()
}

/** Replaces the permissions of a role. */
export async function putRolePermissions(
  tx: Tx,
  role_id: number,
  permissions: readonly StoredPermission[],
): Promise<void> {
  await tx.deleteFrom('role_permissions').where('role_id', '=', role_id).execute()
  for (const part of chunks(permissions)) {
    const rows = part.map(({ permission, environment, all_environments }) => ({
      role_id,
      permission,
      environment,
      all_environments,
    }))
    await tx.insertInto('role_permissions').values(rows).execute()
  }
}
