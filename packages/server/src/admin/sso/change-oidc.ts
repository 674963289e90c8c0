import { invalid } from '@burgee/kit/input/refusals'
import type { OidcSettingsInput } from '@burgee/protocol/administration/single-sign-on'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { getRootRoleId, requireRootRole } from '../../core/access/rights/root-roles.ts'
import type { Change } from '../../core/execute.ts'
import { getOrigin } from '../../core/secrets/address-origin.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { putSetting } from '../../core/stored-setting.ts'
import { hashLoginSettings } from './admin-login-check.ts'
import {
  MASK,
  OIDC,
  OIDC_OFF,
  OIDC_SECRET_PURPOSE,
  openSecret,
  readStoredOidc,
  requireProvider,
  type StoredOidc,
} from './oidc-settings.ts'
import { isPasswordLoginOff } from './password-login.ts'

const CHANGED_CONCURRENTLY = 'The settings of single sign-on were changed in the meantime. Read them and try again.'
const UNTESTED =
  'No user has logged in with these settings yet: enable password logins first, and disable them after a login through single sign-on.'

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

function toEventState({ sealed: _sealed, ...settings }: StoredOidc): object {
  return settings
}
