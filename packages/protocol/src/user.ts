import Type, { type Static } from 'typebox'
import { User } from './access.ts'
import { FeatureName } from './admin-feature.ts'
import { PermissionCheck } from './administration/permission.ts'
import { RowId } from './row-id.ts'

/** Schemas for the administration of users. Source: wire protocol */

/**
 * Pattern for e-mail addresses. The domain has no empty label, so that the same address cannot also be written with a
 * dot at the end.
 */
export const EMAIL_PATTERN = '^[^\\s@<>]+@[^\\s@<>.]+(\\.[^\\s@<>.]+)*$'
/** Pattern for usernames, which have at most 100 characters. */
export const USERNAME_PATTERN = '^\\S(.*\\S)?$'
const Email = Type.String({ maxLength: 254, pattern: EMAIL_PATTERN })
const RootRole = Type.Union([RowId, Type.Enum(['Admin', 'Editor', 'Viewer'])])
const Name = Type.String({ maxLength: 200 })
const Secret = Type.String({ maxLength: 1000 })

/** Project role that a new user receives. */
export const InitialRole = Type.Object({ project: FeatureName, role: RowId }, { additionalProperties: false })
export type InitialRole = Static<typeof InitialRole>

/** Project roles that a new user receives when the account is created. */
export const InitialRoles = Type.Array(InitialRole, { maxItems: 50 })

/**
 * Request body for a new user. A username or an e-mail address is required. The user can log in once a password has
 * been set.
 */
export const CreateUser = Type.Object(
  {
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: USERNAME_PATTERN })),
    email: Type.Optional(Email),
    name: Type.Optional(Name),
    password: Type.Optional(Secret),
    rootRole: RootRole,
    sendEmail: Type.Optional(Type.Boolean()),
    /** True if the user must change the password before any other request, because someone else has chosen it. */
    mustChangePassword: Type.Optional(Type.Boolean()),
    /** Project roles that the new user receives. Burgee extension. */
    projectRoles: Type.Optional(InitialRoles),
  },
  { additionalProperties: false },
)
export type CreateUser = Static<typeof CreateUser>

/**
 * Request body that changes a user; omitted properties keep their stored values. Other properties of a user are
 * accepted and ignored, because forms send them.
 */
export const UpdateUser = Type.Object({
  email: Type.Optional(Email),
  name: Type.Optional(Name),
  rootRole: Type.Optional(RootRole),
})
export type UpdateUser = Static<typeof UpdateUser>

/**
 * Request body that changes the account of the caller; omitted properties keep their stored values. Changing the e-mail
 * address requires the current password.
 */
export const UpdateProfile = Type.Object(
  { name: Type.Optional(Name), email: Type.Optional(Email), currentPassword: Type.Optional(Secret) },
  { additionalProperties: false },
)
export type UpdateProfile = Static<typeof UpdateProfile>

/**
 * Request body that sets the password of a user. If `mustChangePassword` is true, the user must change the password
 * before making any other request. The personal tokens of the user are deleted unless `deletePersonalTokens` is false.
 */
export const SetPassword = Type.Object(
  {
    password: Secret,
    confirmPassword: Type.Optional(Secret),
    oldPassword: Type.Optional(Secret),
    mustChangePassword: Type.Optional(Type.Boolean()),
    deletePersonalTokens: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type SetPassword = Static<typeof SetPassword>

/**
 * Newly created user. A user without a password chooses the first password through `inviteLink`. The link works once
 * and expires after a day.
 */
export const CreatedUser = Type.Object({
  ...User.properties,
  emailSent: Type.Boolean(),
  inviteLink: Type.Optional(Type.String()),
})
export type CreatedUser = Static<typeof CreatedUser>

/**
 * User who has been inactive for a long time. `patSeenAt` is the time at which any of the user's personal tokens was
 * last used.
 */
export const InactiveUser = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  seenAt: Type.Union([Type.String(), Type.Null()]),
  createdAt: Type.String(),
  patSeenAt: Type.Union([Type.String(), Type.Null()]),
})
export type InactiveUser = Static<typeof InactiveUser>

/** Response with the list of inactive users. */
export const InactiveUsers = Type.Object({ version: Type.Integer(), inactiveUsers: Type.Array(InactiveUser) })
export type InactiveUsers = Static<typeof InactiveUsers>

/** Request body with the ids of users. */
export const UserIds = Type.Object({ ids: Type.Array(RowId, { maxItems: 1000 }) }, { additionalProperties: false })

/** Global or project role. */
export const Role = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  description: Type.String(),
})
export type Role = Static<typeof Role>

/** Scope for which the permissions of a user are listed. */
export const MatrixQuery = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 100 })),
  environment: Type.Optional(Type.String({ maxLength: 100 })),
})

/** Response of `GET /api/admin/user-admin/{userId}/permissions`: each permission, and whether the user has it. */
export const PermissionMatrix = Type.Object({
  matrix: Type.Object({
    root: Type.Array(PermissionCheck),
    project: Type.Array(PermissionCheck),
    environment: Type.Array(PermissionCheck),
  }),
  user: User,
  rootRole: Type.Union([Role, Type.Null()]),
  /** Roles that the user has in the requested project. */
  projectRoles: Type.Array(Role),
})

/** Response with the list of users. */
export const Users = Type.Object({ users: Type.Array(User), rootRoles: Type.Array(Role) })
export type Users = Static<typeof Users>

/** Response to a search for users. */
export const FoundUsers = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    imageUrl: Type.String(),
    isAPI: Type.Boolean(),
    accountType: Type.String(),
    seenAt: Type.Union([Type.String(), Type.Null()]),
    scimId: Type.Union([Type.String(), Type.Null()]),
    active: Type.Boolean(),
  }),
)

/** Interval in milliseconds at which a web page repeats its report that the user is viewing a flag. */
export const PRESENCE_INTERVAL_MS = 30_000

/** Request body that reports that the caller is viewing a flag or has stopped viewing it. */
export const PresenceInput = Type.Object(
  { project: FeatureName, feature: FeatureName },
  { additionalProperties: false },
)
export type PresenceInput = Static<typeof PresenceInput>

/** Setting that allows other users to see which flag the caller is viewing. */
export const PresenceChoice = Type.Object({ shown: Type.Boolean() }, { additionalProperties: false })
export type PresenceChoice = Static<typeof PresenceChoice>

/** Reasons why a user is notified about a flag, in order of precedence. */
export const FOLLOWER_REASONS = ['maker', 'favorite'] as const
export type FollowerReason = (typeof FOLLOWER_REASONS)[number]

/** Maximum number of users listed in `present`, and in `followers`. */
export const MAX_LISTED_PEOPLE = 100

const PERSON = { id: Type.Integer(), name: Type.String() }

/** Response of `GET …/features/{name}/people`. Lists only users who are allowed to see the flag. */
export const FlagPeople = Type.Object({
  /** Other users who are viewing the flag, sorted by name. */
  present: Type.Array(Type.Object(PERSON)),
  /** Users who are notified of changes to the flag: first its creator, then all others, sorted by name. */
  followers: Type.Array(Type.Object({ ...PERSON, reason: Type.Enum(FOLLOWER_REASONS) })),
})
export type FlagPeople = Static<typeof FlagPeople>
