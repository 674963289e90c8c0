import { INBOX_ACTIONS, type InboxAction, type InboxRequest } from '@burgee/protocol/administration/inbox'
import type { Reader } from '@burgee/storage/database'
import { listRequestRows, type RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { readRequestIdsByApprovers, readReviewedRequestIds } from '@burgee/storage/queries/change-requests/reviews'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { toCreatedBy } from '../../core/avatars.ts'
import { isForReview, MAX_LISTED } from '../change-requests/request-lists.ts'

/** Change request that awaits an action of an actor. */
interface RequestWithAction {
  readonly row: RequestRow
  readonly action: InboxAction
}

/** Lists the change requests of all projects that await an action of the actor, most urgent action first. */
export async function listInboxRequests(reader: Reader, actor: Actor): Promise<InboxRequest[]> {
  const found = await findInboxRequests(reader, actor)
  const requested = await readRequestIdsByApprovers(reader, [actor.userId])
  return found
    .map(({ row, action }) => toInboxRequest(row, action, requested.has(row.id)))
    .sort((a, b) => getRank(a.action) - getRank(b.action) || a.since.localeCompare(b.since) || a.id - b.id)
}

/**
 * Finds the change requests of all projects that await an action of the actor. Searches only the newest 300 open change
 * requests.
 */
export async function findInboxRequests(reader: Reader, actor: Actor): Promise<RequestWithAction[]> {
  const page = { asker: actor.userId, limit: MAX_LISTED }
  const all = await listRequestRows(reader, { states: ['In review', 'Approved', 'Scheduled'] }, page)
  const rows = filterVisible(actor.hidden, all, ({ project }) => project)
  const ids = rows.map(({ id }) => id)
  const reviewed = await readReviewedRequestIds(reader, actor.userId, ids)
  return rows.flatMap((row) => {
    const action = getInboxAction(row, actor, reviewed)
    return action === undefined ? [] : [{ row, action }]
  })
}

function getInboxAction(row: RequestRow, actor: Actor, reviewed: ReadonlySet<number>): InboxAction | undefined {
  if (row.state === 'In review') return isForReview(row, actor, reviewed) ? 'review' : undefined
  const mayApply = hasPermission(actor, 'APPLY_CHANGE_REQUEST', row)
  if (row.state === 'Approved') return mayApply ? 'apply' : undefined
  const isFailed = row.schedule_status === 'failed' || row.schedule_status === 'suspended'
  return isFailed && (mayApply || row.created_by_user_id === actor.userId) ? 'failed-schedule' : undefined
}

function toInboxRequest(row: RequestRow, action: InboxAction, isRequested: boolean): InboxRequest {
  const { id, title, project, environment, state, state_times, created_at, schedule_reason } = row
  return {
    id,
    title,
    project,
    environment,
    action,
    createdBy: toCreatedBy(row).createdBy,
    since: new Date(Number(state_times[state] ?? created_at)).toISOString(),
    requested: isRequested,
    ...(schedule_reason === null ? {} : { reason: schedule_reason }),
  }
}

const getRank = (action: InboxAction) => INBOX_ACTIONS.indexOf(action)
