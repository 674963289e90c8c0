import Type, { type Static } from 'typebox'

/** Settings of logins that somebody else vouches for. Source: wire protocol; `trustEmail` and `isTested` are additions. */

const Text = Type.String({ maxLength: 1000 })
const Names = Type.Enum(['Viewer', 'Editor', 'Admin'])
const RoleId = Type.Integer({ minimum: 1 })

/** Algorithms by which ID tokens may be signed. */
export const SIGNING_ALGORITHMS = ['RS256', 'RS384', 'RS512'] as const

/** Body of the settings of OpenID Connect: what is left out is empty or off; `*****` as secret means what is stored. */
export const OidcSettingsInput = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    /** Address of the provider, or of its document `/.well-known/openid-configuration`. */
    discoverUrl: Type.Optional(Text),
    clientId: Text,
    secret: Text,
    /** Whether people get an account by their first login. */
    autoCreate: Type.Optional(Type.Boolean()),
    /** Whether a logout leads to the provider, and ends the session there. */
    enableSingleSignOut: Type.Optional(Type.Boolean()),
    defaultRootRole: Type.Optional(Names),
    /** Wins over the name; 0, which clients send that have none to say, is as if it were left out. */
    defaultRootRoleId: Type.Optional(Type.Integer({ minimum: 0 })),
    /** Domains with commas between them; empty: all. */
    emailDomains: Type.Optional(Text),
    acrValues: Type.Optional(Text),
    idTokenSigningAlgorithm: Type.Optional(Type.Enum(SIGNING_ALGORITHMS)),
    enableGroupSyncing: Type.Optional(Type.Boolean()),
    /** Where groups are in the ID token: `groups`, `realm_access.roles`. */
    groupJsonPath: Type.Optional(Text),
    addGroupsScope: Type.Optional(Type.Boolean()),
    /** Always on here. */
    enablePkce: Type.Optional(Type.Boolean()),
    /** Whether e-mail addresses are believed of which the provider does not say that it verified them. */
    trustEmail: Type.Optional(Type.Boolean()),
    /** Sent by user interfaces; where people come back to follows from the public address of the server. */
    unleashHostname: Type.Optional(Text),
    /** Of the reply, which may be sent back as it is. */
    isSetByEnvironment: Type.Optional(Type.Boolean()),
    /** Of the reply, as above. */
    isTested: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type OidcSettingsInput = Static<typeof OidcSettingsInput>

/** The same as it is stored; its secret is masked, but where operators have said that secrets can be read. */
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
  /** Whether variables of the server say all this, so that it cannot be changed here. */
  isSetByEnvironment: Type.Boolean(),
  /** True if an administrator has logged in with these settings; passwords can be switched off only then. */
  isTested: Type.Boolean(),
})
export type OidcSettings = Static<typeof OidcSettings>

/** Settings of logins that are not offered: they can be off, and nothing else. */
export const NotOfferedInput = Type.Object({ enabled: Type.Optional(Type.Boolean()) })
/** They are off. */
export const NotOffered = Type.Object({ enabled: Type.Literal(false) })

/** Whether people can not log in with a password; `enabled` is the opposite, as older clients say it. */
export const PasswordLoginInput = Type.Object({
  disabled: Type.Optional(Type.Boolean()),
  enabled: Type.Optional(Type.Boolean()),
})
/** Whether people can not log in with a password. */
export const PasswordLogin = Type.Object({ disabled: Type.Boolean() })
export type PasswordLogin = Static<typeof PasswordLogin>
