import { AdminCount, People, Profile, Roles } from '@burgee/protocol/project-access'
import Type from 'typebox'
import { ROOT_ROLES } from '../../services/access/user-admin.ts'
import { personView, rolesOf } from '../../services/projects/project-access.ts'
import { listUsers, membershipsOf, withRole } from '../../store/access/people.ts'
import { GUARDED_LIST, READ, REMOVE } from '../problem-lists.ts'
import { type Routes, route } from '../route.ts'
import { personOf } from '../route-parts.ts'

const ADMIN = 1

/** What is asked about people besides their administration: whom a project may be given to, and who I am. */
export const peopleRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/user-admin/access',
    permission: 'UPDATE_PROJECT',
    tag: 'Users',
    summary: 'All people, for those who may give them a role in a project.',
    replies: { 200: { description: 'People', schema: People } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => ({ users: (await listUsers(world.db.reader)).map(personView), groups: [] }),
  }),
  route({
    method: 'GET',
    url: '/api/admin/user-admin/admin-count',
    permission: 'ADMIN',
    tag: 'Users',
    summary: 'How many administrators there are, with a password and without one.',
    replies: { 200: { description: 'Counts', schema: AdminCount } },
    problems: GUARDED_LIST,
    handle: async (_input, world) => {
      const admins = await withRole(world.db.reader, ADMIN)
      const password = admins.filter((row) => row.password_hash !== '').length
      return { password, noPassword: admins.length - password, service: 0 }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/user/profile',
    permission: null,
    tag: 'Me',
    summary: 'My root role, and the projects in which I have a role.',
    replies: { 200: { description: 'Profile', schema: Profile } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ access }, world) => {
      const { id, root_role } = personOf(access)
      const roles = await membershipsOf(world.db.reader, id)
      return {
        rootRole: ROOT_ROLES.find((role) => role.id === root_role),
        projects: [...new Set(roles.map((role) => role.project))],
        features: [],
      }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/user/roles',
    permission: null,
    tag: 'Me',
    summary: 'My roles in a project.',
    query: Type.Object({ projectId: Type.String({ minLength: 1 }) }),
    replies: { 200: { description: 'Roles', schema: Roles } },
    problems: [...READ, 'ValidationError', 'InvalidOperationError'],
    handle: ({ query: { projectId }, access }, world) =>
      world.db.view(async (reader) => {
        const target = { project: projectId, userId: personOf(access).id }
        return { version: 1, roles: await rolesOf(reader, target) }
      }),
  }),
]
