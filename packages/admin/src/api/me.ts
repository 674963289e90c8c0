import type { ChangeOwnPassword, Login, Me, User } from '@burgee/protocol/access'
import type { UiConfig } from '@burgee/protocol/ui-config'
import { ApiError, BASE_PATH, call } from './http.ts'

/** Logs in; the session is in a cookie that scripts do not see. */
export const login = (body: Login) => call<User>('POST', '/auth/simple/login', body)

/** Ends all sessions of the person. */
export async function logout(): Promise<void> {
  // The reply leads to the start page, which is not asked for here
  const reply = await fetch(`${BASE_PATH}/logout`, { method: 'POST', credentials: 'same-origin', redirect: 'manual' })
  if (!reply.ok && reply.type !== 'opaqueredirect' && reply.status !== 401) {
    throw new ApiError(reply.status, reply.statusText)
  }
}

/** Who is logged in, and what they may. */
export const me = () => call<Me>('GET', '/api/admin/user')

/** Changes one's own password. */
export const changePassword = (body: ChangeOwnPassword) => call<void>('POST', '/api/admin/user/change-password', body)

/** What the server is. */
export const uiConfig = () => call<UiConfig>('GET', '/api/admin/ui-config')
