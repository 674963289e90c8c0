import type { User } from '@burgee/protocol/access'
import type { CreatedUser, CreateUser, UpdateUser, Users } from '@burgee/protocol/user'
import { call, path } from './http.ts'

const USERS = '/api/admin/user-admin'

/** All users, by the name they are called by. */
export const users = async () =>
  (await call<Users>('GET', USERS)).users.sort((a, b) => callName(a).localeCompare(callName(b)))

/** What somebody is called: name, else username, else e-mail address. */
export function callName({ name, username, email, id }: Pick<User, 'name' | 'username' | 'email' | 'id'>): string {
  return name || username || email || `#${id}`
}

/** What somebody logs in with. */
export function loginName({ username, email }: Pick<User, 'username' | 'email'>): string {
  return username ?? email ?? ''
}

/** Adds a user; without a password the reply has a link by which to set the first one. */
export const createUser = (body: CreateUser) => call<CreatedUser>('POST', USERS, body)

/**
 * A link by which somebody sets a new password, once and within a day; `login` is a username or an e-mail address. Whether
 * their personal tokens end then is said here.
 */
export async function resetLink(login: string, deletePersonalTokens: boolean): Promise<string> {
  const body = { id: login, deletePersonalTokens }
  return (await call<{ resetPasswordUrl: string }>('POST', `${USERS}/reset-password`, body)).resetPasswordUrl
}

/** A link of the server as one can open it: a server that was not told its address takes itself for localhost. */
export function reachable(link: string): string {
  const url = new URL(link)
  return url.hostname === 'localhost' ? `${location.origin}${url.pathname}${url.search}` : link
}

/** Changes name, e-mail address or root role. */
export const updateUser = (id: number, body: UpdateUser) => call<User>('PUT', `${USERS}${path(id)}`, body)

/** Removes a user with sessions and personal tokens. */
export const removeUser = (id: number) => call<void>('DELETE', `${USERS}${path(id)}`)

/** Sets a password that must be changed at the next login; ends the sessions of the user, and personal tokens if wanted. */
export function setPassword(id: number, password: string, deletePersonalTokens: boolean): Promise<void> {
  const body = { password, mustChangePassword: true, deletePersonalTokens }
  return call<void>('POST', `${USERS}${path(id, 'change-password')}`, body)
}
