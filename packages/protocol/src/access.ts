import Type, { type Static } from 'typebox'

/** Bodies around access: login, users, API tokens. Source: spec "Login request", "User"; wire protocol */

/** Body of `POST /auth/simple/login`. */
export const Login = Type.Object(
  { username: Type.String({ maxLength: 500 }), password: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false },
)
export type Login = Static<typeof Login>

/** Body of a new API token. */
export const CreateToken = Type.Object({
  tokenName: Type.String({ minLength: 1, maxLength: 100 }),
  type: Type.Enum(['client', 'frontend', 'admin', 'CLIENT', 'FRONTEND', 'ADMIN']),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  projects: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 })),
  expiresAt: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
})
export type CreateToken = Static<typeof CreateToken>

/** An API token as lists show it: `secret` is masked, `id` is what DELETE takes. */
export const ApiToken = Type.Object({
  id: Type.String(),
  secret: Type.String(),
  tokenName: Type.String(),
  type: Type.String(),
  environment: Type.String(),
  project: Type.String(),
  projects: Type.Array(Type.String()),
  expiresAt: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  seenAt: Type.Union([Type.String(), Type.Null()]),
  alias: Type.Null(),
})
export type ApiToken = Static<typeof ApiToken>

/** Reply of the list of tokens. */
export const ApiTokens = Type.Object({ tokens: Type.Array(ApiToken) })

/** A person, as login and the current-user reply show it; name, username and email are left out when unset. */
export const User = Type.Object({
  id: Type.Integer(),
  isAPI: Type.Boolean(),
  accountType: Type.String(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
  seenAt: Type.Union([Type.String(), Type.Null()]),
  loginAttempts: Type.Integer(),
  createdAt: Type.String(),
  rootRole: Type.Integer(),
  scimId: Type.Null(),
  mustChangePassword: Type.Boolean(),
})
export type User = Static<typeof User>

/** Reply of `GET /api/admin/user`. Source: spec "Current-user response". */
export const Me = Type.Object({
  user: Type.Object({}, { additionalProperties: true }),
  permissions: Type.Array(
    Type.Object({
      permission: Type.String(),
      project: Type.Optional(Type.String()),
      environment: Type.Optional(Type.String()),
    }),
  ),
  feedback: Type.Array(Type.Unknown()),
  splash: Type.Record(Type.String(), Type.Boolean()),
})
export type Me = Static<typeof Me>
