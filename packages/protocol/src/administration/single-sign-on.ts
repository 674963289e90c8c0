import Type, { type Static } from 'typebox'
import { MAX_ROW_ID, RowId } from '../row-id.ts'

/**
 * Schemas for the single sign-on settings. Source: wire protocol; `trustEmail` and `isTested` are Burgee extensions.
 */

const Text = Type.String({ maxLength: 1000 })
const Names = Type.Enum(['Viewer', 'Editor', 'Admin'])

/** Signature algorithms for ID tokens that the server supports. */
export const SIGNING_ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const

/**
 * Request body with the OpenID Connect settings. A setting that is omitted becomes empty or off. The secret `*****`
 * keeps the stored secret.
 */
export const OidcSettingsInput = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    /** Address of the provider, or address of its document `/.well-known/openid-configuration`. */
    discoverUrl: Type.Optional(Text),
    clientId: Text,
    secret: Text,
    /** True to create an account when a new user first logs in. */
    autoCreate: Type.Optional(Type.Boolean()),
    /** True to redirect to the provider at logout, so that the session there ends as well. */
    enableSingleSignOut: Type.Optional(Type.Boolean()),
    defaultRootRole: Type.Optional(Names),
    /**
     * Id of the default role for new users; takes precedence over `defaultRootRole`. 0 is treated as omitted, because
     * clients send 0 for an id that is not set.
     */
    defaultRootRoleId: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ROW_ID })),
    /**
     * Comma-separated e-mail domains; only users with an address in one of these domains may log in. Empty allows all
     * domains.
     */
    emailDomains: Type.Optional(Text),
    acrValues: Type.Optional(Text),
    idTokenSigningAlgorithm: Type.Optional(Type.Enum(SIGNING_ALGORITHMS)),
    enableGroupSyncing: Type.Optional(Type.Boolean()),
    /** Path to the groups within the ID token, such as `groups` or `realm_access.roles`. */
    groupJsonPath: Type.Optional(Text),
    addGroupsScope: Type.Optional(Type.Boolean()),
    /** Accepted but ignored, because PKCE is always used. */
    enablePkce: Type.Optional(Type.Boolean()),
    /** True to trust e-mail addresses even if the provider does not report them as verified. */
    trustEmail: Type.Optional(Type.Boolean()),
    /**
     * Accepted but ignored; user interfaces send this property. The redirect address is derived from the public address
     * of the server instead.
     */
    unleashHostname: Type.Optional(Text),
    /** Accepted but ignored, so that clients can send back a response as a request. */
    isSetByEnvironment: Type.Optional(Type.Boolean()),
    /** Accepted but ignored, so that clients can send back a response as a request. */
    isTested: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type OidcSettingsInput = Static<typeof OidcSettingsInput>

/**
 * Stored OpenID Connect settings in responses. The secret is masked unless the operator has allowed secrets to be read.
 */
export const OidcSettings = Type.Object({
  enabled: Type.Boolean(),
  discoverUrl: Type.String(),
  clientId: Type.String(),
  secret: Type.String(),
  autoCreate: Type.Boolean(),
  enableSingleSignOut: Type.Boolean(),
  defaultRootRole: Type.Optional(Names),
  defaultRootRoleId: RowId,
  emailDomains: Type.String(),
  acrValues: Type.String(),
  idTokenSigningAlgorithm: Type.Enum(SIGNING_ALGORITHMS),
  enableGroupSyncing: Type.Boolean(),
  groupJsonPath: Type.String(),
  addGroupsScope: Type.Boolean(),
  enablePkce: Type.Boolean(),
  trustEmail: Type.Boolean(),
  /**
   * True if the single sign-on settings are defined by environment variables of the server. If so, the API rejects
   * changes to these settings.
   */
  isSetByEnvironment: Type.Boolean(),
  /**
   * True if an administrator has logged in with the current settings. Password login can be disabled only if this is
   * true.
   */
  isTested: Type.Boolean(),
})
export type OidcSettings = Static<typeof OidcSettings>

/** Request body for a login method that is not supported; the method can only be off. */
export const NotOfferedInput = Type.Object({ enabled: Type.Optional(Type.Boolean()) })
/** Settings of a login method that is not supported and is always off. */
export const NotOffered = Type.Object({ enabled: Type.Literal(false) })

/**
 * Request body that disables or enables password login. Older clients send `enabled`, which is the inverse of
 * `disabled`.
 */
export const PasswordLoginInput = Type.Object({
  disabled: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
})
/** Password login setting. */
export const PasswordLogin = Type.Object({ disabled: Type.Boolean() })
export type PasswordLogin = Static<typeof PasswordLogin>
