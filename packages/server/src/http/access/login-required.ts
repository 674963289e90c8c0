import type { Caller } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'

const LOGIN_PATH = '/auth/simple/login'
const OIDC_PATH = '/auth/oidc/login'
const SSO_MESSAGE = 'Sign in with OpenID Connect'
/** How people may log in. */
export type LoginWays = { readonly oidc: () => { readonly enabled: boolean }; readonly isPasswordOff: () => boolean }
const NO_SSO: LoginWays = { oidc: () => ({ enabled: false }), isPasswordOff: () => false }

/** 401 with the keys by which clients find the login. Source: wire protocol "Error bodies". */
export function loginRequired(caller: Caller, { oidc, isPasswordOff }: LoginWays = NO_SSO): Problem {
  const why =
    caller.headers.authorization === undefined
      ? 'The request has no authorization header.'
      : 'The credentials of the request are not valid.'
  const path = isPasswordOff() ? OIDC_PATH : LOGIN_PATH
  const options = oidc().enabled ? { options: [{ type: 'oidc', path: OIDC_PATH, message: SSO_MESSAGE }] } : {}
  return new Problem('AuthenticationRequired', `You must log in first. ${why} Try logging in at ${path}`, {
    extra: { path: LOGIN_PATH, type: 'password', defaultHidden: isPasswordOff(), ...options },
  })
}
