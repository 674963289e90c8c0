import type { RoleUses } from '@burgee/protocol/administration/role'
import type { Reader } from '../../database.ts'

/**
 * Returns how often a role is used: the number of accounts and groups that have it as their root role, and the projects
 * in which it is granted.
 */
export async function readRoleUses(
  reader: Reader,
  id: number,
): Promise<{ people: number; groups: number; projects: string[] }> {
  const people = await reader.selectFrom('users').select('id').where('root_role', '=', id).execute()
  const groups = await reader.selectFrom('groups').select('id').where('root_role', '=', id).execute()
  const projects = await reader
    .selectFrom('project_members')
    .select('project')
    .where('role_id', '=', id)
    .union(reader.selectFrom('project_groups').select('project').where('role_id', '=', id))
    .orderBy('project')
    .execute()
  return { people: people.length, groups: groups.length, projects: projects.map((row) => row.project) }
}

/**
 * Returns the projects in which a role is granted, each with the number of users, service accounts and groups that have
 * the role there.
 */
export async function listRoleProjects(reader: Reader, role: number): Promise<RoleUses['projects']> {
  const members = await reader
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.project', 'u.is_service'])
    .where('m.role_id', '=', role)
    .execute()
  const groups = await reader.selectFrom('project_groups').select('project').where('role_id', '=', role).execute()
  const names = [...new Set([...members, ...groups].map(({ project }) => project))].sort()
  return names.map((project) => ({
    project,
    role,
    userCount: members.filter((one) => one.project === project && one.is_service === 0).length,
    serviceAccountCount: members.filter((one) => one.project === project && one.is_service === 1).length,
    groupCount: groups.filter((one) => one.project === project).length,
  }))
}
