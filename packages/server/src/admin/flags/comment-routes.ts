import { Reply } from '@burgee/kit/http/route'
import { CommentInput, FeatureComment, FeatureComments } from '@burgee/protocol/administration/comment'
import Type, { type Static } from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { parseId } from '../../core/http/route-parts.ts'
import {
  addFeatureComment,
  deleteFeatureComment,
  editFeatureComment,
  readComments,
  requireDeletion,
} from '../comments/feature-comments.ts'
import { FEATURES, FeatureParams, toFeatureRef } from './feature-routes.ts'

const COMMENTS = `${FEATURES}/:featureName/comments`
const common = { tag: 'Features', permission: 'UPDATE_FEATURE' } as const
const OneParams = Type.Object({ ...FeatureParams.properties, id: Type.String() })
const one = { ...common, url: `${COMMENTS}/:id`, params: OneParams } as const

function toActionInput(params: Static<typeof OneParams>, { actor }: Access) {
  return { ...toFeatureRef(params), actor, id: parseId(params.id, 'comment') }
}

/** Routes for the comments on a flag. The routes are not part of the wire protocol. */
export const commentRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: COMMENTS,
    permission: null,
    summary: 'Lists the comments on a flag, oldest first, even if the flag is archived.',
    params: FeatureParams,
    replies: { 200: { description: 'Comments', schema: FeatureComments } },
    problems: READ,
    handle: async ({ params }, { db }) => ({
      comments: await db.view((reader) => readComments(reader, toFeatureRef(params))),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    url: COMMENTS,
    summary: 'Adds a comment to a flag.',
    description: 'A flag has at most 500 comments with 200,000 characters in total. They remain while it is archived.',
    params: FeatureParams,
    body: CommentInput,
    replies: { 201: { description: 'The comment', schema: FeatureComment } },
    problems: WRITE,
    handle: async ({ params, body: { text }, access: { actor } }, world) => {
      return Reply.json(201, await execute(world, actor, addFeatureComment, { ...toFeatureRef(params), actor, text }))
    },
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Edits a comment; only its author may.',
    body: CommentInput,
    replies: { 200: { description: 'The comment', schema: FeatureComment } },
    problems: WRITE,
    handle: ({ params, body: { text }, access }, world) =>
      execute(world, access.actor, editFeatureComment, { ...toActionInput(params, access), text }),
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: null,
    summary: 'Deletes a comment.',
    description: "Requires UPDATE_FEATURE for the caller's own comments, UPDATE_PROJECT for comments of others.",
    replies: { 204: { description: 'Done' } },
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      requireDeletion(access.actor, params.projectId)
      await execute(world, access.actor, deleteFeatureComment, toActionInput(params, access))
      return new Reply(204)
    },
  }),
]
