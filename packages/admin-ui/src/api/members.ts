import type { Person, ProjectAccess } from '@burgee/protocol/project-access'
import { ApiError, buildPath, call } from './http.ts'
import { getDisplayName } from './users.ts'

const getProjectPath = (project: string) => buildPath('api', 'admin', 'projects', project)

/** Kind of member that has roles in a project. */
export type RoleHolderKind = 'user' | 'group'

/** User or group with their roles in a project. */
export interface Member {
  readonly kind: RoleHolderKind
  readonly id: number
  readonly name: string
  /** E-mail address of a user; empty for a group. */
  readonly email: string
  readonly roles: readonly number[]
  /** True if the user can log in; always true for groups. */
  readonly isActive: boolean
}

/** Members of a project, sorted by name with groups first, and the available roles. */
export interface ProjectMembers {
  readonly members: readonly Member[]
  readonly roles: ProjectAccess['roles']
}

/** Fetches the members of a project with their roles. */
export async function fetchMembers(project: string): Promise<ProjectMembers> {
  const { users, groups, roles } = await call<ProjectAccess>('GET', `${getProjectPath(project)}/access`)
  const ofGroups = groups.map(
    ({ id, name, roles }): Member => ({
      kind: 'group',
      id,
      name,
      email: '',
      roles,
      isActive: true,
    }),
  )
  const ofUsers = users.map(
    (one): Member => ({
      kind: 'user',
      id: one.id,
      name: getDisplayName(one),
      email: one.email ?? '',
      roles: one.roles,
      isActive: one.active,
    }),
  )
  return { members: [...ofGroups.sort(compareNames), ...ofUsers.sort(compareNames)], roles }
}

/** User or group to which a role can be assigned. */
export type Candidate = Pick<Member, 'kind' | 'id' | 'name'> & { readonly email?: string | undefined }

/** Fetches all groups and users to which a role can be assigned, sorted by name. */
export async function fetchCandidates(): Promise<Candidate[]> {
  const found = await call<{ users: Person[]; groups: { id: number; name: string }[] }>(
    'GET',
    '/api/admin/user-admin/access',
  )
  const ofGroups = found.groups.map(({ id, name }): Candidate => ({ kind: 'group', id, name }))
  const ofUsers = found.users.map(
    (one): Candidate => ({ kind: 'user', id: one.id, name: getDisplayName(one), email: one.email }),
  )
  return [...ofGroups.sort(compareNames), ...ofUsers.sort(compareNames)]
}

const compareNames = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name.localeCompare(b.name)

/** Assigns a role to users and groups. */
export function addMembers(
  project: string,
  chosen: readonly Pick<Member, 'kind' | 'id'>[],
  role: number,
): Promise<void> {
  const ids = (kind: RoleHolderKind): number[] => chosen.filter((one) => one.kind === kind).map(({ id }) => id)
  const body = { users: ids('user'), groups: ids('group'), roles: [role] }
  return call<void>('POST', `${getProjectPath(project)}/access`, body)
}

/** Replaces the roles of a member. An empty list removes the member from the project. */
const setMemberRoles = (project: string, { kind, id }: Pick<Member, 'kind' | 'id'>, roles: readonly number[]) =>
  call<void>('PUT', `${getProjectPath(project)}${buildPath(`${kind}s`, id, 'roles')}`, { roles })

/** Roles to grant to and revoke from a member of a project. */
export interface RoleChange {
  readonly given: readonly number[]
  readonly taken: readonly number[]
}

/** Result of a role change: all current roles, and the roles that were actually granted or revoked. */
export interface ChangedRoles extends RoleChange {
  readonly roles: readonly number[]
}

/**
 * Grants and revokes roles of a member; concurrent changes by other users are preserved. Rejects with ApiError 412 if
 * the member would have no role left, because that would remove the member from the project.
 */
export async function changeMemberRoles(project: string, member: Member, change: RoleChange): Promise<ChangedRoles> {
  const now = await fetchCurrentRoles(project, member)
  const roles = [...new Set([...now, ...change.given])].filter((role) => !change.taken.includes(role))
  if (roles.length === 0) throw new ApiError(412, 'changed since')
  const given = roles.filter((role) => !now.includes(role))
  const taken = now.filter((role) => !roles.includes(role))
  if (given.length + taken.length > 0) await setMemberRoles(project, member, roles)
  return { roles, given, taken }
}

/** Removes a member and all the member's current roles from a project. */
export async function removeMember(project: string, member: Member): Promise<ChangedRoles> {
  const taken = await fetchCurrentRoles(project, member)
  await setMemberRoles(project, member, [])
  return { roles: [], given: [], taken }
}

async function fetchCurrentRoles(project: string, { kind, id }: Member): Promise<readonly number[]> {
  const all = await fetchMembers(project)
  return all.members.find((one) => one.kind === kind && one.id === id)?.roles ?? []
}
