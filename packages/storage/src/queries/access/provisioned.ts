import { parseRowId } from '@burgee/protocol/row-id'
import type { ExpressionBuilder } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import type { GroupRow } from './groups.ts'
import { hasCollidingLogin, type UserRow } from './users.ts'

/** Returns the SCIM id of a user or group. If a user or group has no SCIM id, returns the internal id. */
export function getScimId({ id, scim_id }: Pick<UserRow | GroupRow, 'id' | 'scim_id'>): string {
  return scim_id ?? String(id)
}

/** Filter that restricts a SCIM list. An undefined filter matches all users or groups. */
export interface AttributeFilter<A extends string> {
  readonly attribute: A
  readonly value: string
}

/** Range of entries in a SCIM list, which is sorted by id. */
export interface ListPage {
  readonly offset: number
  readonly limit: number
}

/**
 * Matches the users or groups that have one of the given SCIM ids. A user or group without a SCIM id is matched by its
 * internal id.
 */
function hasScimId(scimIds: readonly string[]) {
  const internal = scimIds.map(parseRowId).filter((id) => id !== undefined)
  return (eb: ExpressionBuilder<Schema, 'users' | 'groups'>) => {
    const byScimId = eb('scim_id', 'in', scimIds)
    if (internal.length === 0) return byScimId
    return eb.or([byScimId, eb.and([eb('scim_id', 'is', null), eb('id', 'in', internal)])])
  }
}

/** Returns a user by SCIM id. */
export function findUserByScimId(reader: Reader, scimId: string): Promise<UserRow | undefined> {
  const people = reader.selectFrom('users').selectAll().where('is_service', '=', 0)
  return people.where(hasScimId([scimId])).executeTakeFirst()
}

/**
 * Returns the users with the given SCIM ids, keyed by SCIM id. Omits unknown ids. Runs one statement for every few
 * hundred ids.
 */
export async function findUsersByScimIds(
  reader: Reader,
  scimIds: readonly string[],
): Promise<ReadonlyMap<string, UserRow>> {
  const found = new Map<string, UserRow>()
  for (const part of chunks([...new Set(scimIds)])) {
    const people = reader.selectFrom('users').selectAll().where('is_service', '=', 0)
    for (const row of await people.where(hasScimId(part)).execute()) found.set(getScimId(row), row)
  }
  return found
}

/** Returns a group by SCIM id. */
export function findGroupByScimId(reader: Reader, scimId: string): Promise<GroupRow | undefined> {
  return reader
    .selectFrom('groups')
    .selectAll()
    .where(hasScimId([scimId]))
    .executeTakeFirst()
}

/** Returns the ids of users that SCIM manages. */
export async function listProvisionedUserIds(reader: Reader): Promise<number[]> {
  const query = reader.selectFrom('users').select('id').where('is_service', '=', 0)
  return (await query.where('scim_id', 'is not', null).orderBy('id').execute()).map(({ id }) => id)
}

/** Returns the ids of groups that SCIM manages. */
export async function listProvisionedGroupIds(reader: Reader): Promise<number[]> {
  const query = reader.selectFrom('groups').select('id').where('scim_id', 'is not', null)
  return (await query.orderBy('id').execute()).map(({ id }) => id)
}

/** Returns a page of users and their total number, without service accounts. */
export async function listProvisionedUsers(
  reader: Reader,
  wanted: AttributeFilter<'login' | 'externalId'> | undefined,
  { offset, limit }: ListPage,
): Promise<{ rows: UserRow[]; total: number }> {
  let query = reader.selectFrom('users').where('is_service', '=', 0)
  if (wanted?.attribute === 'externalId') query = query.where('scim_external_id', '=', wanted.value)
  else if (wanted !== undefined) {
    query = query.where((eb) => hasCollidingLogin(eb, { username: wanted.value, email: wanted.value }))
  }
  const counted = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = limit === 0 ? [] : await query.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { rows, total: Number(counted.total) }
}

/** Returns a page of groups and their total number. */
export async function listProvisionedGroups(
  reader: Reader,
  wanted: AttributeFilter<'name' | 'externalId'> | undefined,
  { offset, limit }: ListPage,
): Promise<{ rows: GroupRow[]; total: number }> {
  let query = reader.selectFrom('groups')
  if (wanted !== undefined) {
    query = query.where(wanted.attribute === 'name' ? 'name' : 'scim_external_id', '=', wanted.value)
  }
  const counted = await query.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = limit === 0 ? [] : await query.selectAll().orderBy('id').limit(limit).offset(offset).execute()
  return { rows, total: Number(counted.total) }
}
