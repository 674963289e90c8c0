import type { UserRow } from '../access/users.ts'
import type { Reader } from '../database.ts'

const OWNER = 4

/** People who own projects, by project and then by id. */
export async function ownersByProject(reader: Reader): Promise<Map<string, UserRow[]>> {
  const rows = await reader
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select('m.project')
    .where('m.role_id', '=', OWNER)
    .orderBy('u.id')
    .execute()
  return Map.groupBy(rows, (row) => row.project)
}
