import Type, { type Static } from 'typebox'
import { Role } from '../user.ts'

/** Bodies around roles that installations make, and what roles give. Source: wire protocol */

const Nothing = Type.Union([Type.Null(), Type.String({ maxLength: 100 })])

/** Permission of a role as it is sent, by name or by id. One of environments names an environment, or `*` for all of them. */
const RolePermissionInput = Type.Object({
  id: Type.Optional(Type.Integer()),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  environment: Type.Optional(Nothing),
})
export type RolePermissionInput = Static<typeof RolePermissionInput>

const Name = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' })

/** Body of a role that is made or replaced: `custom` for projects, `root-custom` for everywhere. */
export const RoleInput = Type.Object({
  name: Name,
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  type: Type.Optional(Type.Enum(['custom', 'root-custom'])),
  permissions: Type.Optional(Type.Array(RolePermissionInput, { maxItems: 5000 })),
})
export type RoleInput = Static<typeof RoleInput>

/** Body of the question whether a name is free; forms send more of the role along. */
export const RoleName = Type.Object({ name: Name })

const Permission = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  displayName: Type.String(),
  type: Type.String(),
  environment: Type.Optional(Type.String()),
})

/**
 * Role as lists show it. `implicitEnvironments` names its permissions that were saved without an environment and hold in all
 * of them; absent if there are none.
 */
export const ListedRole = Type.Object({
  ...Role.properties,
  implicitEnvironments: Type.Optional(Type.Array(Type.String())),
})
export type ListedRole = Static<typeof ListedRole>

/** Reply of all roles. */
export const ListedRoles = Type.Object({ version: Type.Integer(), roles: Type.Array(ListedRole) })

/** A role with what it gives. */
export const RoleWithPermissions = Type.Object({ ...Role.properties, permissions: Type.Array(Permission) })
export type RoleWithPermissions = Static<typeof RoleWithPermissions>

/** Reply of one role, as lists show it. */
export const RoleReply = Type.Object({ version: Type.Integer(), roles: Role })

/** Reply of all permissions that roles can give, those of environments for each of them. */
export const Permissions = Type.Object({
  version: Type.Integer(),
  permissions: Type.Object({
    root: Type.Array(Permission),
    project: Type.Array(Permission),
    environments: Type.Array(Type.Object({ name: Type.String(), permissions: Type.Array(Permission) })),
  }),
})

/** Reply of the projects in which a role is given, and to how many. */
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
