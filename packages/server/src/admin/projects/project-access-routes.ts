import { Reply } from '@burgee/kit/http/route'
import { AddAccess, AddRoleAccess, ProjectAccess, ReplaceAccess, SetRoles } from '@burgee/protocol/project-access'
import Type from 'typebox'
import { execute } from '../../core/execute.ts'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, ProjectParams, parseId } from '../../core/http/route-parts.ts'
import { addAccess, readProjectAccess, replaceAccess } from './project-access.ts'
import { type RoleHolder, setRoles, switchRole } from './role-assignments.ts'

const PROJECT = '/api/admin/projects/:projectId'
const ACCESS = `${PROJECT}/access`
const common = { permission: 'PROJECT_USER_ACCESS_WRITE', tag: 'Projects' } as const
const NOT_MORE = 'Users cannot grant a role with permissions that they lack in the project.'
const WORDS = { user: 'somebody', group: 'a group' } as const

/** Routes for project roles, which are granted to users directly or through groups. Source: wire protocol */
export const projectAccessRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    permission: 'PROJECT_USER_ACCESS_READ',
    url: ACCESS,
    summary: 'Lists users and groups of a project with their roles, and the available roles.',
    params: ProjectParams,
    replies: { 200: { description: 'People, groups and roles', schema: ProjectAccess } },
    problems: REMOVE,
    handle: ({ params, access: { actor } }, world) =>
      world.db.view((reader) => readProjectAccess(reader, params.projectId, actor.hidden)),
  }),
  route({
    ...common,
    method: 'POST',
    url: ACCESS,
    summary: 'Adds project roles to users and groups atomically.',
    description: NOT_MORE,
    params: ProjectParams,
    body: AddAccess,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: project }, body, access }, world) => {
      await execute(world, access.actor, addAccess, { project, body, giver: access.actor.grants })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'PUT',
    url: ACCESS,
    summary: 'Replaces all project roles atomically; users and groups that are not listed lose their roles.',
    description: NOT_MORE,
    params: ProjectParams,
    body: ReplaceAccess,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: project }, body, access }, world) => {
      await execute(world, access.actor, replaceAccess, { project, body, giver: access.actor.grants })
      return new Reply(200)
    },
  }),
  route({
    ...common,
    method: 'POST',
    url: `${PROJECT}/role/:roleId/access`,
    summary: 'Adds one project role to users and groups (legacy).',
    description: NOT_MORE,
    params: Type.Object({ projectId: Type.String(), roleId: Type.String() }),
    body: AddRoleAccess,
    replies: DONE,
    problems: WRITE,
    handle: async ({ params: { projectId: project, roleId }, body, access }, world) => {
      const given = {
        roles: [parseId(roleId, 'role')],
        users: body.users.map(({ id }) => id),
        groups: body.groups.map(({ id }) => id),
      }
      await execute(world, access.actor, addAccess, { project, body: given, giver: access.actor.grants })
      return new Reply(200)
    },
  }),
  ...(['user', 'group'] as const).flatMap((kind) => [...roleListRoutes(kind), ...roleRoutes(kind)]),
]

function holderPath(kind: RoleHolder['kind']) {
  const key = `${kind}Id`
  return {
    who: WORDS[kind],
    url: `${PROJECT}/${kind}s/:${key}/roles`,
    params: Type.Object({ projectId: Type.String(), [key]: Type.String() }),
    holderOf: ({ projectId = '', [key]: id = '' }: Readonly<Record<string, string>>): RoleHolder => ({
      project: projectId,
      kind,
      id: parseId(id, kind),
    }),
  }
}

/** Creates the routes that set or remove all project roles of one account or one group. */
function roleListRoutes(kind: RoleHolder['kind']): Routes {
  const { who, url, params, holderOf } = holderPath(kind)
  return [
    route({
      ...common,
      method: 'PUT',
      url,
      params,
      summary: `Gives ${who} exactly these roles in a project. The last owner must stay an owner.`,
      description: NOT_MORE,
      body: SetRoles,
      replies: DONE,
      problems: WRITE,
      handle: async ({ params: target, body, access }, world) => {
        const input = { ...holderOf(target), roles: body.roles, giver: access.actor.grants }
        await execute(world, access.actor, setRoles, input)
        return new Reply(200)
      },
    }),
    route({
      ...common,
      method: 'DELETE',
      url,
      params,
      summary: `Removes all roles in a project from ${who}. The last owner must stay an owner.`,
      replies: DONE,
      problems: [...REMOVE, 'ValidationError'],
      handle: async ({ params: target, access }, world) => {
        await execute(world, access.actor, setRoles, { ...holderOf(target), roles: [], giver: [] })
        return new Reply(200)
      },
    }),
  ]
}

/** Creates the routes that grant or revoke one project role of an account or a group. */
function roleRoutes(kind: RoleHolder['kind']): Routes {
  const { who, url, params, holderOf } = holderPath(kind)
  return (['POST', 'DELETE'] as const).map((method) =>
    route({
      ...common,
      method,
      url: `${url}/:roleId`,
      summary:
        method === 'POST'
          ? `Gives ${who} a role in a project.`
          : `Removes a role in a project from ${who}. The last owner must stay an owner.`,
      params: Type.Object({ ...params.properties, roleId: Type.String() }),
      replies: DONE,
      problems: [...REMOVE, 'ValidationError'],
      handle: async ({ params: target, access }, world) => {
        const switched = { role: parseId(target.roleId ?? '', 'role'), has: method === 'POST' }
        await execute(world, access.actor, switchRole, {
          ...holderOf(target),
          ...switched,
          giver: access.actor.grants,
        })
        return new Reply(200)
      },
    }),
  )
}
