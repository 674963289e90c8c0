import Type, { type Static } from 'typebox'

/**
 * Schemas for access to the server: login, users, API tokens. Sources: spec "Login request" and "User"; wire protocol.
 */

/** Body of `POST /auth/simple/login`. */
export const Login = Type.Object(
  { username: Type.String({ maxLength: 500 }), password: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false },
)
export type Login = Static<typeof Login>

const TokenName = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))

/**
 * Body of a new API token. The name is in `tokenName` or, for older clients, in `username`; one of the two is required.
 */
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

/** Body that changes the expiry of an API token; null means that the token never expires. */
export const UpdateToken = Type.Object({
  expiresAt: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()]),
})
export type UpdateToken = Static<typeof UpdateToken>

/** API token as lists contain it: `secret` is masked, and `id` is the id for DELETE requests. */
export const ApiToken = Type.Object({
  id: Type.String(),
  secret: Type.String(),
  tokenName: Type.String(),
  /** Copy of `tokenName`, for older clients. */
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

/** Response with the list of tokens. */
export const ApiTokens = Type.Object({ tokens: Type.Array(ApiToken) })

/** User in login and current-user responses. Name, username and email are omitted if unset. */
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
  /** False if a user directory has deactivated the account. A deactivated account cannot log in. Burgee extension. */
  active: Type.Boolean(),
})
export type User = Static<typeof User>

/** Body of a new personal token. */
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

/** Personal token in a list. */
export const PersonalToken = Type.Object(PERSONAL_TOKEN)
export type PersonalToken = Static<typeof PersonalToken>

/** New personal token. Only the response that creates a personal token contains its secret. */
export const NewPersonalToken = Type.Object({ ...PERSONAL_TOKEN, secret: Type.String() })
export type NewPersonalToken = Static<typeof NewPersonalToken>

/** Response with the list of personal tokens. */
export const PersonalTokens = Type.Object({ pats: Type.Array(PersonalToken) })

const Secret = Type.String({ maxLength: 1000 })

/** Body that changes the password of the caller. Personal tokens remain valid unless `deletePersonalTokens` is true. */
export const ChangePassword = Type.Object(
  {
    oldPassword: Secret,
    password: Secret,
    confirmPassword: Type.Optional(Secret),
    deletePersonalTokens: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ChangePassword = Static<typeof ChangePassword>

/** Session of the current user. */
export const UserSession = Type.Object({
  id: Type.String(),
  createdAt: Type.String(),
  usedAt: Type.String(),
  expiresAt: Type.String(),
  isCurrent: Type.Boolean(),
})
export type UserSession = Static<typeof UserSession>

/**
 * Response with the caller's sessions. The response also states which proof of identity is required to end a session.
 */
export const UserSessions = Type.Object({
  sessions: Type.Array(UserSession),
  confirmation: Type.Enum(['password', 'recent-login']),
})
export type UserSessions = Static<typeof UserSessions>

const MAX_ENDED_SESSIONS = 1000
const MAX_SESSION_ID_LENGTH = 64

/** Body that ends sessions of the caller: either those with the given ids, or all except the current one. */
export const EndSessions = Type.Object(
  {
    sessions: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_SESSION_ID_LENGTH }), { maxItems: MAX_ENDED_SESSIONS }),
    ),
    currentPassword: Type.Optional(Secret),
  },
  { additionalProperties: false },
)
export type EndSessions = Static<typeof EndSessions>

/** Response with the number of ended sessions. */
export const EndSessionsResult = Type.Object({ ended: Type.Integer() })
export type EndSessionsResult = Static<typeof EndSessionsResult>

/** Body with a password to check. Forms also send the old password and the repeated password. */
export const PasswordBody = Type.Object(
  { password: Secret, confirmPassword: Type.Optional(Secret), oldPassword: Type.Optional(Secret) },
  { additionalProperties: false },
)

/**
 * Body of `POST /api/admin/user-admin/reset-password`. `id` is a username or an e-mail address. When the link is used,
 * the user's personal tokens are deleted unless `deletePersonalTokens` is false.
 */
export const RequestReset = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 254 }),
  deletePersonalTokens: Type.Optional(Type.Boolean()),
})

/** Response with a single-use link for setting a password. */
export const ResetLink = Type.Object({ resetPasswordUrl: Type.String() })

/** Body of `POST /auth/reset/password`. */
export const ResetPassword = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }), password: Secret },
  { additionalProperties: false },
)

/** Body of `POST /auth/reset/password-email`. */
export const ResetMail = Type.Object({ email: Type.String({ maxLength: 254 }) })

/** Address that the browser opens after a logout. */
export const SignedOut = Type.Object({ location: Type.String() })
export type SignedOut = Static<typeof SignedOut>

/** Login attempt, successful or failed. Source: wire protocol */
export const LoginEvent = Type.Object({
  id: Type.Integer(),
  /** Name of the account; empty if no account matches the name in the request. */
  username: Type.String(),
  /** `simple` for a password, `oidc` for single sign-on. */
  auth_type: Type.String(),
  created_at: Type.String(),
  successful: Type.Boolean(),
  ip: Type.Union([Type.String(), Type.Null()]),
  failure_reason: Type.Union([Type.String(), Type.Null()]),
})
export type LoginEvent = Static<typeof LoginEvent>

/** Response of `GET /api/admin/logins`. */
export const LoginEvents = Type.Object({ events: Type.Array(LoginEvent) })

/** User who can set a password through a link. Name, username and email are omitted if unset. */
export const ResetLinkUser = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  token: Type.String(),
  /** User who created the link. */
  createdBy: Type.String(),
  role: Type.Object({ id: Type.Integer(), name: Type.String(), type: Type.String(), description: Type.String() }),
})
export type ResetLinkUser = Static<typeof ResetLinkUser>

/** Feedback request that a user has seen or answered. Source: spec "Current-user response". */
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

/** Response of `POST /api/admin/splash/:id`. */
export const Splash = Type.Object({ userId: Type.Integer(), splashId: Type.String(), seen: Type.Boolean() })

/** Response of `GET /api/admin/user`. Source: spec "Current-user response". */
export const CurrentUser = Type.Object({
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
export type CurrentUser = Static<typeof CurrentUser>
