import Type, { type Static } from 'typebox'

/** Links by which people make themselves an account that may read. Source: wire protocol "public signup tokens" */

const Time = Type.String({ minLength: 1, maxLength: 100 })

/** Body of a new link. A time later than a month from now is cut to that. */
export const CreateInviteLink = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100 }), expiresAt: Time },
  { additionalProperties: false },
)
export type CreateInviteLink = Static<typeof CreateInviteLink>

/** Body that changes a link: until when it is good, and whether it is at all; one of the two is needed. */
export const UpdateInviteLink = Type.Object(
  { expiresAt: Type.Optional(Time), enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type UpdateInviteLink = Static<typeof UpdateInviteLink>

/** A link, with who came by it. `secret` is what the link holds; where that cannot be read, its digest, and `url` is empty. */
export const InviteLink = Type.Object({
  /** An addition: names the link in events, which do not have the secret. */
  id: Type.Integer(),
  secret: Type.String(),
  name: Type.String(),
  url: Type.String(),
  expiresAt: Type.String(),
  enabled: Type.Boolean(),
  createdAt: Type.String(),
  createdBy: Type.String(),
  role: Type.Object({ id: Type.Integer(), name: Type.String(), type: Type.String() }),
  users: Type.Array(
    Type.Object({
      id: Type.Integer(),
      name: Type.Union([Type.String(), Type.Null()]),
      username: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})
export type InviteLink = Static<typeof InviteLink>

/** Reply of the list of links. */
export const InviteLinks = Type.Object({ tokens: Type.Array(InviteLink) })

/** Body of somebody who makes an account by a link. */
export const Signup = Type.Object(
  {
    email: Type.String({ maxLength: 254, pattern: '^[^\\s@<>]+@[^\\s@<>]+$' }),
    password: Type.String({ maxLength: 1000 }),
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S(.*\\S)?$' })),
    name: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type Signup = Static<typeof Signup>
