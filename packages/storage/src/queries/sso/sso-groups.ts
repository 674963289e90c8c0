import type { Reader } from '../../database.ts'

/**
 * Author recorded for group memberships that single sign-on has added. Single sign-on removes only memberships with
 * this author.
 */
export const BY_SSO = 'single sign-on'

/**
 * Group, with its names at the single sign-on provider and the author who added the user to the group. The author is
 * null if the user is not a member.
 */
export interface UserGroup {
  readonly id: number
  readonly name: string
  readonly mappings: readonly string[]
  readonly joinedBy: string | null
}

/** Lists all groups, each with the membership of one user. */
export async function listGroupsWithMembership(reader: Reader, userId: number): Promise<UserGroup[]> {
  const rows = await reader
    .selectFrom('groups as g')
    .leftJoin('group_members as m', (join) => join.onRef('m.group_id', '=', 'g.id').on('m.user_id', '=', userId))
    .select(['g.id', 'g.name', 'g.mappings_sso', 'm.created_by'])
    .orderBy('g.id')
    .execute()
  return rows.map((row) => ({ id: row.id, name: row.name, mappings: row.mappings_sso, joinedBy: row.created_by }))
}
