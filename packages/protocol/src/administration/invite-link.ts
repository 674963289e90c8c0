import Type, { type Static } from 'typebox'
import { EMAIL_PATTERN, InitialRoles, USERNAME_PATTERN } from '../user.ts'

/**
 * Schemas for invite links, through which people create an account with read access. Source: wire protocol "public
 * signup tokens"
 */

const Time = Type.String({ minLength: 1, maxLength: 100 })

/**
 * Request body for a new invite link. An expiry time more than one month from now is reduced to one month. Users who
 * sign up receive the `projectRoles` in addition to read access (Burgee extension).
 */
export const CreateInviteLink = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    expiresAt: Time,
    projectRoles: Type.Optional(InitialRoles),
  },
  { additionalProperties: false },
)
export type CreateInviteLink = Static<typeof CreateInviteLink>

/**
 * Request body that changes the expiry time of an invite link, or enables or disables it; at least one of the two
 * properties is required.
 */
export const UpdateInviteLink = Type.Object(
  { expiresAt: Type.Optional(Time), enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type UpdateInviteLink = Static<typeof UpdateInviteLink>

/**
 * Invite link, with the users who signed up through it. `secret` is the secret that the link contains. If the server
 * cannot decrypt the secret, `secret` is its digest and `url` is empty.
 */
export const InviteLink = Type.Object({
  /** Id by which events refer to the link, because they do not contain the secret. Burgee extension. */
  id: Type.Integer(),
  secret: Type.String(),
  name: Type.String(),
  url: Type.String(),
  expiresAt: Type.String(),
  enabled: Type.Boolean(),
  createdAt: Type.String(),
  createdBy: Type.String(),
  role: Type.Object({ id: Type.Integer(), name: Type.String(), type: Type.String() }),
  /** Project roles that users receive when they sign up. Burgee extension. */
  projectRoles: InitialRoles,
  users: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.Union([Type.String(), Type.Null()]),
      username: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})
export type InviteLink = Static<typeof InviteLink>

/** Response with the list of invite links. */
export const InviteLinks = Type.Object({ tokens: Type.Array(InviteLink) })

/** Request body that creates an account through an invite link. */
export const Signup = Type.Object(
  {
    email: Type.String({ maxLength: 254, pattern: EMAIL_PATTERN }),
    password: Type.String({ maxLength: 1000 }),
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: USERNAME_PATTERN })),
    name: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type Signup = Static<typeof Signup>
