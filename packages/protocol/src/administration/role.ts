import Type, { type Static } from 'typebox'
import { MAX_ROW_ID } from '../row-id.ts'
import { Role } from '../user.ts'

/** Schemas for custom roles and their permissions. Source: wire protocol */

const EnvironmentOrNull = Type.Union([Type.Null(), Type.String({ maxLength: 100 })])

/**
 * Permission of a role in a request, identified by name or id. A permission for environments names an environment, or
 * `*` for all environments.
 */
const RolePermissionInput = Type.Object({
  id: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ROW_ID })),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  environment: Type.Optional(EnvironmentOrNull),
})
export type RolePermissionInput = Static<typeof RolePermissionInput>

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' })

/** Request body for a new or replaced role: `custom` for a project role, `root-custom` for a global role. */
export const RoleInput = Type.Object({
  name: Name,
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  type: Type.Optional(Type.Enum(['custom', 'root-custom'])),
  permissions: Type.Optional(Type.Array(RolePermissionInput, { maxItems: 5000 })),
})
export type RoleInput = Static<typeof RoleInput>

/**
 * Request body for checking whether a role name is available. Other properties of a role are accepted and ignored,
 * because forms send them.
 */
export const RoleName = Type.Object({ name: Name })

const Permission = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  displayName: Type.String(),
  type: Type.String(),
  environment: Type.Optional(Type.String()),
})

/**
 * Role in lists. `implicitEnvironments` contains the names of permissions that were stored without an environment and
 * therefore cover all environments; it is absent if there are none.
 */
export const ListedRole = Type.Object({
  ...Role.properties,
  implicitEnvironments: Type.Optional(Type.Array(Type.String())),
})
export type ListedRole = Static<typeof ListedRole>

/** Response with all roles. */
export const ListedRoles = Type.Object({ version: Type.Integer(), roles: Type.Array(ListedRole) })

/** Role with its permissions. */
export const RoleWithPermissions = Type.Object({ ...Role.properties, permissions: Type.Array(Permission) })
export type RoleWithPermissions = Static<typeof RoleWithPermissions>

/** Response with one role in the form that lists use. */
export const RoleReply = Type.Object({ version: Type.Integer(), roles: Role })

/**
 * Response with all permissions that roles can grant; permissions for environments are listed once for each
 * environment.
 */
export const Permissions = Type.Object({
  version: Type.Integer(),
  permissions: Type.Object({
    root: Type.Array(Permission),
    project: Type.Array(Permission),
    environments: Type.Array(Type.Object({ name: Type.String(), permissions: Type.Array(Permission) })),
  }),
})

/** Response with the projects in which a role is assigned, and the number of its assignments. */
export const RoleUses = Type.Object({
  projects: Type.Array(
    Type.Object({
      project: Type.String(),
      role: Type.Integer(),
      userCount: Type.Integer(),
      serviceAccountCount: Type.Integer(),
      groupCount: Type.Integer(),
    }),
  ),
})
export type RoleUses = Static<typeof RoleUses>
