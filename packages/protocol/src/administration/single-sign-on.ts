import Type, { type Static } from 'typebox'

/** Schemas for single sign-on settings. Source: wire protocol; `trustEmail` and `isTested` are Burgee extensions. */

const Text = Type.String({ maxLength: 1000 })
const Names = Type.Enum(['Viewer', 'Editor', 'Admin'])
const RoleId = Type.Integer({ minimum: 1 })

/** Supported signature algorithms of ID tokens. */
export const SIGNING_ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const

/**
 * Body with the OpenID Connect settings. Omitted settings become empty or off. The secret `*****` stands for the stored
 * secret.
 */
export const OidcSettingsInput = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    /** Address of the provider, or of the provider's document `/.well-known/openid-configuration`. */
    discoverUrl: Type.Optional(Text),
    clientId: Text,
    secret: Text,
    /** True to create an account on a user's first login. */
    autoCreate: Type.Optional(Type.Boolean()),
    /** True if a logout redirects to the provider to end the session there as well. */
    enableSingleSignOut: Type.Optional(Type.Boolean()),
    defaultRootRole: Type.Optional(Names),
    /**
     * Id of the default role; takes precedence over the name. 0 counts as omitted, because clients send 0 for an unset
     * id.
     */
    defaultRootRoleId: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Comma-separated e-mail domains whose users may log in; empty means all domains. */
    emailDomains: Type.Optional(Text),
    acrValues: Type.Optional(Text),
    idTokenSigningAlgorithm: Type.Optional(Type.Enum(SIGNING_ALGORITHMS)),
    enableGroupSyncing: Type.Optional(Type.Boolean()),
    /** Path of the groups in the ID token, such as `groups` or `realm_access.roles`. */
    groupJsonPath: Type.Optional(Text),
    addGroupsScope: Type.Optional(Type.Boolean()),
    /** Ignored, because PKCE is always on. */
    enablePkce: Type.Optional(Type.Boolean()),
    /** True to trust e-mail addresses that the provider does not report as verified. */
    trustEmail: Type.Optional(Type.Boolean()),
    /**
     * Ignored; accepted because user interfaces send this property. The redirect address is derived from the public
     * address of the server.
     */
    unleashHostname: Type.Optional(Text),
    /** Ignored. Accepted so that clients can send back a response. */
    isSetByEnvironment: Type.Optional(Type.Boolean()),
    /** Ignored. Accepted so that clients can send back a response. */
    isTested: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type OidcSettingsInput = Static<typeof OidcSettingsInput>

/** Stored OpenID Connect settings. The secret is masked unless the operator has allowed reading secrets. */
export const OidcSettings = Type.Object({
  enabled: Type.Boolean(),
  discoverUrl: Type.String(),
  clientId: Type.String(),
  secret: Type.String(),
  autoCreate: Type.Boolean(),
  enableSingleSignOut: Type.Boolean(),
  defaultRootRole: Type.Optional(Names),
  defaultRootRoleId: RoleId,
  emailDomains: Type.String(),
  acrValues: Type.String(),
  idTokenSigningAlgorithm: Type.Enum(SIGNING_ALGORITHMS),
  enableGroupSyncing: Type.Boolean(),
  groupJsonPath: Type.String(),
  addGroupsScope: Type.Boolean(),
  enablePkce: Type.Boolean(),
  trustEmail: Type.Boolean(),
  /**
   * True if environment variables of the server define the single sign-on settings. In this case, the API rejects
   * changes of the settings.
   */
  isSetByEnvironment: Type.Boolean(),
  /**
   * True if an administrator has logged in with the current settings. Passwords can be switched off only if this is
   * true.
   */
  isTested: Type.Boolean(),
})
export type OidcSettings = Static<typeof OidcSettings>

/** Body with the settings of a login method that is not supported and can only be off. */
export const NotOfferedInput = Type.Object({ enabled: Type.Optional(Type.Boolean()) })
/** Settings of a login method that is not supported and is always off. */
export const NotOffered = Type.Object({ enabled: Type.Literal(false) })

/** Body that disables password login. `enabled` is the inverse, for older clients. */
export const PasswordLoginInput = Type.Object({
  disabled: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
})
/** Password login setting. */
export const PasswordLogin = Type.Object({ disabled: Type.Boolean() })
export type PasswordLogin = Static<typeof PasswordLogin>
