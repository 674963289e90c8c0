import type { Reader } from '../database.ts'

/** Author of group memberships added by single sign-on, which only removes these again. */
export const BY_SSO = 'single sign-on'

/**
 * Group with its names in single sign-on, and the author of one user's membership; null if the user is not a member.
 */
export interface GroupOfPerson {
  readonly id: number
  readonly name: string
  readonly mappings: readonly string[]
  readonly joinedBy: string | null
}

/** Lists all groups, with the membership of one user. */
export async function groupsFor(reader: Reader, userId: number): Promise<GroupOfPerson[]> {
  const rows = await reader
    .selectFrom('groups as g')
    .leftJoin('group_members as m', (join) => join.onRef('m.group_id', '=', 'g.id').on('m.user_id', '=', userId))
    .select(['g.id', 'g.name', 'g.mappings_sso', 'm.created_by'])
    .orderBy('g.id')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, mappings: row.mappings_sso, joinedBy: row.created_by }))
}
