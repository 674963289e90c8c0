import { ProjectApplicationSearch, ProjectApplications } from '@burgee/protocol/application'
import { readProjectApplications } from '../../services/usage/project-applications.ts'
import { READ } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { ProjectParams } from '../route-parts.ts'

/** Route that lists the applications that use flags of a project. Source: wire protocol */
export const projectApplicationRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/projects/:projectId/applications',
    permission: null,
    tag: 'Usage',
    summary: 'Applications whose tokens name a project, or that have counted its flags, with processes and SDKs.',
    params: ProjectParams,
    query: ProjectApplicationSearch,
    replies: { 200: { description: 'Applications by name', schema: ProjectApplications } },
    problems: [...READ, 'ValidationError'],
    handle: ({ params, query, access: { actor } }, world) =>
      world.db.scan((reader) => readProjectApplications(reader, params.projectId, query, actor.hidden)),
  }),
]
