import type {
  ChangeOwnPassword,
  CreatePersonalToken,
  LinkOwner,
  Login,
  Me,
  NewPersonalToken,
  PersonalToken,
  SignedOut,
  User,
} from '@burgee/protocol/access'
import type { Signup } from '@burgee/protocol/administration/invite-link'
import type { Profile } from '@burgee/protocol/project-access'
import type { OwnProfile } from '@burgee/protocol/user'
import { ME_PATH } from './first/first-paths.ts'
import { ApiError, BASE_PATH, call, path, queryOf } from './http.ts'

/** Logs in; the session is in a cookie that scripts do not see. */
export const login = (body: Login) => call<User>('POST', '/auth/simple/login', body)

/** How one may log in. */
export interface LoginWays {
  readonly hasPassword: boolean
  readonly hasSso: boolean
}

/** How one may log in here, as the refusal of whoever has not says it. */
export async function loginWays(): Promise<LoginWays> {
  try {
    await me()
    return { hasPassword: true, hasSso: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { options, defaultHidden } = error.body as { options?: unknown; defaultHidden?: unknown }
    return { hasPassword: defaultHidden !== true, hasSso: Array.isArray(options) && options.length > 0 }
  }
}

/** Where single sign-on begins that leads back to a path of this page. */
export const ssoAddress = (next: string | undefined) => `${BASE_PATH}/auth/oidc/login${queryOf({ next })}`

/** Ends all sessions of the person; gives the address of the provider where the session there has to end as well. */
export async function logout(): Promise<string | undefined> {
  const headers = { accept: 'application/json' }
  const reply = await fetch(`${BASE_PATH}/logout`, { method: 'POST', credentials: 'same-origin', headers })
  if (reply.status === 401) return undefined
  if (!reply.ok) throw new ApiError(reply.status, reply.statusText)
  const { location } = (await reply.json()) as SignedOut
  return /^https?:/.test(location) ? location : undefined
}

/** Who is logged in, and what they may. */
export const me = () => call<Me>('GET', ME_PATH)

/** Changes one's own password. */
export const changePassword = (body: ChangeOwnPassword) => call<void>('POST', '/api/admin/user/change-password', body)

/** Whose password a link sets. */
export const linkOwner = (token: string) => call<LinkOwner>('GET', `/auth/reset/validate${queryOf({ token })}`)

/** Sets a password by a link, which is used up then. */
export const setByLink = (token: string, password: string) =>
  call<void>('POST', '/auth/reset/password', { token, password })

/** Whether one may make an account by an invite link: it answers, or fails. */
export const invitation = async (invite: string) => {
  await call<void>('GET', path('invite', invite, 'validate'))
  return invite
}

/** Makes an account by an invite link. */
export const joinBy = (invite: string, body: Signup) => call<User>('POST', path('invite', invite, 'signup'), body)

/** My root role, and the projects in which I have one. */
export const profile = () => call<Profile>('GET', '/api/admin/user/profile')

/** Changes what I am called, or my e-mail address. */
export const changeOwn = (body: OwnProfile) => call<User>('PUT', '/api/admin/user/profile', body)

const TOKENS = '/api/admin/user/tokens'

/** My own tokens, without their secrets, newest first. */
export const personalTokens = async () =>
  (await call<{ pats: PersonalToken[] }>('GET', TOKENS)).pats.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Makes a token of my own; its secret is in this reply and nowhere else. */
export const createPersonalToken = (body: CreatePersonalToken) => call<NewPersonalToken>('POST', TOKENS, body)

/** Takes a token of mine back; it stops working at once. */
export const revokePersonalToken = (id: number) => call<void>('DELETE', `${TOKENS}${path(id)}`)
