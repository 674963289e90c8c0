import Type, { type Static } from 'typebox'

/** Bodies around access: login, users, API tokens. Source: spec "Login request", "User"; wire protocol */

/** Body of `POST /auth/simple/login`. */
export const Login = Type.Object(
  { username: Type.String({ maxLength: 500 }), password: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false },
)
export type Login = Static<typeof Login>

const TokenName = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/** Body of a new API token. Its name is `tokenName`, or `username` as older clients call it; one of them is needed. */
export const CreateToken = Type.Object({
  tokenName: TokenName,
  username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, deprecated: true })),
  type: Type.Enum(['client', 'frontend', 'admin', 'CLIENT', 'FRONTEND', 'ADMIN']),
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  projects: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 1000 })),
  expiresAt: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()])),
})
export type CreateToken = Static<typeof CreateToken>

/** Body that changes until when an API token is good; null is for ever. */
export const UpdateToken = Type.Object({
  expiresAt: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
})
export type UpdateToken = Static<typeof UpdateToken>

/** An API token as lists show it: `secret` is masked, `id` is what DELETE takes. */
export const ApiToken = Type.Object({
  id: Type.String(),
  secret: Type.String(),
  tokenName: Type.String(),
  /** The same, under the name that older clients read. */
  username: Type.String({ deprecated: true }),
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
  isAPI: Type.Boolean({ deprecated: true }),
  accountType: Type.String(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  imageUrl: Type.String(),
  seenAt: Type.Union([Type.String(), Type.Null()]),
  loginAttempts: Type.Integer(),
  createdAt: Type.String(),
  rootRole: Type.Integer(),
  scimId: Type.Union([Type.String(), Type.Null()]),
  mustChangePassword: Type.Boolean(),
  /** An addition: false for who was deactivated by a directory of people, and cannot log in. */
  active: Type.Boolean(),
})
export type User = Static<typeof User>

/** Body of a new token of one's own. */
export const CreatePersonalToken = Type.Object({
  description: Type.String({ minLength: 1, maxLength: 255 }),
  expiresAt: Type.String({ minLength: 1, maxLength: 100 }),
})
export type CreatePersonalToken = Static<typeof CreatePersonalToken>

const PERSONAL_TOKEN = {
  id: Type.Integer(),
  userId: Type.Integer(),
  description: Type.String(),
  expiresAt: Type.String(),
  createdAt: Type.String(),
  seenAt: Type.Union([Type.String(), Type.Null()]),
}

/** A token of one's own in a list. */
export const PersonalToken = Type.Object(PERSONAL_TOKEN)
export type PersonalToken = Static<typeof PersonalToken>

/** A token of one's own when it is made: the only time that its secret is shown. */
export const NewPersonalToken = Type.Object({ ...PERSONAL_TOKEN, secret: Type.String() })
export type NewPersonalToken = Static<typeof NewPersonalToken>

/** Reply of the list of one's own tokens. */
export const PersonalTokens = Type.Object({ pats: Type.Array(PersonalToken) })

const Secret = Type.String({ maxLength: 1000 })

/** Body of a change of one's own password; tokens of one's own go on unless they are to end with the old one. */
export const ChangeOwnPassword = Type.Object(
  {
    ...{ oldPassword: Secret, password: Secret, confirmPassword: Type.Optional(Secret) },
    deletePersonalTokens: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ChangeOwnPassword = Static<typeof ChangeOwnPassword>

/** Body with a password to check; forms send the old one and the repeated one along. */
export const PasswordBody = Type.Object(
  { password: Secret, confirmPassword: Type.Optional(Secret), oldPassword: Type.Optional(Secret) },
  { additionalProperties: false },
)

/**
 * Body of `POST /api/admin/user-admin/reset-password`: `id` is a username or an e-mail address. The use of the link ends the
 * personal tokens of its person unless they are to go on.
 */
export const RequestReset = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 254 }),
  deletePersonalTokens: Type.Optional(Type.Boolean()),
})

/** Reply with a link that sets a password once. */
export const ResetLink = Type.Object({ resetPasswordUrl: Type.String() })

/** Body of `POST /auth/reset/password`. */
export const ResetPassword = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), password: Secret },
  { additionalProperties: false },
)

/** Body of `POST /auth/reset/password-email`. */
export const ResetMail = Type.Object({ email: Type.String({ maxLength: 254 }) })

/** Where a browser goes after a logout. */
export const SignedOut = Type.Object({ location: Type.String() })
export type SignedOut = Static<typeof SignedOut>

/** One login, or the attempt at one. Source: wire protocol */
export const LoginEvent = Type.Object({
  id: Type.Integer(),
  /** Name of the account; empty where there is none of the name that was sent. */
  username: Type.String(),
  /** `simple` by a password, `oidc` by single sign-on. */
  auth_type: Type.String(),
  created_at: Type.String(),
  successful: Type.Boolean(),
  ip: Type.Union([Type.String(), Type.Null()]),
  failure_reason: Type.Union([Type.String(), Type.Null()]),
})
export type LoginEvent = Static<typeof LoginEvent>

/** Reply of `GET /api/admin/logins`. */
export const LoginEvents = Type.Object({ events: Type.Array(LoginEvent) })

/** Whose password a link sets; name, username and email are left out when unset. */
export const LinkOwner = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  token: Type.String(),
  /** Who made the link. */
  createdBy: Type.String(),
  role: Type.Object({ id: Type.Integer(), name: Type.String(), type: Type.String(), description: Type.String() }),
})
export type LinkOwner = Static<typeof LinkOwner>

/** Whether a person was asked for an opinion, and gave one. Source: spec "Current-user response". */
export const Feedback = Type.Object({
  userId: Type.Integer(),
  feedbackId: Type.String(),
  neverShow: Type.Boolean(),
  given: Type.Union([Type.String(), Type.Null()]),
})
export type Feedback = Static<typeof Feedback>

/** Body of `POST /api/admin/feedback`. */
export const CreateFeedback = Type.Object({
  feedbackId: Type.String({ minLength: 1, maxLength: 100 }),
  neverShow: Type.Optional(Type.Boolean()),
})

/** Body of `PUT /api/admin/feedback/:id`. */
export const UpdateFeedback = Type.Object({ neverShow: Type.Optional(Type.Boolean()) })

/** Reply of `POST /api/admin/splash/:id`. */
export const Splash = Type.Object({ userId: Type.Integer(), splashId: Type.String(), seen: Type.Boolean() })

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
  feedback: Type.Array(Feedback),
  splash: Type.Record(Type.String(), Type.Boolean()),
})
export type Me = Static<typeof Me>
