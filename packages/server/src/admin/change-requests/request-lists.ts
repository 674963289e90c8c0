import { invalid } from '@burgee/kit/input/refusals'
import {
  CHANGE_REQUEST_STATES,
  type ChangeRequestCounts,
  type ChangeRequestSearch,
  type ChangeRequestState,
  type FoundChangeRequests,
} from '@burgee/protocol/administration/change-request'
import { parseRowId } from '@burgee/protocol/row-id'
import type { Reader } from '@burgee/storage/database'
import { listChangedNames } from '@burgee/storage/queries/change-requests/changes'
import { countByState, listRequestRows, type RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { readRequestIdsByApprovers, readReviewedRequestIds } from '@burgee/storage/queries/change-requests/reviews'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { toCreatedBy } from '../../core/avatars.ts'
import { createMatcher, parseFilter } from '../../core/filters.ts'
import type { RequestViewer } from './request-ref.ts'
import { getSchedule } from './views.ts'

/** Maximum number of requests in a list, which is sorted from newest to oldest. */
export const MAX_LISTED = 300
/** Maximum number of requests that a search considers. */
const MAX_SEARCHED = 10_000

/** Returns the number of change requests in a project, grouped by state and without drafts. */
export async function countRequests(reader: Reader, project: string): Promise<ChangeRequestCounts> {
  const counts = await countByState(reader, project)
  const of = (state: ChangeRequestState) => counts.get(state) ?? 0
  return {
    total: CHANGE_REQUEST_STATES.filter((state) => state !== 'Draft').reduce((sum, state) => sum + of(state), 0),
    applied: of('Applied'),
    rejected: of('Rejected'),
    reviewRequired: of('In review'),
    approved: of('Approved'),
    scheduled: of('Scheduled'),
  }
}

/** Returns the number of change requests in a project that the actor can currently review or apply. */
export async function countActionable(reader: Reader, project: string, actor: Actor): Promise<number> {
  const page = { asker: actor.userId, limit: MAX_LISTED }
  const rows = await listRequestRows(reader, { project, states: ['In review', 'Approved'] }, page)
  const ids = rows.map(({ id }) => id)
  const given = await readReviewedRequestIds(reader, actor.userId, ids)
  return rows.filter((row) => {
    if (row.state === 'Approved') return hasPermission(actor, 'APPLY_CHANGE_REQUEST', row)
    return isForReview(row, actor, given)
  }).length
}

/**
 * Returns true if a request in review awaits the review of the actor. `given` contains the ids of the requests that the
 * actor has already reviewed.
 */
export function isForReview(row: RequestRow, actor: Actor, given: ReadonlySet<number>): boolean {
  const isOthers = row.created_by_user_id !== actor.userId && !given.has(row.id)
  return isOthers && hasPermission(actor, 'APPROVE_CHANGE_REQUEST', row)
}

/**
 * Returns the matching change requests of all projects, newest first. Throws ValidationError for invalid conditions.
 */
export async function searchRequests(
  reader: Reader,
  query: ChangeRequestSearch,
  { userId: asker, hidden }: RequestViewer,
): Promise<FoundChangeRequests> {
  const conditions = [
    parseCondition(query, 'createdBy', (row) => String(row.created_by_user_id)),
    parseCondition(query, 'state', (row) => row.state),
    await parseApproverCondition(reader, query),
  ]
  const rows = filterVisible(
    hidden,
    await listRequestRows(reader, {}, { asker, limit: MAX_SEARCHED }),
    (row) => row.project,
  )
  const found = rows.filter((row) => conditions.every((isMet) => isMet(row)))
  const page = found.slice(query.offset, query.offset + query.limit)
  const ids = page.map(({ id }) => id)
  const changed = Map.groupBy(await listChangedNames(reader, ids), (one) => one.request_id)
  const changeRequests = page.map((row) => {
    const own = changed.get(row.id) ?? []
    const schedule = getSchedule(row)
    return {
      id: row.id,
      title: row.title,
      environment: row.environment,
      project: row.project,
      state: row.state,
      ...toCreatedBy(row),
      features: [...new Set(own.flatMap((one) => one.feature_name ?? []))],
      segments: [...new Set(own.flatMap((one) => one.segment_name ?? []))],
      ...(schedule === undefined ? {} : { schedule }),
    }
  })
  return { changeRequests, total: found.length }
}

type Condition = (row: RequestRow) => boolean

function parseCondition(
  query: ChangeRequestSearch,
  name: 'createdBy' | 'state',
  own: (row: RequestRow) => string,
): Condition {
  const filter = parseFilter(query[name], name)
  if (filter === undefined) return () => true
  const isMet = createMatcher(filter)
  return (row) => isMet(own(row))
}

async function parseApproverCondition(
  reader: Reader,
  { requestedApproverId: text }: ChangeRequestSearch,
): Promise<Condition> {
  const filter = parseFilter(text, 'requestedApproverId')
  if (filter === undefined) return () => true
  const ids = filter.values.map(parseRowId).filter((id) => id !== undefined)
  if (ids.length < filter.values.length) {
    throw invalid('"requestedApproverId" must contain user ids', 'query/requestedApproverId')
  }
  const requested = await readRequestIdsByApprovers(reader, ids)
  return (row) => requested.has(row.id) === filter.isWanted
}
