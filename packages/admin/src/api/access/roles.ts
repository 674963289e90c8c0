import type { ListedRole, Permissions, RoleInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import type { Role } from '@burgee/protocol/user'
import type { Static } from 'typebox'
import { call, path } from '../http.ts'

const ROLES = '/api/admin/roles'

/** Permissions that roles can grant, by scope. */
export type PermissionTable = Static<typeof Permissions>['permissions']

/** Fetches all roles, built-in roles first. */
export const roles = async () => (await call<{ roles: ListedRole[] }>('GET', ROLES)).roles

/** Query for all roles. */
export const ROLES_QUERY = { queryKey: ['roles'], queryFn: roles } as const

/** Fetches a role with its permissions. */
export const role = (id: number) => call<RoleWithPermissions>('GET', `${ROLES}${path(id)}`)

/** Fetches all permissions that roles can grant. */
export const permissions = async () =>
  (await call<{ permissions: PermissionTable }>('GET', '/api/admin/permissions')).permissions

/** Creates a role. */
export const createRole = (body: RoleInput) => call<unknown>('POST', ROLES, body)

/** Replaces a custom role. */
export const updateRole = (id: number, body: RoleInput) => call<unknown>('PUT', `${ROLES}${path(id)}`, body)

/** Removes a role that is assigned to no one. */
export const removeRole = (id: number) => call<void>('DELETE', `${ROLES}${path(id)}`)

/** Returns true for root roles, which apply to the whole installation and not to one project. */
export const isOfEverywhere = ({ type }: Pick<Role, 'type'>): boolean => type === 'root' || type === 'root-custom'

/** Returns true for custom roles. */
export const isMade = ({ type }: Pick<Role, 'type'>): boolean => type === 'custom' || type === 'root-custom'
