import { Reply } from '@burgee/kit/http/route'
import { Group, GroupInput, Groups } from '@burgee/protocol/administration/group'
import Type from 'typebox'
import { execute, withView } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId } from '../../core/http/route-parts.ts'
import { changeGroup, createGroup, readGroup, readGroups, removeGroup } from './groups/groups.ts'

const GROUPS = '/api/admin/groups'
const CREATE_WITH_VIEW = withView(createGroup, (tx, { id }) => readGroup(tx, id))
const UPDATE_WITH_VIEW = withView(changeGroup, (tx, { id }) => readGroup(tx, id))
const common = { permission: 'ADMIN', tag: 'Groups' } as const
const one = { ...common, url: `${GROUPS}/:groupId`, params: Type.Object({ groupId: Type.String() }) } as const
const group = { description: 'The group', schema: Group }

const parseGroupId = (params: { readonly groupId: string }) => parseId(params.groupId, 'group')

/** Routes for user groups. Members have the roles of their group. Source: wire protocol */
export const groupRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: GROUPS,
    summary: 'Lists groups with their members.',
    replies: { 200: { description: 'Groups', schema: Groups } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => ({ groups: await world.db.view((reader) => readGroups(reader)) }),
  }),
  route({
    ...common,
    method: 'POST',
    url: GROUPS,
    summary: 'Creates a group.',
    body: GroupInput,
    replies: { 201: group },
    problems: [...GUARDED_LIST, 'ValidationError', 'NameExistsError', 'ConflictError', 'ContentTypeerror'],
    handle: async ({ body, access }, world) => {
      const made = await execute(world, access.actor, CREATE_WITH_VIEW, body)
      return Reply.json(201, made, { location: `groups/${made.id}` })
    },
  }),
  route({
    ...one,
    method: 'GET',
    summary: 'Returns a group with its members.',
    replies: { 200: group },
    problems: REMOVE,
    handle: ({ params }, world) => world.db.view((reader) => readGroup(reader, parseGroupId(params))),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Updates a group. Omitted fields keep their value; `users`, if present, replaces all members.',
    body: GroupInput,
    replies: { 200: group },
    problems: [...WRITE, 'NameExistsError', 'ConflictError'],
    handle: async ({ params, body, access }, world) => {
      return execute(world, access.actor, UPDATE_WITH_VIEW, { id: parseGroupId(params), body })
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a group, and the roles that its members have through it.',
    replies: DONE,
    problems: [...REMOVE, 'ConflictError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeGroup, { id: parseGroupId(params) })
      return new Reply(200)
    },
  }),
]
