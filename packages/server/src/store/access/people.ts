import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'
import type { UserRow } from './users.ts'

/** Id of the role that may do everything. */
const ADMIN_ROLE = 1

/** A role of a person in a project. */
export interface Membership {
  readonly user_id: number
  readonly project: string
  readonly role_id: number
}

/** Roles of people in projects. */
export function membershipsOf(reader: Reader, userIds: readonly number[]): Promise<Membership[]> {
  return reader
    .selectFrom('project_members')
    .select(['user_id', 'project', 'role_id'])
    .where('user_id', 'in', userIds)
    .orderBy('user_id')
    .orderBy('project')
    .orderBy('role_id')
    .execute()
}

/** All people by id, without the accounts of programs. */
export function listUsers(reader: Reader): Promise<UserRow[]> {
  return reader.selectFrom('users').selectAll().where('is_service', '=', 0).orderBy('id').execute()
}

/** All accounts of programs by id. */
export function listServiceAccounts(reader: Reader): Promise<UserRow[]> {
  return reader.selectFrom('users').selectAll().where('is_service', '=', 1).orderBy('id').execute()
}

/** A person, or the account of a program, by id. */
export function userById(reader: Reader, id: number): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A person by id. */
export async function personById(reader: Reader, id: number): Promise<UserRow | undefined> {
  const row = await userById(reader, id)
  return row?.is_service === 0 ? row : undefined
}

/** Those of these people that there are, by id, without the accounts of programs. */
export function peopleByIds(reader: Reader, ids: readonly number[]): Promise<UserRow[]> {
  const query = reader.selectFrom('users').selectAll().where('is_service', '=', 0)
  return query.where('id', 'in', ids).orderBy('id').execute()
}

/** People, with the last use of a token and of a session of theirs. */
export type UserWithUse = UserRow & { readonly pat_seen_at: number | null; readonly used_at: number | null }

/** All people by id, with the last use of a token and of a session of theirs. */
export function usersWithUse(reader: Reader): Promise<UserWithUse[]> {
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

/** Who may do everything, of their own or as member of a group, by id; accounts of programs are not among them. */
export function admins(reader: Reader): Promise<UserRow[]> {
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

/** What a person was asked, by id of the question. */
export function feedbackOf(reader: Reader, userId: number): Promise<Selectable<Schema['feedback']>[]> {
  return reader.selectFrom('feedback').selectAll().where('user_id', '=', userId).orderBy('feedback_id').execute()
}

/** Notes an answer to a question, in the place of an earlier one. */
export async function putFeedback(tx: Tx, row: Selectable<Schema['feedback']>): Promise<void> {
  const { never_show, given } = row
  await tx
    .insertInto('feedback')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'feedback_id']).doUpdateSet({ never_show, given }))
    .execute()
}

/** Ids of the pages a person has seen. */
export async function splashOf(reader: Reader, userId: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('splash')
    .select('splash_id')
    .where('user_id', '=', userId)
    .orderBy('splash_id')
    .execute()
  return rows.map((row) => row.splash_id)
}

/** Notes that a person has seen a page. */
export async function putSplash(tx: Tx, userId: number, id: string): Promise<void> {
  await tx
    .insertInto('splash')
    .values({ user_id: userId, splash_id: id })
    .onConflict((conflict) => conflict.columns(['user_id', 'splash_id']).doNothing())
    .execute()
}

/** A person's own token, without its secret. */
export type PersonalTokenRow = Selectable<Schema['personal_tokens']>

/** A person's own tokens, oldest first. */
export function personalTokensOf(reader: Reader, userId: number): Promise<PersonalTokenRow[]> {
  return reader.selectFrom('personal_tokens').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

/** A person, and the id of the token by which they came. */
export interface TokenOwner {
  readonly user: UserRow
  readonly tokenId: number
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

/** The person of a token that has not expired. */
export async function ownerOfToken(reader: Reader, hash: string, now: number): Promise<TokenOwner | undefined> {
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

/** The same by the id of the token. */
export function ownerOfTokenId(reader: Reader, id: number, now: number): Promise<UserRow | undefined> {
  return reader
    .selectFrom('personal_tokens as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .selectAll('u')
    .where('p.id', '=', id)
    .where('p.expires_at', '>', now)
    .where('u.active', '=', 1)
    .executeTakeFirst()
}

/** Names of the flags that a person likes. */
export async function favoriteFeatures(reader: Reader, userId: number): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('feature_favorites')
    .select('feature_name')
    .where('user_id', '=', userId)
    .execute()
  return new Set(rows.map((row) => row.feature_name))
}

interface Liked {
  readonly userId: number
  readonly project: string
  readonly feature?: string
}

/** Notes that a person likes a flag, or a project; false where that was noted. */
export async function putFavorite(tx: Tx, { userId, project, feature }: Liked): Promise<boolean> {
  const query =
    feature === undefined
      ? tx.insertInto('project_favorites').values({ user_id: userId, project }).returning('user_id')
      : tx.insertInto('feature_favorites').values({ user_id: userId, feature_name: feature }).returning('user_id')
  return (await query.onConflict((conflict) => conflict.doNothing()).execute()).length > 0
}

/** Forgets it again; false where there was nothing. */
export async function removeFavorite(tx: Tx, { userId, project, feature }: Liked): Promise<boolean> {
  const query =
    feature === undefined
      ? tx.deleteFrom('project_favorites').where('project', '=', project).returning('user_id')
      : tx.deleteFrom('feature_favorites').where('feature_name', '=', feature).returning('user_id')
  return (await query.where('user_id', '=', userId).execute()).length > 0
}
