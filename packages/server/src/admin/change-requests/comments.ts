import { invalid } from '@burgee/kit/input/refusals'
import type { Reader, Tx } from '@burgee/storage/database'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import {
  insertComment,
  listApproverRows,
  listComments,
  putApprovers,
} from '@burgee/storage/queries/change-requests/reviews'
import type { Author, NewEvent } from '@burgee/storage/queries/events/events'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { countBytes } from '../../core/storage-budget.ts'
import { hasRoomFor, requireRoom } from '../comments/bounds.ts'
import { buildRequestEvent, type RequestAct, requireAuthor, requireRequest } from './request-ref.ts'
import { isReviewer } from './reviewers.ts'

/** Comment on a change request. */
export interface Comment {
  readonly request: RequestRow
  readonly text: string
  readonly by: Pick<Author, 'name' | 'userId'>
}

/**
 * Adds a comment and returns its event, which does not contain the text. Throws ValidationError if the limit is
 * exceeded.
 */
export async function addComment(
  tx: Tx,
  { request, text, by }: Comment,
  { now }: Pick<ChangeContext, 'now'>,
): Promise<NewEvent> {
  requireRoom(await listComments(tx, [request.id]), text, 'A change request')
  const made = { created_by_user_id: by.userId, created_by: by.name, created_at: now }
  const commentId = await insertComment(tx, { request_id: request.id, text, ...made })
  return buildRequestEvent('change-request-comment-added', request, { data: { commentId } })
}

/** Returns true if a change request has room for another comment. */
export async function hasRoom(reader: Reader, { id }: Pick<RequestRow, 'id'>, comment: string): Promise<boolean> {
  return hasRoomFor(await listComments(reader, [id]), comment)
}

/** Comments on a change request. Throws NotFoundError, ValidationError. */
export const commentOnRequest: Change<RequestAct & { text: string }, void> = async (tx, { text, ...act }, context) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  const event = await addComment(tx, { request, text: text.trim(), by: act.actor }, context)
  return { result: undefined, events: [event], stores: countBytes(text) }
}

/**
 * Sets the users who should approve a request. An unchanged list creates no event. Throws NotFoundError, NoAccessError,
 * and ValidationError for a user who cannot approve the request.
 */
export const askApprovers: Change<RequestAct & { reviewers: readonly number[] }, void> = async (
  tx,
  { reviewers, ...act },
) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  requireAuthor(request, act.actor)
  const wanted = [...new Set(reviewers)].sort((a, b) => a - b)
  for (const id of wanted) {
    if (id === request.created_by_user_id || !(await isReviewer(tx, id, request))) {
      throw invalid(`The user ${id} cannot approve this change request`, 'body/reviewers')
    }
  }
  const before = (await listApproverRows(tx, request.id)).map(({ id }) => id)
  if (before.join() === wanted.join()) return { result: undefined, events: [] }
  await putApprovers(tx, request.id, wanted)
  const states = { data: { reviewers: wanted }, preData: { reviewers: before } }
  return { result: undefined, events: [buildRequestEvent('change-request-approvers-updated', request, states)] }
}
