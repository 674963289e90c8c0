import type { Person, ProjectAccess } from '@burgee/protocol/project-access'
import { call, path } from './http.ts'
import { callName } from './users.ts'

const projectPath = (project: string) => path('api', 'admin', 'projects', project)
const rolesPath = (project: string, id: number) => `${projectPath(project)}${path('users', id, 'roles')}`

/** Somebody with the roles in a project. */
export type Member = ProjectAccess['users'][number]

/** Who has a role in a project, by name. */
export const members = async (project: string) =>
  (await call<ProjectAccess>('GET', `${projectPath(project)}/access`)).users.sort(byName)

/** Everybody who may be given one, by name. */
export const people = async () =>
  (await call<{ users: Person[] }>('GET', '/api/admin/user-admin/access')).users.sort(byName)

const byName = (a: Person, b: Person): number => callName(a).localeCompare(callName(b))

/** Gives people a role. */
export const addMembers = (project: string, users: readonly number[], role: number) =>
  call<void>('POST', `${projectPath(project)}/access`, { users, roles: [role], groups: [] })

/** Gives somebody exactly these roles; none takes them out of the project. */
export const setMemberRoles = (project: string, id: number, roles: readonly number[]) =>
  call<void>('PUT', rolesPath(project, id), { roles })
