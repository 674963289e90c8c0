import { Creators, ProjectStatus, StageCounts } from '@burgee/protocol/administration/project-status'
import { listEventCreators } from '@burgee/storage/queries/events/event-names'
import { listFlagCreators } from '@burgee/storage/queries/projects/project-status'
import { LIST, READ } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'
import { requireProject } from '../../core/project-ref.ts'
import { getHiddenEvents } from '../history/hidden-events.ts'
import { readProjectStatus, readStageCounts } from './project-status.ts'

const PROJECT = '/api/admin/projects/:projectId'
const common = { method: 'GET', permission: null } as const
const ofProject = { ...common, tag: 'Projects', params: ProjectParams, problems: READ } as const

/**
 * Routes for the status of projects and flags, and for the list of users who have created flags. Source: wire protocol
 */
export const projectStatusRoutes: Routes = [
  route({
    ...ofProject,
    url: `${PROJECT}/status`,
    summary:
      'Returns the status of a project: daily activity, object counts, health, and lifecycle stages of its flags.',
    replies: { 200: { description: 'The status', schema: ProjectStatus } },
    handle: ({ params }, world) =>
      world.db.scan((reader) => readProjectStatus(reader, params.projectId, world.clock())),
  }),
  route({
    ...ofProject,
    url: `${PROJECT}/flag-creators`,
    summary: 'Lists the creators of flags of a project, including archived ones.',
    replies: { 200: { description: 'Their ids and names', schema: Creators } },
    handle: ({ params }, world) =>
      world.db.view(async (reader) => {
        await requireProject(reader, params.projectId)
        return listFlagCreators(reader, params.projectId)
      }),
  }),
  route({
    ...common,
    url: '/api/admin/event-creators',
    tag: 'Events',
    summary: 'Lists the authors of the events that the caller may see.',
    replies: { 200: { description: 'Their ids and names', schema: Creators } },
    problems: LIST,
    handle: ({ access }, world) => world.db.scan((reader) => listEventCreators(reader, getHiddenEvents(access.actor))),
  }),
  route({
    ...common,
    url: '/api/admin/lifecycle/count',
    tag: 'Features',
    summary: 'Counts flags by lifecycle stage.',
    replies: { 200: { description: 'Flags by stage', schema: StageCounts } },
    problems: LIST,
    handle: (_input, world) => world.db.scan(readStageCounts),
  }),
]
