import { findUserById } from '@burgee/storage/queries/access/people'
import { listTokenHashes } from '@burgee/storage/queries/access/tokens'
import { findUserByLogin } from '@burgee/storage/queries/access/users'
import { findFirstAdmin } from '../../admin/access/people/first-login.ts'
import { type Passwords, SERVER_PASSWORDS } from '../../core/access/passwords/passwords.ts'
import { hashSecret } from '../../core/access/tokens/tokens.ts'
import type { World } from '../../core/world.ts'
import { isFirstContent } from './first-content.ts'
import type { FirstStartOptions } from './first-start-options.ts'

/**
 * Warns about first-start options that have no effect at a later start, and describes other ways to change these
 * values. Does not warn about values that are still the same as at the first start, because containers restart with the
 * same configuration.
 */
export async function warnOfIgnored(world: World, passwords: Passwords, options: FirstStartOptions): Promise<void> {
  const lines = [
    await findIgnoredName(world, options),
    await findIgnoredPassword(world, passwords, options),
    await findIgnoredContent(world, options),
  ]
  for (const line of lines) {
    if (line !== undefined) world.logger.warn(line)
  }
  const tokens = await listMissingTokens(world, options)
  if (tokens.length === 0) return
  world.logger.warn(
    `${tokens.join(', ')} ${tokens.length === 1 ? 'is' : 'are'} not created: these variables are read only at the first start, and this database is not new. Create the tokens in the admin UI or with POST /api/admin/api-tokens, or start with an empty database (DATA_DIR, DATABASE_URL)`,
  )
}

/** Returns the labels of tokens that do not exist, because they were never created or have been deleted. */
async function listMissingTokens({ db }: World, { tokens }: FirstStartOptions): Promise<string[]> {
  if (tokens.length === 0) return []
  const hashes = tokens.map(({ token }) => hashSecret(token.secret))
  const known = new Set(await listTokenHashes(db.reader, hashes))
  return tokens.filter((_token, index) => !known.has(hashes[index] ?? '')).map(({ label }) => label)
}

async function findIgnoredName(
  { db }: World,
  { username, isNameGiven }: FirstStartOptions,
): Promise<string | undefined> {
  if (!isNameGiven || (await findFirstAdmin(db.reader))?.username === username) return undefined
  if ((await findUserByLogin(db.reader, username)) !== undefined) return undefined
  return `DEFAULT_ADMIN_USERNAME has no effect: it is read only at the first start, and there is no user "${username}". Add one in the admin UI`
}

async function findIgnoredContent({ db }: World, { content }: FirstStartOptions): Promise<string | undefined> {
  if (content === undefined || (await isFirstContent(db.reader, content))) return undefined
  return 'IMPORT_FILE has no effect: it is read only at the first start, and this database is not new. Import the document with POST /api/admin/state/import'
}

/**
 * Returns a warning if the configured password has no effect. There is no warning if the option still contains the
 * password from the first start, even if the user has changed the password since.
 */
async function findIgnoredPassword(
  { db }: World,
  passwords: Passwords,
  { username, password }: FirstStartOptions,
): Promise<string | undefined> {
  if (password === undefined) return undefined
  const noted = await findFirstAdmin(db.reader)
  const user =
    noted === undefined ? await findUserByLogin(db.reader, username) : await findUserById(db.reader, noted.userId)
  for (const hash of new Set([noted?.passwordHash, user?.password_hash])) {
    if (hash !== undefined && (await passwords.matches(password, hash, SERVER_PASSWORDS))) return undefined
  }
  const name = user?.username ?? user?.email ?? username
  return `DEFAULT_ADMIN_PASSWORD has no effect: it is read only at the first start, and the password of "${name}" differs. Change it in the admin UI, or reset it: burgee reset-password ${name}`
}
