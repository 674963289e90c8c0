import type { OidcSettings, OidcSettingsInput, PasswordLogin } from '@burgee/protocol/administration/single-sign-on'
import { call } from '../http.ts'

const OIDC = '/api/admin/auth/oidc/settings'
const PASSWORDS = '/api/admin/auth/simple/settings'

/** Settings for single sign-on and for password login. */
export interface SignInSettings {
  readonly oidc: OidcSettings
  readonly passwords: PasswordLogin
}

/** Fetches the settings for single sign-on. The secret is masked. */
export const fetchOidcSettings = () => call<OidcSettings>('GET', OIDC)

/** Fetches all login settings. The secret is masked. */
export async function fetchSignInSettings(): Promise<SignInSettings> {
  const [settings, passwords] = await Promise.all([fetchOidcSettings(), call<PasswordLogin>('GET', PASSWORDS)])
  return { oidc: settings, passwords }
}

/** Updates the settings for single sign-on. A masked secret leaves the stored secret unchanged. */
export const updateOidcSettings = (body: OidcSettingsInput) => call<OidcSettings>('POST', OIDC, body)

/** Disables or enables password login. */
export const setPasswordLoginDisabled = (disabled: boolean) => call<PasswordLogin>('POST', PASSWORDS, { disabled })
