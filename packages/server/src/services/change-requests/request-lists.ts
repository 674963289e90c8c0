import { invalid } from '@burgee/kit/input/refusals'
import {
  CHANGE_REQUEST_STATES,
  type ChangeRequestCounts,
  type ChangeRequestSearch,
  type ChangeRequestState,
  type FoundChangeRequests,
} from '@burgee/protocol/administration/change-request'
import { changedNames } from '../../store/change-requests/changes.ts'
import { askedOf, judgedBy } from '../../store/change-requests/opinions.ts'
import { countByState, type RequestRow, requestsWhere } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import { visible } from '../access/rights/hidden-projects.ts'
import { type Actor, may } from '../access/rights/rights.ts'
import { madeBy } from '../faces.ts'
import { filterOf, oneMeets } from '../filters.ts'
import type { Asking } from './request-ref.ts'
import { scheduleOf } from './views.ts'

/** Lists show the newest. */
export const MOST_LISTED = 300
/** Among so many a search looks. */
const MOST_SEARCHED = 10_000

/** How many change requests a project has, by state; drafts do not count. */
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

/** How many wait for an act of somebody: to be reviewed by them, or to be applied. */
export async function countActionable(reader: Reader, project: string, actor: Actor): Promise<number> {
  const page = { asker: actor.userId, limit: MOST_LISTED }
  const rows = await requestsWhere(reader, { project, states: ['In review', 'Approved'] }, page)
  const ids = rows.map(({ id }) => id)
  const given = await judgedBy(reader, actor.userId, ids)
  return rows.filter((row) => {
    if (row.state === 'Approved') return may(actor, 'APPLY_CHANGE_REQUEST', row)
    return isForReview(row, actor, given)
  }).length
}

/** Whether somebody else's request, which is in review, waits for an opinion of this person; `given` are those they have one of. */
function isForReview(row: RequestRow, actor: Actor, given: ReadonlySet<number>): boolean {
  const isOthers = row.created_by_user_id !== actor.userId && !given.has(row.id)
  return isOthers && may(actor, 'APPROVE_CHANGE_REQUEST', row)
}

/** Change requests of all projects that wait to be reviewed by somebody, among the newest 300 in review. */
export async function requestsForReview(reader: Reader, actor: Actor): Promise<RequestRow[]> {
  const page = { asker: actor.userId, limit: MOST_LISTED }
  const rows = await requestsWhere(reader, { states: ['In review'] }, page)
  const ids = rows.map(({ id }) => id)
  const given = await judgedBy(reader, actor.userId, ids)
  return rows.filter((row) => isForReview(row, actor, given))
}

/** Change requests of all projects by conditions, newest first. Throws ValidationError for what is no condition. */
export async function searchRequests(
  reader: Reader,
  query: ChangeRequestSearch,
  { userId: asker, hidden }: Asking,
): Promise<FoundChangeRequests> {
  const conditions = [
    conditionOf(query, 'createdBy', (row) => String(row.created_by_user_id)),
    conditionOf(query, 'state', (row) => row.state),
    await approverCondition(reader, query),
  ]
  const rows = visible(hidden, await requestsWhere(reader, {}, { asker, limit: MOST_SEARCHED }), (row) => row.project)
  const found = rows.filter((row) => conditions.every((isMet) => isMet(row)))
  const page = found.slice(query.offset, query.offset + query.limit)
  const ids = page.map(({ id }) => id)
  const changed = Map.groupBy(await changedNames(reader, ids), (one) => one.request_id)
  const changeRequests = page.map((row) => {
    const own = changed.get(row.id) ?? []
    const schedule = scheduleOf(row)
    return {
      ...{ id: row.id, title: row.title, environment: row.environment, project: row.project, state: row.state },
      ...madeBy(row),
      features: [...new Set(own.flatMap((one) => one.feature_name ?? []))],
      segments: [...new Set(own.flatMap((one) => one.segment_name ?? []))],
      ...(schedule === undefined ? {} : { schedule }),
    }
  })
  return { changeRequests, total: found.length }
}

type Condition = (row: RequestRow) => boolean

function conditionOf(
  query: ChangeRequestSearch,
  name: 'createdBy' | 'state',
  own: (row: RequestRow) => string,
): Condition {
  const filter = filterOf(query[name], name)
  if (filter === undefined) return () => true
  const isMet = oneMeets(filter)
  return (row) => isMet(own(row))
}

async function approverCondition(
  reader: Reader,
  { requestedApproverId: text }: ChangeRequestSearch,
): Promise<Condition> {
  const filter = filterOf(text, 'requestedApproverId')
  if (filter === undefined) return () => true
  const ids = filter.values.map(Number)
  if (ids.some((id) => !Number.isInteger(id))) {
    throw invalid('"requestedApproverId" must name ids of users', 'query/requestedApproverId')
  }
  const asked = await askedOf(reader, ids)
  return (row) => asked.has(row.id) === filter.isWanted
}
