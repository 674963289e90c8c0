import type { Person, ProjectAccess } from '@burgee/protocol/project-access'
import { ApiError, call, path } from './http.ts'
import { callName } from './users.ts'

const projectPath = (project: string) => path('api', 'admin', 'projects', project)

/** Who can have roles in a project. */
export type HolderKind = 'user' | 'group'

/** Somebody, or a group, with the roles in a project. */
export interface Member {
  readonly kind: HolderKind
  readonly id: number
  readonly name: string
  /** The e-mail address of a person; empty for a group. */
  readonly email: string
  readonly roles: readonly number[]
  /** Whether they can log in; groups always are. */
  readonly isActive: boolean
}

/** Who has a role in a project, groups first, by name; and which roles there are to have. */
export interface Members {
  readonly members: readonly Member[]
  readonly roles: ProjectAccess['roles']
}

/** Who has which role in a project. */
export async function members(project: string): Promise<Members> {
  const { users, groups, roles } = await call<ProjectAccess>('GET', `${projectPath(project)}/access`)
  const ofGroups = groups.map(
    ({ id, name, roles }): Member => ({
      ...{ kind: 'group', id, name, email: '', roles, isActive: true },
    }),
  )
  const ofUsers = users.map(
    (one): Member => ({
      ...{ kind: 'user', id: one.id, name: callName(one), email: one.email ?? '' },
      ...{ roles: one.roles, isActive: one.active },
    }),
  )
  return { members: [...ofGroups.sort(byName), ...ofUsers.sort(byName)], roles }
}

/** Somebody, or a group, that may be given a role. */
export type Candidate = Pick<Member, 'kind' | 'id' | 'name'> & { readonly email?: string | undefined }

/** Every group, and everybody, that may be given a role, by name. */
export async function people(): Promise<Candidate[]> {
  const found = await call<{ users: Person[]; groups: { id: number; name: string }[] }>(
    'GET',
    '/api/admin/user-admin/access',
  )
  const ofGroups = found.groups.map(({ id, name }): Candidate => ({ kind: 'group', id, name }))
  const ofUsers = found.users.map(
    (one): Candidate => ({ kind: 'user', id: one.id, name: callName(one), email: one.email }),
  )
  return [...ofGroups.sort(byName), ...ofUsers.sort(byName)]
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name)

/** Gives people and groups a role. */
export function addMembers(
  project: string,
  chosen: readonly Pick<Member, 'kind' | 'id'>[],
  role: number,
): Promise<void> {
  const ids = (kind: HolderKind): number[] => chosen.filter((one) => one.kind === kind).map(({ id }) => id)
  const body = { users: ids('user'), groups: ids('group'), roles: [role] }
  return call<void>('POST', `${projectPath(project)}/access`, body)
}

/** Gives somebody exactly these roles; none takes them out of the project. */
const setMemberRoles = (project: string, { kind, id }: Pick<Member, 'kind' | 'id'>, roles: readonly number[]) =>
  call<void>('PUT', `${projectPath(project)}${path(`${kind}s`, id, 'roles')}`, { roles })

/** Roles that somebody gets in a project, and those that are taken from them. */
export interface RoleChange {
  readonly given: readonly number[]
  readonly taken: readonly number[]
}

/** What a change has made of somebody's roles: all that they have now, and what was really changed. */
export interface ChangedRoles extends RoleChange {
  readonly roles: readonly number[]
}

/**
 * Gives somebody roles and takes others from them, leaving those that somebody else gave or took meanwhile as they are.
 * Rejects with ApiError 412 where they would have none after it, as that takes them out of the project.
 */
export async function changeMemberRoles(project: string, member: Member, change: RoleChange): Promise<ChangedRoles> {
  const now = await rolesNow(project, member)
  const roles = [...new Set([...now, ...change.given])].filter((role) => !change.taken.includes(role))
  if (roles.length === 0) throw new ApiError(412, 'changed since')
  const given = roles.filter((role) => !now.includes(role))
  const taken = now.filter((role) => !roles.includes(role))
  if (given.length + taken.length > 0) await setMemberRoles(project, member, roles)
  return { roles, given, taken }
}

/** Takes somebody out of a project, with all roles that they have by now. */
export async function removeMember(project: string, member: Member): Promise<ChangedRoles> {
  const taken = await rolesNow(project, member)
  await setMemberRoles(project, member, [])
  return { roles: [], given: [], taken }
}

async function rolesNow(project: string, { kind, id }: Member): Promise<readonly number[]> {
  const all = await members(project)
  return all.members.find((one) => one.kind === kind && one.id === id)?.roles ?? []
}
