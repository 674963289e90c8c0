import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { AddAccess, Person, ProjectAccess } from '@burgee/protocol/project-access'
import type { Role } from '@burgee/protocol/user'
import { userById } from '../../store/access/people.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import { membersOf, putRoles, rolesIn } from '../../store/projects/members.ts'
import { userView } from '../access/users.ts'
import type { Change } from '../execute.ts'
import { requireProject } from './project-ref.ts'

const OWNER = 4

/** Roles that people have in a project. */
export const PROJECT_ROLES: readonly Role[] = [
  { id: OWNER, name: 'Owner', type: 'project', description: 'May do everything in the project.' },
  { id: 5, name: 'Member', type: 'project', description: 'May change the flags of the project.' },
]

/** Somebody's roles in a project. */
export interface MemberRef {
  readonly project: string
  readonly userId: number
}

/** A person as they are shown to others. */
export function personView(row: UserRow): Person {
  const { id, name, username, email, imageUrl } = userView(row)
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    imageUrl,
  }
}

/** Who has which role in a project. Throws NotFoundError. */
export async function projectAccess(reader: Reader, project: string): Promise<ProjectAccess> {
  await requireProject(reader, project)
  const people = Map.groupBy(await membersOf(reader, project), (row) => row.id)
  const users = [...people.values()].flatMap((rows) => {
    const [first] = rows
    if (first === undefined) return []
    return [{ ...personView(first), roleId: first.role_id, roles: rows.map((row) => row.role_id) }]
  })
  return { users, groups: [], roles: [...PROJECT_ROLES] }
}

/** Roles of somebody in a project. Throws NotFoundError. */
export async function rolesOf(reader: Reader, { project, userId }: MemberRef): Promise<Role[]> {
  await requireProject(reader, project)
  const roles = await rolesIn(reader, project, userId)
  return PROJECT_ROLES.filter(({ id }) => roles.includes(id))
}

/**
 * Gives people roles besides those they have; an event for each who gets a new one. Throws NotFoundError,
 * ValidationError.
 */
export const addAccess: Change<{ project: string; body: AddAccess }, void> = async (tx, { project, body }, moment) => {
  const events: NewEvent[] = []
  for (const userId of new Set(body.users)) {
    const roles = [...(await rolesIn(tx, project, userId)), ...body.roles]
    events.push(...(await setRoles(tx, { project, userId, roles }, moment)).events)
  }
  if (body.users.length === 0) await requireProject(tx, project)
  requireRoles(body.roles)
  return { result: undefined, events }
}

/**
 * Gives somebody exactly these roles in a project; the same again is no event. Throws NotFoundError, ValidationError,
 * also where the last owner would go.
 */
export const setRoles: Change<MemberRef & { roles: readonly number[] }, void> = async (tx, { roles, ...ref }) => {
  const { project, userId } = ref
  await requireProject(tx, project)
  if ((await userById(tx, userId)) === undefined) throw notFound(`There is no user with the id ${userId}.`)
  requireRoles(roles)
  const before = await rolesIn(tx, project, userId)
  const after = [...new Set(roles)].sort((a, b) => a - b)
  if (before.join() === after.join()) return { result: undefined, events: [] }
  if (before.includes(OWNER) && !after.includes(OWNER)) await refuseLastOwner(tx, ref)
  await putRoles(tx, project, userId, after)
  const type = after.length === 0 ? 'project-access-user-roles-deleted' : 'project-access-user-roles-updated'
  const states = {
    ...(after.length === 0 ? {} : { data: { userId, roles: after } }),
    ...(before.length === 0 ? {} : { preData: { userId, roles: before } }),
  }
  return { result: undefined, events: [{ type, project, ...states }] }
}

/** Adds a role of somebody, or takes it away. Throws NotFoundError, ValidationError. */
export const switchRole: Change<MemberRef & { role: number; has: boolean }, void> = async (
  tx,
  { role, has, ...ref },
  moment,
) => {
  requireRoles([role])
  const before = await rolesIn(tx, ref.project, ref.userId)
  const others = before.filter((id) => id !== role)
  return setRoles(tx, { ...ref, roles: has ? [...others, role] : others }, moment)
}

/** Projects that a token made have no owner, and one whose owner left may have none; what has one keeps one. */
async function refuseLastOwner(tx: Tx, { project, userId }: MemberRef): Promise<void> {
  const others = (await membersOf(tx, project)).filter((row) => row.role_id === OWNER && row.id !== userId)
  if (others.length === 0) throw invalid('A project must have at least one owner.', 'body/roles')
}

function requireRoles(roles: readonly number[]): void {
  for (const role of roles) {
    if (PROJECT_ROLES.every(({ id }) => id !== role)) {
      throw invalid(`There is no role in projects with the id ${role}.`, 'body/roles')
    }
  }
}
