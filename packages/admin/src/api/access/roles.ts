import type { ListedRole, Permissions, RoleInput, RoleWithPermissions } from '@burgee/protocol/administration/role'
import type { Role } from '@burgee/protocol/user'
import type { Static } from 'typebox'
import { call, path } from '../http.ts'

const ROLES = '/api/admin/roles'

/** What roles can give, by where it holds. */
export type PermissionTable = Static<typeof Permissions>['permissions']

/** All roles, the ones of every installation first. */
export const roles = async () => (await call<{ roles: ListedRole[] }>('GET', ROLES)).roles

/** The query of all roles. */
export const ROLES_QUERY = { queryKey: ['roles'], queryFn: roles } as const

/** A role with what it gives. */
export const role = (id: number) => call<RoleWithPermissions>('GET', `${ROLES}${path(id)}`)

/** All permissions that roles can give. */
export const permissions = async () =>
  (await call<{ permissions: PermissionTable }>('GET', '/api/admin/permissions')).permissions

/** Makes a role. */
export const createRole = (body: RoleInput) => call<unknown>('POST', ROLES, body)

/** Replaces a role that was made. */
export const updateRole = (id: number, body: RoleInput) => call<unknown>('PUT', `${ROLES}${path(id)}`, body)

/** Removes a role that nobody has. */
export const removeRole = (id: number) => call<void>('DELETE', `${ROLES}${path(id)}`)

/** Whether a role is one that people have everywhere, and not in a project. */
export const isOfEverywhere = ({ type }: Pick<Role, 'type'>): boolean => type === 'root' || type === 'root-custom'

/** Whether somebody has made it. */
export const isMade = ({ type }: Pick<Role, 'type'>): boolean => type === 'custom' || type === 'root-custom'
