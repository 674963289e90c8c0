import Type, { type Static } from 'typebox'
import { Role } from './user.ts'

/** Bodies around roles in projects. Source: wire protocol */

const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const RoleIds = Type.Array(Id, { maxItems: 10 })

/** Body that gives people roles in a project, besides those they have. Groups do not exist. */
export const AddAccess = Type.Object({
  roles: Type.Array(Id, { minItems: 1, maxItems: 10 }),
  users: Type.Array(Id, { maxItems: 1000 }),
  groups: Type.Optional(Type.Array(Id, { maxItems: 0 })),
})
export type AddAccess = Static<typeof AddAccess>

/** Body that gives somebody exactly these roles. */
export const SetRoles = Type.Object({ roles: RoleIds })

/** A person, where people are chosen. */
export const Person = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
})
export type Person = Static<typeof Person>

/** Reply of the list of people that a project may be given to. */
export const People = Type.Object({ users: Type.Array(Person), groups: Type.Array(Type.Unknown()) })

/** Reply of the people of a project. */
export const ProjectAccess = Type.Object({
  users: Type.Array(Type.Object({ ...Person.properties, roleId: Type.Integer(), roles: RoleIds })),
  groups: Type.Array(Type.Unknown()),
  roles: Type.Array(Role),
})
export type ProjectAccess = Static<typeof ProjectAccess>

/** Reply of the roles of somebody in a project. */
export const Roles = Type.Object({ version: Type.Integer(), roles: Type.Array(Role) })

/** Reply of one's own profile. */
export const Profile = Type.Object({
  rootRole: Role,
  /** Projects in which one has a role. */
  projects: Type.Array(Type.String()),
  features: Type.Array(Type.Unknown()),
})
export type Profile = Static<typeof Profile>

/** Reply of how many administrators there are, with a password, without one, and as service accounts. */
export const AdminCount = Type.Object({
  password: Type.Integer(),
  noPassword: Type.Integer(),
  service: Type.Integer(),
})
