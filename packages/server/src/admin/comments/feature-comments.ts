import { notFound } from '@burgee/kit/input/refusals'
import type { FeatureComment } from '@burgee/protocol/administration/comment'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import {
  type FeatureCommentRow,
  insertFeatureComment,
  listFeatureComments,
  removeFeatureComment,
  updateFeatureComment,
} from '@burgee/storage/queries/flags/comments'
import { type Actor, hasPermission, requirePermission } from '../../core/access/rights/rights.ts'
import { toCreatedBy } from '../../core/avatars.ts'
import type { Change } from '../../core/execute.ts'
import { type FeatureRef, requireFeature, requireLive } from '../flags/feature-ref.ts'
import { requireRoom } from './bounds.ts'

/** New comment on a flag. */
export interface NewComment extends FeatureRef {
  readonly actor: Actor
  readonly text: string
}

/** Comment on a flag, and the actor who changes or deletes it. */
export interface CommentAct extends FeatureRef {
  readonly actor: Actor
  readonly id: number
}

/** Returns the comments on a flag, archived or not, oldest first. Throws NotFoundError. */
export async function readComments(reader: Reader, ref: FeatureRef): Promise<FeatureComment[]> {
  await requireFeature(reader, ref)
  return (await listFeatureComments(reader, ref.feature)).map(toFeatureComment)
}

/**
 * Comments on a flag. Throws NotFoundError if the flag is missing or archived, and ValidationError if a limit is
 * exceeded.
 */
export const addFeatureComment: Change<NewComment, FeatureComment> = async (
  tx,
  { actor, text: given, ...ref },
  { now },
) => {
  await requireLive(tx, ref)
  const text = given.trim()
  requireRoom(await listFeatureComments(tx, ref.feature), text, 'A flag')
  const made = { feature_name: ref.feature, text, created_by_user_id: actor.userId, created_by: actor.name }
  const row = await insertFeatureComment(tx, { ...made, created_at: now, edited_at: null })
  const data = { commentId: row.id, text }
  return { result: toFeatureComment(row), events: [{ type: 'feature-comment-added', ...toEventScope(ref), data }] }
}

/**
 * Edits a comment. An unchanged text creates no event. Throws NotFoundError, NoAccessError for another author's
 * comment, and ValidationError if a limit is exceeded.
 */
export const editFeatureComment: Change<CommentAct & { readonly text: string }, FeatureComment> = async (
  tx,
  { text: given, ...act },
  { now },
) => {
  const { row: before, others } = await requireComment(tx, act)
  if (!isAuthor(before, act.actor)) throw new Problem('NoAccessError', 'Only the author of a comment may edit it.')
  const text = given.trim()
  if (text === before.text) return { result: toFeatureComment(before), events: [] }
  requireRoom(others, text, 'A flag')
  await updateFeatureComment(tx, { id: before.id, text, edited_at: now })
  const states = { data: { commentId: before.id, text }, preData: { commentId: before.id, text: before.text } }
  const event: NewEvent = { type: 'feature-comment-edited', ...toEventScope(act), ...states }
  return { result: toFeatureComment({ ...before, text, edited_at: now }), events: [event] }
}

/**
 * Deletes a comment. Users may delete their own comments. Deleting other comments requires the permission to change the
 * project. Throws NotFoundError, and NoAccessError, which names the missing permission.
 */
export const deleteFeatureComment: Change<CommentAct, void> = async (tx, act) => {
  const { actor, project } = act
  requireDeletion(actor, project)
  const { row } = await requireComment(tx, act)
  if (!isAuthor(row, actor)) requirePermission(actor, 'UPDATE_PROJECT', { project })
  await removeFeatureComment(tx, row.id)
  const preData = { commentId: row.id, text: row.text, createdBy: row.created_by }
  return { result: undefined, events: [{ type: 'feature-comment-deleted', ...toEventScope(act), preData }] }
}

/**
 * Throws NoAccessError if the caller may not delete any comments in a project. Call this first, so that errors do not
 * reveal which comments exist.
 */
export function requireDeletion(actor: Actor, project: string): void {
  if (!hasPermission(actor, 'UPDATE_PROJECT', { project })) requirePermission(actor, 'UPDATE_FEATURE', { project })
}

/** Returns a comment on a live flag, and all other comments on the flag. Throws NotFoundError. */
async function requireComment(
  tx: Tx,
  { id, project, feature }: CommentAct,
): Promise<{ row: FeatureCommentRow; others: FeatureCommentRow[] }> {
  await requireLive(tx, { project, feature })
  const all = await listFeatureComments(tx, feature)
  const row = all.find((one) => one.id === id)
  if (row !== undefined) return { row, others: all.filter((one) => one !== row) }
  throw notFound(`The flag "${feature}" has no comment with the id ${id}.`)
}

/**
 * Returns true if the actor wrote the comment. API tokens share one user id, so token authors are distinguished by
 * name.
 */
function isAuthor(row: FeatureCommentRow, { userId, name, token }: Actor): boolean {
  return row.created_by_user_id === userId && (token === undefined || row.created_by === name)
}

function toFeatureComment({ id, text, edited_at: editedAt, ...made }: FeatureCommentRow): FeatureComment {
  const edited = editedAt === null ? {} : { editedAt: new Date(Number(editedAt)).toISOString() }
  return { id, text, ...toCreatedBy(made), ...edited }
}

function toEventScope({ project, feature }: FeatureRef) {
  return { project, featureName: feature }
}
