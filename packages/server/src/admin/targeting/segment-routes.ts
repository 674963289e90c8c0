import { Reply } from '@burgee/kit/http/route'
import { AdminSegment, SegmentInput, Segments } from '@burgee/protocol/targeting/segment'
import type { Reader } from '@burgee/storage/database'
import { listSegmentUses } from '@burgee/storage/queries/targeting/segments'
import Type from 'typebox'
import type { Actor } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { parseId } from '../../core/http/route-parts.ts'
import { ifAllowed, ifUnchanged } from '../../core/preconditions.ts'
import {
  createSegment,
  getProject,
  readSegmentList,
  removeSegment,
  replaceSegment,
  requireSegment,
  toAdminSegment,
} from './segments.ts'

const SEGMENTS = '/api/admin/segments'
const one = {
  url: `${SEGMENTS}/:segmentId`,
  tag: 'Segments',
  params: Type.Object({ segmentId: Type.String() }),
} as const
const CREATE = [...WRITE, 'NameExistsError']
const CONDITION = 'With `If-Match`, only while the segment and its use are as the ETag of the reply to GET says.'

const IN_PROJECT =
  'For a segment of a project, UPDATE_PROJECT_SEGMENT is required in this project, and also in the new project if it changes.'

const parseSegmentId = (text: string) => parseId(text, 'segment')

/** Returns the segment in the form of a GET reply, because `If-Match` is compared with the ETag of this form. */
async function show(reader: Reader, { id }: { readonly id: number }, hidden?: Actor['hidden']) {
  return toAdminSegment(await requireSegment(reader, id, hidden), await listSegmentUses(reader, id))
}

/** Returns a function that reads a segment, with the details that the actor may see. */
const createViewFor =
  ({ hidden }: Actor) =>
  (reader: Reader, wanted: { readonly id: number }) =>
    show(reader, wanted, hidden)

/** Routes for segments. Source: wire protocol */
export const segmentRoutes: Routes = [
  route({
    method: 'GET',
    url: SEGMENTS,
    permission: null,
    tag: 'Segments',
    summary: 'Lists segments with the number of flags and projects that use them.',
    replies: { 200: { description: 'Segments', schema: Segments } },
    problems: LIST,
    handle: async ({ access: { actor } }, world) => ({
      segments: await world.db.view((reader) => readSegmentList(reader, actor.hidden)),
    }),
  }),
  route({
    method: 'POST',
    url: SEGMENTS,
    permission: 'CREATE_SEGMENT',
    tag: 'Segments',
    summary: 'Creates a segment.',
    description: IN_PROJECT,
    body: SegmentInput,
    replies: { 201: { description: 'The segment', schema: AdminSegment } },
    problems: CREATE,
    handle: async ({ body, access }, world) => {
      const right = { actor: access.actor, permission: 'CREATE_SEGMENT', projectsOf: async () => [getProject(body)] }
      const row = await execute(world, access.actor, ifAllowed(right, createSegment), body)
      return Reply.json(201, toAdminSegment(row), { location: `segments/${row.id}` })
    },
  }),
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'Returns a segment.',
    replies: { 200: { description: 'The segment', schema: AdminSegment } },
    problems: READ,
    handle: ({ params, access: { actor } }, world) =>
      world.db.view((reader) => show(reader, { id: parseSegmentId(params.segmentId) }, actor.hidden)),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_SEGMENT',
    summary: 'Replaces a segment; no-op if it is unchanged.',
    description: `Omitted description and project keep their value. 409 if the segment is in use and would lose all constraints, and thus match everyone, unless \`allowEmpty=true\`. ${IN_PROJECT} ${CONDITION}`,
    query: Type.Object({ allowEmpty: Type.Optional(Type.Boolean()) }),
    body: SegmentInput,
    replies: { 204: { description: 'Replaced' } },
    problems: [...CREATE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, query: { allowEmpty }, body, access, caller }, world) => {
      const right = {
        actor: access.actor,
        permission: 'UPDATE_SEGMENT',
        projectsOf: async (tx: Reader, { id }: { id: number }) => {
          const { project } = await requireSegment(tx, id, access.actor.hidden)
          return [project, getProject(body, project)]
        },
      }
      const change = ifUnchanged(
        caller.headers['if-match'],
        createViewFor(access.actor),
        ifAllowed(right, replaceSegment),
      )
      const input = { id: parseSegmentId(params.segmentId), body, allowEmpty, hidden: access.actor.hidden }
      await execute(world, access.actor, change, input)
      return new Reply(204)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_SEGMENT',
    summary: 'Deletes a segment that nothing uses.',
    description: `${IN_PROJECT} ${CONDITION}`,
    replies: { 204: { description: 'Removed' } },
    problems: [...REMOVE, 'ConflictError', 'PreconditionFailedError'],
    handle: async ({ params, access, caller }, world) => {
      const right = {
        actor: access.actor,
        permission: 'DELETE_SEGMENT',
        projectsOf: async (tx: Reader, { id }: { id: number }) => [
          (await requireSegment(tx, id, access.actor.hidden)).project,
        ],
      }
      const change = ifUnchanged(
        caller.headers['if-match'],
        createViewFor(access.actor),
        ifAllowed(right, removeSegment),
      )
      await execute(world, access.actor, change, { id: parseSegmentId(params.segmentId), hidden: access.actor.hidden })
      return new Reply(204)
    },
  }),
]
