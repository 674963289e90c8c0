import { Reply, type Route, routesFor } from '@burgee/kit/http/route'
import { AddEnvironment } from '@burgee/protocol/environment'
import { DefaultStrategy } from '@burgee/protocol/project'
import Type from 'typebox'
import { execute } from '../../services/execute.ts'
import {
  addProjectEnvironment,
  removeProjectEnvironment,
  setDefaultStrategy,
} from '../../services/projects/project-environments.ts'
import type { World } from '../../services/world.ts'
import type { Access } from '../access/auth.ts'
import { DONE, ProjectParams, REMOVE, WRITE } from '../route-parts.ts'

const route = routesFor<Access>()
const ENVIRONMENTS = '/api/admin/projects/:projectId/environments'
const common = { permission: 'UPDATE_PROJECT', tag: 'Projects' } as const
const params = Type.Object({ projectId: Type.String(), environment: Type.String() })

/** Which environments a project uses, and what its flags get there by default. Source: wire protocol */
export const projectEnvironmentRoutes = (world: World): Route<Access>[] => [
  route({
    ...common,
    method: 'POST',
    url: ENVIRONMENTS,
    summary: 'Lets a project use an environment; its flags are off there.',
    params: ProjectParams,
    body: AddEnvironment,
    replies: DONE,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ params: { projectId: project }, body, access }) => {
      const { environment, defaultStrategy } = body
      const given = defaultStrategy === undefined ? {} : { defaultStrategy }
      await execute(world, access.actor, addProjectEnvironment, { project, environment, ...given })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    url: `${ENVIRONMENTS}/:environment`,
    summary: 'Takes an environment from a project, with the strategies of its flags there; not the last one.',
    params,
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params: { projectId: project, environment }, access }) => {
      await execute(world, access.actor, removeProjectEnvironment, { project, environment })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${ENVIRONMENTS}/:environment/default-strategy`,
    summary: 'Sets what flags get that are turned on in this environment without a strategy.',
    params,
    body: DefaultStrategy,
    replies: { 200: { description: 'The strategy', schema: DefaultStrategy } },
    problems: WRITE,
    handle: ({ params: { projectId: project, environment }, body, access }) =>
      execute(world, access.actor, setDefaultStrategy, { project, environment, body }),
  }),
]
