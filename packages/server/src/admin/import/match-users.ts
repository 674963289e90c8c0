import type { SourceUser } from '@burgee/import/model/source-people'
import { isAddressVerified } from '../access/people/adoption.ts'

/** Stored user, with the columns that identify the same person in a source. */
export type MatchableUser = Parameters<typeof isAddressVerified>[0] & {
  readonly id: number
  readonly email: string | null
  readonly username: string | null
}

/** User of a source, with its id in this installation. */
export interface UserMatch {
  readonly user: SourceUser
  readonly id: number
  /** Property by which the user was found in this installation; undefined if this installation has no such user. */
  readonly by: 'email' | 'username' | undefined
}

/** Maps the users of a source to users of this installation. */
export interface UserMatches {
  /** All users of the source, in the source's order. */
  readonly users: readonly UserMatch[]
  /** Highest user id in this installation or in the source. */
  readonly highestId: number
}

/**
 * Finds the users of a source that already exist in this installation, by e-mail address and by username, and assigns
 * ids to all other users. A user keeps the id from the source if that id is free in this installation. `by` is `email`
 * only if the address in this installation is verified: an account with an unverified address may belong to a stranger,
 * who must not get the access of the imported user.
 */
export function matchUsers(users: readonly SourceUser[], existing: readonly MatchableUser[]): UserMatches {
  const byEmail = new Map(existing.flatMap(({ id, email }) => (email ? [[email.toLowerCase(), id] as const] : [])))
  const byUsername = existing.flatMap(({ id, username }) => (username ? [[username, id] as const] : []))
  // an e-mail address takes precedence over an equal username
  const byLogin = new Map([...byUsername, ...byEmail])
  const verified = new Set(existing.filter(isAddressVerified).map(({ id }) => id))
  const ids = new Set(existing.map(({ id }) => id))
  let highestId = 0
  for (const { id } of [...existing, ...users]) highestId = Math.max(highestId, id)
  const match = (user: SourceUser): UserMatch => {
    const email = user.email?.toLowerCase() ?? ''
    const id = byLogin.get(email) ?? byLogin.get(user.username ?? '')
    if (id !== undefined) {
      const isSamePerson = byEmail.get(email) === id && verified.has(id)
      return { user, id, by: isSamePerson ? 'email' : 'username' }
    }
    if (!ids.has(user.id)) return { user, id: user.id, by: undefined }
    highestId += 1
    return { user, id: highestId, by: undefined }
  }
  const matches = users.map(match)
  return { users: matches, highestId }
}
