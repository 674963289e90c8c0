import { type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { UserRow } from './users.ts'

/** Group without its members. */
export type GroupRow = Selectable<Schema['groups']>

/** Member of a group. */
export type GroupMemberRow = UserRow & {
  readonly group_id: number
  readonly joined_at: number
  readonly member_created_by: string
  readonly position: number
}

/** Position of a member in a group. */
interface GroupPosition {
  readonly userId: number
  readonly position: number
}

/** New member of a group. */
interface NewGroupMember {
  readonly groupId: number
  readonly userId: number
  readonly now: number
  readonly by: string
}

/** Lists all groups, sorted by name. */
export function listGroups(reader: Reader): Promise<GroupRow[]> {
  return reader.selectFrom('groups').selectAll().orderBy('name').execute()
}

/** Returns a group by id. */
export function findGroupById(reader: Reader, id: number): Promise<GroupRow | undefined> {
  return reader.selectFrom('groups').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the groups with the given ids, sorted by id. Omits unknown ids. */
export function listGroupsByIds(reader: Reader, ids: readonly number[]): Promise<GroupRow[]> {
  return reader.selectFrom('groups').selectAll().where('id', 'in', ids).orderBy('id').execute()
}

/** Returns a group by name. */
export function findGroupByName(reader: Reader, name: string): Promise<GroupRow | undefined> {
  return reader.selectFrom('groups').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Lists the members of all groups, or of the groups with the given ids, sorted by group id and position. */
export function listGroupMembers(reader: Reader, of?: number | readonly number[]): Promise<GroupMemberRow[]> {
  let query = reader
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('u')
    .select(['m.group_id', 'm.joined_at', 'm.created_by as member_created_by', 'm.position'])
  if (of !== undefined) query = query.where('m.group_id', 'in', typeof of === 'number' ? [of] : of)
  return query.orderBy('m.group_id').orderBy('m.position').orderBy('u.id').execute()
}

/**
 * Lists the pairs of a group and a project in which the group has a role, for all groups or only for the given ones.
 */
export function listGroupProjects(
  reader: Reader,
  of?: number | readonly number[],
): Promise<{ group_id: number; project: string }[]> {
  let query = reader.selectFrom('project_groups').select(['group_id', 'project']).distinct()
  if (of !== undefined) query = query.where('group_id', 'in', typeof of === 'number' ? [of] : of)
  return query.orderBy('group_id').orderBy('project').execute()
}

/** Inserts a group and returns the stored row with its new id. */
export function insertGroup(tx: Tx, row: Omit<GroupRow, 'id'>): Promise<GroupRow> {
  const { mappings_sso, ...columns } = row
  return tx
    .insertInto('groups')
    .values({ ...columns, mappings_sso: JSON.stringify(mappings_sso) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Updates all columns of a group except its id. */
export async function updateGroup(tx: Tx, { id, mappings_sso, ...columns }: GroupRow): Promise<void> {
  await tx
    .updateTable('groups')
    .set({ ...columns, mappings_sso: JSON.stringify(mappings_sso) })
    .where('id', '=', id)
    .execute()
}

/** Lists the roles that groups have in a project, one row per role, sorted by group name. */
export function listProjectGroups(
  reader: Reader,
  project: string,
): Promise<(GroupRow & { role_id: number; added_at: number })[]> {
  return reader
    .selectFrom('project_groups as p')
    .innerJoin('groups as g', 'g.id', 'p.group_id')
    .selectAll('g')
    .select(['p.role_id', 'p.created_at as added_at'])
    .where('p.project', '=', project)
    .orderBy('g.name')
    .orderBy('p.role_id')
    .execute()
}

/** Returns the roles of a group in a project, sorted. */
export async function listGroupRolesInProject(reader: Reader, project: string, groupId: number): Promise<number[]> {
  const rows = await reader
    .selectFrom('project_groups')
    .select('role_id')
    .where('project', '=', project)
    .where('group_id', '=', groupId)
    .orderBy('role_id')
    .execute()
  return rows.map((row) => row.role_id)
}

/** Adds a user to a group as the last member; `by` is the name of the author of this change. */
export async function insertGroupMember(tx: Tx, { groupId, userId, now, by }: NewGroupMember): Promise<void> {
  const row = { group_id: groupId, user_id: userId, joined_at: now, created_by: by }
  const last = tx
    .selectFrom('group_members')
    .select(({ fn, val }) => fn.coalesce(fn.max('position'), val(0)).as('last'))
    .where('group_id', '=', groupId)
  await tx
    .insertInto('group_members')
    .values({ ...row, position: sql<number>`(${last}) + 1` })
    .execute()
}

/**
 * Stores members of a group with their positions. Members that the group already has only get the new position. Runs
 * one statement for every few hundred members.
 */
export async function putGroupMembers(
  tx: Tx,
  { groupId, now, by }: Pick<NewGroupMember, 'groupId' | 'now' | 'by'>,
  members: readonly GroupPosition[],
): Promise<void> {
  const rows = members.map(({ userId: user_id, position }) => ({
    group_id: groupId,
    user_id,
    position,
    joined_at: now,
    created_by: by,
  }))
  for (const part of chunks(rows)) {
    await tx
      .insertInto('group_members')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['group_id', 'user_id']).doUpdateSet(({ ref }) => ({ position: ref('excluded.position') })),
      )
      .execute()
  }
}

/** Removes users from a group. Runs one statement for every few hundred users. */
export async function deleteGroupMembers(
  tx: Tx,
  { groupId, userIds }: { readonly groupId: number; readonly userIds: readonly number[] },
): Promise<void> {
  for (const part of chunks(userIds)) {
    await tx.deleteFrom('group_members').where('group_id', '=', groupId).where('user_id', 'in', part).execute()
  }
}
