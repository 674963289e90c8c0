import type { ExpressionBuilder, Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** User account. */
export type UserRow = Selectable<Schema['users']>

/**
 * Returns the active user with a username (exact match) or e-mail address (ignoring case). Never returns a service
 * account.
 */
export function findUserByLogin(reader: Reader, login: string): Promise<UserRow | undefined> {
  return reader
    .selectFrom('users')
    .selectAll()
    .where('is_service', '=', 0)
    .where('active', '=', 1)
    .where((eb) => isLogin(eb, login))
    .orderBy('id')
    .executeTakeFirst()
}

/** Returns the id of the account with a username or e-mail address, ignoring case; undefined if no account has it. */
export async function findAccountIdByLogin(reader: Reader, login: string): Promise<number | undefined> {
  const row = await reader
    .selectFrom('users')
    .select('id')
    .where((eb) => eb.or([isInAnyCase(eb, 'username', login), isEmail(eb, login)]))
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns the usernames and e-mail addresses of all accounts, including service accounts. */
export function listLogins(reader: Reader): Promise<Pick<UserRow, 'id' | 'username' | 'email'>[]> {
  return reader.selectFrom('users').select(['id', 'username', 'email']).execute()
}

/** Matches the users with a username (exact match) or e-mail address (ignoring case). */
export function isLogin(eb: ExpressionBuilder<Schema, 'users'>, login: string) {
  return eb.or([eb('username', '=', login), isEmail(eb, login)])
}

/** Returns the user with an e-mail address, ignoring case. */
export function findUserByEmail(reader: Reader, email: string): Promise<UserRow | undefined> {
  return reader
    .selectFrom('users')
    .selectAll()
    .where('is_service', '=', 0)
    .where((eb) => isEmail(eb, email))
    .orderBy('id')
    .executeTakeFirst()
}

/**
 * Matches the user with an e-mail address, ignoring the case of ASCII letters only, which is how both databases and the
 * unique index compare.
 */
export function isEmail(eb: ExpressionBuilder<Schema, 'users'>, email: string) {
  return isInAnyCase(eb, 'email', email)
}

/** Matches users that could be mistaken at login for an account with this username or e-mail address. */
export function hasCollidingLogin(
  eb: ExpressionBuilder<Schema, 'users'>,
  { username, email }: Pick<UserRow, 'username' | 'email'>,
) {
  return eb.or([
    ...(username === null ? [] : [eb('username', '=', username), isEmail(eb, username)]),
    ...(email === null ? [] : [isEmail(eb, email), isInAnyCase(eb, 'username', email)]),
  ])
}

function isInAnyCase(eb: ExpressionBuilder<Schema, 'users'>, column: 'email' | 'username', text: string) {
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return eb(eb.fn<string>('lower', [column]), '=', lower)
}

/**
 * Returns the user of a session, unless the session has expired or was idle for too long. `hash` is the key of the
 * session, see Schema.sessions.
 */
export function findSessionUser(
  reader: Reader,
  hash: string,
  { now, idleMs }: { now: number; idleMs: number },
): Promise<(UserRow & { used_at: number }) | undefined> {
  return reader
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('u')
    .select('s.used_at')
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', now)
    .where('s.used_at', '>', now - idleMs)
    .where('u.active', '=', 1)
    .executeTakeFirst()
}

/** Inserts a user and returns the row with its id. */
export function insertUser(tx: Tx, row: Insertable<Schema['users']>): Promise<UserRow> {
  return tx.insertInto('users').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Increases the number of failed logins of each user. */
export async function addFailedLogins(tx: Tx, failures: ReadonlyMap<number, number>): Promise<void> {
  // updates users in the order of their ids, to avoid deadlocks between nodes
  for (const [userId, count] of [...failures].sort(([a], [b]) => a - b)) {
    await tx
      .updateTable('users')
      .set(({ eb }) => ({ login_attempts: eb('login_attempts', '+', count) }))
      .where('id', '=', userId)
      .execute()
  }
}

/**
 * Records a successful login and resets the number of failed logins. Returns the number of failed attempts since the
 * previous successful login.
 */
export async function recordLogin(tx: Tx, userId: number, now: number): Promise<number> {
  const before = await tx.selectFrom('users').select('login_attempts').where('id', '=', userId).executeTakeFirst()
  await tx.updateTable('users').set({ seen_at: now, login_attempts: 0 }).where('id', '=', userId).execute()
  return before?.login_attempts ?? 0
}

/** Returns a setting of this installation; undefined if it has never been set. */
export async function findSetting(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a setting, or replaces its value. */
export async function storeSetting(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
