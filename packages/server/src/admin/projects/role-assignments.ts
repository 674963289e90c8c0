import { invalid, notFound } from '@burgee/kit/input/refusals'
import { coversGrant, type Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { InitialRole } from '@burgee/protocol/user'
import type { Reader, Tx } from '@burgee/storage/database'
import { listGroupRolesInProject, putGroupRoles } from '@burgee/storage/queries/access/groups'
import { findUserById } from '@burgee/storage/queries/access/people'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { hasOwner, listMemberRoles, putMemberRoles } from '@burgee/storage/queries/projects/members'
import { getRoleGrants, isRootType, readRoles } from '../../core/access/rights/grants.ts'
import { hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import type { RoleRights } from '../../core/access/rights/role-permissions.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'
import { requireGroup } from '../access/groups/groups.ts'

/**
 * Permissions of the user who assigns roles. A user cannot assign a role that grants more than the user's own
 * permissions.
 */
export interface RoleAssigner {
  readonly giver: readonly Grant[]
}

/** Account or group that holds roles in a project. */
export interface RoleHolder {
  readonly project: string
  readonly kind: 'user' | 'group'
  readonly id: number
}

/** Returns the sorted role ids of an account or a group in a project. */
export function readAssignedRoles(reader: Reader, { project, kind, id }: RoleHolder): Promise<number[]> {
  return kind === 'user' ? listMemberRoles(reader, project, id) : listGroupRolesInProject(reader, project, id)
}

/**
 * Replaces all role assignments of a project member. Creates no event if nothing changes. Throws NotFoundError. Throws
 * NoAccessError if a new role grants more than the permissions of the user who assigns it. Throws ValidationError for
 * invalid input or if no owner would remain.
 */
export const setRoles: Change<RoleHolder & RoleAssigner & { roles: readonly number[] }, void> = async (
  tx,
  input,
  context,
) => {
  await requireProject(tx, input.project)
  const events = await requireRemainingOwner(tx, input.project, () => assignRoles(tx, input, context))
  return { result: undefined, events }
}

/** Adds or removes one role. Throws the same errors as `setRoles`. */
export const switchRole: Change<RoleHolder & RoleAssigner & { role: number; has: boolean }, void> = async (
  tx,
  { role, has, giver, ...holder },
  context,
) => {
  await requireAssignable(tx, holder.project, [role], has ? giver : undefined)
  const others = (await readAssignedRoles(tx, holder)).filter((id) => id !== role)
  return setRoles(tx, { ...holder, giver, roles: has ? [...others, role] : others }, context)
}

/**
 * Replaces role assignments in the same way as `setRoles`, but does not check that an owner remains; the caller must
 * check this.
 */
export async function assignRoles(
  tx: Tx,
  { roles, giver, ...holder }: RoleHolder & RoleAssigner & { roles: readonly number[] },
  { now }: ChangeContext,
): Promise<NewEvent[]> {
  const { project, kind, id } = holder
  await requireHolder(tx, holder)
  const before = await readAssignedRoles(tx, holder)
  const added = roles.filter((role) => !before.includes(role))
  await requireAssignable(tx, project, added, giver)
  const after = [...new Set(roles)].sort((a, b) => a - b)
  if (before.join() === after.join()) return []
  if (kind === 'user') await putMemberRoles(tx, { project, userId: id }, after, now)
  else await putGroupRoles(tx, { project, groupId: id }, after, now)
  const who = kind === 'user' ? { userId: id } : { groupId: id }
  const states = {
    ...(after.length === 0 ? {} : { data: { ...who, roles: after } }),
    ...(before.length === 0 ? {} : { preData: { ...who, roles: before } }),
  }
  return [{ type: `project-access-${kind}-roles-${after.length === 0 ? 'deleted' : 'updated'}`, project, ...states }]
}

/**
 * Applies a change to the roles in a project. Throws ValidationError if a project that had an owner would have none. A
 * project has no owner if a token created it or its owner was deleted.
 */
export async function requireRemainingOwner<T>(tx: Tx, project: string, change: () => Promise<T>): Promise<T> {
  const before = await hasOwner(tx, project)
  const result = await change()
  if (before && !(await hasOwner(tx, project))) throw invalid('A project must have at least one owner.', 'body/roles')
  return result
}

async function requireHolder(reader: Reader, { kind, id }: RoleHolder): Promise<void> {
  if (kind === 'group') await requireGroup(reader, id)
  else if ((await findUserById(reader, id)) === undefined) throw notFound(`There is no user with the id ${id}.`)
}

/**
 * Throws ValidationError if an id is not a project role, and NoAccessError if a role grants a permission that `giver`
 * lacks. If `giver` is undefined, only the ids are checked.
 */
export async function requireAssignable(
  reader: Reader,
  project: string,
  ids: readonly number[],
  giver: readonly Grant[] | undefined,
): Promise<void> {
  if (ids.length === 0) return
  const roles = await readRoles(reader)
  for (const id of ids) {
    const role = roles.get(id)
    if (role === undefined || isRootType(role.type)) {
      throw invalid(`There is no project role with the id ${id}.`, 'body/roles')
    }
    const lacking = giver && findLackingGrant(role, project, giver)
    if (lacking !== undefined) throw createExceedsPermissions(role.name, lacking)
  }
}

/** Returns the roles that a user or token with these rights can currently assign. */
export async function selectAssignable(
  reader: Reader,
  assigned: readonly InitialRole[],
  rights: Rights,
): Promise<InitialRole[]> {
  const roles = await readRoles(reader)
  return assigned.filter(({ project, role: id }) => {
    const role = roles.get(id)
    if (role === undefined || !hasPermission(rights, 'PROJECT_USER_ACCESS_WRITE', { project })) return false
    return findLackingGrant(role, project, rights.grants) === undefined
  })
}

function findLackingGrant(role: RoleRights, project: string, giver: readonly Grant[]): Grant | undefined {
  return getRoleGrants(role, project).find((grant) => !coversGrant(giver, grant))
}

function createExceedsPermissions(role: string, { permission, project, environment }: Grant): Problem {
  const where = environment === undefined || environment === '*' ? '' : ` in the environment "${environment}"`
  const message = `You cannot grant the role "${role}": it includes "${permission}"${where} in the project "${project}", which you do not have.`
  return new Problem('NoAccessError', message, { details: [{ message }], extra: { permissions: [permission] } })
}
