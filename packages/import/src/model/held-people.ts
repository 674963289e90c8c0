/** A role with its permissions. */
export interface HeldRole {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Whether it is for the whole installation or for projects. */
  readonly scope: 'root' | 'project'
  /** Whether people made it. */
  readonly isCustom: boolean
  readonly permissions: readonly { readonly name: string; readonly environment: string | null }[]
}

/** How somebody proves who they are; every kind but `none` is verified at the first login, and hashed anew. */
export type HeldPassword =
  /** By single sign-on or a link only; no password opens the account. */
  | { readonly kind: 'none' }
  /** The whole hash, with prefix `$2a$`, `$2b$` or `$2y$`. */
  | { readonly kind: 'bcrypt'; readonly hash: string }
  /** Unknown to the source, as an API gives none: a reset is due. */
  | { readonly kind: 'unknown' }

/** A person, or an account of a service. Times are milliseconds since 1970. */
export interface HeldUser {
  /** Kept where the target is empty: events refer to it. */
  readonly id: number
  readonly name: string | null
  readonly username: string | null
  readonly email: string | null
  readonly password: HeldPassword
  /** Id of a role of this installation; undefined for none. */
  readonly rootRole: number | undefined
  readonly isService: boolean
  readonly imageUrl: string | null
  readonly scimId: string | null
  /** By which the provider of identities knows it. */
  readonly scimExternalId: string | null
  readonly loginAttempts: number
  readonly createdAt: number
  readonly seenAt: number | null
}

/** A group of people. */
export interface HeldGroup {
  readonly id: number
  readonly name: string
  readonly description: string | null
  /** Names at the identity provider. */
  readonly mappings: readonly string[]
  /** Id of a role of this installation. */
  readonly rootRole: number | null
  readonly scimId: string | null
  /** By which the provider of identities knows it. */
  readonly scimExternalId: string | null
  readonly createdAt: number
  readonly users: readonly number[]
}

/** A role that somebody, or a group, has in a project. */
export interface HeldMembership {
  readonly project: string
  readonly role: number
  readonly member:
    | { readonly kind: 'user'; readonly id: number }
    | {
        readonly kind: 'group'
        readonly id: number
      }
}

/** A token of SDKs or of administration. Its secret and alias are clear text: never print them. */
export interface HeldToken {
  readonly secret: string
  /** A second secret of the same token. */
  readonly alias: string | null
  readonly name: string
  readonly type: 'admin' | 'client' | 'frontend'
  /** `*` for all, as admin tokens have. */
  readonly environment: string
  /** Ids, or `['*']`. */
  readonly projects: readonly string[]
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly seenAt: number | null
}

/** A token of a person. Its secret is clear text: never print it. */
export interface HeldPersonalToken {
  readonly secret: string
  readonly userId: number
  readonly description: string
  readonly expiresAt: number
  readonly createdAt: number
  readonly seenAt: number | null
}

/** What people have marked as theirs. */
export interface HeldFavorites {
  readonly flags: readonly { readonly userId: number; readonly flag: string }[]
  readonly projects: readonly { readonly userId: number; readonly project: string }[]
}

/** A link by which people make themselves an account. Its secret is clear text: never print it. */
export interface HeldInviteLink {
  readonly secret: string
  readonly name: string
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly enabled: boolean
  /** Ids of the users who came by it. */
  readonly users: readonly number[]
}
