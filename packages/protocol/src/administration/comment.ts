import Type, { type Static } from 'typebox'
import { MAX_COMMENT_LENGTH } from './comment-length.ts'

/** Schemas for comments: on change requests (wire protocol) and on flags (Burgee extension). */

/** Body of a comment, which must contain more than spaces. */
export const CommentInput = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MAX_COMMENT_LENGTH, pattern: '\\S' }),
})
export type CommentInput = Static<typeof CommentInput>

/** Author of a comment, with the author's name at the time. */
export const NamedPerson = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  imageUrl: Type.Union([Type.String(), Type.Null()]),
})
export type NamedPerson = Static<typeof NamedPerson>

/** Comment as the admin API returns it. */
export const Comment = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  createdBy: NamedPerson,
  createdAt: Type.String(),
})
export type Comment = Static<typeof Comment>

/** Comment on a flag. `editedAt` is present if the comment was edited. */
export const FeatureComment = Type.Object({ ...Comment.properties, editedAt: Type.Optional(Type.String()) })
export type FeatureComment = Static<typeof FeatureComment>

/** Response with the comments on a flag, oldest first. */
export const FeatureComments = Type.Object({ comments: Type.Array(FeatureComment) })
export type FeatureComments = Static<typeof FeatureComments>
