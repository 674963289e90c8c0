import { notFound } from '@burgee/kit/input/refusals'
import type {
  CreateServiceAccount,
  ServiceAccount,
  UpdateServiceAccount,
} from '@burgee/protocol/administration/service-account'
import type { Reader } from '@burgee/storage/database'
import {
  findUserById,
  listMemberships,
  listServiceAccounts,
  type PersonalTokenRow,
} from '@burgee/storage/queries/access/people'
import { insertUser, type UserRow } from '@burgee/storage/queries/access/users'
import { requireRootRole } from '../../../core/access/rights/root-roles.ts'
import { toPersonalToken } from '../../../core/access/tokens/personal-tokens.ts'
import type { Change } from '../../../core/execute.ts'
import { toUserState } from './user-admin.ts'
import { requireFreeLogins } from './username-checks.ts'
import { toUser } from './users.ts'

/** Returns a service account with its tokens, without their secrets. */
export function toServiceAccount(row: UserRow, tokens: readonly PersonalTokenRow[]): ServiceAccount {
  return { ...toUser(row), tokens: tokens.filter(({ user_id }) => user_id === row.id).map(toPersonalToken) }
}

/** Returns a service account by id. Throws NotFoundError if the id is unknown or belongs to a person. */
export async function requireServiceAccount(reader: Reader, id: number): Promise<UserRow> {
  const row = await findUserById(reader, id)
  if (row?.is_service === 1) return row
  throw notFound(`There is no service account with the id ${id}.`)
}

/** Returns all service accounts with their tokens. */
export async function readServiceAccounts(reader: Reader): Promise<ServiceAccount[]> {
  const rows = await listServiceAccounts(reader)
  const tokens = await reader.selectFrom('personal_tokens').selectAll().orderBy('id').execute()
  const own = Map.groupBy(tokens, (token) => token.user_id)
  return rows.map((row) => toServiceAccount(row, own.get(row.id) ?? []))
}

/** Creates a service account, which never has a password. Throws ValidationError, NameExistsError. */
export const createServiceAccount: Change<CreateServiceAccount, UserRow> = async (tx, body, { now }) => {
  const { username, name, rootRole } = body
  await requireRootRole(tx, rootRole)
  await requireFreeLogins(tx, { username, email: null })
  const user = await insertUser(tx, {
    username,
    email: null,
    name: name ?? null,
    password_hash: '',
    root_role: rootRole,
    is_service: 1,
    must_change_password: 0,
    login_attempts: 0,
    created_at: now,
    seen_at: null,
    address_verified: 1,
  })
  return { result: user, events: [{ type: 'service-account-created', data: toUserState(user) }] }
}

/**
 * Updates a service account. Omitted fields keep their value; an unchanged account creates no event. Throws
 * NotFoundError, ValidationError.
 */
export const updateServiceAccount: Change<{ id: number; body: UpdateServiceAccount }, UserRow> = async (
  tx,
  { id, body },
) => {
  const before = await requireServiceAccount(tx, id)
  const after = { ...before, name: body.name ?? before.name, root_role: body.rootRole ?? before.root_role }
  if (after.root_role !== before.root_role) await requireRootRole(tx, after.root_role)
  const [data, preData] = [toUserState(after), toUserState(before)]
  if (JSON.stringify(data) === JSON.stringify(preData)) return { result: before, events: [] }
  const { name, root_role } = after
  await tx.updateTable('users').set({ name, root_role }).where('id', '=', id).execute()
  return { result: after, events: [{ type: 'service-account-updated', data, preData }] }
}

/** Removes a service account with its tokens, which are rejected immediately. Throws NotFoundError. */
export const removeServiceAccount: Change<{ id: number }, void> = async (tx, { id }) => {
  const before = await requireServiceAccount(tx, id)
  const projects = await listMemberships(tx, [id])
  await tx.deleteFrom('users').where('id', '=', id).execute()
  const preData = {
    ...toUserState(before),
    projects: projects.map(({ project, role_id }) => ({ project, role: role_id })),
  }
  return { result: undefined, events: [{ type: 'service-account-deleted', preData }] }
}
