import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { UserRow } from './users.ts'

/** Id of the role with all permissions. */
const ADMIN_ROLE = 1

/** Role of a user in a project. */
export interface Membership {
  readonly user_id: number
  readonly project: string
  readonly role_id: number
}

/** Returns the project roles of users. */
export function listMemberships(reader: Reader, userIds: readonly number[]): Promise<Membership[]> {
  return reader
    .selectFrom('project_members')
    .select(['user_id', 'project', 'role_id'])
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .orderBy('project')
    .orderBy('role_id')
    .execute()
}

/** Lists all users, sorted by id, without service accounts. */
export function listUsers(reader: Reader): Promise<UserRow[]> {
  return reader.selectFrom('users').selectAll().where('is_service', '=', 0).orderBy('id').execute()
}

/** Lists all service accounts, sorted by id. */
export function listServiceAccounts(reader: Reader): Promise<UserRow[]> {
  return reader.selectFrom('users').selectAll().where('is_service', '=', 1).orderBy('id').execute()
}

/** Returns a user or service account by id. */
export function findUserById(reader: Reader, id: number): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a user by id; undefined for a service account. */
export async function findPersonById(reader: Reader, id: number): Promise<UserRow | undefined> {
  const row = await findUserById(reader, id)
  return row?.is_service === 0 ? row : undefined
}

/** Returns the users with the given ids, sorted by id. Omits unknown ids and service accounts. */
export function listPeopleByIds(reader: Reader, ids: readonly number[]): Promise<UserRow[]> {
  const query = reader.selectFrom('users').selectAll().where('is_service', '=', 0)
  return query.where('id', 'in', ids).orderBy('id').execute()
}

/** Returns the display names of users and service accounts, sorted by id; accounts without a name are omitted. */
export async function listDisplayNames(
  reader: Reader,
  ids: readonly number[],
): Promise<{ readonly id: number; readonly name: string }[]> {
  const rows = await reader.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).orderBy('id').execute()
  return rows.flatMap(({ id, name }) => (name === null || name === '' ? [] : [{ id, name }]))
}

/** User, with the times at which their personal tokens and sessions were last used. */
export type UserWithLastUse = UserRow & { readonly pat_seen_at: number | null; readonly used_at: number | null }

/** Lists all users, sorted by id, with the times at which their personal tokens and sessions were last used. */
export function listUsersWithLastUse(reader: Reader): Promise<UserWithLastUse[]> {
  return reader
    .selectFrom('users as u')
    .selectAll('u')
    .where('u.is_service', '=', 0)
    .select(({ selectFrom }) => [
      selectFrom('personal_tokens as p')
        .select(({ fn }) => fn.max('p.seen_at').as('at'))
        .whereRef('p.user_id', '=', 'u.id')
        .as('pat_seen_at'),
      selectFrom('sessions as s')
        .select(({ fn }) => fn.max('s.used_at').as('at'))
        .whereRef('s.user_id', '=', 'u.id')
        .as('used_at'),
    ])
    .orderBy('u.id')
    .execute()
}

/**
 * Lists the active users who have the root role Admin, directly or through a group. Sorted by id, without service
 * accounts.
 */
export function listAdmins(reader: Reader): Promise<UserRow[]> {
  const byGroup = reader
    .selectFrom('group_members as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .select('m.user_id')
    .where('g.root_role', '=', ADMIN_ROLE)
  return reader
    .selectFrom('users')
    .selectAll()
    .where('is_service', '=', 0)
    .where('active', '=', 1)
    .where((eb) => eb.or([eb('root_role', '=', ADMIN_ROLE), eb('id', 'in', byGroup)]))
    .orderBy('id')
    .execute()
}

/** Returns the feedback questions that a user has answered or dismissed, sorted by question id. */
export function listFeedback(reader: Reader, userId: number): Promise<Selectable<Schema['feedback']>[]> {
  return reader.selectFrom('feedback').selectAll().where('user_id', '=', userId).orderBy('feedback_id').execute()
}

/** Stores a user's answer to a feedback question. Replaces an earlier answer. */
export async function putFeedback(tx: Tx, row: Selectable<Schema['feedback']>): Promise<void> {
  const { never_show, given } = row
  await tx
    .insertInto('feedback')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'feedback_id']).doUpdateSet({ never_show, given }))
    .execute()
}

/** Returns the ids of the splash pages that a user has seen. */
export async function listDismissedSplashes(reader: Reader, userId: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('splash')
    .select('splash_id')
    .where('user_id', '=', userId)
    .orderBy('splash_id')
    .execute()
  return rows.map((row) => row.splash_id)
}

/** Records that a user has seen a splash page. */
export async function putSplash(tx: Tx, userId: number, id: string): Promise<void> {
  await tx
    .insertInto('splash')
    .values({ user_id: userId, splash_id: id })
    .onConflict((conflict) => conflict.columns(['user_id', 'splash_id']).doNothing())
    .execute()
}

/** Personal token without its secret. */
export type PersonalTokenRow = Selectable<Schema['personal_tokens']>

/** Lists the personal tokens of a user, or of several users, oldest first. */
export function listPersonalTokens(reader: Reader, of: number | readonly number[]): Promise<PersonalTokenRow[]> {
  const query = reader.selectFrom('personal_tokens').selectAll()
  return query
    .where('user_id', 'in', typeof of === 'number' ? [of] : of)
    .orderBy('id')
    .execute()
}

/** User and id of a personal token. */
export interface TokenOwner {
  readonly user: UserRow
  readonly tokenId: number
  /** Expiry of the token in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Returns the active user of a personal token; undefined if the token is unknown or has expired. */
export async function findTokenOwner(reader: Reader, hash: string, now: number): Promise<TokenOwner | undefined> {
  const row = await reader
    .selectFrom('personal_tokens as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .selectAll('u')
    .select(['p.id as token_id', 'p.expires_at as token_expires_at'])
    .where('p.hash', '=', hash)
    .where('p.expires_at', '>', now)
    .where('u.active', '=', 1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { token_id: tokenId, token_expires_at: expiresAt, ...user } = row
  return { user, tokenId, expiresAt }
}

/** Returns the active user of a personal token by token id; undefined if the token is unknown or has expired. */
export function findTokenOwnerById(reader: Reader, id: number, now: number): Promise<UserRow | undefined> {
  return reader
    .selectFrom('personal_tokens as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .selectAll('u')
    .where('p.id', '=', id)
    .where('p.expires_at', '>', now)
    .where('u.active', '=', 1)
    .executeTakeFirst()
}

/** Returns the names of the flags that a user has marked as favorites. */
export async function readFavoriteFeatures(reader: Reader, userId: number): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('feature_favorites')
    .select('feature_name')
    .where('user_id', '=', userId)
    .execute()
  return new Set(rows.map((row) => row.feature_name))
}

interface Favorite {
  readonly userId: number
  readonly project: string
  readonly feature?: string
}

/** Marks a flag or project as a favorite; returns false if it is one already. */
export async function putFavorite(tx: Tx, { userId, project, feature }: Favorite): Promise<boolean> {
  const query =
    feature === undefined
      ? tx.insertInto('project_favorites').values({ user_id: userId, project }).returning('user_id')
      : tx.insertInto('feature_favorites').values({ user_id: userId, feature_name: feature }).returning('user_id')
  return (await query.onConflict((conflict) => conflict.doNothing()).execute()).length > 0
}

/** Removes a favorite; returns false if there is none. */
export async function removeFavorite(tx: Tx, { userId, project, feature }: Favorite): Promise<boolean> {
  const query =
    feature === undefined
      ? tx.deleteFrom('project_favorites').where('project', '=', project).returning('user_id')
      : tx.deleteFrom('feature_favorites').where('feature_name', '=', feature).returning('user_id')
  return (await query.where('user_id', '=', userId).execute()).length > 0
}
