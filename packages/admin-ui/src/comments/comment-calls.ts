import type { FeatureComment, FeatureComments } from '@burgee/protocol/administration/comment'
import { type FlagRef, getFlagPath } from '../api/flags.ts'
import { buildPath, call } from '../api/http.ts'

/** A comment on a flag. */
export interface CommentRef extends FlagRef {
  readonly id: number
}

const getCommentsPath = (ref: FlagRef) => `${getFlagPath(ref)}/comments`
const getCommentPath = (ref: CommentRef) => `${getCommentsPath(ref)}${buildPath(ref.id)}`

/** Returns the query for the comments on a flag, oldest first. */
export const getCommentsQuery = (ref: FlagRef) => ({
  queryKey: ['comments', ref.project, ref.feature],
  queryFn: async () => (await call<FeatureComments>('GET', getCommentsPath(ref))).comments,
})

/** Adds a comment to a flag. */
export const addComment = (ref: FlagRef, text: string) => call<FeatureComment>('POST', getCommentsPath(ref), { text })

/** Edits a comment. */
export const editComment = (ref: CommentRef, text: string) => call<FeatureComment>('PUT', getCommentPath(ref), { text })

/** Deletes a comment. */
export const deleteComment = (ref: CommentRef) => call<void>('DELETE', getCommentPath(ref))
