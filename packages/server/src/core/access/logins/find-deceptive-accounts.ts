import { findNameProblem, toSkeleton } from './lookalikes.ts'
import { isReservedName } from './reserved-names.ts'

const RESERVED = 'is a name that events show for changes without a user'

/** Account with all names that can be used to log in to it. */
export interface LoginAccount {
  readonly id: number
  readonly username: string | null
  readonly email: string | null
}

/** Account whose username could deceive people. */
export interface DeceptiveLogin {
  readonly id: number
  readonly username: string
  /** Clause that describes the problem, such as `looks like the login "admin"`. */
  readonly reason: string
}

/**
 * Finds the usernames that could deceive people: names with invisible characters or several alphabets, names that look
 * like an e-mail address other than the account's own, and names that look like another account's login or like the
 * server's name in events. Imported accounts can have such names, which this server would reject for a new account.
 */
export function findDeceptiveAccounts(accounts: readonly LoginAccount[]): DeceptiveLogin[] {
  const owners = groupBySkeleton(accounts)
  return accounts.flatMap(({ id, username, email }) => {
    // events show the account's e-mail address if there is one
    if (email !== null && isReservedName(email)) return [{ id, username: email, reason: RESERVED }]
    if (username === null) return []
    const reason = findReason({ id, username, email }, owners)
    return reason === undefined ? [] : [{ id, username, reason }]
  })
}

type Owners = ReadonlyMap<string, readonly { readonly id: number; readonly login: string }[]>

function groupBySkeleton(accounts: readonly LoginAccount[]): Owners {
  const logins = accounts.flatMap(({ id, username, email }) =>
    [username, email].flatMap((login) => (login === null ? [] : [{ id, login }])),
  )
  return Map.groupBy(logins, ({ login }) => toSkeleton(login))
}

function findReason({ id, username, email }: LoginAccount & { readonly username: string }, owners: Owners) {
  const problem = findNameProblem(username)
  if (problem !== undefined) return problem
  if (isReservedName(username)) return RESERVED
  const skeleton = toSkeleton(username)
  const other = owners.get(skeleton)?.find((one) => one.id !== id)
  if (other !== undefined) return `looks like the login "${other.login}"`
  const isForeignAddress = username.normalize('NFKC').includes('@') && skeleton !== toSkeleton(email ?? '')
  return isForeignAddress ? 'looks like an e-mail address, but is not the one of the account' : undefined
}
