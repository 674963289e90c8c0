import type { Reader } from '../database.ts'

/** As whom single sign-on puts people into groups: only those it takes out again. */
export const BY_SSO = 'single sign-on'

/** A group as single sign-on sees it, and who has put somebody into it; null where the person is not in it. */
export interface GroupOfPerson {
  readonly id: number
  readonly name: string
  readonly mappings: readonly string[]
  readonly joinedBy: string | null
}

/** All groups, with the membership of one person. */
export async function groupsFor(reader: Reader, userId: number): Promise<GroupOfPerson[]> {
  const rows = await reader
    .selectFrom('groups as g')
    .leftJoin('group_members as m', (join) => join.onRef('m.group_id', '=', 'g.id').on('m.user_id', '=', userId))
    .select(['g.id', 'g.name', 'g.mappings_sso', 'm.created_by'])
    .orderBy('g.id')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, mappings: row.mappings_sso, joinedBy: row.created_by }))
}
