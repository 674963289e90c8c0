import { Problem } from '@burgee/protocol/problem'
import type { EmailChange } from '@burgee/protocol/project-access'
import type { UpdateUser } from '@burgee/protocol/user'
import type { Reader } from '@burgee/storage/database'
import { removeResetTokens } from '@burgee/storage/queries/access/reset-tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import { hasIdentity } from '@burgee/storage/queries/sso/identities'
import type { Change } from '../../../core/execute.ts'
import { createWrongOldPassword, requireUser, updateUser } from './user-admin.ts'
import { requireDistinctLogins } from './username-checks.ts'

/** Changes that a user makes to their own profile. Omitted fields keep their value. */
export interface ProfileChange {
  readonly id: number
  readonly body: Pick<UpdateUser, 'name' | 'email'>
  /** Hash against which the current password was checked; undefined if the password was not required. */
  readonly checked: string | undefined
}

const EXTERNAL_SOURCE_MESSAGES: Readonly<Partial<Record<EmailChange, string>>> = {
  'single-sign-on': 'Your e-mail address comes from single sign-on: change it there, or ask an administrator.',
  directory: 'Your e-mail address comes from a directory of people: change it there, or ask an administrator.',
}

/**
 * Returns what users must present to change their own e-mail address: the password or a recent session. If an external
 * source manages the address, returns that source instead.
 */
export async function readEmailChange(reader: Reader, user: UserRow): Promise<EmailChange> {
  if (user.scim_id !== null) return 'directory'
  if (await hasIdentity(reader, user.id)) return 'single-sign-on'
  return user.password_hash === '' ? 'session' : 'password'
}

/** Throws InvalidOperationError if the user's e-mail address is managed by an external source. */
export async function requireLocalEmail(reader: Reader, user: UserRow): Promise<void> {
  const reason = EXTERNAL_SOURCE_MESSAGES[await readEmailChange(reader, user)]
  if (reason !== undefined) throw new Problem('InvalidOperationError', reason)
}

/**
 * Changes the name and e-mail address of the caller. If the address changes, revokes password links, because they may
 * have been sent to the old address. Throws ValidationError, NameExistsError, InvalidOperationError, and
 * PasswordMismatch if the password was changed after it was checked.
 */
export const updateOwnProfile: Change<ProfileChange, UserRow> = async (tx, { id, body, checked }, context) => {
  const before = await requireUser(tx, id)
  const isMoved = body.email !== undefined && body.email !== before.email
  if (isMoved) {
    await requireLocalEmail(tx, before)
    if (before.password_hash !== '' && before.password_hash !== checked) throw createWrongOldPassword()
    await requireDistinctLogins(tx, { username: null, email: body.email ?? null }, id)
  }
  const outcome = await updateUser(tx, { id, body }, context)
  if (isMoved) {
    await removeResetTokens(tx, id)
    await tx.updateTable('users').set({ address_verified: 0 }).where('id', '=', id).execute()
  }
  return outcome
}
