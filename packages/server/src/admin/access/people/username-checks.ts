import { invalid } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { hasCollidingLogin, listLogins, type UserRow } from '@burgee/storage/queries/access/users'
import {
  findNameProblem,
  findStrangerNameProblem,
  isNonLatin,
  toSkeleton,
} from '../../../core/access/logins/lookalikes.ts'
import { isReservedName } from '../../../core/access/logins/reserved-names.ts'

type LoginNames = Pick<UserRow, 'username' | 'email'>

/**
 * Rejects a new username or e-mail address that another account uses as its username or e-mail address, because people
 * can log in with either. Also rejects usernames with invisible characters or several alphabets, usernames in non-Latin
 * letters that look like another account's login, and names that events use for the server itself. All code that sets a
 * username or an e-mail address must call this function. `own` is the id of the account being changed, which is
 * ignored. Throws NameExistsError, ValidationError.
 */
export async function requireFreeLogins(tx: Tx, names: LoginNames, own = 0): Promise<void> {
  requireUnreserved(names)
  const taken = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '!=', own)
    .where((eb) => hasCollidingLogin(eb, names))
    .executeTakeFirst()
  if (taken !== undefined)
    throw new Problem('NameExistsError', 'There is already a user with that username or e-mail address.')
  const { username } = names
  if (username === null) return
  const problem = findNameProblem(username)
  if (problem !== undefined) throw invalid(`The username ${problem}.`, 'body/username')
  // an administrator or a directory chose the name, so a similarity to Latin names is intended
  const isPlainLatin = !isNonLatin(username) && username === username.normalize('NFKC')
  if (!isPlainLatin) await requireDistinct(tx, [username], own)
}

/**
 * Rejects a login that the account holder chose (the username of a sign-up, or a new address in the profile) if people
 * could mistake it for the login of another account. `own` is the id of the account being changed, which is ignored.
 * Throws NameExistsError, ValidationError.
 */
export async function requireDistinctLogins(tx: Tx, { username, email }: LoginNames, own = 0): Promise<void> {
  if (username !== null) requirePlain(username, [username], 'username')
  if (username?.normalize('NFKC').includes('@')) {
    throw invalid('The `username` property must not look like an e-mail address.', 'body/username')
  }
  if (email !== null) requirePlain(email, email.split(/[@.]/), 'email')
  await requireDistinct(
    tx,
    [username, email].filter((name) => name !== null),
    own,
  )
}

function requireUnreserved({ username, email }: LoginNames): void {
  for (const [property, login] of Object.entries({ username, email })) {
    if (login === null || !isReservedName(login)) continue
    throw invalid(
      `The \`${property}\` property is reserved: events show "${login}" for changes without a user.`,
      `body/${property}`,
    )
  }
}

function requirePlain(name: string, parts: readonly string[], property: 'username' | 'email'): void {
  const problem = parts
    .filter((part) => part !== '')
    .map(findStrangerNameProblem)
    .find((found) => found !== undefined)
  if (problem !== undefined) throw invalid(`The \`${property}\` property ${problem}: "${name}".`, `body/${property}`)
}

async function requireDistinct(tx: Tx, names: readonly string[], own: number): Promise<void> {
  const skeletons = new Set(names.map(toSkeleton))
  const isTaken = (login: string | null) => login !== null && skeletons.has(toSkeleton(login))
  const logins = await listLogins(tx)
  if (logins.some(({ id, username, email }) => id !== own && (isTaken(username) || isTaken(email)))) {
    throw new Problem('NameExistsError', 'The username or e-mail address looks like that of another user.')
  }
}
