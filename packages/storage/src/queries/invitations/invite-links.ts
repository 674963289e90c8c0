import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import { digestSecret, SECRET_DIGEST_PREFIX } from './secret-digest.ts'

/** Invite link, which allows people to create an account for themselves. */
export type InviteLinkRow = Selectable<Schema['invite_links']>

/** User who signed up with an invite link. */
export interface InvitedUser {
  readonly link_id: number
  readonly id: number
  readonly name: string | null
  readonly username: string | null
}

/** Project role that a user receives when signing up with an invite link. */
export type InviteLinkRole = Readonly<Selectable<Schema['invite_link_roles']>>

/** Lists all invite links, oldest first. */
export function listInviteLinks(reader: Reader): Promise<InviteLinkRow[]> {
  return reader.selectFrom('invite_links').selectAll().orderBy('id').execute()
}

/** Returns the invite link that has this secret, even if the link is no longer valid. */
export function findInviteLinkBySecret(reader: Reader, secret: string): Promise<InviteLinkRow | undefined> {
  return findInviteLinkByDigest(reader, digestSecret(secret))
}

/**
 * Returns the invite link that has this secret, or whose secret has this digest. Lists of links contain the digest if
 * they may not show the secret. For administrators only.
 */
export function findInviteLink(reader: Reader, secret: string): Promise<InviteLinkRow | undefined> {
  return secret.startsWith(SECRET_DIGEST_PREFIX)
    ? findInviteLinkByDigest(reader, secret)
    : findInviteLinkBySecret(reader, secret)
}

function findInviteLinkByDigest(reader: Reader, digest: string): Promise<InviteLinkRow | undefined> {
  return reader.selectFrom('invite_links').selectAll().where('secret', '=', digest).executeTakeFirst()
}

/**
 * Returns the users who signed up with an invite link: with any link, or only with the given link. Omits deleted users.
 */
export function listInvitedUsers(reader: Reader, link?: number): Promise<InvitedUser[]> {
  let query = reader
    .selectFrom('invite_link_users as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .select(['i.link_id', 'u.id', 'u.name', 'u.username'])
  if (link !== undefined) query = query.where('i.link_id', '=', link)
  return query.orderBy('u.id').execute()
}

/** Returns the project roles of all links or of one link, sorted by project and role. */
export function listInviteLinkRoles(reader: Reader, link?: number): Promise<InviteLinkRole[]> {
  let query = reader.selectFrom('invite_link_roles').selectAll()
  if (link !== undefined) query = query.where('link_id', '=', link)
  return query.orderBy('project').orderBy('role_id').execute()
}

/** Returns the project roles of a link, except roles in archived projects. */
export function listOpenLinkRoles(reader: Reader, link: number): Promise<InviteLinkRole[]> {
  return reader
    .selectFrom('invite_link_roles as r')
    .innerJoin('projects as p', 'p.id', 'r.project')
    .selectAll('r')
    .where('r.link_id', '=', link)
    .where('p.archived_at', 'is', null)
    .orderBy('r.project')
    .orderBy('r.role_id')
    .execute()
}

/** Stores the project roles that links grant. */
export async function insertInviteLinkRoles(tx: Tx, rows: readonly InviteLinkRole[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('invite_link_roles').values(rows).execute()
}

/**
 * Deletes expired invite links that no one has used to sign up. Used links remain, because they record how accounts
 * were created.
 */
export async function removeUnusedLinks(tx: Tx, now: number): Promise<void> {
  await tx
    .deleteFrom('invite_links')
    .where('expires_at', '<=', now)
    .where('id', 'not in', (eb) => eb.selectFrom('invite_link_users').select('link_id'))
    .execute()
}
