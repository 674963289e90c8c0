import { Reply } from '@burgee/kit/http/route'
import { TagInput, Tags } from '@burgee/protocol/event'
import {
  CreateTagType,
  OneTag,
  OneTagType,
  TagType,
  TagTypes,
  UpdateTagType,
  ValidTagType,
} from '@burgee/protocol/tag-type'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE } from '../../core/http/route-parts.ts'
import {
  createTag,
  createTagType,
  deleteTag,
  listTags,
  removeTagType,
  requireFreeTagType,
  requireTag,
  requireTagType,
  updateTagType,
} from './tag-types.ts'

const TYPES = '/api/admin/tag-types'
const TAGS = '/api/admin/tags'
const one = { tag: 'Tags', url: `${TYPES}/:name`, params: Type.Object({ name: Type.String() }) } as const
const read = { tag: 'Tags', method: 'GET', permission: null, problems: READ } as const
const TagParams = Type.Object({ type: Type.String(), value: Type.String() })

/** Routes for tag types and tags. Source: wire protocol */
export const tagTypeRoutes: Routes = [
  route({
    ...read,
    url: TYPES,
    summary: 'Lists tag types.',
    replies: { 200: { description: 'Types', schema: TagTypes } },
    handle: async (_input, world) => ({
      version: 1,
      tagTypes: await world.db.reader.selectFrom('tag_types').selectAll().orderBy('name').execute(),
    }),
  }),
  route({
    tag: 'Tags',
    method: 'POST',
    url: TYPES,
    permission: 'CREATE_TAG_TYPE',
    summary: 'Creates a tag type.',
    body: CreateTagType,
    replies: { 201: { description: 'The type', schema: TagType } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const row = await execute(world, access.actor, createTagType, body)
      return Reply.json(201, row, { location: `tag-types/${row.name}` })
    },
  }),
  route({
    tag: 'Tags',
    method: 'POST',
    url: `${TYPES}/validate`,
    permission: 'CREATE_TAG_TYPE',
    summary: 'Checks whether a tag type name is valid and available.',
    body: CreateTagType,
    replies: { 200: { description: 'It could', schema: ValidTagType } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body }, world) => {
      await requireFreeTagType(world.db.reader, body.name)
      return { valid: true, tagType: body }
    },
  }),
  route({
    ...read,
    ...one,
    summary: 'Returns a tag type.',
    replies: { 200: { description: 'The type', schema: OneTagType } },
    handle: async ({ params }, world) => ({ version: 1, tagType: await requireTagType(world.db.reader, params.name) }),
  }),
  route({
    ...one,
    method: 'PUT',
    permission: 'UPDATE_TAG_TYPE',
    summary: 'Updates a tag type.',
    body: UpdateTagType,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, updateTagType, { ...params, body })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'DELETE',
    permission: 'DELETE_TAG_TYPE',
    summary: 'Deletes a tag type with all its tags.',
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeTagType, params)
      return new Reply(200)
    },
  }),
  route({
    ...read,
    url: TAGS,
    summary: 'Lists tags; users who may not see every project get the tags of flags that they may see.',
    replies: { 200: { description: 'Tags', schema: Tags } },
    handle: async ({ access: { actor } }, world) => ({
      version: 1,
      tags: await listTags(world.db.reader, { hidden: actor.hidden }),
    }),
  }),
  route({
    ...read,
    url: `${TAGS}/:type`,
    params: Type.Object({ type: Type.String() }),
    summary: 'Lists tags of a type.',
    replies: { 200: { description: 'Tags', schema: Tags } },
    handle: async ({ params: { type }, access: { actor } }, world) => {
      await requireTagType(world.db.reader, type)
      return { version: 1, tags: await listTags(world.db.reader, { type, hidden: actor.hidden }) }
    },
  }),
  route({
    ...read,
    url: `${TAGS}/:type/:value`,
    params: TagParams,
    summary: 'Returns a tag.',
    replies: { 200: { description: 'The tag', schema: OneTag } },
    handle: async ({ params, access: { actor } }, world) => ({
      version: 1,
      tag: await requireTag(world.db.reader, params, actor.hidden),
    }),
  }),
  route({
    tag: 'Tags',
    method: 'POST',
    url: TAGS,
    permission: 'UPDATE_FEATURE',
    summary: 'Creates a tag.',
    body: TagInput,
    replies: { 201: { description: 'The tag', schema: OneTag } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access: { actor } }, world) => {
      const wanted = { tag: body, hidden: actor.hidden }
      return Reply.json(201, { version: 1, tag: await execute(world, actor, createTag, wanted) })
    },
  }),
  route({
    tag: 'Tags',
    method: 'DELETE',
    url: `${TAGS}/:type/:value`,
    permission: 'DELETE_TAG_TYPE',
    summary: 'Deletes a tag, and removes it from all flags.',
    params: TagParams,
    replies: DONE,
    problems: REMOVE,
    handle: async ({ params, access: { actor } }, world) => {
      await execute(world, actor, deleteTag, { tag: params, hidden: actor.hidden })
      return new Reply(200)
    },
  }),
]
