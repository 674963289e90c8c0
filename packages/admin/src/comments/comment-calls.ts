import type { FeatureComment, FeatureComments } from '@burgee/protocol/administration/comment'
import { type FlagRef, flagPath } from '../api/flags.ts'
import { call, path } from '../api/http.ts'

/** A comment on a flag. */
export interface CommentRef extends FlagRef {
  readonly id: number
}

const commentsPath = (ref: FlagRef) => `${flagPath(ref)}/comments`
const commentPath = (ref: CommentRef) => `${commentsPath(ref)}${path(ref.id)}`

/** Returns the query for the comments on a flag, oldest first. */
export const commentsQuery = (ref: FlagRef) => ({
  queryKey: ['comments', ref.project, ref.feature],
  queryFn: async () => (await call<FeatureComments>('GET', commentsPath(ref))).comments,
})

/** Adds a comment to a flag. */
export const addComment = (ref: FlagRef, text: string) => call<FeatureComment>('POST', commentsPath(ref), { text })

/** Edits a comment. */
export const editComment = (ref: CommentRef, text: string) => call<FeatureComment>('PUT', commentPath(ref), { text })

/** Deletes a comment. */
export const deleteComment = (ref: CommentRef) => call<void>('DELETE', commentPath(ref))
