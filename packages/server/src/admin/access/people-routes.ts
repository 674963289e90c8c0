import { compareText } from '@burgee/kit/compare-text'
import { notFound } from '@burgee/kit/input/refusals'
import { AdminCount, DisplayNameQuery, DisplayNames, People, Profile, Roles } from '@burgee/protocol/project-access'
import { listAssignments } from '@burgee/storage/queries/access/assignments'
import { listAdmins, listDisplayNames, listServiceAccounts, listUsers } from '@burgee/storage/queries/access/people'
import { findRoleById } from '@burgee/storage/queries/access/roles'
import Type from 'typebox'
import { ADMIN_ROLE } from '../../core/access/rights/role-permissions.ts'
import { GUARDED_LIST, READ, REMOVE, SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../../core/http/route-parts.ts'
import { readUserRoles } from '../projects/project-access.ts'
import { readGroups } from './groups/groups.ts'
import { readEmailChange } from './people/own-profile.ts'
import { toPerson, toUser } from './people/users.ts'

/**
 * Routes with data about users that do not require an administrator: display names, the users who can get a role in a
 * project, and the caller's own profile.
 */
export const peopleRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/people',
    permission: null,
    tag: 'Users',
    summary: 'Returns the display names of users and service accounts.',
    description:
      'For the ids in events, comments and change requests. Omits deleted accounts and accounts without a display name.',
    query: DisplayNameQuery,
    replies: { 200: { description: 'Display names', schema: DisplayNames } },
    problems: SEARCH,
    handle: async ({ query: { ids } }, world) => ({
      people: await listDisplayNames(world.db.reader, [...new Set(ids.split(',').map(Number))]),
    }),
  }),
  route({
    method: 'GET',
    url: '/api/admin/user-admin/access',
    permission: 'PROJECT_USER_ACCESS_READ',
    tag: 'Users',
    summary: 'Lists users, service accounts and groups, for users who may grant project roles.',
    replies: { 200: { description: 'Users, service accounts and groups', schema: People } },
    problems: GUARDED_LIST,
    handle: ({ access: { actor } }, world) =>
      world.db.view(async (reader) => ({
        users: [...(await listUsers(reader)), ...(await listServiceAccounts(reader))].map((row) => ({
          ...toPerson(row),
          accountType: toUser(row).accountType,
        })),
        groups: await readGroups(reader, actor.hidden),
      })),
  }),
  route({
    method: 'GET',
    url: '/api/admin/user-admin/admin-count',
    permission: 'ADMIN',
    tag: 'Users',
    summary: 'Counts administrators: users with and without a password, and service accounts.',
    replies: { 200: { description: 'Counts', schema: AdminCount } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => {
      const people = await listAdmins(world.db.reader)
      const password = people.filter((row) => row.password_hash !== '').length
      const programs = await listServiceAccounts(world.db.reader)
      const service = programs.filter((row) => row.root_role === ADMIN_ROLE).length
      return { password, noPassword: people.length - password, service }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/user/profile',
    permission: null,
    tag: 'Me',
    summary: 'Returns the root role of the current user, and the projects in which the user has a role.',
    replies: { 200: { description: 'Profile', schema: Profile } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ access }, world) => {
      const user = requirePerson(access)
      const { id, root_role } = user
      const roles = await listAssignments(world.db.reader, id)
      return {
        rootRole: await findRoleById(world.db.reader, root_role),
        projects: [...new Set(roles.flatMap(({ project }) => (project === null ? [] : [project])))].sort(compareText),
        features: [],
        emailChange: await readEmailChange(world.db.reader, user),
      }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/user/roles',
    permission: null,
    tag: 'Me',
    summary: 'Lists the global role of the current user, and the roles in a project.',
    query: Type.Object({ projectId: Type.String({ minLength: 1, maxLength: 2000 }) }),
    replies: { 200: { description: 'Roles', schema: Roles } },
    problems: [...READ, 'ValidationError', 'InvalidOperationError'],
    handle: ({ query: { projectId }, access }, world) =>
      world.db.view(async (reader) => {
        const target = { project: projectId, user: requirePerson(access) }
        if (access.actor.hidden.includes(projectId)) throw notFound(`There is no project "${projectId}".`)
        return { version: 1, roles: await readUserRoles(reader, target) }
      }),
  }),
]
