import { Reply } from '@burgee/kit/http/route'
import { BulkTags } from '@burgee/protocol/event'
import { execute } from '../../services/execute.ts'
import { changeTags } from '../../services/features/bulk-tags.ts'
import { WRITE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { DONE, ProjectParams } from '../route-parts.ts'

/** Route that adds tags to several flags and removes tags from them. Source: spec "Bulk tag request" */
export const projectTagRoutes: Routes = [
  route({
    method: 'PUT',
    url: '/api/admin/projects/:projectId/tags',
    permission: 'UPDATE_FEATURE',
    tag: 'Tags',
    summary: 'Adds and removes tags of several flags of a project: all of it, or nothing.',
    params: ProjectParams,
    body: BulkTags,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, changeTags, { project: params.projectId, body })
      return new Reply(200)
    },
  }),
]
