import type { Reader } from '../../database.ts'
import type { UserRow } from '../access/users.ts'

/** Id of the built-in role that has all permissions in a project. */
const OWNER_ROLE = 4

/** Returns the users with a role in a project, sorted by user id. A user with several roles has several rows. */
export function listMembers(
  reader: Reader,
  project: string,
): Promise<(UserRow & { role_id: number; added_at: number | null })[]> {
  return reader
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select(['m.role_id', 'm.created_at as added_at'])
    .where('m.project', '=', project)
    .orderBy('u.id')
    .orderBy('m.role_id')
    .execute()
}

/**
 * Returns true if a project has an owner. The owner role can be granted to an account, or to a group that has members.
 */
export async function hasOwner(reader: Reader, project: string): Promise<boolean> {
  const owner = await reader
    .selectFrom('project_members')
    .select('user_id')
    .where('project', '=', project)
    .where('role_id', '=', OWNER_ROLE)
    .unionAll(
      reader
        .selectFrom('project_groups as p')
        .innerJoin('group_members as m', 'm.group_id', 'p.group_id')
        .select('m.user_id')
        .where('p.project', '=', project)
        .where('p.role_id', '=', OWNER_ROLE),
    )
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** Returns the roles of a user in a project, sorted. */
export async function listMemberRoles(reader: Reader, project: string, userId: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('project_members')
    .select('role_id')
    .where('project', '=', project)
    .where('user_id', '=', userId)
    .orderBy('role_id')
    .execute()
  return rows.map((row) => row.role_id)
}
