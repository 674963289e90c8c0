import Type, { type Static } from 'typebox'
import { MOST_COMMENT_CHARACTERS } from './comment-length.ts'

/** Comments of people, whatever they are on: on change requests (wire protocol) and on flags, which is an addition. */

/** Body of a comment: something has to be said, spaces are nothing. */
export const CommentInput = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MOST_COMMENT_CHARACTERS, pattern: '\\S' }),
})
export type CommentInput = Static<typeof CommentInput>

/** Who did something, by the name that they had then. */
export const NamedPerson = Type.Object({
  id: Type.Integer(),
  username: Type.String(),
  imageUrl: Type.Union([Type.String(), Type.Null()]),
})
export type NamedPerson = Static<typeof NamedPerson>

/** A comment as the admin API shows it. */
export const Comment = Type.Object({
  id: Type.Integer(),
  text: Type.String(),
  createdBy: NamedPerson,
  createdAt: Type.String(),
})
export type Comment = Static<typeof Comment>

/** A comment on a flag; the time of the last edit is there where it was edited. */
export const FeatureComment = Type.Object({ ...Comment.properties, editedAt: Type.Optional(Type.String()) })
export type FeatureComment = Static<typeof FeatureComment>

/** Reply of the comments on a flag, oldest first. */
export const FeatureComments = Type.Object({ comments: Type.Array(FeatureComment) })
export type FeatureComments = Static<typeof FeatureComments>
