import Type, { type Static } from 'typebox'
import { Group } from './administration/group.ts'
import { Role } from './user.ts'

/** Bodies around roles in projects. Source: wire protocol */

const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const RoleIds = Type.Array(Id, { maxItems: 10 })

const Ids = Type.Array(Id, { maxItems: 1000 })

/** Body that gives people and groups roles in a project, besides those they have. */
export const AddAccess = Type.Object({
  roles: Type.Array(Id, { minItems: 1, maxItems: 10 }),
  users: Ids,
  groups: Type.Optional(Ids),
})
export type AddAccess = Static<typeof AddAccess>

/** Body that gives people and groups one role in a project, besides those they have; the older form. */
export const AddRoleAccess = Type.Object({
  users: Type.Array(Type.Object({ id: Id }), { maxItems: 1000 }),
  groups: Type.Array(Type.Object({ id: Id }), { maxItems: 1000 }),
})

/** Body that says who has which role in a project; whoever is not in it has none. */
export const ReplaceAccess = Type.Object({
  roles: Type.Array(Type.Object({ id: Id, users: Type.Optional(Ids), groups: Type.Optional(Ids) }), { maxItems: 100 }),
})
export type ReplaceAccess = Static<typeof ReplaceAccess>

/** Body that gives somebody exactly these roles. */
export const SetRoles = Type.Object({ roles: RoleIds })

/** A person, where people are chosen. */
export const Person = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
  /** An addition, as of `User`. */
  active: Type.Boolean(),
})
export type Person = Static<typeof Person>

/** Reply of the list of people, accounts of programs and groups that a project may be given to. */
export const People = Type.Object({
  users: Type.Array(Type.Object({ ...Person.properties, accountType: Type.String() })),
  groups: Type.Array(Group),
})

const HELD = { roleId: Type.Integer(), roles: Type.Array(Type.Integer()) }

/** Reply of the people and groups of a project. */
export const ProjectAccess = Type.Object({
  users: Type.Array(
    Type.Object({
      ...Person.properties,
      ...HELD,
      /** Where it was given before this was noted, the earliest time at which it may have been. */
      addedAt: Type.String(),
    }),
  ),
  groups: Type.Array(Type.Object({ ...Group.properties, ...HELD, addedAt: Type.String() })),
  roles: Type.Array(Role),
})
export type ProjectAccess = Static<typeof ProjectAccess>

/** A role that somebody has, and the project it holds in; `default` for the role that holds everywhere. Source: wire protocol */
const HeldRole = Type.Object({ ...Role.properties, project: Type.String() })
export type HeldRole = Static<typeof HeldRole>

/** Reply of the roles of somebody in a project. */
export const Roles = Type.Object({ version: Type.Integer(), roles: Type.Array(HeldRole) })

/**
 * What a change of one's own e-mail address takes: the current password, or only a session where there is no password; or
 * where the address comes from, and is changed.
 */
export const EmailChange = Type.Enum(['password', 'session', 'single-sign-on', 'directory'])
export type EmailChange = Static<typeof EmailChange>

/** Reply of one's own profile. */
export const Profile = Type.Object({
  rootRole: Role,
  /** Projects in which one has a role. */
  projects: Type.Array(Type.String()),
  features: Type.Array(Type.Unknown()),
  emailChange: EmailChange,
})
export type Profile = Static<typeof Profile>

/** Reply of how many administrators there are, with a password, without one, and as service accounts. */
export const AdminCount = Type.Object({
  password: Type.Integer(),
  noPassword: Type.Integer(),
  service: Type.Integer(),
})
