import type { ExpressionBuilder } from 'kysely'
import type { Reader, Schema } from '../database.ts'
import type { GroupRow } from './groups.ts'
import { isLoginOf, type UserRow } from './users.ts'

/** How a directory of people calls somebody or a group: what it was told, or the id where it was told nothing yet. */
export function scimIdOf({ id, scim_id }: Pick<UserRow | GroupRow, 'id' | 'scim_id'>): string {
  return scim_id ?? String(id)
}

/** By what a list is narrowed; without it all are meant. */
export interface Wanted<A extends string> {
  readonly attribute: A
  readonly value: string
}

/** A part of a list, by id. */
export interface Part {
  readonly offset: number
  readonly limit: number
}

const NUMBER = /^\d{1,9}$/

/** Whether somebody or a group is called so: by the id that a directory was told, or where it was told none by our own. */
function isCalled(scimId: string) {
  return (eb: ExpressionBuilder<Schema, 'users' | 'groups'>) => {
    const told = eb('scim_id', '=', scimId)
    if (!NUMBER.test(scimId)) return told
    return eb.or([told, eb.and([eb('scim_id', 'is', null), eb('id', '=', Number(scimId))])])
  }
}

/** A person as a directory calls them. */
export function userByScimId(reader: Reader, scimId: string): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('is_service', '=', 0).where(isCalled(scimId)).executeTakeFirst()
}

/** A group as a directory calls it. */
export function groupByScimId(reader: Reader, scimId: string): Promise<GroupRow | undefined> {
  return reader.selectFrom('groups').selectAll().where(isCalled(scimId)).executeTakeFirst()
}

/** Ids of people whom a directory keeps. */
export async function provisionedUserIds(reader: Reader): Promise<number[]> {
  const query = reader.selectFrom('users').select('id').where('is_service', '=', 0)
  return (await query.where('scim_id', 'is not', null).orderBy('id').execute()).map(({ id }) => id)
}

/** Ids of groups that a directory keeps. */
export async function provisionedGroupIds(reader: Reader): Promise<number[]> {
  const query = reader.selectFrom('groups').select('id').where('scim_id', 'is not', null)
  return (await query.orderBy('id').execute()).map(({ id }) => id)
}

/** People, and how many there are in all; accounts of programs are not among them. */
export async function provisionedUsers(
  reader: Reader,
  wanted: Wanted<'login' | 'externalId'> | undefined,
  { offset, limit }: Part,
): Promise<{ rows: UserRow[]; total: number }> {
  let query = reader.selectFrom('users').where('is_service', '=', 0)
  if (wanted?.attribute === 'externalId') query = query.where('scim_external_id', '=', wanted.value)
  else if (wanted !== undefined) {
    query = query.where((eb) => isLoginOf(eb, { username: wanted.value, email: wanted.value }))
  }
  const counted = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = limit === 0 ? [] : await query.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { rows, total: Number(counted.total) }
}

/** The same of groups. */
export async function provisionedGroups(
  reader: Reader,
  wanted: Wanted<'name' | 'externalId'> | undefined,
  { offset, limit }: Part,
): Promise<{ rows: GroupRow[]; total: number }> {
  let query = reader.selectFrom('groups')
  if (wanted !== undefined) {
    query = query.where(wanted.attribute === 'name' ? 'name' : 'scim_external_id', '=', wanted.value)
  }
  const counted = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = limit === 0 ? [] : await query.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { rows, total: Number(counted.total) }
}
