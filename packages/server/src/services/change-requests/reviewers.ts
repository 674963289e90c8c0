import type { Approver } from '@burgee/protocol/administration/change-request'
import { isGranted } from '@burgee/protocol/grant'
import { allAssignments } from '../../store/access/assignments.ts'
import { listUsers, userById } from '../../store/access/people.ts'
import type { UserRow } from '../../store/access/users.ts'
import { approversOf, opinionsOf } from '../../store/change-requests/opinions.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { privateProjects } from '../../store/projects/private-projects.ts'
import { userView } from '../access/people/users.ts'
import { grantsOf, readRoles } from '../access/rights/grants.ts'
import { hiddenFrom, hiddenNow } from '../access/rights/hidden-projects.ts'
import { rightsOf } from '../access/rights/people-rights.ts'
import { may, userActor } from '../access/rights/rights.ts'
import type { RequestAct } from './request-ref.ts'

/**
 * Returns a user with their current rights, independent of an HTTP request; undefined for an unknown or deactivated
 * user.
 */
export async function personById(reader: Reader, id: number): Promise<RequestAct['actor'] | undefined> {
  const user = await userById(reader, id)
  if (user === undefined || user.active === 0) return undefined
  const actor = userActor(user, '', await rightsOf(reader, user))
  return { ...actor, hidden: await hiddenNow(reader, id, actor.grants), address: null, user }
}

/**
 * Returns all users who may approve changes in an environment, keyed by user id. The number of queries does not depend
 * on the number of users.
 */
export async function reviewersOf(reader: Reader, { project, environment }: ProjectPlace): Promise<UserRow[]> {
  const roles = await readRoles(reader)
  const secret = (await privateProjects(reader)).filter((one) => one === project)
  const assigned = Map.groupBy(await allAssignments(reader), ({ user_id }) => user_id)
  return (await listUsers(reader)).filter((user) => {
    const own = assigned.get(user.id) ?? []
    const grants = grantsOf(user.root_role, own, roles)
    const isHidden = !isGranted(grants, 'ADMIN', {}) && hiddenFrom(secret, own).length > 0
    return user.active === 1 && !isHidden && may({ grants }, 'APPROVE_CHANGE_REQUEST', { project, environment })
  })
}

/** Returns true if a user may approve changes in an environment. */
export async function isReviewer(reader: Reader, id: number, place: ProjectPlace): Promise<boolean> {
  const person = await personById(reader, id)
  return person !== undefined && may(person, 'APPROVE_CHANGE_REQUEST', place)
}

/** Returns a user in the form used in the list of reviewers. */
export function reviewerView(row: UserRow): Approver {
  const { id, name, username, email } = row
  return { id, name, username, email, imageUrl: userView(row).imageUrl }
}

/** Returns the requested approvers of a request with their reviews. */
export async function approversView(reader: Reader, { id }: Pick<RequestRow, 'id'>): Promise<Approver[]> {
  const opinions = new Map((await opinionsOf(reader, [id])).map((one) => [one.user_id, one.opinion]))
  return (await approversOf(reader, id)).map((row) => ({
    ...reviewerView(row),
    status: opinions.get(row.id) ?? ('unknown' as const),
  }))
}
