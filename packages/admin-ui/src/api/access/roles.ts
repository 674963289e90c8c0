import type { ListedRole, Permissions, RoleInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import type { Role } from '@burgee/protocol/user'
import type { Static } from 'typebox'
import { buildPath, call } from '../http.ts'

const ROLES = '/api/admin/roles'

/** Permissions that roles can grant, by scope. */
export type PermissionTable = Static<typeof Permissions>['permissions']

/** Fetches all roles, built-in roles first. */
export const fetchRoles = async () => (await call<{ roles: ListedRole[] }>('GET', ROLES)).roles

/** Query for all roles. */
export const ROLES_QUERY = { queryKey: ['roles'], queryFn: fetchRoles } as const

/** Fetches a role with its permissions. */
export const fetchRole = (id: number) => call<RoleWithPermissions>('GET', `${ROLES}${buildPath(id)}`)

/** Fetches all permissions that roles can grant. */
export const fetchPermissions = async () =>
  (await call<{ permissions: PermissionTable }>('GET', '/api/admin/permissions')).permissions

/** Creates a role. */
export const createRole = (body: RoleInput) => call<unknown>('POST', ROLES, body)

/** Replaces a custom role. */
export const updateRole = (id: number, body: RoleInput) => call<unknown>('PUT', `${ROLES}${buildPath(id)}`, body)

/** Removes a role that is assigned to no one. */
export const removeRole = (id: number) => call<void>('DELETE', `${ROLES}${buildPath(id)}`)

/** Returns true for root roles, which apply to the whole installation and not to one project. */
export const isRootRole = ({ type }: Pick<Role, 'type'>): boolean => type === 'root' || type === 'root-custom'

/** Returns true for custom roles. */
export const isCustomRole = ({ type }: Pick<Role, 'type'>): boolean => type === 'custom' || type === 'root-custom'
