import { OptionsError, type OptionTable, type Parsed } from '@burgee/kit/options/options'
import { flag, list, oneOf, text } from '@burgee/kit/options/parsers'

/** Names of the roles that an option can assign to new accounts. */
const ROLES = ['Viewer', 'Editor', 'Admin'] as const

/**
 * Options that configure single sign-on. If the first three are set, the configuration cannot be changed through the
 * API.
 */
export const SSO_OPTIONS = {
  oidcDiscoverUrl: {
    env: ['OIDC_DISCOVER_URL'],
    parse: text,
    doc: 'Issuer URL of the OpenID Connect provider, or the URL of its document `/.well-known/openid-configuration`. Enables single sign-on; its settings can then not be changed over the API.',
  },
  oidcClientId: { env: ['OIDC_CLIENT_ID'], parse: text, doc: 'Client id of this server at the provider.' },
  oidcClientSecret: {
    env: ['OIDC_CLIENT_SECRET'],
    parse: text,
    secret: true,
    doc: 'Client secret of this server at the provider.',
  },
  oidcAutoCreate: {
    env: ['OIDC_AUTO_CREATE'],
    parse: flag,
    defaultDoc: 'false',
    doc: 'Create an account at the first login.',
  },
  oidcEmailDomains: {
    env: ['OIDC_EMAIL_DOMAINS'],
    parse: list,
    defaultDoc: 'all',
    doc: 'E-mail domains whose users may log in.',
  },
  oidcDefaultRootRole: {
    env: ['OIDC_DEFAULT_ROOT_ROLE'],
    parse: oneOf(ROLES),
    defaultDoc: 'Viewer',
    doc: 'Role of accounts created by a first login.',
  },
  oidcGroupJsonPath: {
    env: ['OIDC_GROUP_JSON_PATH'],
    parse: text,
    defaultDoc: 'groups stay as they are',
    doc: 'Path of the groups in the ID token (`groups`, `realm_access.roles`); if set, each login updates the group memberships of the user.',
  },
  oidcSingleSignOut: {
    env: ['OIDC_SINGLE_SIGN_OUT'],
    parse: flag,
    defaultDoc: 'false',
    doc: 'Log out at the provider as well.',
  },
  oidcTrustEmail: {
    env: ['OIDC_TRUST_EMAIL'],
    parse: flag,
    defaultDoc: 'false',
    doc: 'Accept e-mail addresses whose verification the provider does not report (Microsoft Entra does not). Unsafe if users can choose their address at the provider: a user with the address of an account gets that account.',
  },
} as const satisfies OptionTable

/** Values of the single sign-on options. */
export type SsoOptions = Parsed<typeof SSO_OPTIONS>

/** Returns true if the options configure single sign-on. Throws OptionsError if the options are incomplete. */
export function isSetByOptions(options: SsoOptions): boolean {
  const { oidcDiscoverUrl: url, oidcClientId: id, oidcClientSecret: secret } = options
  if (url !== undefined && id !== undefined && secret !== undefined) return true
  const given = Object.entries(SSO_OPTIONS).filter(([name]) => options[name as keyof SsoOptions] !== undefined)
  if (given.length === 0) return false
  const names = given.map(([, { env }]) => env[0]).join(', ')
  throw new OptionsError([`${names}: OIDC_DISCOVER_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are needed together`])
}
