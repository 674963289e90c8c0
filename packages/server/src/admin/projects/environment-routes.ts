import { Reply } from '@burgee/kit/http/route'
import {
  CloneEnvironment,
  CreateEnvironment,
  EnvironmentName,
  EnvironmentRemoval,
  ProjectEnvironments,
  SortOrders,
  UpdateEnvironment,
} from '@burgee/protocol/environment'
import { Environment, Environments } from '@burgee/protocol/project'
import { listEnvironments, listProjectEnvironments } from '@burgee/storage/queries/projects/environments'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { LIST, READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams } from '../../core/http/route-parts.ts'
import { requireProject } from '../../core/project-ref.ts'
import type { World } from '../../core/world.ts'
import { cloneEnvironment } from './environment-clones.ts'
import { describeRemoval, removeEnvironment } from './environment-removal.ts'
import {
  createEnvironment,
  orderEnvironments,
  requireEnvironment,
  requireFreeEnvironment,
  switchEnvironment,
  updateEnvironment,
} from './environments.ts'

const ENVIRONMENTS = '/api/admin/environments'
const tag = 'Environments'
const admin = { permission: 'ADMIN', tag } as const
const params = Type.Object({ name: Type.String() })
const one = { 200: { description: 'The environment', schema: Environment } }

/** Routes for environments. The number of environments is unlimited. Source: wire protocol */
export const environmentRoutes: Routes = [
  route({
    method: 'GET',
    url: ENVIRONMENTS,
    permission: null,
    tag,
    summary: 'Lists environments with their usage.',
    replies: { 200: { description: 'Environments', schema: Environments } },
    problems: LIST,
    handle: async (_input, world) => ({ version: 1, environments: await world.db.view(listEnvironments) }),
  }),
  route({
    method: 'GET',
    url: `${ENVIRONMENTS}/:name`,
    permission: null,
    tag,
    summary: 'Returns an environment with its usage.',
    params,
    replies: one,
    problems: READ,
    handle: ({ params: { name } }, world) => view(world, name),
  }),
  route({
    method: 'GET',
    url: `${ENVIRONMENTS}/project/:projectId`,
    permission: null,
    tag,
    summary:
      "Lists all environments for a project: `visible` is true if the project uses the environment; includes the project's default strategies.",
    params: ProjectParams,
    replies: { 200: { description: 'Environments', schema: ProjectEnvironments } },
    problems: READ,
    handle: ({ params: { projectId } }, world) =>
      world.db.view(async (reader) => {
        await requireProject(reader, projectId)
        return { version: 1, environments: await listProjectEnvironments(reader, projectId) }
      }),
  }),
  route({
    ...admin,
    method: 'POST',
    url: ENVIRONMENTS,
    summary: 'Creates an environment. New projects use it from the start, existing projects once it is added to them.',
    body: CreateEnvironment,
    replies: { 201: { description: 'The environment', schema: Environment } },
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body, access }, world) => {
      const { name } = await execute(world, access.actor, createEnvironment, body)
      return Reply.json(201, await view(world, name), { location: `environments/${name}` })
    },
  }),
  route({
    ...admin,
    method: 'POST',
    url: `${ENVIRONMENTS}/:name/clone`,
    summary: 'Clones an environment with projects, strategies, segments and variants atomically.',
    description: 'Flags are off in the new environment; `cloneEnabled` turns on flags that are on in the original.',
    params,
    body: CloneEnvironment,
    replies: one,
    problems: [...WRITE, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ params: { name: from }, body, access }, world) => {
      const { name } = await execute(world, access.actor, cloneEnvironment, { from, body })
      return view(world, name)
    },
  }),
  route({
    ...admin,
    method: 'PUT',
    url: `${ENVIRONMENTS}/update/:name`,
    summary: 'Updates type and sort order of an environment. Omitted fields keep their value.',
    params,
    body: UpdateEnvironment,
    replies: one,
    problems: WRITE,
    handle: async ({ params: { name }, body, access }, world) => {
      await execute(world, access.actor, updateEnvironment, { name, body })
      return view(world, name)
    },
  }),
  route({
    ...admin,
    method: 'PUT',
    url: `${ENVIRONMENTS}/sort-order`,
    summary: 'Sets the sort order of environments by name atomically.',
    body: SortOrders,
    replies: DONE,
    problems: WRITE,
    handle: async ({ body, access }, world) => {
      await execute(world, access.actor, orderEnvironments, body)
      return new Reply(200)
    },
  }),
  route({
    ...admin,
    method: 'DELETE',
    url: `${ENVIRONMENTS}/:name`,
    summary: 'Deletes an environment, removes it from its projects, and deletes its API tokens.',
    description:
      'The response lists the projects, tokens and roles that lose it. Fails for the last environment of a project. Change requests are ' +
      'skipped; an event for each project records this.',
    params,
    replies: { 200: { description: 'Projects, tokens and roles that lost it', schema: EnvironmentRemoval } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params: { name }, access }, world) => {
      const removal = await execute(world, access.actor, removeEnvironment, { name, actor: access.actor })
      const line = describeRemoval(removal)
      if (line !== undefined) world.logger.warn(line)
      return removal
    },
  }),
  route({
    ...admin,
    method: 'POST',
    url: `${ENVIRONMENTS}/validate`,
    summary: 'Checks whether an environment name is valid and available.',
    body: EnvironmentName,
    replies: DONE,
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body }, world) => {
      await requireFreeEnvironment(world.db.reader, body.name)
      return new Reply(200)
    },
  }),
  ...(['on', 'off'] as const).map((state) =>
    route({
      ...admin,
      method: 'POST',
      url: `${ENVIRONMENTS}/:name/${state}`,
      summary: `Turns an environment ${state}.`,
      description:
        'New projects do not use environments that are off. Flags, tokens and SDKs of the environment continue to work.',
      params,
      replies: { 204: { description: 'Done' } },
      problems: REMOVE,
      handle: async ({ params: { name }, access }, world) => {
        await execute(world, access.actor, switchEnvironment, { name, enabled: state === 'on' })
        return new Reply(204)
      },
    }),
  ),
]

function view(world: World, name: string) {
  return world.db.view(async (reader) => {
    await requireEnvironment(reader, name)
    return (await listEnvironments(reader)).find((row) => row.name === name)
  })
}
