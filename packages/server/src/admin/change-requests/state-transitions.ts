import { invalid } from '@burgee/kit/input/refusals'
import type { ChangeRequestState, ChangeRequestStep } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listChanges } from '@burgee/storage/queries/change-requests/changes'
import {
  type RequestChange,
  type RequestRow,
  UNSCHEDULED,
  updateRequest,
} from '@burgee/storage/queries/change-requests/requests'
import { deleteReviews, putReview } from '@burgee/storage/queries/change-requests/reviews'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { hasPermission, requirePermission } from '../../core/access/rights/rights.ts'
import type { Change, ChangeContext, Outcome } from '../../core/execute.ts'
import { recordStates } from './applied-records.ts'
import { applyChanges } from './apply-changes.ts'
import { countApprovals, listApprovals, readMaxRequiredApprovals, requireApprovals } from './approvals.ts'
import { addComment } from './comments.ts'
import { rejectConflicts } from './conflicts.ts'
import { buildRequestEvent, type RequestAct, requireAuthor, requireRequest } from './request-ref.ts'
import { requireReviewer } from './reviewers.ts'
import { listReviewEnvironments, requireSharedRights } from './shared-changes.ts'

/** State transition of a request by a user. */
interface Step {
  readonly request: RequestRow
  readonly act: RequestAct
  readonly body: ChangeRequestStep
}

type TakeStep = (tx: Tx, step: Step, context: ChangeContext) => Promise<Outcome<void>>

/** States from which a request can move to each of the states. */
const FROM: Readonly<Record<ChangeRequestState, readonly ChangeRequestState[]>> = {
  Draft: ['In review', 'Approved', 'Scheduled'],
  'In review': ['Draft'],
  Approved: ['In review', 'Approved', 'Scheduled'],
  Applied: ['Approved', 'Scheduled'],
  Cancelled: ['Draft', 'In review', 'Approved', 'Scheduled'],
  Rejected: ['In review', 'Approved', 'Scheduled'],
  Scheduled: ['Approved', 'Scheduled'],
}

const STEPS: Readonly<Record<ChangeRequestState, TakeStep>> = {
  Draft: reopen,
  'In review': sendToReview,
  Approved: approve,
  Applied: apply,
  Cancelled: cancel,
  Rejected: reject,
  Scheduled: schedule,
}

/**
 * Moves a change request to another state, with an optional comment. Applying a request makes either all of its changes
 * or none. Throws NotFoundError, NoAccessError, ValidationError, and ConflictError if the request is in another state
 * or if its flags have changed since the proposal.
 */
export const moveToState: Change<RequestAct & { body: ChangeRequestStep }, void> = async (
  tx,
  { body, ...act },
  context,
) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  if (!FROM[body.state].includes(request.state)) throw createWrongState(request, body.state)
  if (body.state !== 'Scheduled' && body.scheduledAt !== undefined) {
    throw invalid('"scheduledAt" is only allowed for the state "Scheduled"', 'body/scheduledAt')
  }
  const { events, ...outcome } = await STEPS[body.state](tx, { request, act, body }, context)
  const text = body.comment?.trim() ?? ''
  const comments = text === '' ? [] : [await addComment(tx, { request, text, by: act.actor }, context)]
  return { ...outcome, events: [...events, ...comments] }
}

function createWrongState({ state }: RequestRow, wanted: ChangeRequestState): Problem {
  const from = FROM[wanted].map((one) => `"${one}"`).join(', ')
  return new Problem('ConflictError', `The change request is "${state}"; it can become "${wanted}" only from ${from}.`)
}

/** Stores a new state with its time. */
async function storeState(
  tx: Tx,
  request: RequestRow,
  state: ChangeRequestState,
  now: number,
  more: RequestChange = {},
) {
  const state_times = { ...request.state_times, [state]: now }
  await updateRequest(tx, request.id, { state, state_times, ...more })
}

const toOutcome = (event: NewEvent): Outcome<void> => ({ result: undefined, events: [event] })

async function sendToReview(tx: Tx, { request, act }: Step, { now }: ChangeContext) {
  requireAuthor(request, act.actor)
  if ((await listChanges(tx, [request.id])).length === 0) {
    throw new Problem('ConflictError', 'The change request has no changes to review.')
  }
  await storeState(tx, request, 'In review', now)
  return toOutcome(buildRequestEvent('change-request-sent-to-review', request))
}

async function reopen(tx: Tx, { request, act }: Step, { now }: ChangeContext) {
  requireAuthor(request, act.actor)
  await deleteReviews(tx, request.id)
  await storeState(tx, request, 'Draft', now, UNSCHEDULED)
  return toOutcome(buildRequestEvent('change-request-reopened', request))
}

async function cancel(tx: Tx, { request, act }: Step, { now }: ChangeContext) {
  if (!hasPermission(act.actor, 'ADMIN')) requireAuthor(request, act.actor)
  await storeState(tx, request, 'Cancelled', now, UNSCHEDULED)
  return toOutcome(buildRequestEvent('change-request-cancelled', request))
}

async function approve(tx: Tx, { request, act }: Step, { now }: ChangeContext): Promise<Outcome<void>> {
  await requireReviewer(tx, request, act.actor)
  const { userId: user_id } = act.actor
  const isNew = !(await listApprovals(tx, request)).includes(user_id)
  if (isNew) await putReview(tx, { request_id: request.id, user_id, opinion: 'approved', created_at: now })
  const [approvals, required] = [await countApprovals(tx, request), await readMaxRequiredApprovals(tx, request)]
  const events = isNew
    ? [buildRequestEvent('change-request-approval-added', request, { data: { approvals, required } })]
    : []
  if (request.state !== 'In review' || approvals < required) return { result: undefined, events }
  await storeState(tx, request, 'Approved', now)
  return { result: undefined, events: [...events, buildRequestEvent('change-request-approved', request)] }
}

async function reject(tx: Tx, { request, act }: Step, { now }: ChangeContext) {
  await requireReviewer(tx, request, act.actor)
  await putReview(tx, { request_id: request.id, user_id: act.actor.userId, opinion: 'rejected', created_at: now })
  await storeState(tx, request, 'Rejected', now, UNSCHEDULED)
  return toOutcome(buildRequestEvent('change-request-rejected', request))
}

async function apply(tx: Tx, { request, act }: Step, context: ChangeContext): Promise<Outcome<void>> {
  return applyRequest(tx, request, act.actor, context)
}

/**
 * Applies either all changes of an approved request or none. The actor needs APPLY_CHANGE_REQUEST in every environment
 * in which the request was reviewed. Changes that affect all environments also require the permission to make them
 * directly. Throws NoAccessError, ConflictError.
 */
export async function applyRequest(
  tx: Tx,
  request: RequestRow,
  actor: RequestAct['actor'],
  context: ChangeContext,
): Promise<Outcome<void>> {
  const reviewed = await requireReady(tx, request, actor)
  await recordStates(tx, request, actor)
  const events = await applyChanges(tx, request, context)
  await storeState(tx, request, 'Applied', context.now, { schedule_status: null, schedule_reason: null })
  const applied = buildRequestEvent('change-request-applied', request)
  return { result: undefined, events: [...events, applied], reviewed, isFromFiles: request.from_files === 1 }
}

/**
 * Checks that the actor can apply a request now, and returns the environments in which it was reviewed. Throws
 * NoAccessError, ConflictError.
 */
async function requireReady(
  reader: Reader,
  request: RequestRow,
  actor: RequestAct['actor'],
): Promise<readonly ProjectEnvironmentKey[]> {
  const places = await listReviewEnvironments(reader, request)
  for (const place of places) requirePermission(actor, 'APPLY_CHANGE_REQUEST', place)
  const changes = await listChanges(reader, [request.id])
  await requireApprovals(reader, request)
  await rejectConflicts(reader, request, changes)
  await requireSharedRights(reader, request, { actor, changes })
  return places
}

async function schedule(tx: Tx, { request, act, body }: Step, { now }: ChangeContext) {
  await requireReady(tx, request, act.actor)
  const scheduled_at = parseFutureTime(body.scheduledAt, now)
  const by = { scheduled_by_user_id: act.actor.userId, schedule_status: 'pending', schedule_reason: null } as const
  await storeState(tx, request, 'Scheduled', now, { scheduled_at, ...by })
  return toOutcome(
    buildRequestEvent('change-request-scheduled', request, {
      data: { scheduledAt: new Date(scheduled_at).toISOString() },
    }),
  )
}

const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

function parseFutureTime(text: string | undefined, now: number): number {
  const time = text !== undefined && WITH_ZONE.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) {
    throw invalid(
      '"scheduledAt" must be a date and time with a time zone, such as 2026-12-01T08:00:00Z',
      'body/scheduledAt',
    )
  }
  if (time <= now) throw invalid('"scheduledAt" must be in the future', 'body/scheduledAt')
  return time
}
