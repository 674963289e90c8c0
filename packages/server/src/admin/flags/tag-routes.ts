import { Reply } from '@burgee/kit/http/route'
import { Tag, TagInput, Tags } from '@burgee/protocol/event'
import { ChangeTags } from '@burgee/protocol/tag-type'
import { listTags } from '@burgee/storage/queries/events/events'
import Type from 'typebox'
import { type Actor, requirePermission } from '../../core/access/rights/rights.ts'
import { execute, withView } from '../../core/execute.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import type { World } from '../../core/world.ts'
import { changeTags } from './bulk-tags.ts'
import { requireFeatureNamed } from './feature-ref.ts'
import { addTag, removeTag } from './tags.ts'

const TAGS = '/api/admin/features/:featureName/tags'
const params = Type.Object({ featureName: Type.String() })

/** Routes for tags of a flag. Source: wire protocol */
export const tagRoutes: Routes = [
  route({
    method: 'POST',
    url: TAGS,
    permission: 'UPDATE_FEATURE',
    tag: 'Tags',
    summary: 'Adds a tag to a flag, and creates the tag if needed; no-op if the flag already has the tag.',
    params,
    body: TagInput,
    replies: { 201: { description: 'The tag', schema: Tag } },
    problems: WRITE,
    handle: async ({ params: { featureName }, body, access }, world) => {
      await requireUpdate(world, access.actor, featureName)
      const tag = { value: body.value, type: body.type }
      return Reply.json(201, await execute(world, access.actor, addTag, { feature: featureName, tag }))
    },
  }),
  route({
    method: 'DELETE',
    url: `${TAGS}/:type/:value`,
    permission: 'UPDATE_FEATURE',
    tag: 'Tags',
    summary: 'Removes a tag from a flag.',
    params: Type.Object({ featureName: Type.String(), type: Type.String(), value: Type.String() }),
    replies: { 200: { description: 'Done' } },
    problems: REMOVE,
    handle: async ({ params: { featureName, type, value }, access }, world) => {
      await requireUpdate(world, access.actor, featureName)
      await execute(world, access.actor, removeTag, { feature: featureName, tag: { type, value } })
      return new Reply(200)
    },
  }),
  route({
    method: 'GET',
    url: TAGS,
    permission: null,
    tag: 'Tags',
    summary: 'Lists tags of a flag.',
    params,
    replies: { 200: { description: 'Tags', schema: Tags } },
    problems: READ,
    handle: async ({ params: { featureName } }, world) => {
      await requireFeatureNamed(world.db.reader, featureName)
      return { version: 1, tags: await listTags(world.db.reader, featureName) }
    },
  }),
  route({
    method: 'PUT',
    url: TAGS,
    permission: 'UPDATE_FEATURE',
    tag: 'Tags',
    summary: 'Adds and removes tags of a flag atomically.',
    params,
    body: ChangeTags,
    replies: { 200: { description: 'Tags', schema: Tags } },
    problems: WRITE,
    handle: async ({ params: { featureName }, body: tags, access }, world) => {
      const { project } = await requireUpdate(world, access.actor, featureName)
      const changed = withView(changeTags, (tx) => listTags(tx, featureName))
      const now = await execute(world, access.actor, changed, { project, body: { features: [featureName], tags } })
      return { version: 1, tags: now }
    },
  }),
]

/** Throws if the actor may not update the given flag. Reads the flag first, because the path contains no project. */
async function requireUpdate(world: World, actor: Actor, featureName: string): Promise<{ project: string }> {
  const row = await requireFeatureNamed(world.db.reader, featureName)
  requirePermission(actor, 'UPDATE_FEATURE', { project: row.project })
  return row
}
