import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { UserRow } from '../access/users.ts'

/** Review of a change request. */
export type ReviewRow = Selectable<Schema['change_request_opinions']> & Pick<UserRow, 'username' | 'email'>

/** Comment on a change request. */
export type CommentRow = Selectable<Schema['change_request_comments']>

/** Returns the approvals and rejections of change requests, oldest first; reviews by deleted users no longer exist. */
export async function listReviews(reader: Reader, ids: readonly number[]): Promise<ReviewRow[]> {
  const found: ReviewRow[] = []
  for (const part of chunks(ids)) {
    const query = reader
      .selectFrom('change_request_opinions as o')
      .innerJoin('users as u', 'u.id', 'o.user_id')
      .selectAll('o')
      .select(['u.username', 'u.email'])
      .where('o.request_id', 'in', part)
    found.push(...(await query.orderBy('o.created_at').orderBy('o.user_id').execute()))
  }
  return found
}

/** Returns those of the given change requests that a user has reviewed. */
export async function readReviewedRequestIds(
  reader: Reader,
  userId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const part of chunks(ids)) {
    const query = reader.selectFrom('change_request_opinions').select('request_id').where('user_id', '=', userId)
    for (const { request_id } of await query.where('request_id', 'in', part).execute()) found.add(request_id)
  }
  return found
}

/** Stores a review, replacing an earlier one by the same user. */
export async function putReview(tx: Tx, row: Selectable<Schema['change_request_opinions']>): Promise<void> {
  const { opinion, created_at } = row
  await tx
    .insertInto('change_request_opinions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['request_id', 'user_id']).doUpdateSet({ opinion, created_at }))
    .execute()
}

/** Deletes all reviews of a change request. */
export async function deleteReviews(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('change_request_opinions').where('request_id', '=', id).execute()
}

/** Returns the comments on change requests, oldest first. */
export async function listComments(reader: Reader, ids: readonly number[]): Promise<CommentRow[]> {
  const found: CommentRow[] = []
  for (const part of chunks(ids)) {
    const query = reader.selectFrom('change_request_comments').selectAll().where('request_id', 'in', part)
    found.push(...(await query.orderBy('id').execute()))
  }
  return found
}

/** Inserts a comment and returns its id. */
export async function insertComment(tx: Tx, row: Omit<CommentRow, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('change_request_comments').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns the requested approvers of a change request, sorted by id. */
export function listApproverRows(reader: Reader, id: number): Promise<UserRow[]> {
  return reader
    .selectFrom('change_request_approvers as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .selectAll('u')
    .where('a.request_id', '=', id)
    .orderBy('u.id')
    .execute()
}

/** Returns the ids of the change requests that any of the given users was asked to approve. */
export async function readRequestIdsByApprovers(reader: Reader, userIds: readonly number[]): Promise<Set<number>> {
  const rows = await reader
    .selectFrom('change_request_approvers')
    .select('request_id')
    .where('user_id', 'in', userIds)
    .execute()
  return new Set(rows.map((row) => row.request_id))
}

/** Replaces the list of users who were asked to approve a change request. */
export async function putApprovers(tx: Tx, id: number, userIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('change_request_approvers').where('request_id', '=', id).execute()
  if (userIds.length === 0) return
  await tx
    .insertInto('change_request_approvers')
    .values(userIds.map((user_id) => ({ request_id: id, user_id })))
    .execute()
}
