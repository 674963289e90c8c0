import { notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import { admins, listUsers } from '../../../store/access/people.ts'
import { type LinkOwnerRow, userOfResetToken } from '../../../store/access/reset-tokens.ts'
import { type UserRow, userByLogin } from '../../../store/access/users.ts'
import type { Author, Via } from '../../../store/events/events.ts'
import { type Change, execute } from '../../execute.ts'
import type { ServerWorld } from '../../server-world.ts'
import { SYSTEM, type World } from '../../world.ts'
import { makeUpPassword } from '../people/first-password.ts'
import { requireUser, storePassword, userState } from '../people/user-admin.ts'
import { nameOf } from '../rights/rights.ts'
import { hashOf } from '../tokens/tokens.ts'
import { requireStrong } from './password-rules.ts'
import { OWN_PASSWORDS, type Passwords, passwordCaller } from './passwords.ts'
import { makeResetToken, type WantedLink } from './reset-tokens.ts'

/**
 * Creates a password-reset token for the user with the given username or e-mail address. The event records who created
 * the token, because anyone with the token can take over the account. Throws NotFoundError.
 */
export const requestReset: Change<{ login: string; endsTokens: boolean }, string> = async (
  tx,
  { login, endsTokens },
  moment,
) => {
  const user = await userByLogin(tx, login)
  if (user === undefined) throw notFound(`There is no user with the username or e-mail address "${login}".`)
  return makeResetLink(tx, { userId: user.id, endsTokens }, moment)
}

/** Creates a password-reset token for the user with the given id. Throws NotFoundError. */
export const makeResetLink: Change<WantedLink, string> = async (tx, input, moment) => {
  const user = await requireUser(tx, input.userId)
  const token = await makeResetToken(tx, input, moment)
  const preData = userState(user)
  return { result: token, events: [{ type: 'user-updated', data: { ...preData, resetLinkMade: true }, preData }] }
}

/** Returns the user whose password a link can set, and the user who created the link. Throws InvalidTokenError. */
export async function ownerOfLink(world: World, token: string): Promise<LinkOwnerRow> {
  const user = await userOfResetToken(world.db.reader, hashOf(token), world.clock())
  if (user === undefined) throw notGood()
  return user
}

/** Reset token, new password and origin of the request. */
export interface Reset {
  readonly token: string
  readonly password: string
  readonly address: string
  readonly via: Via
}

/**
 * Sets a password by a reset link. Consumes the link and ends all sessions of the user; also revokes the user's
 * personal tokens if the creator of the link chose so. Throws InvalidTokenError, or PasswordWeakError, which leaves the
 * link usable.
 */
export async function resetPassword(world: ServerWorld, { token, password, address, via }: Reset): Promise<void> {
  const user = await ownerOfLink(world, token)
  requireStrong(password, [user.username, user.email])
  const author = { name: nameOf(user), userId: user.id, address, via }
  const hash = await world.passwords.hash(password, passwordCaller({ address }))
  await execute(world, author, usePassword, { token, id: user.id, hash })
}

/**
 * Thrown if the operator's command does not identify one user: the given login does not exist, or no login is given and
 * there is not exactly one administrator.
 */
export class WhoseError extends Error {
  override readonly name = 'WhoseError'
}

/**
 * Sets a generated password on behalf of the machine's operator. As with a reset by an administrator, the user must
 * change it at the next login, and sessions, links and personal tokens are revoked. `login` is a username or an e-mail
 * address; it defaults to the only administrator. Throws WhoseError, which lists the candidates.
 */
export async function resetByOperator(
  world: World,
  passwords: Passwords,
  login: string | undefined,
): Promise<{ readonly name: string; readonly password: string }> {
  const user = await personOf(world, login)
  const password = makeUpPassword(world.random)
  const hash = await passwords.hash(password, OWN_PASSWORDS)
  await execute(world, OPERATOR, storePassword, { id: user.id, hash, mustChange: true, endsTokens: true })
  return { name: nameOf(user), password }
}

/** Author of commands that run on the database's machine. */
export const OPERATOR: Author = { ...SYSTEM, name: 'burgee reset-password (command line)' }
const MOST_NAMES = 20

async function personOf({ db }: World, login: string | undefined): Promise<UserRow> {
  const found = login === undefined ? undefined : await userByLogin(db.reader, login)
  if (found !== undefined) return found
  const users = await listUsers(db.reader)
  if (login !== undefined) throw new WhoseError(`There is no user "${login}". There are: ${namesOf(users)}.`)
  const able = await admins(db.reader)
  const [only] = able
  if (only !== undefined && able.length === 1) return only
  if (only === undefined) throw new WhoseError(`There is no administrator. Users are: ${namesOf(users)}.`)
  throw new WhoseError(`There are several administrators: ${namesOf(able)}. Say which: burgee reset-password <name>`)
}

function namesOf(users: readonly UserRow[]): string {
  const names = users.slice(0, MOST_NAMES).map(nameOf).join(', ')
  return users.length > MOST_NAMES ? `${names} and ${users.length - MOST_NAMES} more` : names
}

const usePassword: Change<{ token: string; id: number; hash: string }, void> = async (tx, input, moment) => {
  const user = await userOfResetToken(tx, hashOf(input.token), moment.now)
  if (user?.id !== input.id) throw notGood()
  return storePassword(tx, { id: input.id, hash: input.hash, endsTokens: user.ends_tokens === 1 }, moment)
}

function notGood(): Problem {
  return new Problem('InvalidTokenError', 'Token was not valid')
}
