import { Reply } from '@burgee/kit/http/route'
import { AddAccess, ProjectAccess, SetRoles } from '@burgee/protocol/project-access'
import Type from 'typebox'
import { execute } from '../../services/execute.ts'
import {
  addAccess,
  type MemberRef,
  projectAccess,
  setRoles,
  switchRole,
} from '../../services/projects/project-access.ts'
import { REMOVE, WRITE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { DONE, numericId, ProjectParams } from '../route-parts.ts'

const PROJECT = '/api/admin/projects/:projectId'
const common = { permission: 'UPDATE_PROJECT', tag: 'Projects' } as const
const member = {
  ...common,
  url: `${PROJECT}/users/:userId/roles`,
  params: Type.Object({ projectId: Type.String(), userId: Type.String() }),
} as const

/** Who may do what in a project: 4 Owner, 5 Member. Source: wire protocol */
export const projectAccessRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: `${PROJECT}/access`,
    summary: 'Who has which role in a project, and which roles there are.',
    params: ProjectParams,
    replies: { 200: { description: 'People and roles', schema: ProjectAccess } },
    problems: REMOVE,
    handle: ({ params }, world) => world.db.view((reader) => projectAccess(reader, params.projectId)),
  }),
  route({
    ...common,
    method: 'POST',
    url: `${PROJECT}/access`,
    summary: 'Gives people roles in a project, besides those they have; all or none.',
    params: ProjectParams,
    body: AddAccess,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: project }, body, access }, world) => {
      await execute(world, access.actor, addAccess, { project, body })
      return new Reply(200)
    },
  }),
  route({
    ...member,
    method: 'PUT',
    summary: 'Gives somebody exactly these roles in a project; its last owner stays one.',
    body: SetRoles,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params, body, access }, world) => {
      await execute(world, access.actor, setRoles, { ...targetOf(params), roles: body.roles })
      return new Reply(200)
    },
  }),
  route({
    ...member,
    method: 'DELETE',
    summary: 'Takes all roles in a project from somebody, but not from its last owner.',
    replies: DONE,
    problems: [...REMOVE, 'ValidationError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, setRoles, { ...targetOf(params), roles: [] })
      return new Reply(200)
    },
  }),
  ...(['POST', 'DELETE'] as const).map((method) =>
    route({
      ...member,
      method,
      url: `${PROJECT}/users/:userId/roles/:roleId`,
      summary:
        method === 'POST'
          ? 'Gives somebody a role in a project.'
          : 'Takes a role in a project from somebody; its last owner stays one.',
      params: Type.Object({ ...member.params.properties, roleId: Type.String() }),
      replies: DONE,
      problems: [...REMOVE, 'ValidationError'],
      handle: async ({ params, access }, world) => {
        const role = numericId(params.roleId, 'role')
        await execute(world, access.actor, switchRole, { ...targetOf(params), role, has: method === 'POST' })
        return new Reply(200)
      },
    }),
  ),
]

function targetOf({ projectId, userId }: { readonly projectId: string; readonly userId: string }): MemberRef {
  return { project: projectId, userId: numericId(userId, 'user') }
}
