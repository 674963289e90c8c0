import type { PasswordLogin } from '@burgee/protocol/administration/single-sign-on'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import type { Change } from '../../core/execute.ts'
import { putSetting } from '../../core/stored-setting.ts'
import { isTestedByAdmin } from './admin-login-check.ts'
import { readStoredOidc, type StoredOidc } from './oidc-settings.ts'

/** Name under which the setting for password logins is stored. */
export const PASSWORDS = 'auth.simple'
const NOT_TESTED =
  'No administrator has logged in through single sign-on with its current settings. Log in once as an administrator with /auth/oidc/login, then disable password logins.'

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
