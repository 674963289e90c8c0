import { Reply } from '@burgee/kit/http/route'
import { BulkTags } from '@burgee/protocol/event'
import { execute } from '../../core/execute.ts'
import { WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams } from '../../core/http/route-parts.ts'
import { changeTags } from '../flags/bulk-tags.ts'

/** Route that adds tags to several flags, and removes tags from them. Source: spec "Bulk tag request" */
export const projectTagRoutes: Routes = [
  route({
    method: 'PUT',
    url: '/api/admin/projects/:projectId/tags',
    permission: 'UPDATE_FEATURE',
    tag: 'Tags',
    summary: 'Adds and removes tags of several flags of a project atomically.',
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
