import type { Tx } from '@burgee/storage/database'
import { deleteNetworks } from '@burgee/storage/queries/access/known-networks'
import { removeResetTokens } from '@burgee/storage/queries/access/reset-tokens'
import { deleteAllSessions } from '@burgee/storage/queries/access/sessions'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { revokePersonalTokens } from '../../../core/access/tokens/personal-tokens.ts'

/** Username, e-mail address and name of an account, as confirmed by an identity source. */
export type VouchedIdentity = Pick<UserRow, 'username' | 'email' | 'name'>

/** Result of adopting an account for an identity source. */
export interface Adoption {
  readonly user: UserRow
  /** True if the account was unverified, so that its credentials were revoked. */
  readonly isRevoked: boolean
  /** Events about the revoked tokens. The caller adds the event about the account itself. */
  readonly events: readonly NewEvent[]
}

/**
 * Returns true if an administrator or an identity source has confirmed that the account's holder owns its e-mail
 * address.
 */
export function isAddressVerified({
  address_verified,
  own_email,
}: Pick<UserRow, 'address_verified' | 'own_email'>): boolean {
  return address_verified === 1 && own_email === 0
}

/**
 * Hands an account to the person confirmed by an identity source (OpenID Connect, SCIM). Only this function links
 * accounts to identity sources. A stranger may have created an account with an unverified address. For an unverified
 * account, this function therefore revokes the password, sessions, personal tokens and reset links, replaces username,
 * address and name with the confirmed values, and marks the address as verified. Verified accounts stay unchanged.
 */
export async function adoptAccount(tx: Tx, user: UserRow, vouched: VouchedIdentity): Promise<Adoption> {
  if (isAddressVerified(user)) return { user, isRevoked: false, events: [] }
  const columns = {
    username: vouched.username,
    email: vouched.email,
    name: vouched.name,
    password_hash: '',
    must_change_password: 0,
    own_email: 0,
    address_verified: 1,
  }
  await tx.updateTable('users').set(columns).where('id', '=', user.id).execute()
  await deleteAllSessions(tx, { userId: user.id })
  await deleteNetworks(tx, user.id)
  await removeResetTokens(tx, user.id)
  return { user: { ...user, ...columns }, isRevoked: true, events: await revokePersonalTokens(tx, user.id) }
}
