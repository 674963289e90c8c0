import type { Caller } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

const LOGIN_PATH = '/auth/simple/login'
const OIDC_PATH = '/auth/oidc/login'
const SSO_MESSAGE = 'Sign in with OpenID Connect'
/** Enabled login methods. */
export type LoginMethods = { readonly oidc: () => { readonly enabled: boolean }; readonly isPasswordOff: () => boolean }
const NO_SSO: LoginMethods = { oidc: () => ({ enabled: false }), isPasswordOff: () => false }

/**
 * Creates a 401 error that tells clients where to log in. `basePath` is '' or '/base'. Source: wire protocol "Error
 * bodies".
 */
export function loginRequired(
  caller: Caller,
  basePath: string,
  { oidc, isPasswordOff }: LoginMethods = NO_SSO,
): Problem {
  const why =
    caller.headers.authorization === undefined
      ? 'The request has no authorization header.'
      : 'The credentials of the request are not valid.'
  const [passwordPath, oidcPath] = [`${basePath}${LOGIN_PATH}`, `${basePath}${OIDC_PATH}`]
  const path = isPasswordOff() ? oidcPath : passwordPath
  const options = oidc().enabled ? { options: [{ type: 'oidc', path: oidcPath, message: SSO_MESSAGE }] } : {}
  return new Problem('AuthenticationRequired', `You must log in first. ${why} Try logging in at ${path}`, {
    extra: { path: passwordPath, type: 'password', defaultHidden: isPasswordOff(), ...options },
  })
}
