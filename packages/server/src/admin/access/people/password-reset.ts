import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import { listAdmins, listUsers } from '@burgee/storage/queries/access/people'
import { findResetTokenUser, type ResetTokenUserRow } from '@burgee/storage/queries/access/reset-tokens'
import { findUserByLogin, type UserRow } from '@burgee/storage/queries/access/users'
import type { RequestRoute } from '@burgee/storage/queries/events/events'
import { requireStrong } from '../../../core/access/passwords/password-rules.ts'
import { type Passwords, passwordCaller, SERVER_PASSWORDS } from '../../../core/access/passwords/passwords.ts'
import { createResetToken, type ResetTokenInput } from '../../../core/access/passwords/reset-tokens.ts'
import { getUserName, type SystemActor, toUserActor } from '../../../core/access/rights/rights.ts'
import { hashSecret } from '../../../core/access/tokens/tokens.ts'
import { type Change, execute } from '../../../core/execute.ts'
import type { ServerWorld } from '../../../core/server-world.ts'
import { SYSTEM, type World } from '../../../core/world.ts'
import { generatePassword } from './first-password.ts'
import { requireUser, storePassword, toUserState } from './user-admin.ts'

/**
 * Creates a password-reset token for the user with the given username or e-mail address. The event records who created
 * the token, because anyone with the token can take over the account. Throws NotFoundError.
 */
export const requestReset: Change<{ login: string; endsTokens: boolean }, string> = async (
  tx,
  { login, endsTokens },
  context,
) => {
  const user = await findUserByLogin(tx, login)
  if (user === undefined) throw notFound(`There is no user with the username or e-mail address "${login}".`)
  return makeResetLink(tx, { userId: user.id, endsTokens }, context)
}

/** Creates a password-reset token for the user with the given id. Throws NotFoundError. */
export const makeResetLink: Change<ResetTokenInput, string> = async (tx, input, context) => {
  const user = await requireUser(tx, input.userId)
  const token = await createResetToken(tx, input, context)
  const preData = toUserState(user)
  return { result: token, events: [{ type: 'user-updated', data: { ...preData, resetLinkMade: true }, preData }] }
}

/** Returns the user whose password a link can set, and the user who created the link. Throws InvalidTokenError. */
export async function requireLinkOwner(world: World, token: string): Promise<ResetTokenUserRow> {
  const user = await findResetTokenUser(world.db.reader, hashSecret(token), world.clock())
  if (user === undefined) throw createInvalidToken()
  return user
}

/** Reset token, new password and origin of the request. */
export interface PasswordReset {
  readonly token: string
  readonly password: string
  readonly address: string
  readonly via: RequestRoute
}

/**
 * Sets a password with a reset link. Consumes the link and ends all sessions of the user. Also revokes the user's
 * personal tokens if the link's creator chose this. Throws InvalidTokenError for an invalid link. Throws
 * PasswordWeakError for a weak password; the link can then still be used.
 */
export async function resetPassword(
  world: ServerWorld,
  { token, password, address, via }: PasswordReset,
): Promise<void> {
  const user = await requireLinkOwner(world, token)
  requireStrong(password, [user.username, user.email])
  const author = toUserActor(user, address, { grants: [], hidden: [] })
  const hash = await world.passwords.hash(password, passwordCaller({ address }))
  await execute(world, { ...author, via }, usePassword, { token, id: user.id, hash })
}

/**
 * Thrown if the operator's command does not identify a single user: the given login does not exist, or no login is
 * given and there is no administrator or more than one.
 */
export class AmbiguousUserError extends Error {
  override readonly name = 'AmbiguousUserError'
}

/**
 * Sets a generated password, for the operator who runs the command on the server's machine. As with a reset by an
 * administrator, the user must change the password at the next login, and sessions, links and personal tokens are
 * revoked. `login` is a username or an e-mail address; if omitted, the only administrator is meant. Throws
 * AmbiguousUserError, which lists the candidates, if this identifies no single user.
 */
export async function resetByOperator(
  world: World,
  passwords: Passwords,
  login: string | undefined,
): Promise<{ readonly name: string; readonly password: string }> {
  const user = await requirePerson(world, login)
  const password = generatePassword(world.random)
  const hash = await passwords.hash(password, SERVER_PASSWORDS)
  await execute(world, OPERATOR, storePassword, { id: user.id, hash, mustChange: true, endsTokens: true })
  return { name: getUserName(user), password }
}

/** Author of commands that run on the database's machine. */
export const OPERATOR: SystemActor = { ...SYSTEM, name: 'burgee reset-password (command line)' }
const MAX_NAMES = 20

async function requirePerson({ db }: World, login: string | undefined): Promise<UserRow> {
  const found = login === undefined ? undefined : await findUserByLogin(db.reader, login)
  if (found !== undefined) return found
  const users = await listUsers(db.reader)
  if (login !== undefined)
    throw new AmbiguousUserError(`There is no user "${login}". There are: ${formatNames(users)}.`)
  const able = await listAdmins(db.reader)
  const [only] = able
  if (only !== undefined && able.length === 1) return only
  if (only === undefined) throw new AmbiguousUserError(`There is no administrator. Users are: ${formatNames(users)}.`)
  throw new AmbiguousUserError(
    `There are several administrators: ${formatNames(able)}. Name one: burgee reset-password <name>`,
  )
}

function formatNames(users: readonly UserRow[]): string {
  const names = users.slice(0, MAX_NAMES).map(getUserName).join(', ')
  return users.length > MAX_NAMES ? `${names} and ${users.length - MAX_NAMES} more` : names
}

const usePassword: Change<{ token: string; id: number; hash: string }, void> = async (tx, input, context) => {
  const user = await findResetTokenUser(tx, hashSecret(input.token), context.now)
  if (user?.id !== input.id) throw createInvalidToken()
  return storePassword(tx, { id: input.id, hash: input.hash, endsTokens: user.ends_tokens === 1 }, context)
}

function createInvalidToken(): Problem {
  return new Problem('InvalidTokenError', 'Token was not valid')
}
