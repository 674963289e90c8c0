import { invalid, notFound } from '@burgee/kit/input/refusals'
import { Problem } from '@burgee/protocol/problem'
import type { CreateUser, InitialRole, UpdateUser } from '@burgee/protocol/user'
import { chunks } from '@burgee/storage/chunks'
import type { Tx } from '@burgee/storage/database'
import { deleteNetworks } from '@burgee/storage/queries/access/known-networks'
import { findPersonById, listMemberships, listPeopleByIds } from '@burgee/storage/queries/access/people'
import { removeResetTokens } from '@burgee/storage/queries/access/reset-tokens'
import { deleteAllSessions } from '@burgee/storage/queries/access/sessions'
import { insertUser, type UserRow } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { requireStrong } from '../../../core/access/passwords/password-rules.ts'
import { passwordCaller } from '../../../core/access/passwords/passwords.ts'
import { createResetToken } from '../../../core/access/passwords/reset-tokens.ts'
import { requireRemainingAdmin } from '../../../core/access/rights/last-admin.ts'
import type { Actor } from '../../../core/access/rights/rights.ts'
import { getRootRoleId, requireRootRole } from '../../../core/access/rights/root-roles.ts'
import { revokePersonalTokens } from '../../../core/access/tokens/personal-tokens.ts'
import { type Change, execute } from '../../../core/execute.ts'
import type { ServerWorld } from '../../../core/server-world.ts'
import { grantInitialRoles } from '../../projects/initial-roles.ts'
import type { RoleAssigner } from '../../projects/role-assignments.ts'
import { requireFreeLogins } from './username-checks.ts'

/** New user, with an invitation token for setting the first password if the user has none. */
export interface NewUser {
  readonly user: UserRow
  readonly invitation: string | undefined
}

/**
 * Creates a user with project roles atomically (everything or nothing). Throws ValidationError, PasswordWeakError,
 * NameExistsError, and the errors of `grantInitialRoles`.
 */
export async function createUser(world: ServerWorld, actor: Actor, body: CreateUser): Promise<NewUser> {
  const { username, email, name, password } = body
  if (username === undefined && email === undefined)
    throw invalid('A user needs a username or an e-mail address', 'body')
  if (password !== undefined) requireStrong(password, [username, email])
  const password_hash = password === undefined ? '' : await world.passwords.hash(password, passwordCaller(actor))
  const columns = {
    username: username ?? null,
    email: email ?? null,
    name: name ?? null,
    password_hash,
    address_verified: 1,
  }
  const must_change_password = Number(password !== undefined && body.mustChangePassword === true)
  const root_role = getRootRoleId(body.rootRole)
  return execute(world, actor, addMember, {
    columns: { ...columns, must_change_password, root_role },
    roles: body.projectRoles ?? [],
    giver: actor.grants,
  })
}

type NewColumns = Pick<
  UserRow,
  'username' | 'email' | 'name' | 'password_hash' | 'must_change_password' | 'root_role' | 'address_verified'
>

/** Adds a user with an already hashed password. Throws ValidationError, NameExistsError. */
export const addUser: Change<NewColumns, NewUser> = async (tx, columns, context) => {
  await requireRootRole(tx, columns.root_role)
  await requireFreeLogins(tx, columns)
  const user = await insertUser(tx, { ...columns, login_attempts: 0, created_at: context.now, seen_at: null })
  const invitation =
    user.password_hash === '' ? await createResetToken(tx, { userId: user.id, endsTokens: true }, context) : undefined
  return { result: { user, invitation }, events: [{ type: 'user-created', data: toUserState(user) }] }
}

const addMember: Change<{ columns: NewColumns; roles: readonly InitialRole[] } & RoleAssigner, NewUser> = async (
  tx,
  { columns, roles, giver },
  context,
) => {
  const { result, events } = await addUser(tx, columns, context)
  const granted = await grantInitialRoles(tx, { userId: result.user.id, roles, giver }, context)
  return { result, events: [...events, ...granted] }
}

/**
 * Updates a user. An unchanged user creates no event. Throws NotFoundError, ValidationError, NameExistsError,
 * ConflictError if no admin would remain.
 */
export const updateUser: Change<{ id: number; body: UpdateUser }, UserRow> = async (tx, { id, body }) => {
  const before = await requireUser(tx, id)
  const after = {
    ...before,
    email: body.email ?? before.email,
    name: body.name ?? before.name,
    root_role: body.rootRole === undefined ? before.root_role : getRootRoleId(body.rootRole),
  }
  if (after.root_role !== before.root_role) await requireRootRole(tx, after.root_role)
  if (after.email !== before.email) await requireFreeLogins(tx, { username: null, email: after.email }, id)
  const states = { data: toUserState(after), preData: toUserState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: before, events: [] }
  const { email, name, root_role } = after
  // an unverified account stays unverified: the person who created the account still knows its password and must not
  // count as the owner of the new address
  const columns = { email, name, root_role }
  await requireRemainingAdmin(tx, () => tx.updateTable('users').set(columns).where('id', '=', id).execute())
  return { result: after, events: [{ type: 'user-updated', ...states }] }
}

/** Removes a user, and the user's sessions and tokens. Throws NotFoundError, ConflictError if no admin would remain. */
export const removeUser: Change<{ id: number }, void> = async (tx, { id }) => {
  await requireUser(tx, id)
  return { result: undefined, events: await removePeople(tx, [id]) }
}

/**
 * Removes people with their sessions and tokens atomically (all people or none). Runs a few SQL statements for every
 * few hundred people. Returns the events, keyed by user id. Ignores ids that do not exist. Throws ConflictError if no
 * admin would remain.
 */
export function removePeople(tx: Tx, ids: readonly number[]): Promise<NewEvent[]> {
  return requireRemainingAdmin(tx, async () => {
    const events: NewEvent[] = []
    for (const part of chunks(ids)) {
      const roles = Map.groupBy(await listMemberships(tx, part), (row) => row.user_id)
      for (const row of await listPeopleByIds(tx, part)) {
        const own = Map.groupBy(roles.get(row.id) ?? [], ({ project }) => project)
        const projects = [...own].map(([project, held]) => ({ project, roles: held.map(({ role_id }) => role_id) }))
        events.push({ type: 'user-deleted', preData: { ...toUserState(row), projects } })
      }
      await tx.deleteFrom('users').where('is_service', '=', 0).where('id', 'in', part).execute()
    }
    return events
  })
}

/** New password of a user, and what changes with it. All sessions of the user end except the one given in `keep`. */
export interface NewPassword {
  readonly id: number
  readonly password: string
  /** Hash of the session to keep. */
  readonly keep?: string | undefined
  /** True if another person chose the password. The user must then change the password before doing anything else. */
  readonly mustChange?: boolean | undefined
  /** True if the change also revokes the user's personal tokens. */
  readonly endsTokens: boolean
  /** Hash against which the old password was checked; undefined if the password was not required. */
  readonly checked?: string | undefined
}

/** Sets a user's password. Throws NotFoundError, PasswordWeakError, PasswordMismatch. */
export async function setPassword(world: ServerWorld, actor: Actor, input: NewPassword): Promise<void> {
  const user = await findPersonById(world.db.reader, input.id)
  if (user === undefined) throw createUserNotFound(input.id)
  requireStrong(input.password, [user.username, user.email])
  const hash = await world.passwords.hash(input.password, passwordCaller(actor))
  await execute(world, actor, storePassword, { ...input, hash })
}

/**
 * Stores the hash of a password, ends sessions, removes links, and revokes tokens if requested. Throws NotFoundError,
 * and PasswordMismatch if the password has changed since the old password was verified.
 */
export const storePassword: Change<Omit<NewPassword, 'password'> & { readonly hash: string }, void> = async (
  tx,
  { id, hash, keep, mustChange = false, endsTokens, checked },
) => {
  const before = await requireUser(tx, id)
  if (checked !== undefined && before.password_hash !== checked) throw createWrongOldPassword()
  await tx
    .updateTable('users')
    .set({ password_hash: hash, must_change_password: Number(mustChange) })
    .where('id', '=', id)
    .execute()
  await deleteAllSessions(tx, { userId: id, keep })
  // a password that was set without the old password is possibly a response to a leak, so known networks are no longer
  // trusted
  if (checked === undefined) await deleteNetworks(tx, id)
  await removeResetTokens(tx, id)
  const data = { ...toUserState(before), passwordChanged: true }
  const ended = endsTokens ? await revokePersonalTokens(tx, id) : []
  const changed = { type: 'user-updated', data, preData: toUserState(before) } as const
  return { result: undefined, events: [changed, ...ended], endsAccess: true }
}

/** Returns a user by id. Throws NotFoundError. */
export async function requireUser(tx: Tx, id: number): Promise<UserRow> {
  const row = await findPersonById(tx, id)
  if (row === undefined) throw createUserNotFound(id)
  return row
}

/** Returns the error for a wrong old password. */
export function createWrongOldPassword(): Problem {
  return new Problem('PasswordMismatch', 'The old password is wrong.')
}

function createUserNotFound(id: number) {
  return notFound(`There is no user with the id ${id}.`)
}

/** Returns a user in the form used in events. */
export function toUserState({ id, username, email, name, root_role }: UserRow) {
  return { id, username, email, name, rootRole: root_role }
}
