import { notFound } from '@burgee/kit/input/refusals'
import type { Group, GroupInput } from '@burgee/protocol/administration/group'
import { Problem } from '@burgee/protocol/problem'
import { chunks } from '@burgee/storage/chunks'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  findGroupById,
  findGroupByName,
  type GroupMemberRow,
  type GroupRow,
  insertGroup,
  listGroupMembers,
  listGroupProjects,
  listGroups,
  listGroupsByIds,
  updateGroup,
} from '@burgee/storage/queries/access/groups'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { filterVisible } from '../../../core/access/rights/hidden-projects.ts'
import { requireRemainingAdmin } from '../../../core/access/rights/last-admin.ts'
import { requireRootRole } from '../../../core/access/rights/root-roles.ts'
import type { Change } from '../../../core/execute.ts'
import { toPerson } from '../people/users.ts'
import { setMembers } from './group-members.ts'

const MAX_GROUPS = 5000

/** Returns a group by id. Throws NotFoundError. */
export async function requireGroup(reader: Reader, id: number): Promise<GroupRow> {
  const row = await findGroupById(reader, id)
  if (row !== undefined) return row
  throw notFound(`There is no group with the id ${id}.`)
}

/** Returns a group in its wire format. */
export function toGroup(row: GroupRow, members: readonly GroupMemberRow[], projects: readonly string[]): Group {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mappingsSSO: row.mappings_sso,
    rootRole: row.root_role,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at).toISOString(),
    scimId: row.scim_id,
    users: members.map((member) => ({
      joinedAt: new Date(member.joined_at).toISOString(),
      createdBy: member.member_created_by,
      user: toPerson(member),
    })),
    projects: [...projects],
    userCount: members.length,
  }
}

/** Returns one group with its members. Throws NotFoundError. */
export async function readGroup(reader: Reader, id: number): Promise<Group> {
  const row = await requireGroup(reader, id)
  const projects = (await listGroupProjects(reader, id)).map(({ project }) => project)
  return toGroup(row, await listGroupMembers(reader, id), projects)
}

/** Returns all groups with their members and the projects that the caller may see. */
export async function readGroups(reader: Reader, hidden?: readonly string[]): Promise<Group[]> {
  const rows = await listGroups(reader)
  const members = Map.groupBy(await listGroupMembers(reader), (row) => row.group_id)
  const given = filterVisible(hidden, await listGroupProjects(reader), ({ project }) => project)
  const projects = Map.groupBy(given, (row) => row.group_id)
  return rows.map((row) =>
    toGroup(
      row,
      members.get(row.id) ?? [],
      (projects.get(row.id) ?? []).map(({ project }) => project),
    ),
  )
}

/** Creates a group. Throws ValidationError, NameExistsError, ConflictError beyond the limit. */
export const createGroup: Change<GroupInput, GroupRow> = async (tx, body, context) => {
  await requireFreeName(tx, body.name)
  if ((await listGroups(tx)).length >= MAX_GROUPS) {
    throw new Problem('ConflictError', `There are ${MAX_GROUPS} groups already.`)
  }
  const root_role = body.rootRole ?? null
  if (root_role !== null) await requireRootRole(tx, root_role)
  const row = await insertGroup(tx, {
    name: body.name,
    description: body.description ?? null,
    mappings_sso: [...new Set(body.mappingsSSO ?? [])],
    root_role,
    created_by: context.author.name,
    created_at: context.now,
    scim_id: null,
    scim_external_id: null,
  })
  const events = await setMembers(tx, { group: row, users: getUserIds(body) ?? [] }, context)
  return { result: row, events: [{ type: 'group-created', data: toGroupState(row) }, ...events] }
}

/**
 * Updates a group. Omitted fields keep their value; an unchanged group creates no event. Throws NotFoundError,
 * ValidationError, NameExistsError, ConflictError if no admin would remain.
 */
export const changeGroup: Change<{ id: number; body: GroupInput }, GroupRow> = async (tx, { id, body }, context) => {
  const before = await requireGroup(tx, id)
  if (body.name !== before.name) await requireFreeName(tx, body.name)
  const after: GroupRow = {
    ...before,
    name: body.name,
    description: body.description === undefined ? before.description : body.description,
    mappings_sso: body.mappingsSSO === undefined ? before.mappings_sso : [...new Set(body.mappingsSSO)],
    root_role: body.rootRole === undefined ? before.root_role : body.rootRole,
  }
  if (after.root_role !== null && after.root_role !== before.root_role) await requireRootRole(tx, after.root_role)
  const [data, preData] = [toGroupState(after), toGroupState(before)]
  const events: NewEvent[] = []
  await requireRemainingAdmin(tx, async () => {
    if (JSON.stringify(data) !== JSON.stringify(preData)) {
      await updateGroup(tx, after)
      events.push({ type: 'group-updated', data, preData })
    }
    events.push(...(await setMembers(tx, { group: after, users: getUserIds(body) }, context)))
  })
  return { result: after, events }
}

/**
 * Removes a group. The members of a removed group lose the access that the group gave them. Throws NotFoundError,
 * ConflictError if no admin would remain.
 */
export const removeGroup: Change<{ id: number }, void> = async (tx, { id }) => {
  await requireGroup(tx, id)
  return { result: undefined, events: await removeGroups(tx, [id]) }
}

/**
 * Removes several groups atomically (all groups or none). Runs a few SQL statements for every few hundred groups.
 * Ignores ids that do not exist. Throws ConflictError if no admin would remain.
 */
export function removeGroups(tx: Tx, ids: readonly number[]): Promise<NewEvent[]> {
  return requireRemainingAdmin(tx, async () => {
    const events: NewEvent[] = []
    for (const part of chunks(ids)) {
      const members = Map.groupBy(await listGroupMembers(tx, part), (row) => row.group_id)
      const places = Map.groupBy(await listGroupProjects(tx, part), (row) => row.group_id)
      for (const row of await listGroupsByIds(tx, part)) {
        const users = (members.get(row.id) ?? []).map((member) => member.id)
        const projects = (places.get(row.id) ?? []).map(({ project }) => project)
        events.push({ type: 'group-deleted', preData: { ...toGroupState(row), users, projects } })
      }
      await tx.deleteFrom('groups').where('id', 'in', part).execute()
    }
    return events
  })
}

function getUserIds({ users }: GroupInput): number[] | undefined {
  return users?.map(({ user }) => user.id)
}

function toGroupState({ id, name, description, mappings_sso, root_role }: GroupRow) {
  return { id, name, description, mappingsSSO: mappings_sso, rootRole: root_role }
}

async function requireFreeName(reader: Reader, name: string): Promise<void> {
  if ((await findGroupByName(reader, name)) === undefined) return
  throw new Problem('NameExistsError', `There is already a group with the name "${name}".`)
}
