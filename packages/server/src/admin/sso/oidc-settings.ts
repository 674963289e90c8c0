import { invalid } from '@burgee/kit/input/refusals'
import type { OidcSettings, OidcSettingsInput, PasswordLogin } from '@burgee/protocol/administration/single-sign-on'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import { getRootRoleId, requireRootRole } from '../../core/access/rights/root-roles.ts'
import type { Change } from '../../core/execute.ts'
import type { SsoOptions } from '../../core/options/sso-options.ts'
import { getOrigin } from '../../core/secrets/address-origin.ts'
import { type Secrets, SecretUnreadable } from '../../core/secrets/secrets.ts'
import { putSetting } from '../../core/stored-setting.ts'
import { hashLoginSettings, isTestedByAdmin } from './login-test.ts'

/** Name under which the OpenID Connect settings are stored, and which events use. */
export const OIDC = 'auth.oidc'
/** Name under which the setting for password logins is stored. */
export const PASSWORDS = 'auth.simple'

/** Encryption purpose under which the client secret is sealed. */
export const OIDC_SECRET_PURPOSE = 'OpenID Connect client'
const MASK = '*****'
const CHANGED_CONCURRENTLY = 'The settings of single sign-on were changed in the meantime. Read them and try again.'
const NOT_TESTED =
  'No administrator has logged in through single sign-on with its current settings. Log in once as an administrator with /auth/oidc/login, then disable password logins.'
const UNTESTED =
  'No user has logged in with these settings yet: enable password logins first, and disable them after a login through single sign-on.'
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

/** Settings to store, and the settings that were in effect when the provider was checked. */
export interface OidcChange {
  readonly given: OidcSettingsInput
  readonly checkedOver: StoredOidc
}

/**
 * Stores settings; creates no event if nothing changes. Events never contain the secret. Throws ValidationError. Throws
 * ConflictError if the change would lock out all users, if there is no key for the secret, or if the settings have
 * changed since the check.
 */
export const putOidc: Change<OidcChange, StoredOidc> = async (tx, { given, checkedOver }, { secrets }) => {
  const input = { ...given, clientId: given.clientId.trim(), secret: given.secret.trim() }
  const { secret } = input
  const before = await readStoredOidc(tx)
  if (JSON.stringify(before) !== JSON.stringify(checkedOver)) throw new Problem('ConflictError', CHANGED_CONCURRENTLY)
  if (secret === MASK && before.sealed === undefined) throw invalid('No secret is stored yet: enter one', 'body/secret')
  if (secret === MASK && getOrigin(input.discoverUrl) !== getOrigin(before.discoverUrl))
    throw invalid('A provider at another address requires its client secret again', 'body/secret')
  const keepsSecret = secret === MASK || isSame(secrets, before.sealed, secret)
  const sealed = keepsSecret ? before.sealed : secret === '' ? undefined : secrets.seal(secret, OIDC_SECRET_PURPOSE)
  const after: StoredOidc = { ...OIDC_OFF, ...toSettings(input), sealed }
  await requireUsable(tx, { before, after })
  if (JSON.stringify(before) === JSON.stringify(after)) return { result: before, events: [] }
  return {
    result: after,
    events: await putSetting(
      tx,
      { name: OIDC, value: after },
      { before: toEventState(before), after: { ...toEventState(after), secretChanged: !keepsSecret } },
    ),
  }
}

/** Returns the settings in a request body; omitted settings are empty or off. */
function toSettings(given: OidcSettingsInput): Omit<StoredOidc, 'sealed'> {
  const { enabled = false, discoverUrl = '', clientId, autoCreate = false, enableSingleSignOut = false } = given
  const { emailDomains = '', acrValues = '', idTokenSigningAlgorithm = 'RS256', trustEmail = false } = given
  const { enableGroupSyncing = false, groupJsonPath = '', addGroupsScope = false } = given
  const defaultRootRoleId = given.defaultRootRoleId || getRootRoleId(given.defaultRootRole ?? 'Viewer')
  return {
    enabled,
    discoverUrl,
    clientId,
    autoCreate,
    enableSingleSignOut,
    defaultRootRoleId,
    emailDomains,
    acrValues,
    idTokenSigningAlgorithm,
    enableGroupSyncing,
    groupJsonPath,
    addGroupsScope,
    enablePkce: true,
    trustEmail,
  }
}

/** Returns true if the secret equals the stored secret. A stored secret that cannot be read counts as different. */
function isSame(secrets: Pick<Secrets, 'open'>, sealed: string | undefined, secret: string): boolean {
  return sealed === undefined ? secret === '' : openSecret(secrets, sealed) === secret
}

function openSecret(secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined {
  try {
    return secrets.open(sealed, OIDC_SECRET_PURPOSE)
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}

/**
 * Change to the setting for password logins. Includes the single sign-on settings if the settings come from options.
 */
export interface PasswordLoginChange extends PasswordLogin {
  readonly oidcByOptions: StoredOidc | undefined
}

/**
 * Disables or enables password logins. Throws ConflictError if the change would lock out all users, or if no
 * administrator has logged in through single sign-on yet.
 */
export const putPasswordLogin: Change<PasswordLoginChange, void> = async (tx, { disabled, oidcByOptions }) => {
  const before = await isPasswordLoginOff(tx)
  if (before === disabled) return { result: undefined, events: [] }
  if (disabled) await requireLoginMethod(tx, oidcByOptions ?? (await readStoredOidc(tx)))
  const states = { before: { disabled: before }, after: { disabled } }
  const events = await putSetting(tx, { name: PASSWORDS, value: { disabled } }, states)
  return { result: undefined, events }
}

/** Returns true if password logins are disabled. */
export async function isPasswordLoginOff(reader: Reader): Promise<boolean> {
  const stored = await findSetting(reader, PASSWORDS)
  return stored !== undefined && (JSON.parse(stored) as PasswordLogin).disabled
}

async function requireLoginMethod(tx: Tx, oidc: StoredOidc): Promise<void> {
  if (!oidc.enabled) throw new Problem('ConflictError', 'No user could log in: enable single sign-on first.')
  if (!(await isTestedByAdmin(tx, oidc))) throw new Problem('ConflictError', NOT_TESTED)
}

async function requireUsable(tx: Tx, { before, after }: { before: StoredOidc; after: StoredOidc }): Promise<void> {
  const { enabled, discoverUrl, clientId, sealed, enableGroupSyncing, groupJsonPath, defaultRootRoleId } = after
  await requireRootRole(tx, defaultRootRoleId)
  requireItems(after.emailDomains, /,/, 'emailDomains')
  requireItems(after.acrValues, /\s/, 'acrValues')
  if (discoverUrl !== '') requireProvider(discoverUrl, 'body/discoverUrl')
  if (enableGroupSyncing && groupJsonPath === '') throw invalid('Groups need a path in the token', 'body/groupJsonPath')
  if (!enabled) {
    if (!(await isPasswordLoginOff(tx))) return
    throw new Problem('ConflictError', 'No user could log in: enable password logins first.')
  }
  if (discoverUrl === '') throw invalid('Single sign-on needs the address of its provider', 'body/discoverUrl')
  if (clientId === '') throw invalid('Single sign-on needs the id of this server at the provider', 'body/clientId')
  if (sealed === undefined) throw invalid('Single sign-on requires the secret of this server', 'body/secret')
  if (hashLoginSettings(before) !== hashLoginSettings(after) && (await isPasswordLoginOff(tx)))
    throw new Problem('ConflictError', UNTESTED)
}

/**
 * Throws ValidationError for a list that is set but contains no items, because such a list would restrict nothing. An
 * empty text means that there is no restriction.
 */
function requireItems(text: string, separator: RegExp, property: string): void {
  if (text === '' || text.split(separator).some((item) => item.trim() !== '')) return
  throw invalid(`The list contains no items: name at least one, or leave \`${property}\` empty`, `body/${property}`)
}

/** Validates a provider address: HTTPS, or plain HTTP on this machine. Throws ValidationError. */
function requireProvider(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && isSafe(url) && url.username === '' && url.password === '') return text
  throw invalid('The address of the provider must use https: and contain no user', path)
}

/** Returns true if no one can intercept requests to the address: HTTPS, or an address of this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
}

function toEventState({ sealed: _sealed, ...settings }: StoredOidc): object {
  return settings
}
