import Type, { type Static } from 'typebox'
import { User } from './access.ts'
import { FeatureName } from './admin-feature.ts'
import { PermissionCheck } from './administration/permission.ts'

/** Bodies around the administration of people. Source: wire protocol */

/** What an e-mail address looks like. */
export const EMAIL_PATTERN = '^[^\\s@<>]+@[^\\s@<>]+$'
/** What a username looks like, which has 100 characters at most. */
export const USERNAME_PATTERN = '^\\S(.*\\S)?$'
const Email = Type.String({ maxLength: 254, pattern: EMAIL_PATTERN })
const RootRole = Type.Union([
  Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  Type.Enum(['Admin', 'Editor', 'Viewer']),
])
const Name = Type.String({ maxLength: 200 })
const Secret = Type.String({ maxLength: 1000 })

/** Body of a new user: somebody needs a username or an e-mail address, and can log in once there is a password. */
export const CreateUser = Type.Object(
  {
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: USERNAME_PATTERN })),
    email: Type.Optional(Email),
    name: Type.Optional(Name),
    password: Type.Optional(Secret),
    rootRole: RootRole,
    sendEmail: Type.Optional(Type.Boolean()),
    /** The password was made up by somebody else: it must be changed before anything else. */
    mustChangePassword: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type CreateUser = Static<typeof CreateUser>

/** Body that changes a user; what is left out stays. Forms send more of the user along, which changes nothing. */
export const UpdateUser = Type.Object({
  email: Type.Optional(Email),
  name: Type.Optional(Name),
  rootRole: Type.Optional(RootRole),
})
export type UpdateUser = Static<typeof UpdateUser>

/** Body by which people change their own account; what is left out stays. Another address takes the current password. */
export const OwnProfile = Type.Object(
  { name: Type.Optional(Name), email: Type.Optional(Email), currentPassword: Type.Optional(Secret) },
  { additionalProperties: false },
)
export type OwnProfile = Static<typeof OwnProfile>

/**
 * Body that sets somebody's password, which they must change before anything else where that is asked for. It ends their
 * personal tokens unless those are to go on.
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

/** A user that was just made; without a password there is a link by which to set the first one, once and within a day. */
export const CreatedUser = Type.Object({
  ...User.properties,
  emailSent: Type.Boolean(),
  inviteLink: Type.Optional(Type.String()),
})
export type CreatedUser = Static<typeof CreatedUser>

/** A user who has not been here for long; `patSeenAt` is the last use of a token of theirs. */
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

/** Reply of the list of inactive users. */
export const InactiveUsers = Type.Object({ version: Type.Integer(), inactiveUsers: Type.Array(InactiveUser) })
export type InactiveUsers = Static<typeof InactiveUsers>

/** Body that names users by their ids. */
export const UserIds = Type.Object(
  { ids: Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), { maxItems: 1000 }) },
  { additionalProperties: false },
)

/** A role that people have everywhere, or in a project. */
export const Role = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  type: Type.String(),
  description: Type.String(),
})
export type Role = Static<typeof Role>

/** Where permissions of somebody are asked for. */
export const MatrixQuery = Type.Object({
  project: Type.Optional(Type.String({ maxLength: 100 })),
  environment: Type.Optional(Type.String({ maxLength: 100 })),
})

/** Reply of `GET /api/admin/user-admin/{userId}/permissions`: what somebody may do, permission by permission. */
export const PermissionMatrix = Type.Object({
  matrix: Type.Object({
    root: Type.Array(PermissionCheck),
    project: Type.Array(PermissionCheck),
    environment: Type.Array(PermissionCheck),
  }),
  user: User,
  rootRole: Type.Union([Role, Type.Null()]),
  /** Roles in the project that was asked about. */
  projectRoles: Type.Array(Role),
})

/** Reply of the list of users. */
export const Users = Type.Object({ users: Type.Array(User), rootRoles: Type.Array(Role) })
export type Users = Static<typeof Users>

/** Reply of the search for users. */
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

/** How often a page says again that somebody looks at a flag, in milliseconds. */
export const PRESENCE_TOLD_EVERY_MS = 30_000

/** Which flag the caller looks at, or no longer does. */
export const PresencePlace = Type.Object(
  { project: FeatureName, feature: FeatureName },
  { additionalProperties: false },
)
export type PresencePlace = Static<typeof PresencePlace>

/** Whether others see which flag the caller looks at. */
export const PresenceChoice = Type.Object({ shown: Type.Boolean() }, { additionalProperties: false })
export type PresenceChoice = Static<typeof PresenceChoice>

/** Why somebody hears of what happens to a flag; where both hold, the first. */
export const FOLLOWER_REASONS = ['maker', 'favorite'] as const
export type FollowerReason = (typeof FOLLOWER_REASONS)[number]

/** Most people that are named of each kind. */
export const MOST_PEOPLE_NAMED = 100

const PERSON = { id: Type.Integer(), name: Type.String() }

/** Reply of `GET …/features/{name}/people`: only of who may see the flag. */
export const FlagPeople = Type.Object({
  /** Who looks at it now besides the caller, by name. */
  present: Type.Array(Type.Object(PERSON)),
  /** Who hears of its changes, the maker first, then by name. */
  followers: Type.Array(Type.Object({ ...PERSON, reason: Type.Enum(FOLLOWER_REASONS) })),
})
export type FlagPeople = Static<typeof FlagPeople>
