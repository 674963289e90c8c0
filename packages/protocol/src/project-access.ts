import Type, { type Static } from 'typebox'
import { Group } from './administration/group.ts'
import { RowId } from './row-id.ts'
import { Role } from './user.ts'

/** Schemas for roles in projects. Source: wire protocol */

const RoleIds = Type.Array(RowId, { maxItems: 10 })

const Ids = Type.Array(RowId, { maxItems: 1000 })

/** Request body that gives project roles to users and groups. */
export const AddAccess = Type.Object({
  roles: Type.Array(RowId, { minItems: 1, maxItems: 10 }),
  users: Ids,
  groups: Type.Optional(Ids),
})
export type AddAccess = Static<typeof AddAccess>

/** Request body in an older form that gives one project role to users and groups. */
export const AddRoleAccess = Type.Object({
  users: Type.Array(Type.Object({ id: RowId }), { maxItems: 1000 }),
  groups: Type.Array(Type.Object({ id: RowId }), { maxItems: 1000 }),
})

/**
 * Request body that replaces all role assignments in a project. Users and groups that are not listed lose their roles.
 */
export const ReplaceAccess = Type.Object({
  roles: Type.Array(Type.Object({ id: RowId, users: Type.Optional(Ids), groups: Type.Optional(Ids) }), {
    maxItems: 100,
  }),
})
export type ReplaceAccess = Static<typeof ReplaceAccess>

/** Request body that replaces all roles that a user or group has in a project. */
export const SetRoles = Type.Object({ roles: RoleIds })

/** User in a selection list. */
export const Person = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
  /** See `User.active`. Burgee extension. */
  active: Type.Boolean(),
})
export type Person = Static<typeof Person>

/** Query of `GET /api/admin/people`: at most 200 ids of users and service accounts, separated by commas. */
export const DisplayNameQuery = Type.Object({
  ids: Type.String({ pattern: '^(0|[1-9][0-9]{0,8})(,(0|[1-9][0-9]{0,8})){0,199}$' }),
})

/**
 * Response with display names of users and service accounts. The response contains neither usernames nor e-mail
 * addresses. The response contains no avatar URLs either, because the hash in an avatar URL identifies an e-mail
 * address. Accounts without a display name are omitted. Burgee extension.
 */
export const DisplayNames = Type.Object({
  people: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
})
export type DisplayNames = Static<typeof DisplayNames>

/** Response with the users, service accounts and groups that can be given access to a project. */
export const People = Type.Object({
  users: Type.Array(Type.Object({ ...Person.properties, accountType: Type.String() })),
  groups: Type.Array(Group),
})

const ASSIGNED_ROLES = { roleId: Type.Integer(), roles: Type.Array(Type.Integer()) }

/** Response with the users and groups that have access to a project. */
export const ProjectAccess = Type.Object({
  users: Type.Array(
    Type.Object({
      ...Person.properties,
      ...ASSIGNED_ROLES,
      /**
       * Time at which the role was assigned. For an assignment without a recorded time, this is the earliest possible
       * time.
       */
      addedAt: Type.String(),
    }),
  ),
  groups: Type.Array(Type.Object({ ...Group.properties, ...ASSIGNED_ROLES, addedAt: Type.String() })),
  roles: Type.Array(Role),
})
export type ProjectAccess = Static<typeof ProjectAccess>

/**
 * Assigned role, with the project in which it is assigned; the project is `default` for a global role. Source: wire
 * protocol
 */
const AssignedRole = Type.Object({ ...Role.properties, project: Type.String() })
export type AssignedRole = Static<typeof AssignedRole>

/** Response with the roles that a user has in a project. */
export const Roles = Type.Object({ version: Type.Integer(), roles: Type.Array(AssignedRole) })

/**
 * Requirement for users who change their own e-mail address. `password`: the current password is required. `session`:
 * the session is enough, because the user has no password. Each other value names an external system in which the
 * address must be changed instead.
 */
export const EmailChange = Type.Enum(['password', 'session', 'single-sign-on', 'directory'])
export type EmailChange = Static<typeof EmailChange>

/** Response with the profile of the caller. */
export const Profile = Type.Object({
  rootRole: Role,
  /** Projects in which the caller has a role. */
  projects: Type.Array(Type.String()),
  features: Type.Array(Type.Unknown()),
  emailChange: EmailChange,
})
export type Profile = Static<typeof Profile>

/**
 * Response with the number of administrators of each kind: users with a password, users without a password, and service
 * accounts.
 */
export const AdminCount = Type.Object({
  password: Type.Integer(),
  noPassword: Type.Integer(),
  service: Type.Integer(),
})
