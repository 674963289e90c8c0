import { userById } from '../../store/access/people.ts'
import { tokensOfHashes } from '../../store/access/tokens.ts'
import { userByLogin } from '../../store/access/users.ts'
import { OWN_PASSWORDS, type Passwords } from '../access/passwords/passwords.ts'
import { firstAdmin } from '../access/people/first-login.ts'
import { hashOf } from '../access/tokens/tokens.ts'
import type { World } from '../world.ts'
import { isFirstContent } from './first-content.ts'
import type { FirstStartOptions } from './first-start-options.ts'

/**
 * Warns about first-start options that have no effect at a later start, and tells how to change these values instead.
 * Does not warn about options unchanged since the first start, because containers restart with the same configuration.
 */
export async function warnOfIgnored(world: World, passwords: Passwords, options: FirstStartOptions): Promise<void> {
  const lines = [
    await ignoredName(world, options),
    await ignoredPassword(world, passwords, options),
    await ignoredContent(world, options),
  ]
  for (const line of lines) {
    if (line !== undefined) world.logger.warn(line)
  }
  const tokens = await missingTokens(world, options)
  if (tokens.length === 0) return
  world.logger.warn(
    `${tokens.join(', ')} ${tokens.length === 1 ? 'is' : 'are'} not made: these variables are read at the first start only, and this database is not new. Make such tokens in the admin UI or by POST /api/admin/api-tokens, or begin with an empty database (DATA_DIR, DATABASE_URL)`,
  )
}

/** Returns the labels of tokens that do not exist, whether never created or deleted. */
async function missingTokens({ db }: World, { tokens }: FirstStartOptions): Promise<string[]> {
  if (tokens.length === 0) return []
  const hashes = tokens.map(({ token }) => hashOf(token.secret))
  const known = new Set(await tokensOfHashes(db.reader, hashes))
  return tokens.filter((_token, index) => !known.has(hashes[index] ?? '')).map(({ label }) => label)
}

async function ignoredName({ db }: World, { username, isNameGiven }: FirstStartOptions): Promise<string | undefined> {
  if (!isNameGiven || (await firstAdmin(db.reader))?.username === username) return undefined
  if ((await userByLogin(db.reader, username)) !== undefined) return undefined
  return `DEFAULT_ADMIN_USERNAME has no effect: it is read at the first start only, and there is no user "${username}". Add one in the admin UI`
}

async function ignoredContent({ db }: World, { content }: FirstStartOptions): Promise<string | undefined> {
  if (content === undefined || (await isFirstContent(db.reader, content))) return undefined
  return 'IMPORT_FILE has no effect: it is read at the first start only, and this database is not new. POST /api/admin/state/import takes such a document'
}

/**
 * Returns a warning if the configured password has no effect. Compares it also with the password of the first start, so
 * that a later change of the password does not cause a warning.
 */
async function ignoredPassword(
  { db }: World,
  passwords: Passwords,
  { username, password }: FirstStartOptions,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const noted = await firstAdmin(db.reader)
  const user = noted === undefined ? await userByLogin(db.reader, username) : await userById(db.reader, noted.userId)
  for (const hash of new Set([noted?.passwordHash, user?.password_hash])) {
    if (hash !== undefined && (await passwords.matches(password, hash, OWN_PASSWORDS))) return undefined
  }
  const name = user?.username ?? user?.email ?? username
  return `DEFAULT_ADMIN_PASSWORD has no effect: it is read at the first start only, and the password of "${name}" is another one. Set it in the admin UI, or make a new one: burgee reset-password ${name}`
}
