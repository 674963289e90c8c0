import { invalid, notFound } from '@burgee/kit/input/refusals'
import { coversGrant, type Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { InitialRole } from '@burgee/protocol/user'
import type { Reader, Tx } from '@burgee/storage/database'
import { listGroupRolesInProject } from '@burgee/storage/queries/access/groups'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { hasOwner, listMemberRoles } from '@burgee/storage/queries/projects/members'
import {
  filterHolders,
  listHolderRoles,
  putHolderRoles,
  type RoleChange,
} from '@burgee/storage/queries/projects/project-roles'
import { getRoleGrants, isRootType, readRoles } from '../../core/access/rights/grants.ts'
import { hasPermission, type Rights } from '../../core/access/rights/rights.ts'
import type { RoleRights } from '../../core/access/rights/role-permissions.ts'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'

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

/** Account or group, and all roles that it should have in the project. */
export type TargetRoles = RoleHolder & { readonly roles: readonly number[] }

/**
 * Replaces role assignments in the same way as `setRoles`, but does not check that an owner remains; the caller must
 * check this.
 */
export function assignRoles(
  tx: Tx,
  { giver, ...wanted }: TargetRoles & RoleAssigner,
  context: ChangeContext,
): Promise<NewEvent[]> {
  return assignAllRoles(tx, [wanted], { giver, context })
}

/** User who assigns roles, and the context of the change. */
type Assignment = RoleAssigner & { readonly context: ChangeContext }

/**
 * Replaces the role assignments of several accounts and groups in one project, like `assignRoles`. The number of SQL
 * statements hardly depends on the number of accounts, because a request may name thousands of them.
 */
export async function assignAllRoles(
  tx: Tx,
  wanted: readonly TargetRoles[],
  assignment: Assignment,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const holders of Map.groupBy(wanted, ({ kind }) => kind).values()) {
    events.push(...(await assignToKind(tx, holders, assignment)))
  }
  return events
}

/** Replaces the role assignments of accounts of one kind. */
async function assignToKind(
  tx: Tx,
  wanted: readonly TargetRoles[],
  { giver, context: { now } }: Assignment,
): Promise<NewEvent[]> {
  const [first] = wanted
  if (first === undefined) return []
  const { project, kind } = first
  const before = await readHolderRoles(tx, wanted)
  const changes = wanted.map(({ id, roles }) => ({
    id,
    before: before.get(id) ?? [],
    after: [...new Set(roles)].sort((a, b) => a - b),
  }))
  const added = changes.flatMap((one) => one.after.filter((role) => !one.before.includes(role)))
  await requireAssignable(tx, project, [...new Set(added)], giver)
  const changed = changes.filter((one) => one.before.join() !== one.after.join())
  await putHolderRoles(tx, { project, kind, now }, changed)
  return changed.map((change) => toRolesEvent(first, change))
}

/**
 * Returns the sorted role ids of accounts of one kind in their project, by the id of the account. Omits accounts
 * without a role. Throws NotFoundError.
 */
export async function readHolderRoles(reader: Reader, holders: readonly RoleHolder[]): Promise<Map<number, number[]>> {
  const [first] = holders
  if (first === undefined) return new Map()
  const ids = holders.map(({ id }) => id)
  const known = await filterHolders(reader, first.kind, ids)
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw notFound(`There is no ${first.kind} with the id ${missing}.`)
  return listHolderRoles(reader, first, ids)
}

function toRolesEvent({ kind, project }: RoleHolder, { id, before, after }: RoleChange): NewEvent {
  const who = kind === 'user' ? { userId: id } : { groupId: id }
  const states = {
    ...(after.length === 0 ? {} : { data: { ...who, roles: after } }),
    ...(before.length === 0 ? {} : { preData: { ...who, roles: before } }),
  }
  return { type: `project-access-${kind}-roles-${after.length === 0 ? 'deleted' : 'updated'}`, project, ...states }
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
