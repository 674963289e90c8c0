import { Reply, type Route, routesFor } from '@burgee/kit/route'
import { AdminSegment, SegmentInput, Segments } from '@burgee/protocol/segment'
import Type from 'typebox'
import { execute } from '../services/execute.ts'
import { notFound } from '../services/refusals.ts'
import {
  createSegment,
  removeSegment,
  replaceSegment,
  requireSegment,
  segmentList,
  segmentView,
} from '../services/segments.ts'
import type { World } from '../services/world.ts'
import { segmentUses } from '../store/segments.ts'
import type { Access } from './auth.ts'

const route = routesFor<Access>()
const SEGMENTS = '/api/admin/segments'
const one = {
  url: `${SEGMENTS}/:segmentId`,
  tag: 'Segments',
  params: Type.Object({ segmentId: Type.String() }),
} as const
const READ = ['AuthenticationRequired', 'NotFoundError']
const WRITE = [...READ, 'ValidationError', 'NoAccessError', 'NameExistsError', 'ContentTypeerror']

/** Segments. Source: wire protocol */
export const segmentRoutes = (world: World): Route<Access>[] => [...collectionRoutes(world), ...oneRoutes(world)]

const collectionRoutes = (world: World): Route<Access>[] => [
  route({
    method: 'GET',
    url: SEGMENTS,
    permission: null,
    tag: 'Segments',
    summary: 'All segments, with how many flags and projects use them.',
    replies: { 200: { description: 'Segments', schema: Segments } },
    problems: ['AuthenticationRequired'],
    handle: async () => ({ segments: await world.db.view(segmentList) }),
  }),
  route({
    method: 'POST',
    url: SEGMENTS,
    permission: 'CREATE_SEGMENT',
    tag: 'Segments',
    summary: 'Adds a segment.',
    body: SegmentInput,
    replies: { 201: { description: 'The segment', schema: AdminSegment } },
    problems: WRITE,
    handle: async ({ body, access }) => {
      const row = await execute(world, access.actor, createSegment, body)
      return Reply.json(201, segmentView(row), { location: `segments/${row.id}` })
    },
  }),
]

const oneRoutes = (world: World): Route<Access>[] => [
  route({
    ...one,
    method: 'GET',
    permission: null,
    summary: 'One segment.',
    replies: { 200: { description: 'The segment', schema: AdminSegment } },
    problems: READ,
    handle: ({ params }) =>
      world.db.view(async (reader) => {
        const row = await requireSegment(reader, idOf(params.segmentId))
        return segmentView(row, await segmentUses(reader, row.id))
      }),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_SEGMENT',
    summary: 'Replaces a segment; the same again is no change.',
    body: SegmentInput,
    replies: { 204: { description: 'Replaced' } },
    problems: WRITE,
    handle: async ({ params, body, access }) => {
      await execute(world, access.actor, replaceSegment, { id: idOf(params.segmentId), body })
      return new Reply(204)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_SEGMENT',
    summary: 'Removes a segment that nothing uses.',
    replies: { 204: { description: 'Removed' } },
    problems: [...READ, 'NoAccessError', 'ConflictError'],
    handle: async ({ params, access }) => {
      await execute(world, access.actor, removeSegment, { id: idOf(params.segmentId) })
      return new Reply(204)
    },
  }),
]

/** What is no number is the id of nothing. */
function idOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw notFound(`There is no segment with the id ${text}.`)
}
