import type { OidcSettings, OidcSettingsInput, PasswordLogin } from '@burgee/protocol/administration/single-sign-on'
import { call } from '../http.ts'

const OIDC = '/api/admin/auth/oidc/settings'
const PASSWORDS = '/api/admin/auth/simple/settings'

/** How people log in by a provider, and whether they may with a password. */
export interface SignInSettings {
  readonly oidc: OidcSettings
  readonly passwords: PasswordLogin
}

/** How people log in by a provider; the secret is masked. */
export const oidc = () => call<OidcSettings>('GET', OIDC)

/** All settings of logins; the secret is masked. */
export async function signInSettings(): Promise<SignInSettings> {
  const [settings, passwords] = await Promise.all([oidc(), call<PasswordLogin>('GET', PASSWORDS)])
  return { oidc: settings, passwords }
}

/** Sets how people log in by a provider; a masked secret stays what it is. */
export const setOidc = (body: OidcSettingsInput) => call<OidcSettings>('POST', OIDC, body)

/** Says whether people may not log in with a password. */
export const setPasswordsOff = (disabled: boolean) => call<PasswordLogin>('POST', PASSWORDS, { disabled })
