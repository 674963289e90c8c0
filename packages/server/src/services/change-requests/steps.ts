import { invalid } from '@burgee/kit/input/refusals'
import type { ChangeRequestState, ChangeRequestStep } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import { changesOf } from '../../store/change-requests/changes.ts'
import { dropOpinions, opinionsOf, putOpinion } from '../../store/change-requests/opinions.ts'
import {
  type RequestChange,
  type RequestRow,
  UNSCHEDULED,
  updateRequest,
} from '../../store/change-requests/requests.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { may, requireRight } from '../access/rights/rights.ts'
import type { Change, Moment, Outcome } from '../execute.ts'
import { carryOutRequest, refuseConflicts } from './applying.ts'
import { addComment } from './comments.ts'
import { type RequestAct, requestEvent, requireOwn, requireRequest } from './request-ref.ts'
import { isReviewer } from './reviewers.ts'
import { requiredApprovals } from './settings.ts'
import { placesToReview, requireSharedRights } from './shared-changes.ts'

/** State transition of a request by a user. */
interface Step {
  readonly request: RequestRow
  readonly act: RequestAct
  readonly body: ChangeRequestStep
}

type Take = (tx: Tx, step: Step, moment: Moment) => Promise<Outcome<void>>

/** States from which a request can move to each state. */
const FROM: Readonly<Record<ChangeRequestState, readonly ChangeRequestState[]>> = {
  Draft: ['In review', 'Approved', 'Scheduled'],
  'In review': ['Draft'],
  Approved: ['In review', 'Approved', 'Scheduled'],
  Applied: ['Approved', 'Scheduled'],
  Cancelled: ['Draft', 'In review', 'Approved', 'Scheduled'],
  Rejected: ['In review', 'Approved', 'Scheduled'],
  Scheduled: ['Approved', 'Scheduled'],
}

const TAKE: Readonly<Record<ChangeRequestState, Take>> = {
  Draft: reopen,
  'In review': sendToReview,
  Approved: approve,
  Applied: apply,
  Cancelled: cancel,
  Rejected: reject,
  Scheduled: schedule,
}

/**
 * Moves a change request to another state, with an optional comment. Applying a request makes all of its changes or
 * none. Throws NotFoundError, NoAccessError, ValidationError, ConflictError if the request is in another state or if
 * its flags have changed since the proposal.
 */
export const takeStep: Change<RequestAct & { body: ChangeRequestStep }, void> = async (
  tx,
  { body, ...act },
  moment,
) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  if (!FROM[body.state].includes(request.state)) throw notFromHere(request, body.state)
  if (body.state !== 'Scheduled' && body.scheduledAt !== undefined) {
    throw invalid('"scheduledAt" is only for the state "Scheduled"', 'body/scheduledAt')
  }
  const { events, ...outcome } = await TAKE[body.state](tx, { request, act, body }, moment)
  const text = body.comment?.trim() ?? ''
  const said = text === '' ? [] : [await addComment(tx, { request, text, by: act.actor }, moment)]
  return { ...outcome, events: [...events, ...said] }
}

function notFromHere({ state }: RequestRow, wanted: ChangeRequestState): Problem {
  const from = FROM[wanted].map((one) => `"${one}"`).join(', ')
  return new Problem('ConflictError', `The change request is "${state}"; "${wanted}" is reached from ${from}.`)
}

/** Stores a new state with its time. */
async function reach(tx: Tx, request: RequestRow, state: ChangeRequestState, now: number, more: RequestChange = {}) {
  const state_times = { ...request.state_times, [state]: now }
  await updateRequest(tx, request.id, { state, state_times, ...more })
}

const only = (event: NewEvent): Outcome<void> => ({ result: undefined, events: [event] })

async function sendToReview(tx: Tx, { request, act }: Step, { now }: Moment) {
  requireOwn(request, act.actor)
  if ((await changesOf(tx, [request.id])).length === 0) {
    throw new Problem('ConflictError', 'The change request holds no changes that somebody could review.')
  }
  await reach(tx, request, 'In review', now)
  return only(requestEvent('change-request-sent-to-review', request))
}

async function reopen(tx: Tx, { request, act }: Step, { now }: Moment) {
  requireOwn(request, act.actor)
  await dropOpinions(tx, request.id)
  await reach(tx, request, 'Draft', now, UNSCHEDULED)
  return only(requestEvent('change-request-reopened', request))
}

async function cancel(tx: Tx, { request, act }: Step, { now }: Moment) {
  if (!may(act.actor, 'ADMIN')) requireOwn(request, act.actor)
  await reach(tx, request, 'Cancelled', now, UNSCHEDULED)
  return only(requestEvent('change-request-cancelled', request))
}

/** Throws NoAccessError if the actor may not review the request or is its author. */
async function requireReviewer(reader: Reader, { request, act: { actor } }: Step): Promise<void> {
  for (const place of await placesToReview(reader, request)) requireRight(actor, 'APPROVE_CHANGE_REQUEST', place)
  if (request.created_by_user_id !== actor.userId) return
  const message = 'You made this change request: somebody else approves or rejects it.'
  throw new Problem('NoAccessError', message)
}

async function approve(tx: Tx, step: Step, { now }: Moment): Promise<Outcome<void>> {
  const { request, act } = step
  await requireReviewer(tx, step)
  const { userId: user_id } = act.actor
  const isNew = !(await approvalsOf(tx, request)).includes(user_id)
  if (isNew) await putOpinion(tx, { request_id: request.id, user_id, opinion: 'approved', created_at: now })
  const [approvals, required] = [await countApprovals(tx, request), await requiredFor(tx, request)]
  const events = isNew
    ? [requestEvent('change-request-approval-added', request, { data: { approvals, required } })]
    : []
  if (request.state !== 'In review' || approvals < required) return { result: undefined, events }
  await reach(tx, request, 'Approved', now)
  return { result: undefined, events: [...events, requestEvent('change-request-approved', request)] }
}

async function approvalsOf(reader: Reader, { id }: RequestRow): Promise<number[]> {
  return (await opinionsOf(reader, [id])).filter((row) => row.opinion === 'approved').map((row) => row.user_id)
}

/**
 * Returns the number of approvals by users who currently may approve the request in every environment that the request
 * must be reviewed for.
 */
async function countApprovals(reader: Reader, request: RequestRow): Promise<number> {
  const places = await placesToReview(reader, request)
  let count = 0
  for (const id of await approvalsOf(reader, request)) {
    const rights = await Promise.all(places.map((place) => isReviewer(reader, id, place)))
    if (rights.every(Boolean)) count += 1
  }
  return count
}

async function reject(tx: Tx, step: Step, { now }: Moment) {
  const { request, act } = step
  await requireReviewer(tx, step)
  await putOpinion(tx, { request_id: request.id, user_id: act.actor.userId, opinion: 'rejected', created_at: now })
  await reach(tx, request, 'Rejected', now, UNSCHEDULED)
  return only(requestEvent('change-request-rejected', request))
}

/**
 * Returns the number of approvals currently required: the maximum of all environments in which the request is reviewed.
 */
async function requiredFor(reader: Reader, request: RequestRow): Promise<number> {
  const places = await placesToReview(reader, request)
  return Math.max(...(await Promise.all(places.map((place) => requiredApprovals(reader, place)))))
}

/** Throws ConflictError if the request has fewer approvals than currently required. */
async function requireApprovals(reader: Reader, request: RequestRow): Promise<void> {
  const [approvals, required] = [await countApprovals(reader, request), await requiredFor(reader, request)]
  if (approvals >= required) return
  const message = `The change request has ${approvals} of the ${required} approvals that it needs now.`
  throw new Problem('ConflictError', message)
}

async function apply(tx: Tx, { request, act }: Step, moment: Moment): Promise<Outcome<void>> {
  return applyRequest(tx, request, act.actor, moment)
}

/**
 * Applies all changes of an approved request, or none of them. The actor needs APPLY_CHANGE_REQUEST in every
 * environment that the request was reviewed for. For changes that affect all environments, the actor also needs the
 * permission to make them directly. Throws NoAccessError, ConflictError.
 */
export async function applyRequest(
  tx: Tx,
  request: RequestRow,
  actor: RequestAct['actor'],
  moment: Moment,
): Promise<Outcome<void>> {
  const reviewed = await requireReady(tx, request, actor)
  const events = await carryOutRequest(tx, request, moment)
  await reach(tx, request, 'Applied', moment.now, { schedule_status: null, schedule_reason: null })
  const applied = requestEvent('change-request-applied', request)
  return { result: undefined, events: [...events, applied], reviewed }
}

/**
 * Checks that the actor can apply a request now, and returns the environments in which it was reviewed. Throws
 * NoAccessError, ConflictError.
 */
async function requireReady(
  reader: Reader,
  request: RequestRow,
  actor: RequestAct['actor'],
): Promise<readonly ProjectPlace[]> {
  const places = await placesToReview(reader, request)
  for (const place of places) requireRight(actor, 'APPLY_CHANGE_REQUEST', place)
  const changes = await changesOf(reader, [request.id])
  await requireApprovals(reader, request)
  await refuseConflicts(reader, request, changes)
  await requireSharedRights(reader, request, { actor, changes })
  return places
}

async function schedule(tx: Tx, { request, act, body }: Step, { now }: Moment) {
  await requireReady(tx, request, act.actor)
  const scheduled_at = futureOf(body.scheduledAt, now)
  const by = { scheduled_by_user_id: act.actor.userId, schedule_status: 'pending', schedule_reason: null } as const
  await reach(tx, request, 'Scheduled', now, { scheduled_at, ...by })
  return only(
    requestEvent('change-request-scheduled', request, { data: { scheduledAt: new Date(scheduled_at).toISOString() } }),
  )
}

const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

function futureOf(text: string | undefined, now: number): number {
  const time = text !== undefined && WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) {
    throw invalid('"scheduledAt" must be a date and time with its zone, like 2026-12-01T08:00:00Z', 'body/scheduledAt')
  }
  if (time <= now) throw invalid('"scheduledAt" must be a time to come', 'body/scheduledAt')
  return time
}
