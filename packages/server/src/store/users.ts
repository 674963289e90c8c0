import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from './database.ts'

/** A person who may log in. */
export type UserRow = Selectable<Schema['users']>

/** A user by exact username, or by e-mail in any case. */
export function userByLogin(reader: Reader, login: string): Promise<UserRow | undefined> {
  return reader
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb.or([eb('username', '=', login), isEmail(eb, login)]))
    .orderBy('id')
    .executeTakeFirst()
}

/** Whether the e-mail address is this one. The case of letters beyond ASCII counts, as in the index, on both databases. */
export function isEmail(eb: ExpressionBuilder<Schema, 'users'>, email: string) {
  const lower = email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return eb(eb.fn<string>('lower', ['email']), '=', lower)
}

/** The user of a session that is neither expired nor unused for too long. `hash`: see Schema.sessions. */
export function userOfSession(
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
    .executeTakeFirst()
}

/** Adds a user and returns the id. */
export async function insertUser(tx: Tx, row: Omit<UserRow, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('users').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** A setting of this installation, undefined when it was never set. */
export async function setting(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
