/** A role with its permissions. */
export interface SourceRole {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Scope in which the role applies: the whole installation or projects. */
  readonly scope: 'root' | 'project'
  /** True for custom roles. */
  readonly isCustom: boolean
  readonly permissions: readonly { readonly name: string; readonly environment: string | null }[]
}

/**
 * Password of a user. A bcrypt hash, which is verified at the first login and then replaced with a hash in Burgee's
 * format.
 */
export type SourcePassword =
  /** The user has no password and can log in only by single sign-on or a link. */
  | { readonly kind: 'none' }
  /** Complete bcrypt hash with the prefix `$2a$`, `$2b$` or `$2y$`. */
  | { readonly kind: 'bcrypt'; readonly hash: string }
  /** The source does not provide passwords (for example, because it is an API). The user must reset the password. */
  | { readonly kind: 'unknown' }

/** A person or a service account. Times are milliseconds since 1970. */
export interface SourceUser {
  /** Id in the source. The id is preserved if the target is empty, because events refer to it. */
  readonly id: number
  readonly name: string | null
  readonly username: string | null
  readonly email: string | null
  readonly password: SourcePassword
  /** Id of a role in this installation; undefined if the user has no root role. */
  readonly rootRole: number | undefined
  readonly isService: boolean
  readonly imageUrl: string | null
  readonly scimId: string | null
  /** Id of the user at the identity provider. */
  readonly scimExternalId: string | null
  readonly loginAttempts: number
  readonly createdAt: number
  readonly seenAt: number | null
}

/** A group of users. */
export interface SourceGroup {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Names of this group at the identity provider. */
  readonly mappings: readonly string[]
  /** Id of a role in this installation. */
  readonly rootRole: number | null
  readonly scimId: string | null
  /** Id of the group at the identity provider. */
  readonly scimExternalId: string | null
  readonly createdAt: number
  readonly users: readonly number[]
}

/** Role of a user or group in a project. */
export interface SourceMembership {
  readonly project: string
  readonly role: number
  readonly member:
    | { readonly kind: 'user'; readonly id: number }
    | {
        readonly kind: 'group'
        readonly id: number
      }
}

/** An API token. The secret and the alias are plain text and must never be printed. */
export interface SourceToken {
  readonly secret: string
  /** Second secret of the same token. */
  readonly alias: string | null
  readonly name: string
  readonly type: 'admin' | 'client' | 'frontend'
  /** Environment of the token; `*` for all environments, as in admin tokens. */
  readonly environment: string
  /** Ids of the projects of the token, or `['*']` for all projects. */
  readonly projects: readonly string[]
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly seenAt: number | null
}

/** A personal access token. The secret is plain text and must never be printed. */
export interface SourcePersonalToken {
  readonly secret: string
  readonly userId: number
  readonly description: string
  readonly expiresAt: number
  readonly createdAt: number
  readonly seenAt: number | null
}

/** Favorite flags and projects of users. */
export interface SourceFavorites {
  readonly flags: readonly { readonly userId: number; readonly flag: string }[]
  readonly projects: readonly { readonly userId: number; readonly project: string }[]
}

/** An invite link for sign-up. The secret is plain text and must never be printed. */
export interface SourceInviteLink {
  readonly secret: string
  readonly name: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly enabled: boolean
  /** Ids of the users who signed up with the link. */
  readonly users: readonly number[]
}
