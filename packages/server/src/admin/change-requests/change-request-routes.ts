import { Reply } from '@burgee/kit/http/route'
import {
  Approvers,
  ApproversInput,
  ChangeEdit,
  ChangeRequest,
  ChangeRequestStep,
  ChangeRequestTitle,
  ChangesInput,
  Reviewers,
} from '@burgee/protocol/administration/change-request'
import { CommentInput } from '@burgee/protocol/administration/comment'
import Type from 'typebox'
import type { Access } from '../../core/access/access.ts'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { parseId } from '../../core/http/route-parts.ts'
import { requireProjectEnvironment } from './change-request-settings.ts'
import { askApprovers, commentOnRequest } from './comments.ts'
import { discardChange, discardRequest, renameRequest } from './draft-edits.ts'
import { propose, replaceProposal } from './proposals.ts'
import { requirePerson, requireRequest } from './request-ref.ts'
import { listApprovers, listReviewers, toApprover } from './reviewers.ts'
import { moveToState } from './state-transitions.ts'
import { readRequestView } from './views.ts'

const PROJECT = '/api/admin/projects/:projectId'
/** Path of a project's change requests. */
export const REQUESTS = `${PROJECT}/change-requests`
const one = {
  permission: null,
  tag: 'Change requests',
  url: `${REQUESTS}/:id`,
  params: Type.Object({ projectId: Type.String(), id: Type.String() }),
} as const
const change = {
  ...one,
  url: `${REQUESTS}/:id/changes/:changeId`,
  params: Type.Object({ projectId: Type.String(), id: Type.String(), changeId: Type.String() }),
} as const
const changeRequestReplies = { 200: { description: 'The change request', schema: ChangeRequest } } as const
const NOTHING = { 204: { description: 'Done' } } as const
const ACT = [...WRITE, 'InvalidOperationError', 'ConflictError']
const DROPS = 'Removes approvals and a scheduled time, because they apply to the earlier changes.'

interface Params {
  readonly projectId: string
  readonly id: string
}

function toRequestRef({ projectId: project, id }: Params) {
  return { project, id: parseId(id, 'change request') }
}

/** Returns the arguments for an action on a change request. Throws InvalidOperationError for API tokens. */
function toActionInput(params: Params, { actor }: Access) {
  return { ...toRequestRef(params), actor: requirePerson(actor) }
}

function show(world: HttpWorld, params: Params, { actor }: Access): Promise<ChangeRequest> {
  return world.db.view(async (reader) =>
    readRequestView(reader, await requireRequest(reader, toRequestRef(params), actor.userId)),
  )
}

/** Routes that create, review, schedule and apply a change request. Source: wire protocol */
export const changeRequestRoutes: Routes = [
  route({
    method: 'POST',
    url: `${PROJECT}/environments/:environment/change-requests`,
    permission: null,
    tag: 'Change requests',
    summary: "Adds one or more changes to the current user's draft for this environment; creates the draft if needed.",
    description:
      'A change consists of the flag, an action and a payload: the body of the endpoint that makes this change directly. ' +
      'Actions: updateEnabled, addStrategy, updateStrategy, deleteStrategy, patchVariant, reorderStrategy, ' +
      'archiveFeature, addDependency, deleteDependency, addReleasePlan, deleteReleasePlan, startMilestone, ' +
      'changeMilestoneProgression, deleteMilestoneProgression, resumeMilestoneProgression, changeSafeguard, ' +
      'deleteSafeguard; and, without a flag, updateSegment, deleteSegment.',
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    body: ChangesInput,
    replies: changeRequestReplies,
    problems: [...ACT, 'NameExistsError'],
    handle: async ({ params: { projectId: project, environment }, body, access }, world) => {
      const actor = requirePerson(access.actor)
      const changes = Array.isArray(body) ? body : [body]
      const id = await propose(world, { actor, changes, project, environment })
      return show(world, { projectId: project, id: String(id) }, access)
    },
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Returns a change request with its conflicts.',
    replies: changeRequestReplies,
    problems: READ,
    handle: ({ params, access }, world) => show(world, params, access),
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a draft, or a cancelled change request of the current user.',
    replies: { 200: { description: 'Removed' } },
    problems: [...REMOVE, 'InvalidOperationError', 'ConflictError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, discardRequest, toActionInput(params, access))
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'PUT',
    url: `${REQUESTS}/:id/state`,
    summary: 'Changes the state of a change request: review, approval, rejection, schedule, or apply.',
    description:
      'Approval and rejection require APPROVE_CHANGE_REQUEST and another user than the creator; applying and ' +
      'scheduling require APPLY_CHANGE_REQUEST. Either all changes are applied or none.',
    body: ChangeRequestStep,
    replies: changeRequestReplies,
    problems: ACT,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, moveToState, { ...toActionInput(params, access), body })
      return show(world, params, access)
    },
  }),
  route({
    ...one,
    method: 'PUT',
    url: `${REQUESTS}/:id/title`,
    summary: 'Changes the title of a change request.',
    body: ChangeRequestTitle,
    replies: NOTHING,
    problems: ACT,
    handle: async ({ params, body: { title }, access }, world) => {
      await execute(world, access.actor, renameRequest, { ...toActionInput(params, access), title })
      return new Reply(204)
    },
  }),
  route({
    ...one,
    method: 'POST',
    url: `${REQUESTS}/:id/comments`,
    summary: 'Adds a comment to a change request.',
    body: CommentInput,
    replies: NOTHING,
    problems: ACT,
    handle: async ({ params, body: { text }, access }, world) => {
      await execute(world, access.actor, commentOnRequest, { ...toActionInput(params, access), text })
      return new Reply(204)
    },
  }),
  route({
    ...change,
    method: 'PUT',
    summary: 'Replaces a change of a change request, based on the current state of its flag or segment.',
    description: DROPS,
    body: ChangeEdit,
    replies: NOTHING,
    problems: [...ACT, 'NameExistsError'],
    handle: async ({ params, body, access }, world) => {
      await replaceProposal(world, {
        ...toActionInput(params, access),
        change: parseId(params.changeId, 'change'),
        body,
      })
      return new Reply(204)
    },
  }),
  route({
    ...change,
    method: 'DELETE',
    summary: 'Discards a change of a change request.',
    description: DROPS,
    replies: { 200: { description: 'Discarded' } },
    problems: [...REMOVE, 'InvalidOperationError', 'ConflictError'],
    handle: async ({ params, access }, world) => {
      const act = { ...toActionInput(params, access), change: parseId(params.changeId, 'change') }
      await execute(world, access.actor, discardChange, act)
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'GET',
    url: `${REQUESTS}/:id/approvers`,
    summary: 'Lists the requested reviewers and their reviews.',
    replies: { 200: { description: 'Users, service accounts and groups', schema: Approvers } },
    problems: READ,
    handle: ({ params, access }, world) =>
      world.db.view(async (reader) => {
        const row = await requireRequest(reader, toRequestRef(params), access.actor.userId)
        return { reviewers: await listApprovers(reader, row) }
      }),
  }),
  route({
    ...one,
    method: 'PUT',
    url: `${REQUESTS}/:id/approvers`,
    summary: 'Sets the requested reviewers.',
    body: ApproversInput,
    replies: NOTHING,
    problems: ACT,
    handle: async ({ params, body: { reviewers }, access }, world) => {
      await execute(world, access.actor, askApprovers, { ...toActionInput(params, access), reviewers })
      return new Reply(204)
    },
  }),
  route({
    method: 'GET',
    url: `${REQUESTS}/available-reviewers/:environment`,
    permission: null,
    tag: 'Change requests',
    summary: 'Lists users who may approve changes of this environment.',
    params: Type.Object({ projectId: Type.String(), environment: Type.String() }),
    replies: { 200: { description: 'Users, service accounts and groups', schema: Reviewers } },
    problems: READ,
    handle: ({ params: { projectId: project, environment } }, world) =>
      world.db.view(async (reader) => {
        await requireProjectEnvironment(reader, { project, environment })
        return (await listReviewers(reader, { project, environment })).map(toApprover)
      }),
  }),
]
