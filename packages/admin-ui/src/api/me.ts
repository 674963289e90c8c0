import type {
  ChangePassword,
  CreatePersonalToken,
  CurrentUser,
  EndSessions,
  EndSessionsResult,
  Login,
  NewPersonalToken,
  PersonalToken,
  ResetLinkUser,
  SignedOut,
  User,
  UserSessions,
} from '@burgee/protocol/access'
import type { Signup } from '@burgee/protocol/administration/invite-link'
import type { Profile } from '@burgee/protocol/project-access'
import type { UpdateProfile } from '@burgee/protocol/user'
import { ME_PATH } from './first/me-path.ts'
import { ApiError, BASE_PATH, buildPath, buildQueryString, call } from './http.ts'

/** Logs in. The session cookie is not visible to scripts. */
export const login = (body: Login) => call<User>('POST', '/auth/simple/login', body)

/** Login methods that the server offers. */
export interface LoginMethods {
  readonly hasPassword: boolean
  readonly hasSso: boolean
}

/**
 * Returns the login methods that are available. The server lists the methods when it rejects a request without a
 * session.
 */
export async function fetchLoginMethods(): Promise<LoginMethods> {
  try {
    await fetchMe()
    return { hasPassword: true, hasSso: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { options, defaultHidden } = error.body as { options?: unknown; defaultHidden?: unknown }
    return { hasPassword: defaultHidden !== true, hasSso: Array.isArray(options) && options.length > 0 }
  }
}

/** Returns the URL that starts single sign-on. Afterwards, the browser returns to `next`, a path of this page. */
export const getSsoAddress = (next: string | undefined) => `${BASE_PATH}/auth/oidc/login${buildQueryString({ next })}`

/**
 * Ends all sessions of the user. Returns the provider's logout URL if the session at the provider must be ended too.
 */
export async function logout(): Promise<string | undefined> {
  const headers = { accept: 'application/json' }
  const reply = await fetch(`${BASE_PATH}/logout`, { method: 'POST', credentials: 'same-origin', headers })
  if (reply.status === 401) return undefined
  if (!reply.ok) throw new ApiError(reply.status, reply.statusText)
  const { location } = (await reply.json()) as SignedOut
  return /^https?:/.test(location) ? location : undefined
}

/** Fetches the logged-in user with their permissions. */
export const fetchMe = () => call<CurrentUser>('GET', ME_PATH)

/** Changes the user's own password. */
export const changePassword = (body: ChangePassword) => call<void>('POST', '/api/admin/user/change-password', body)

/** Returns the user whose password can be set with a password link. */
export const fetchLinkOwner = (token: string) =>
  call<ResetLinkUser>('GET', `/auth/reset/validate${buildQueryString({ token })}`)

/** Sets a password with a password link, which can be used only once. */
export const setPasswordByLink = (token: string, password: string) =>
  call<void>('POST', '/auth/reset/password', { token, password })

/** Checks that an invite link can be used to sign up. Rejects if it cannot. */
export const checkInvitation = async (invite: string) => {
  await call<void>('GET', buildPath('invite', invite, 'validate'))
  return invite
}

/** Creates an account with an invite link. */
export const signUpByInvite = (invite: string, body: Signup) =>
  call<User>('POST', buildPath('invite', invite, 'signup'), body)

/** Fetches the user's root role, and the projects in which the user has a role. */
export const fetchProfile = () => call<Profile>('GET', '/api/admin/user/profile')

/** Changes the user's own name or e-mail address. */
export const updateMyProfile = (body: UpdateProfile) => call<User>('PUT', '/api/admin/user/profile', body)

const TOKENS = '/api/admin/user/tokens'

/** Fetches the personal tokens of the user without the secrets, newest first. */
export const fetchPersonalTokens = async () =>
  (await call<{ pats: PersonalToken[] }>('GET', TOKENS)).pats.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Creates a personal token. Only this reply contains the secret of the token. */
export const createPersonalToken = (body: CreatePersonalToken) => call<NewPersonalToken>('POST', TOKENS, body)

/** Revokes a personal token. The token stops working immediately. */
export const revokePersonalToken = (id: number) => call<void>('DELETE', `${TOKENS}${buildPath(id)}`)

const SESSIONS = '/api/admin/user/sessions'

/** Fetches the user's open sessions, most recently used first. */
export const fetchSessions = () => call<UserSessions>('GET', SESSIONS)

/** Ends the given sessions of the user, or all sessions of the user except the current session. */
export const endSessions = (body: EndSessions) => call<EndSessionsResult>('POST', `${SESSIONS}/end`, body)
