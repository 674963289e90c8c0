import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { BulkTags } from '@burgee/protocol/event'
import { execute } from '../../services/execute.ts'
import { changeTags } from '../../services/features/bulk-tags.ts'
import type { World } from '../../services/world.ts'
import type { Access } from '../access/auth.ts'
import { DONE, ProjectParams, WRITE } from '../route-parts.ts'

const route = routesFor<Access>()

/** Tags of several flags at once. Source: spec "Bulk tag request" */
export const projectTagRoutes = (world: World): Route<Access>[] => [
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
    handle: async ({ params, body, access }) => {
      await execute(world, access.actor, changeTags, { project: params.projectId, body })
      return new Reply(200)
    },
  }),
]
