import { Reply } from '@burgee/kit/http/route'
import { AddEnvironment } from '@burgee/protocol/environment'
import { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams } from '../../core/http/route-parts.ts'
import { addProjectEnvironment, removeProjectEnvironment, setDefaultStrategy } from './project-environments.ts'

const ENVIRONMENTS = '/api/admin/projects/:projectId/environments'
const common = { permission: 'UPDATE_PROJECT', tag: 'Projects' } as const
const params = Type.Object({ projectId: Type.String(), environment: Type.String() })

/** Routes for a project's environments and their default strategies. Source: wire protocol */
export const projectEnvironmentRoutes: Routes = [
  route({
    ...common,
    method: 'POST',
    url: ENVIRONMENTS,
    summary: "Adds an environment to a project; the project's flags are off in it.",
    params: ProjectParams,
    body: AddEnvironment,
    replies: DONE,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ params: { projectId: project }, body, access }, world) => {
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
    summary:
      'Removes an environment from a project, with the strategies that its flags have in it. Fails for the last environment.',
    params,
    replies: DONE,
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params: { projectId: project, environment }, access }, world) => {
      await execute(world, access.actor, removeProjectEnvironment, { project, environment })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    permission: 'PROJECT_DEFAULT_STRATEGY_WRITE',
    url: `${ENVIRONMENTS}/:environment/default-strategy`,
    summary:
      'Sets the default strategy, which flags without a strategy get when they are turned on in this environment.',
    params,
    body: DefaultStrategy,
    replies: { 200: { description: 'The strategy', schema: DefaultStrategy } },
    problems: WRITE,
    handle: ({ params: { projectId: project, environment }, body, access }, world) =>
      execute(world, access.actor, setDefaultStrategy, { project, environment, body }),
  }),
]
