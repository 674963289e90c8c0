import { ProjectApplicationSearch, ProjectApplications } from '@burgee/protocol/application'
import { READ } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'
import { readProjectApplications } from './project-applications.ts'

/** Route that lists the applications that use flags in a project. Source: wire protocol */
export const projectApplicationRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/projects/:projectId/applications',
    permission: null,
    tag: 'Usage',
    summary: 'Lists applications that use tokens or flags of a project, with instances and SDKs.',
    params: ProjectParams,
    query: ProjectApplicationSearch,
    replies: { 200: { description: 'Applications by name', schema: ProjectApplications } },
    problems: [...READ, 'ValidationError'],
    handle: ({ params, query, access: { actor } }, world) =>
      world.db.scan((reader) => readProjectApplications(reader, params.projectId, query, actor.hidden)),
  }),
]
