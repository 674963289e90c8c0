import { notFound } from '@burgee/kit/input/refusals'
import type { FeatureComment } from '@burgee/protocol/administration/comment'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import {
  changeComment,
  commentsOfFeature,
  dropComment,
  type FeatureCommentRow,
  insertFeatureComment,
} from '../../store/features/comments.ts'
import { type Actor, may, requireRight } from '../access/rights/rights.ts'
import type { Change } from '../execute.ts'
import { madeBy } from '../faces.ts'
import { type FeatureRef, requireFeature, requireLive } from '../features/feature-ref.ts'
import { requireRoom } from './bounds.ts'

/** Something said of a flag, by somebody. */
export interface Said extends FeatureRef {
  readonly actor: Actor
  readonly text: string
}

/** A comment on a flag, and who does something with it. */
export interface CommentAct extends FeatureRef {
  readonly actor: Actor
  readonly id: number
}

/** The comments on a flag, archived or not, oldest first. Throws NotFoundError. */
export async function commentsView(reader: Reader, ref: FeatureRef): Promise<FeatureComment[]> {
  await requireFeature(reader, ref)
  return (await commentsOfFeature(reader, ref.feature)).map(commentView)
}

/** Says something of a flag. Throws NotFoundError, also for an archived one, and ValidationError where there is too much. */
export const addFeatureComment: Change<Said, FeatureComment> = async (tx, { actor, text: given, ...ref }, { now }) => {
  await requireLive(tx, ref)
  const text = given.trim()
  requireRoom(await commentsOfFeature(tx, ref.feature), text, 'A flag')
  const made = { feature_name: ref.feature, text, created_by_user_id: actor.userId, created_by: actor.name }
  const row = await insertFeatureComment(tx, { ...made, created_at: now, edited_at: null })
  const data = { commentId: row.id, text }
  return { result: commentView(row), events: [{ type: 'feature-comment-added', ...placeOf(ref), data }] }
}

/**
 * Says it otherwise; the same again is no event. Throws NotFoundError, NoAccessError for a comment of somebody else, and
 * ValidationError where there is too much.
 */
export const editFeatureComment: Change<CommentAct & { readonly text: string }, FeatureComment> = async (
  tx,
  { text: given, ...act },
  { now },
) => {
  const { row: before, others } = await requireComment(tx, act)
  if (!isOwn(before, act.actor)) throw new Problem('NoAccessError', 'Only who wrote a comment may edit it.')
  const text = given.trim()
  if (text === before.text) return { result: commentView(before), events: [] }
  requireRoom(others, text, 'A flag')
  await changeComment(tx, { id: before.id, text, edited_at: now })
  const states = { data: { commentId: before.id, text }, preData: { commentId: before.id, text: before.text } }
  const event: NewEvent = { type: 'feature-comment-edited', ...placeOf(act), ...states }
  return { result: commentView({ ...before, text, edited_at: now }), events: [event] }
}

/**
 * Takes a comment away: one's own, or any where somebody may change the project. Throws NotFoundError, and
 * NoAccessError, which names the right that the comment of somebody else takes.
 */
export const deleteFeatureComment: Change<CommentAct, void> = async (tx, act) => {
  const { actor, project } = act
  requireDeletion(actor, project)
  const { row } = await requireComment(tx, act)
  if (!isOwn(row, actor)) requireRight(actor, 'UPDATE_PROJECT', { project })
  await dropComment(tx, row.id)
  const preData = { commentId: row.id, text: row.text, createdBy: row.created_by }
  return { result: undefined, events: [{ type: 'feature-comment-deleted', ...placeOf(act), preData }] }
}

/** Refuses who may delete no comment in a project, before they are told which there are. Throws NoAccessError. */
export function requireDeletion(actor: Actor, project: string): void {
  if (!may(actor, 'UPDATE_PROJECT', { project })) requireRight(actor, 'UPDATE_FEATURE', { project })
}

/** A comment on a flag that is not archived, and all others of it. Throws NotFoundError. */
async function requireComment(
  tx: Tx,
  { id, project, feature }: CommentAct,
): Promise<{ row: FeatureCommentRow; others: FeatureCommentRow[] }> {
  await requireLive(tx, { project, feature })
  const all = await commentsOfFeature(tx, feature)
  const row = all.find((one) => one.id === id)
  if (row !== undefined) return { row, others: all.filter((one) => one !== row) }
  throw notFound(`The flag "${feature}" has no comment with the id ${id}.`)
}

/** API tokens share one number: theirs are told apart by the name. */
function isOwn(row: FeatureCommentRow, { userId, name, token }: Actor): boolean {
  return row.created_by_user_id === userId && (token === undefined || row.created_by === name)
}

function commentView({ id, text, edited_at: editedAt, ...made }: FeatureCommentRow): FeatureComment {
  const edited = editedAt === null ? {} : { editedAt: new Date(Number(editedAt)).toISOString() }
  return { id, text, ...madeBy(made), ...edited }
}

function placeOf({ project, feature }: FeatureRef) {
  return { project, featureName: feature }
}
