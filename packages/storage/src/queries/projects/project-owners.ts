import type { Reader } from '../../database.ts'
import type { UserRow } from '../access/users.ts'

const OWNER_ROLE = 4

/** Owners of a project: users sorted by id, and groups sorted by name. */
export interface OwnerRows {
  readonly users: readonly UserRow[]
  readonly groups: readonly string[]
}

/** Returns the owners of each project, by project id. Projects without owners are omitted. */
export async function readOwnersByProject(reader: Reader): Promise<Map<string, OwnerRows>> {
  const people = await reader
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select('m.project')
    .where('m.role_id', '=', OWNER_ROLE)
    .orderBy('u.id')
    .execute()
  const groups = await reader
    .selectFrom('project_groups as p')
    .innerJoin('groups as g', 'g.id', 'p.group_id')
    .select(['p.project', 'g.name'])
    .where('p.role_id', '=', OWNER_ROLE)
    .orderBy('g.name')
    .execute()
  const users = Map.groupBy(people, (row) => row.project)
  const teams = Map.groupBy(groups, (row) => row.project)
  const projects = new Set([...users.keys(), ...teams.keys()])
  return new Map(
    [...projects].map((project) => [
      project,
      { users: users.get(project) ?? [], groups: (teams.get(project) ?? []).map(({ name }) => name) },
    ]),
  )
}
