import type { Approver } from '@burgee/protocol/administration/change-request'
import { isGranted } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { listAllAssignments } from '@burgee/storage/queries/access/assignments'
import { findUserById, listUsers } from '@burgee/storage/queries/access/people'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { listApproverRows, listReviews } from '@burgee/storage/queries/change-requests/reviews'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { listPrivateProjects } from '@burgee/storage/queries/projects/private-projects'
import { readRoles, resolveGrants } from '../../core/access/rights/grants.ts'
import { getHiddenFrom, readHiddenProjects } from '../../core/access/rights/hidden-projects.ts'
import { readGrants } from '../../core/access/rights/people-rights.ts'
import { hasPermission, requirePermission, toUserActor } from '../../core/access/rights/rights.ts'
import { toUser } from '../access/people/users.ts'
import type { RequestAct } from './request-ref.ts'
import { listReviewEnvironments } from './shared-changes.ts'

/**
 * Returns a user with their current rights, outside of an HTTP request; undefined for an unknown or deactivated user.
 */
export async function findPerson(reader: Reader, id: number): Promise<RequestAct['actor'] | undefined> {
  const user = await findUserById(reader, id)
  if (user === undefined || user.active === 0) return undefined
  const grants = await readGrants(reader, user)
  const actor = toUserActor(user, '', { grants, hidden: await readHiddenProjects(reader, id, grants) })
  return { ...actor, address: null, user }
}

/**
 * Returns all users who may approve changes in an environment, keyed by user id. The number of queries does not depend
 * on the number of users.
 */
export async function listReviewers(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
): Promise<UserRow[]> {
  const roles = await readRoles(reader)
  const secret = (await listPrivateProjects(reader)).filter((one) => one === project)
  const assigned = Map.groupBy(await listAllAssignments(reader), ({ user_id }) => user_id)
  return (await listUsers(reader)).filter((user) => {
    const own = assigned.get(user.id) ?? []
    const grants = resolveGrants(user.root_role, own, roles)
    const isHidden = !isGranted(grants, 'ADMIN', {}) && getHiddenFrom(secret, own).length > 0
    return (
      user.active === 1 &&
      hasPermission({ grants, hidden: isHidden ? [project] : [] }, 'APPROVE_CHANGE_REQUEST', { project, environment })
    )
  })
}

/** Returns true if a user may approve changes in an environment. */
export async function isReviewer(reader: Reader, id: number, place: ProjectEnvironmentKey): Promise<boolean> {
  const person = await findPerson(reader, id)
  return person !== undefined && hasPermission(person, 'APPROVE_CHANGE_REQUEST', place)
}

/** Throws NoAccessError if a user may not review a request or is its author. */
export async function requireReviewer(
  reader: Reader,
  request: RequestRow,
  actor: Pick<RequestAct['actor'], 'userId' | 'grants' | 'hidden'>,
): Promise<void> {
  for (const place of await listReviewEnvironments(reader, request))
    requirePermission(actor, 'APPROVE_CHANGE_REQUEST', place)
  if (request.created_by_user_id !== actor.userId) return
  const message = 'You created this change request: another user must approve or reject it.'
  throw new Problem('NoAccessError', message)
}

/** Returns a user in the form used in the list of reviewers. */
export function toApprover(row: UserRow): Approver {
  const { id, name, username, email } = row
  return { id, name, username, email, imageUrl: toUser(row).imageUrl }
}

/** Returns the requested approvers of a request with their reviews. */
export async function listApprovers(reader: Reader, { id }: Pick<RequestRow, 'id'>): Promise<Approver[]> {
  const opinions = new Map((await listReviews(reader, [id])).map((one) => [one.user_id, one.opinion]))
  return (await listApproverRows(reader, id)).map((row) => ({
    ...toApprover(row),
    status: opinions.get(row.id) ?? ('unknown' as const),
  }))
}
