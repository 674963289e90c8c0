import type { AddAccess, AssignedRole, ProjectAccess, ReplaceAccess } from '@burgee/protocol/project-access'
import type { Role } from '@burgee/protocol/user'
import { groupMembers, groupProjects, groupsIn } from '../../store/access/groups.ts'
import { listRoles, roleById } from '../../store/access/roles.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Reader } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import { membersOf, rolesIn } from '../../store/projects/members.ts'
import { groupView } from '../access/groups/groups.ts'
import { personView } from '../access/people/users.ts'
import { isRootType } from '../access/rights/grants.ts'
import { visible } from '../access/rights/hidden-projects.ts'
import type { Change } from '../execute.ts'
import { type Giver, giveRoles, type Holder, heldRoles, keepAnOwner, requireGivable } from './given-roles.ts'
import { requireProject } from './project-ref.ts'

/** Returns the roles that users and groups can have in projects: built-in and custom ones. */
export async function projectRoles(reader: Reader): Promise<Role[]> {
  return (await listRoles(reader)).filter(({ type }) => !isRootType(type))
}

/**
 * Returns the roles of users and groups in a project. Groups are returned with their other projects, except for
 * projects that the caller cannot see. Throws NotFoundError.
 */
export async function projectAccess(
  reader: Reader,
  project: string,
  hidden?: readonly string[],
): Promise<ProjectAccess> {
  const { created_at: begun } = await requireProject(reader, project)
  const people = Map.groupBy(await membersOf(reader, project), (row) => row.id)
  const users = [...people.values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    // clients expect a date: if none is stored, use the first time at which both user and project existed
    const addedAt = new Date(first.added_at ?? Math.max(first.created_at, begun)).toISOString()
    return [{ ...personView(first), ...heldSince(rows), addedAt }]
  })
  return { users, groups: await groupAccess(reader, project, hidden), roles: await projectRoles(reader) }
}

async function groupAccess(
  reader: Reader,
  project: string,
  hidden: readonly string[] | undefined,
): Promise<ProjectAccess['groups']> {
  const groups = Map.groupBy(await groupsIn(reader, project), (row) => row.id)
  const found: ProjectAccess['groups'] = []
  for (const [id, rows] of groups) {
    const [first] = rows
    if (first === undefined) continue
    const { role_id: _role, added_at, ...row } = first
    const projects = visible(hidden, await groupProjects(reader, id), (one) => one.project).map((one) => one.project)
    const view = groupView(row, await groupMembers(reader, id), projects)
    found.push({ ...view, ...heldSince(rows), addedAt: new Date(added_at).toISOString() })
  }
  return found
}

function heldSince(rows: readonly { readonly role_id: number }[]): { roleId: number; roles: number[] } {
  return { roleId: rows[0]?.role_id ?? 0, roles: rows.map((row) => row.role_id) }
}

/** Returns the root role of a user and their own roles in a project. Throws NotFoundError. */
export async function rolesOf(
  reader: Reader,
  { project, user }: { readonly project: string; readonly user: Pick<UserRow, 'id' | 'root_role'> },
): Promise<AssignedRole[]> {
  await requireProject(reader, project)
  const ids = await rolesIn(reader, project, user.id)
  const own = (await projectRoles(reader)).filter(({ id }) => ids.includes(id))
  const root = await roleById(reader, user.root_role)
  const everywhere = root === undefined ? [] : [{ ...root, project: 'default' }]
  return [...everywhere, ...own.map((role) => ({ ...role, project }))]
}

/**
 * Adds roles to users and groups, with an event for each user or group that gets a new role. Throws NotFoundError,
 * ValidationError, and NoAccessError if a role exceeds the permissions of the caller.
 */
export const addAccess: Change<{ project: string; body: AddAccess } & Giver, void> = async (
  tx,
  { project, body, giver },
  moment,
) => {
  await requireProject(tx, project)
  await requireGivable(tx, project, body.roles, giver)
  const events: NewEvent[] = []
  for (const holder of holdersOf(project, body)) {
    const roles = [...(await heldRoles(tx, holder)), ...body.roles]
    events.push(...(await giveRoles(tx, { ...holder, roles, giver }, moment)))
  }
  return { result: undefined, events }
}

/**
 * Replaces the roles of all users and groups in a project, with an event for each user or group whose roles change.
 * Throws NotFoundError. Throws NoAccessError if a new role exceeds the permissions of the caller. Throws
 * ValidationError for invalid input or if no owner would remain.
 */
export const replaceAccess: Change<{ project: string; body: ReplaceAccess } & Giver, void> = async (
  tx,
  { project, body, giver },
  moment,
) => {
  await requireProject(tx, project)
  const access = await projectAccess(tx, project)
  const before = { users: access.users.map(({ id }) => id), groups: access.groups.map(({ id }) => id) }
  const wanted = new Map<string, Holder & { roles: number[] }>()
  for (const holder of holdersOf(project, before)) wanted.set(keyOf(holder), { ...holder, roles: [] })
  for (const { id: role, users, groups } of body.roles) {
    for (const holder of holdersOf(project, { users: users ?? [], groups })) {
      const known = wanted.get(keyOf(holder)) ?? { ...holder, roles: [] }
      known.roles.push(role)
      wanted.set(keyOf(holder), known)
    }
  }
  const roles = body.roles.map(({ id }) => id)
  await requireGivable(tx, project, roles, undefined)
  const events = await keepAnOwner(tx, project, async () => {
    const changed: NewEvent[] = []
    for (const holder of wanted.values()) changed.push(...(await giveRoles(tx, { ...holder, giver }, moment)))
    return changed
  })
  return { result: undefined, events }
}

function holdersOf(
  project: string,
  { users, groups = [] }: { readonly users: readonly number[]; readonly groups?: readonly number[] | undefined },
): Holder[] {
  return [
    ...[...new Set(users)].map((id) => ({ project, kind: 'user' as const, id })),
    ...[...new Set(groups)].map((id) => ({ project, kind: 'group' as const, id })),
  ]
}

function keyOf({ kind, id }: Holder): string {
  return `${kind} ${id}`
}
