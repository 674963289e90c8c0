import type { UserRow } from '../access/users.ts'
import type { Reader, Tx } from '../database.ts'

/** People with a role in a project, a row for each role, by id of the person. */
export function membersOf(reader: Reader, project: string): Promise<(UserRow & { role_id: number })[]> {
  return reader
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select('m.role_id')
    .where('m.project', '=', project)
    .orderBy('u.id')
    .orderBy('m.role_id')
    .execute()
}

/** Roles of a person in a project, in order. */
export async function rolesIn(reader: Reader, project: string, userId: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('project_members')
    .select('role_id')
    .where('project', '=', project)
    .where('user_id', '=', userId)
    .orderBy('role_id')
    .execute()
  return rows.map((row) => row.role_id)
}

/** Gives a person exactly these roles in a project. */
export async function putRoles(tx: Tx, project: string, userId: number, roles: readonly number[]): Promise<void> {
  await tx.deleteFrom('project_members').where('project', '=', project).where('user_id', '=', userId).execute()
  if (roles.length === 0) return
  await tx
    .insertInto('project_members')
    .values(roles.map((role_id) => ({ project, user_id: userId, role_id })))
    .execute()
}
