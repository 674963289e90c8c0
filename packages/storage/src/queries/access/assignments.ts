import { sql } from 'kysely'
import type { Reader } from '../../database.ts'

/** Role of a user, and where the user has it from. */
export interface Assignment {
  readonly role_id: number
  /** Project of the role; null for a root role. */
  readonly project: string | null
  /** Name of the group that grants the role; null if it is granted to the user directly. */
  readonly group: string | null
}

const NULL_TEXT = sql<string | null>`cast(null as text)`

/** Returns the roles of a user other than the root role: roles in projects, and roles granted through groups. */
export function listAssignments(reader: Reader, userId: number): Promise<Assignment[]> {
  return reader
    .selectFrom('project_members')
    .select(({ ref }) => ['role_id', ref('project').$castTo<string | null>().as('project'), NULL_TEXT.as('group')])
    .where('user_id', '=', userId)
    .unionAll(
      reader
        .selectFrom('group_members as m')
        .innerJoin('groups as g', 'g.id', 'm.group_id')
        .innerJoin('project_groups as p', 'p.group_id', 'g.id')
        .select(({ ref }) => [
          'p.role_id',
          ref('p.project').$castTo<string | null>().as('project'),
          ref('g.name').$castTo<string | null>().as('group'),
        ])
        .where('m.user_id', '=', userId),
    )
    .unionAll(
      reader
        .selectFrom('group_members as m')
        .innerJoin('groups as g', 'g.id', 'm.group_id')
        .select(({ ref }) => [
          ref('g.root_role').$notNull().as('role_id'),
          NULL_TEXT.as('project'),
          ref('g.name').$castTo<string | null>().as('group'),
        ])
        .where('m.user_id', '=', userId)
        .where('g.root_role', 'is not', null),
    )
    .execute()
}

/** Returns the roles of all users except their root roles. */
export async function listAllAssignments(reader: Reader): Promise<(Assignment & { readonly user_id: number })[]> {
  const own = await reader.selectFrom('project_members').select(['user_id', 'role_id', 'project']).execute()
  const members = await reader
    .selectFrom('group_members as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .select(['m.user_id', 'g.id', 'g.name', 'g.root_role'])
    .execute()
  const inProjects = Map.groupBy(
    await reader.selectFrom('project_groups').select(['group_id', 'role_id', 'project']).execute(),
    (row) => row.group_id,
  )
  return [
    ...own.map((row) => ({ ...row, group: null })),
    ...members.flatMap(({ user_id, id, name: group, root_role }) => [
      ...(root_role === null ? [] : [{ user_id, role_id: root_role, project: null, group }]),
      ...(inProjects.get(id) ?? []).map(({ role_id, project }) => ({ user_id, role_id, project, group })),
    ]),
  ]
}
