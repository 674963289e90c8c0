import { Problem } from '@burgee/protocol/problem'
import { userOfResetToken } from '../store/reset-tokens.ts'
import { type UserRow, userByLogin } from '../store/users.ts'
import { nameOf } from './access.ts'
import { type Change, execute } from './execute.ts'
import { requireStrong } from './password-rules.ts'
import { notFound } from './refusals.ts'
import { makeResetToken } from './reset-tokens.ts'
import type { ServerWorld } from './server-world.ts'
import { hashOf } from './tokens.ts'
import { storePassword, userState } from './user-admin.ts'
import type { World } from './world.ts'

/**
 * Makes a link's token for somebody, named by username or e-mail address. The event says who made it: whoever has it can
 * become that person. Throws NotFoundError.
 */
export const requestReset: Change<{ login: string }, string> = async (tx, { login }, moment) => {
  const user = await userByLogin(tx, login)
  if (user === undefined) throw notFound(`There is no user with the username or e-mail address "${login}".`)
  const token = await makeResetToken(tx, user.id, moment)
  const preData = userState(user)
  return { result: token, events: [{ type: 'user-updated', data: { ...preData, resetLinkMade: true }, preData }] }
}

/** Whose password a link may set, and who made it. Throws InvalidTokenError. */
export async function ownerOfLink(world: World, token: string): Promise<UserRow & { created_by: string }> {
  const user = await userOfResetToken(world.db.reader, hashOf(token), world.clock())
  if (user === undefined) throw notGood()
  return user
}

/** A token and the password that it is to set, and where the request came from. */
export interface Reset {
  readonly token: string
  readonly password: string
  readonly address: string
}

/**
 * Sets a password by a link, which then is used up, and ends all sessions of its person. Throws InvalidTokenError, and
 * PasswordWeakError, after which the link may be used again.
 */
export async function resetPassword(world: ServerWorld, { token, password, address }: Reset): Promise<void> {
  const user = await ownerOfLink(world, token)
  requireStrong(password, [user.username, user.email])
  const author = { name: nameOf(user), userId: user.id, address }
  await execute(world, author, usePassword, { token, id: user.id, hash: await world.passwords.hash(password) })
}

const usePassword: Change<{ token: string; id: number; hash: string }, void> = async (tx, input, moment) => {
  const user = await userOfResetToken(tx, hashOf(input.token), moment.now)
  if (user?.id !== input.id) throw notGood()
  return storePassword(tx, input, moment)
}

function notGood(): Problem {
  return new Problem('InvalidTokenError', 'Token was not valid')
}
