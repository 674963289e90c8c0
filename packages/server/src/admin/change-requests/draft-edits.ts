import { isDeepStrictEqual } from 'node:util'
import { invalid } from '@burgee/kit/input/refusals'
import type { ChangeEdit } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  type ChangeRow,
  deleteChange,
  listChanges,
  updateChange,
} from '@burgee/storage/queries/change-requests/changes'
import {
  deleteRequest,
  type RequestRow,
  UNSCHEDULED,
  updateRequest,
} from '@burgee/storage/queries/change-requests/requests'
import { deleteReviews } from '@burgee/storage/queries/change-requests/reviews'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { countBytes } from '../../core/storage-budget.ts'
import { checkChange, isOfSegment } from './change-actions.ts'
import { readSubject } from './change-subject.ts'
import { shorten, toEditEvent, toEventChange } from './edit-events.ts'
import { requireWithinLimits } from './request-limits.ts'
import {
  buildRequestEvent,
  isOpen,
  type RequestAct,
  requireAuthor,
  requireChange,
  requireRequest,
} from './request-ref.ts'

/**
 * Replaces a proposed change. The current state of the flag becomes the base of the new change. Drops approvals,
 * because no one has reviewed the new change. Does nothing if neither the change nor the state of the flag has changed.
 * Throws NotFoundError, NoAccessError, ValidationError, and ConflictError if the request is closed.
 */
export const editChange: Change<RequestAct & { change: number; body: ChangeEdit }, void> = async (
  tx,
  { change: id, body, ...act },
  context,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  const checked = checkChange({ action: body.action, payload: body.payload, feature: before.feature_name })
  if (isOfSegment(body.action) !== (before.feature_name === null)) throw createOtherSubject()
  const about = await readSubject(tx, checked, { ...request, actor: act.actor })
  if (about.segment_id !== before.segment_id) throw createOtherSubject()
  const { action, payload } = checked
  const edited = { action, payload, base: about.base, segment_name: about.segment_name }
  if (isSameChange(before, edited)) return { result: undefined, events: [] }
  const others = (await listChanges(tx, [request.id])).filter((one) => one.id !== id)
  requireWithinLimits([...others, checked])
  await updateChange(tx, id, edited)
  if (request.from_files === 1) await updateRequest(tx, request.id, { from_files: 0 })
  await dropReview(tx, request, context)
  const states = toEditEvent(toEventChange(request, before), toEventChange(request, { id, action, payload }))
  const event = buildRequestEvent('change-edited', request, {
    ...states,
    featureName: before.feature_name ?? undefined,
  })
  return { result: undefined, events: [event], stores: countBytes(payload) + countBytes(about.base) }
}

/**
 * Returns true if an edit would store nothing new, because neither the change nor the state of the flag or segment
 * differs.
 */
function isSameChange(before: ChangeRow, edited: Parameters<typeof updateChange>[2]): boolean {
  const { action, payload, base, segment_name } = before
  const stored: unknown = JSON.parse(JSON.stringify(edited))
  return isDeepStrictEqual({ action, payload, base, segment_name }, stored)
}

function createOtherSubject(): Problem {
  return invalid('The change must keep its flag or segment: discard it and add another change', 'body/action')
}

/** Removes a change from a request and drops approvals. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardChange: Change<RequestAct & { change: number }, void> = async (
  tx,
  { change: id, ...act },
  context,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  await deleteChange(tx, id)
  await dropReview(tx, request, context)
  const states = { preData: shorten(toEventChange(request, before)), featureName: before.feature_name ?? undefined }
  return { result: undefined, events: [buildRequestEvent('change-discarded', request, states)] }
}

/** Deletes a draft or a cancelled request permanently. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardRequest: Change<RequestAct, void> = async (tx, act) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  requireAuthor(request, act.actor)
  if (request.state !== 'Draft' && request.state !== 'Cancelled') {
    throw new Problem(
      'ConflictError',
      `The change request is "${request.state}": only drafts and cancelled change requests can be deleted.`,
    )
  }
  await deleteRequest(tx, request.id)
  return { result: undefined, events: [buildRequestEvent('change-request-discarded', request)] }
}

/**
 * Renames a change request. An unchanged title creates no event. Throws NotFoundError, NoAccessError, ConflictError.
 */
export const renameRequest: Change<RequestAct & { title: string }, void> = async (tx, { title, ...act }) => {
  const request = await requireEditable(tx, act)
  if (request.title === title) return { result: undefined, events: [] }
  await updateRequest(tx, request.id, { title })
  const event = buildRequestEvent(
    'change-request-title-updated',
    { ...request, title },
    { preData: { title: request.title } },
  )
  return { result: undefined, events: [event] }
}

/**
 * Returns a change request if the user is its author and can still change it. Throws NotFoundError, NoAccessError,
 * ConflictError.
 */
export async function requireEditable(reader: Reader, act: RequestAct): Promise<RequestRow> {
  const request = await requireRequest(reader, act, act.actor.userId)
  requireAuthor(request, act.actor)
  if (isOpen(request)) return request
  throw new Problem('ConflictError', `The change request is "${request.state}" and can no longer be changed.`)
}

/** Drops all approvals and the schedule, because reviewers have not seen the edited change. */
async function dropReview(
  tx: Tx,
  { id, state, state_times }: RequestRow,
  { now }: Pick<ChangeContext, 'now'>,
): Promise<void> {
  await deleteReviews(tx, id)
  if (state !== 'Approved' && state !== 'Scheduled') return
  await updateRequest(tx, id, { state: 'In review', state_times: { ...state_times, 'In review': now }, ...UNSCHEDULED })
}
