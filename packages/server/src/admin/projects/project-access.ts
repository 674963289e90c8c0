import type { AddAccess, AssignedRole, ProjectAccess, ReplaceAccess } from '@burgee/protocol/project-access'
import type { Role } from '@burgee/protocol/user'
import { chunks } from '@burgee/storage/chunks'
import type { Reader } from '@burgee/storage/database'
import {
  type GroupMemberRow,
  listGroupMembers,
  listGroupProjects,
  listProjectGroups,
} from '@burgee/storage/queries/access/groups'
import { findRoleById, listRoles } from '@burgee/storage/queries/access/roles'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { listMemberRoles, listMembers } from '@burgee/storage/queries/projects/members'
import { isRootType } from '../../core/access/rights/grants.ts'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import type { Change } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'
import { toGroup } from '../access/groups/groups.ts'
import { toPerson } from '../access/people/users.ts'
import {
  assignAllRoles,
  type RoleAssigner,
  type RoleHolder,
  readHolderRoles,
  requireAssignable,
  requireRemainingOwner,
  type TargetRoles,
} from './role-assignments.ts'

/** Returns the built-in and custom roles that users and groups can have in projects. */
export async function readProjectRoles(reader: Reader): Promise<Role[]> {
  return (await listRoles(reader)).filter(({ type }) => !isRootType(type))
}

/**
 * Returns the roles of users and groups in a project. For each group, also returns its other projects, except projects
 * that the caller cannot see. Throws NotFoundError.
 */
export async function readProjectAccess(
  reader: Reader,
  project: string,
  hidden?: readonly string[],
): Promise<ProjectAccess> {
  const { created_at: begun } = await requireProject(reader, project)
  const people = Map.groupBy(await listMembers(reader, project), (row) => row.id)
  const users = [...people.values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    // clients expect a date; if no date is stored, use the first time at which both the user and the project existed
    const addedAt = new Date(first.added_at ?? Math.max(first.created_at, begun)).toISOString()
    return [{ ...toPerson(first), ...toRoleFields(rows), addedAt }]
  })
  return { users, groups: await readGroupAccess(reader, project, hidden), roles: await readProjectRoles(reader) }
}

async function readGroupAccess(
  reader: Reader,
  project: string,
  hidden: readonly string[] | undefined,
): Promise<ProjectAccess['groups']> {
  const groups = Map.groupBy(await listProjectGroups(reader, project), (row) => row.id)
  const members: GroupMemberRow[] = []
  const places: Awaited<ReturnType<typeof listGroupProjects>> = []
  for (const part of chunks([...groups.keys()])) {
    members.push(...(await listGroupMembers(reader, part)))
    places.push(...filterVisible(hidden, await listGroupProjects(reader, part), (one) => one.project))
  }
  const membersById = Map.groupBy(members, (row) => row.group_id)
  const projectsById = Map.groupBy(places, (row) => row.group_id)
  const found: ProjectAccess['groups'] = []
  for (const [id, rows] of groups) {
    const [first] = rows
    if (first === undefined) continue
    const { role_id: _role, added_at, ...row } = first
    const projects = (projectsById.get(id) ?? []).map((one) => one.project)
    const view = toGroup(row, membersById.get(id) ?? [], projects)
    found.push({ ...view, ...toRoleFields(rows), addedAt: new Date(added_at).toISOString() })
  }
  return found
}

function toRoleFields(rows: readonly { readonly role_id: number }[]): { roleId: number; roles: number[] } {
  return { roleId: rows[0]?.role_id ?? 0, roles: rows.map((row) => row.role_id) }
}

/**
 * Returns the root role of a user, and the roles in a project that were granted to the user directly. Throws
 * NotFoundError.
 */
export async function readUserRoles(
  reader: Reader,
  { project, user }: { readonly project: string; readonly user: Pick<UserRow, 'id' | 'root_role'> },
): Promise<AssignedRole[]> {
  await requireProject(reader, project)
  const ids = await listMemberRoles(reader, project, user.id)
  const own = (await readProjectRoles(reader)).filter(({ id }) => ids.includes(id))
  const root = await findRoleById(reader, user.root_role)
  const everywhere = root === undefined ? [] : [{ ...root, project: 'default' }]
  return [...everywhere, ...own.map((role) => ({ ...role, project }))]
}

/**
 * Adds roles to users and groups, with an event for each user or group that gets a new role. Throws NotFoundError,
 * ValidationError, and NoAccessError if a role grants more than the caller's permissions.
 */
export const addAccess: Change<{ project: string; body: AddAccess } & RoleAssigner, void> = async (
  tx,
  { project, body, giver },
  context,
) => {
  await requireProject(tx, project)
  await requireAssignable(tx, project, body.roles, giver)
  const wanted: TargetRoles[] = []
  for (const holders of Map.groupBy(toHolders(project, body), ({ kind }) => kind).values()) {
    const before = await readHolderRoles(tx, holders)
    for (const holder of holders) wanted.push({ ...holder, roles: [...(before.get(holder.id) ?? []), ...body.roles] })
  }
  return { result: undefined, events: await assignAllRoles(tx, wanted, { giver, context }) }
}

/**
 * Replaces the roles of all users and groups in a project, with an event for each user or group whose roles change.
 * Throws NotFoundError. Throws NoAccessError if a new role grants more than the caller's permissions. Throws
 * ValidationError for invalid input or if no owner would remain.
 */
export const replaceAccess: Change<{ project: string; body: ReplaceAccess } & RoleAssigner, void> = async (
  tx,
  { project, body, giver },
  context,
) => {
  await requireProject(tx, project)
  const access = await readProjectAccess(tx, project)
  const before = { users: access.users.map(({ id }) => id), groups: access.groups.map(({ id }) => id) }
  const wanted = new Map<string, RoleHolder & { roles: number[] }>()
  for (const holder of toHolders(project, before)) wanted.set(getKey(holder), { ...holder, roles: [] })
  for (const { id: role, users, groups } of body.roles) {
    for (const holder of toHolders(project, { users: users ?? [], groups })) {
      const known = wanted.get(getKey(holder)) ?? { ...holder, roles: [] }
      known.roles.push(role)
      wanted.set(getKey(holder), known)
    }
  }
  const roles = body.roles.map(({ id }) => id)
  await requireAssignable(tx, project, roles, undefined)
  const events = await requireRemainingOwner(tx, project, () =>
    assignAllRoles(tx, [...wanted.values()], { giver, context }),
  )
  return { result: undefined, events }
}

function toHolders(
  project: string,
  { users, groups = [] }: { readonly users: readonly number[]; readonly groups?: readonly number[] | undefined },
): RoleHolder[] {
  return [
    ...[...new Set(users)].map((id) => ({ project, kind: 'user' as const, id })),
    ...[...new Set(groups)].map((id) => ({ project, kind: 'group' as const, id })),
  ]
}

function getKey({ kind, id }: RoleHolder): string {
  return `${kind} ${id}`
}
