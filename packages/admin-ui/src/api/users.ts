import type { EndSessionsResult, User } from '@burgee/protocol/access'
import type { CreatedUser, CreateUser, UpdateUser, Users } from '@burgee/protocol/user'
import { buildPath, call } from './http.ts'

const USERS = '/api/admin/user-admin'

/** Fetches all users, sorted by display name. */
export const fetchUsers = async () =>
  (await call<Users>('GET', USERS)).users.sort((a, b) => getDisplayName(a).localeCompare(getDisplayName(b)))

/** Returns the display name of a user: the first available of name, username, e-mail address and id. */
export function getDisplayName({
  name,
  username,
  email,
  id,
}: Pick<User, 'name' | 'username' | 'email' | 'id'>): string {
  return name || username || email || `#${id}`
}

/** Returns the username or e-mail address that a user logs in with. */
export function getLoginName({ username, email }: Pick<User, 'username' | 'email'>): string {
  return username ?? email ?? ''
}

/** Creates a user. If no password is given, the reply contains a link for setting the first password. */
export const createUser = (body: CreateUser) => call<CreatedUser>('POST', USERS, body)

/**
 * Creates a password-reset link that works once and for one day. `login` is a username or an e-mail address. With
 * `deletePersonalTokens`, using the link also revokes the user's personal tokens.
 */
export async function createResetLink(login: string, deletePersonalTokens: boolean): Promise<string> {
  const body = { id: login, deletePersonalTokens }
  return (await call<{ resetPasswordUrl: string }>('POST', `${USERS}/reset-password`, body)).resetPasswordUrl
}

/**
 * Converts a link from the server to one that the browser can open: a server without a configured address uses
 * localhost in its links.
 */
export function toReachableLink(link: string): string {
  const url = new URL(link)
  return url.hostname === 'localhost' ? `${location.origin}${url.pathname}${url.search}` : link
}

/** Changes the name, e-mail address or root role of a user. */
export const updateUser = (id: number, body: UpdateUser) => call<User>('PUT', `${USERS}${buildPath(id)}`, body)

/** Removes a user with their sessions and personal tokens. */
export const removeUser = (id: number) => call<void>('DELETE', `${USERS}${buildPath(id)}`)

/**
 * Sets a password that must be changed at the next login. Ends the user's sessions, and revokes personal tokens if
 * requested.
 */
export function setPassword(id: number, password: string, deletePersonalTokens: boolean): Promise<void> {
  const body = { password, mustChangePassword: true, deletePersonalTokens }
  return call<void>('POST', `${USERS}${buildPath(id, 'change-password')}`, body)
}

/** Ends all sessions of a user. */
export const endUserSessions = (id: number) => call<EndSessionsResult>('DELETE', `${USERS}${buildPath(id, 'sessions')}`)

/** Ends all sessions of all users except the current session. */
export const endAllSessions = () => call<EndSessionsResult>('DELETE', `${USERS}/sessions`)
