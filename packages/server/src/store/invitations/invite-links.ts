import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'
import { SECRET_DIGEST, secretDigest } from './secret-digest.ts'

/** Link with which people can create their own account. */
export type InviteLinkRow = Selectable<Schema['invite_links']>

/** User who signed up with a link. */
export interface InvitedUser {
  readonly link_id: number
  readonly id: number
  readonly name: string | null
  readonly username: string | null
}

/** Lists all links, oldest first. */
export function listInviteLinks(reader: Reader): Promise<InviteLinkRow[]> {
  return reader.selectFrom('invite_links').selectAll().orderBy('id').execute()
}

/** Returns a link by its secret, valid or not. */
export function inviteLinkOf(reader: Reader, secret: string): Promise<InviteLinkRow | undefined> {
  return inviteLinkByDigest(reader, secretDigest(secret))
}

/**
 * Returns a link by its secret, or by the digest that lists show if they cannot show the secret; for administrators
 * only.
 */
export function findInviteLink(reader: Reader, secret: string): Promise<InviteLinkRow | undefined> {
  return secret.startsWith(SECRET_DIGEST) ? inviteLinkByDigest(reader, secret) : inviteLinkOf(reader, secret)
}

function inviteLinkByDigest(reader: Reader, digest: string): Promise<InviteLinkRow | undefined> {
  return reader.selectFrom('invite_links').selectAll().where('secret', '=', digest).executeTakeFirst()
}

/** Returns the users who signed up with all links or with one, without deleted users. */
export function invitedUsers(reader: Reader, link?: number): Promise<InvitedUser[]> {
  let query = reader
    .selectFrom('invite_link_users as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.link_id', 'u.id', 'u.name', 'u.username'])
  if (link !== undefined) query = query.where('i.link_id', '=', link)
  return query.orderBy('u.id').execute()
}

/** Deletes expired links without sign-ups; links with sign-ups remain as the origin of these accounts. */
export async function removeUnusedLinks(tx: Tx, now: number): Promise<void> {
  await tx
    .deleteFrom('invite_links')
    .where('expires_at', '<=', now)
    .where('id', 'not in', (eb) => eb.selectFrom('invite_link_users').select('link_id'))
    .execute()
}
