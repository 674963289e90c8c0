import { invalid } from '@burgee/kit/input/refusals'
import type { OidcSettings } from '@burgee/protocol/administration/single-sign-on'
import type { Reader } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import { getRootRoleId } from '../../core/access/rights/root-roles.ts'
import type { SsoOptions } from '../../core/options/sso-options.ts'
import { type Secrets, SecretUnreadable } from '../../core/secrets/secrets.ts'

/** Name under which the OpenID Connect settings are stored, and which events use. */
export const OIDC = 'auth.oidc'
/** Encryption purpose under which the client secret is sealed. */
export const OIDC_SECRET_PURPOSE = 'OpenID Connect client'
/** Text that replaces a stored secret in responses and events. */
export const MASK = '*****'
const NAMED = ['Viewer', 'Editor', 'Admin'] as const

/** Stored settings. The secret is encrypted; undefined if no secret was set. */
export interface StoredOidc
  extends Omit<OidcSettings, 'secret' | 'isSetByEnvironment' | 'isTested' | 'defaultRootRole'> {
  readonly sealed: string | undefined
}

/** Settings that apply until an administrator first changes them. */
export const OIDC_OFF: StoredOidc = {
  enabled: false,
  discoverUrl: '',
  clientId: '',
  sealed: undefined,
  autoCreate: false,
  enableSingleSignOut: false,
  defaultRootRoleId: getRootRoleId('Viewer'),
  emailDomains: '',
  acrValues: '',
  idTokenSigningAlgorithm: 'RS256',
  enableGroupSyncing: false,
  groupJsonPath: '',
  addGroupsScope: false,
  enablePkce: true,
  trustEmail: false,
}

/** Returns the stored settings, or the defaults, in which everything is off. */
export async function readStoredOidc(reader: Reader): Promise<StoredOidc> {
  const stored = await findSetting(reader, OIDC)
  return stored === undefined ? OIDC_OFF : { ...OIDC_OFF, ...(JSON.parse(stored) as Partial<StoredOidc>) }
}

/** Reads the settings from the server's options. A secret from the options is not sealed. */
export function toStoredOidc(options: SsoOptions): StoredOidc {
  return {
    ...OIDC_OFF,
    enabled: true,
    discoverUrl: requireProvider(options.oidcDiscoverUrl ?? '', 'OIDC_DISCOVER_URL'),
    clientId: options.oidcClientId ?? '',
    autoCreate: options.oidcAutoCreate ?? false,
    enableSingleSignOut: options.oidcSingleSignOut ?? false,
    defaultRootRoleId: getRootRoleId(options.oidcDefaultRootRole ?? 'Viewer'),
    emailDomains: (options.oidcEmailDomains ?? []).join(','),
    enableGroupSyncing: options.oidcGroupJsonPath !== undefined,
    groupJsonPath: options.oidcGroupJsonPath ?? '',
    trustEmail: options.oidcTrustEmail ?? false,
  }
}

/**
 * Converts settings for the API. With `opener`, the result contains the decrypted secret, or a mask if the secret
 * cannot be decrypted. Without `opener`, the result always contains a mask.
 */
export function toOidcView(
  { sealed, ...settings }: StoredOidc,
  { isSetByEnvironment, isTested }: Pick<OidcSettings, 'isSetByEnvironment' | 'isTested'>,
  opener?: Pick<Secrets, 'open'>,
): OidcSettings {
  const role = NAMED.find((name) => getRootRoleId(name) === settings.defaultRootRoleId)
  const named = role === undefined ? {} : { defaultRootRole: role }
  const shown = sealed === undefined || opener === undefined ? undefined : openSecret(opener, sealed)
  const secret = sealed === undefined && !isSetByEnvironment ? '' : (shown ?? MASK)
  return { ...settings, ...named, secret, isSetByEnvironment, isTested }
}

/** Returns the decrypted secret; undefined if it cannot be decrypted. */
export function openSecret(secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined {
  try {
    return secrets.open(sealed, OIDC_SECRET_PURPOSE)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/** Validates a provider address: HTTPS, or plain HTTP on this machine. Throws ValidationError. */
export function requireProvider(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && isSafe(url) && url.username === '' && url.password === '') return text
  throw invalid('The address of the provider must use https: and contain no user', path)
}

/** Returns true if no one can intercept requests to the address: HTTPS, or an address of this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
}
