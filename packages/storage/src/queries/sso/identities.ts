import type { Reader, Tx } from '../../database.ts'
import type { UserRow } from '../access/users.ts'

/** Identity of a user at a single sign-on provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Returns the user linked to a single sign-on identity. */
export function findUserByIdentity(reader: Reader, { issuer, subject }: Identity): Promise<UserRow | undefined> {
  return reader
    .selectFrom('sso_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .selectAll('u')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .executeTakeFirst()
}

/** Returns true if the user has a single sign-on identity: at any provider, or at the given provider. */
export async function hasIdentity(reader: Reader, userId: number, issuer?: string): Promise<boolean> {
  let query = reader.selectFrom('sso_identities').select('user_id').where('user_id', '=', userId)
  if (issuer !== undefined) query = query.where('issuer', '=', issuer)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Links a user to an identity at a single sign-on provider. */
export async function putIdentity(
  tx: Tx,
  { issuer, subject }: Identity,
  { userId, now }: { readonly userId: number; readonly now: number },
): Promise<void> {
  await tx.insertInto('sso_identities').values({ issuer, subject, user_id: userId, created_at: now }).execute()
}

/** Unlinks users from all of their single sign-on identities. */
export async function deleteIdentities(tx: Tx, userIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('sso_identities').where('user_id', 'in', userIds).execute()
}

/** Returns the encrypted ID token of a session; null if the session began with a password login. */
export async function findSealedIdToken(reader: Reader, hash: string): Promise<string | null> {
  const row = await reader.selectFrom('sessions').select('id_token').where('hash', '=', hash).executeTakeFirst()
  return row?.id_token ?? null
}

/**
 * Returns at most `most` sessions that have an ID token, sorted by hash. Starts after the session with the hash
 * `after`.
 */
export async function listSessionsWithIdToken(
  reader: Reader,
  after: string,
  most: number,
): Promise<{ hash: string; id_token: string }[]> {
  const rows = await reader
    .selectFrom('sessions')
    .select(['hash', 'id_token'])
    .where('hash', '>', after)
    .where('id_token', 'is not', null)
    .orderBy('hash')
    .limit(most)
    .execute()
  return rows.flatMap(({ hash, id_token }) => (id_token === null ? [] : [{ hash, id_token }]))
}
