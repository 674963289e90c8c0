import { type Route, routesFor } from '@burgee/kit/route'
import { Projects } from '@burgee/protocol/project'
import type { World } from '../services/world.ts'
import { listProjects } from '../store/projects.ts'
import type { Access } from './auth.ts'

const route = routesFor<Access>()

/** Projects. Source: wire protocol */
export const projectRoutes = (world: World): Route<Access>[] => [
  route({
    method: 'GET',
    url: '/api/admin/projects',
    permission: null,
    tag: 'Projects',
    summary: 'All projects.',
    replies: { 200: { description: 'Projects', schema: Projects } },
    problems: ['AuthenticationRequired'],
    handle: async () => ({ version: 1, projects: await world.db.view(listProjects) }),
  }),
]
