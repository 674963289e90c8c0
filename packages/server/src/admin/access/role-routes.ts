import { formatCsv } from '@burgee/kit/csv'
import { Reply } from '@burgee/kit/http/route'
import { ALL_ENVIRONMENTS, PERMISSIONS, type PermissionScope } from '@burgee/protocol/administration/permission'
import {
  ListedRoles,
  Permissions,
  RoleInput,
  RoleName,
  RoleReply,
  RoleUses,
  RoleWithPermissions,
} from '@burgee/protocol/administration/role'
import { listRoleProjects } from '@burgee/storage/queries/access/role-uses'
import { listEnvironmentNames } from '@burgee/storage/queries/projects/projects'
import Type from 'typebox'
import { filterVisible } from '../../core/access/rights/hidden-projects.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { DONE, parseId } from '../../core/http/route-parts.ts'
import { readAccessOverview } from './rights/access-overview.ts'
import {
  changeRole,
  createRole,
  listRolesWithImplicitEnvironments,
  readRole,
  removeRole,
  requireFreeRoleName,
  requireRole,
} from './rights/roles.ts'

const ROLES = '/api/admin/roles'
const common = { permission: 'ADMIN', tag: 'Roles' } as const
const one = { ...common, url: `${ROLES}/:roleId`, params: Type.Object({ roleId: Type.String() }) } as const
const role = { 200: { description: 'The role', schema: RoleReply } }
const TYPES = `\`custom\` roles apply in projects, \`root-custom\` roles everywhere. An environment permission names one environment, or \`${ALL_ENVIRONMENTS}\` for all of them, including future ones; without either, the reply is 400.`

const parseRoleId = (params: { readonly roleId: string }) => parseId(params.roleId, 'role')
const listPermissions = (type: PermissionScope) => PERMISSIONS.filter((permission) => permission.type === type)

/** Routes for roles, and for the list of permissions that a role can contain. Source: wire protocol */
export const roleRoutes: Routes = [
  route({
    ...common,
    method: 'GET',
    url: '/api/admin/permissions',
    permission: null,
    summary: 'Lists all permissions; environment permissions once per environment.',
    replies: { 200: { description: 'Permissions', schema: Permissions } },
    problems: LIST,
    handle: async (_input, world) => ({
      version: 2,
      permissions: {
        root: listPermissions('root'),
        project: listPermissions('project'),
        environments: (await listEnvironmentNames(world.db.reader)).map((name) => ({
          name,
          permissions: listPermissions('environment').map((permission) => ({ ...permission, environment: name })),
        })),
      },
    }),
  }),
  route({
    ...common,
    method: 'GET',
    url: ROLES,
    permission: 'READ_ROLE',
    summary: 'Lists built-in and custom roles.',
    replies: { 200: { description: 'Roles', schema: ListedRoles } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => ({ version: 1, roles: await listRolesWithImplicitEnvironments(world.db.reader) }),
  }),
  route({
    ...common,
    method: 'POST',
    url: ROLES,
    summary: 'Creates a custom role.',
    description: TYPES,
    body: RoleInput,
    replies: role,
    problems: [...GUARDED_LIST, 'ValidationError', 'NameExistsError', 'ConflictError', 'ContentTypeerror'],
    handle: async ({ body, access }, world) => ({
      version: 1,
      roles: await execute(world, access.actor, createRole, body),
    }),
  }),
  route({
    ...common,
    method: 'POST',
    url: `${ROLES}/validate`,
    summary: 'Checks whether a role name is available.',
    body: RoleName,
    replies: DONE,
    problems: [...GUARDED_LIST, 'ValidationError', 'NameExistsError', 'ContentTypeerror'],
    handle: async ({ body }, world) => {
      await requireFreeRoleName(world.db.reader, body.name)
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'GET',
    permission: 'READ_ROLE',
    summary: 'Returns a role with its permissions.',
    replies: { 200: { description: 'The role', schema: RoleWithPermissions } },
    problems: REMOVE,
    handle: ({ params }, world) => world.db.view((reader) => readRole(reader, parseRoleId(params))),
  }),
  route({
    ...one,
    method: 'PUT',
    summary: 'Replaces a custom role and its permissions; takes effect at once.',
    description: TYPES,
    body: RoleInput,
    replies: role,
    problems: [...WRITE, 'NameExistsError', 'InvalidOperationError'],
    handle: async ({ params, body, access }, world) => ({
      version: 1,
      roles: await execute(world, access.actor, changeRole, { id: parseRoleId(params), body }),
    }),
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Deletes a custom role that is assigned to no one.',
    replies: DONE,
    problems: [...REMOVE, 'ValidationError', 'InvalidOperationError'],
    handle: async ({ params, access }, world) => {
      await execute(world, access.actor, removeRole, { id: parseRoleId(params) })
      return new Reply(200)
    },
  }),
  route({
    ...one,
    method: 'GET',
    url: '/api/admin/projects/roles/:roleId/access',
    permission: 'READ_ROLE',
    summary: 'Lists the projects in which a role is granted, with the number of users, service accounts and groups.',
    replies: { 200: { description: 'Projects', schema: RoleUses } },
    problems: REMOVE,
    handle: ({ params, access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const { id } = await requireRole(reader, parseRoleId(params))
        return { projects: filterVisible(actor.hidden, await listRoleProjects(reader, id), ({ project }) => project) }
      }),
  }),
  route({
    ...common,
    method: 'GET',
    url: '/api/admin/access/overview',
    summary: 'Lists the roles of all accounts, as a table with one row for each account and role.',
    replies: { 200: { description: 'Column names and values', contentType: 'text/csv' } },
    problems: GUARDED_LIST,
    handle: async (_input, world) =>
      new Reply(200, formatCsv(await world.db.scan(readAccessOverview)), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="access.csv"',
      }),
  }),
]
