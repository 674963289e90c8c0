import Type, { type Static } from 'typebox'
import { RowId } from '../row-id.ts'

/** Schemas for groups of users. Source: wire protocol */

/**
 * Body of a group. Fields that an update omits retain their values. Other properties of a user are ignored, because
 * forms send them along.
 */
export const GroupInput = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' }),
  description: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
  /** Names of groups at the single sign-on provider. */
  mappingsSSO: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 })),
  rootRole: Type.Optional(Type.Union([RowId, Type.Null()])),
  users: Type.Optional(Type.Array(Type.Object({ user: Type.Object({ id: RowId }) }), { maxItems: 5000 })),
})
export type GroupInput = Static<typeof GroupInput>

/** Member of a group. */
const GroupMember = Type.Object({
  joinedAt: Type.String(),
  createdBy: Type.String(),
  user: Type.Object({
    id: Type.Integer(),
    name: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    imageUrl: Type.String(),
    active: Type.Boolean(),
  }),
})

/** Group with its members, and with the projects in which it has a role. */
export const Group = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  mappingsSSO: Type.Array(Type.String()),
  rootRole: Type.Union([Type.Integer(), Type.Null()]),
  createdBy: Type.String(),
  createdAt: Type.String(),
  scimId: Type.Union([Type.String(), Type.Null()]),
  users: Type.Array(GroupMember),
  projects: Type.Array(Type.String()),
  userCount: Type.Integer(),
})
export type Group = Static<typeof Group>

/** Response with the list of groups. */
export const Groups = Type.Object({ groups: Type.Array(Group) })
