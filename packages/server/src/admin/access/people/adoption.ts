import { chunks } from '@burgee/storage/chunks'
import type { Tx } from '@burgee/storage/database'
import { deleteNetworks } from '@burgee/storage/queries/access/known-networks'
import { removeResetTokens } from '@burgee/storage/queries/access/reset-tokens'
import { deleteAllSessions } from '@burgee/storage/queries/access/sessions'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { deleteIdentities } from '@burgee/storage/queries/sso/identities'
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

/** Account that an identity source claims for the person whose identity it confirms. */
export interface AccountClaim {
  readonly user: UserRow
  readonly vouched: VouchedIdentity
  /** True if the account is now linked to an identity of this source for the first time. */
  readonly isNewlyLinked: boolean
}

/** Result of adopting several accounts: the accounts whose credentials were revoked, by id, and their events. */
export interface Adoptions {
  readonly revoked: ReadonlyMap<number, UserRow>
  readonly events: readonly NewEvent[]
}

const REVOKED = { password_hash: '', must_change_password: 0, own_email: 0, address_verified: 1 } as const

/** Adopts one account, see `adoptAccounts`. */
export async function adoptAccount(tx: Tx, claim: AccountClaim): Promise<Adoption> {
  const { user } = claim
  const { revoked, events } = await adoptAccounts(tx, [claim])
  return { user: revoked.get(user.id) ?? user, isRevoked: revoked.has(user.id), events }
}

/**
 * Hands accounts to the people confirmed by an identity source (OpenID Connect, SCIM). Only this function links
 * accounts to identity sources. A stranger may have created an account with an unverified address. For an unverified
 * account, this function therefore revokes the password, sessions, personal tokens, identities and reset links,
 * replaces username, address and name with the confirmed values, and marks the address as verified. The caller stores
 * the new identity afterwards. A verified account keeps its credentials. If it has no password and is newly linked, its
 * open invite and reset links are revoked, because they would lead to a second way to log in. Runs a few SQL statements
 * for every few hundred accounts.
 */
export async function adoptAccounts(tx: Tx, claims: readonly AccountClaim[]): Promise<Adoptions> {
  const revoked = new Map<number, UserRow>()
  const events: NewEvent[] = []
  for (const part of chunks(claims.filter(hasOnlyLinks))) {
    await removeResetTokens(
      tx,
      part.map(({ user }) => user.id),
    )
  }
  for (const part of chunks(claims.filter(({ user }) => !isAddressVerified(user)))) {
    const ids = part.map(({ user }) => user.id)
    await storeIdentities(tx, part)
    await deleteAllSessions(tx, { userId: ids })
    await deleteNetworks(tx, ids)
    await removeResetTokens(tx, ids)
    await deleteIdentities(tx, ids)
    events.push(...(await revokePersonalTokens(tx, ids)))
    for (const { user, vouched } of part) revoked.set(user.id, { ...user, ...vouched, ...REVOKED })
  }
  return { revoked, events }
}

/** Returns true for a verified account that has no password yet and is newly linked. */
function hasOnlyLinks({ user, isNewlyLinked }: AccountClaim): boolean {
  return isNewlyLinked && user.password_hash === '' && isAddressVerified(user)
}

/** Stores the confirmed identities with one statement for all accounts of which the same columns change. */
async function storeIdentities(tx: Tx, claims: readonly AccountClaim[]): Promise<void> {
  const groups = Map.groupBy(claims, (claim) => JSON.stringify(getIdentityChanges(claim)))
  for (const group of groups.values()) {
    const ids = group.map(({ user }) => user.id)
    const changes = group[0] === undefined ? {} : getIdentityChanges(group[0])
    await tx
      .updateTable('users')
      .set({ ...REVOKED, ...changes })
      .where('id', 'in', ids)
      .execute()
  }
}

/** Returns the columns of the confirmed identity that differ from the stored columns. */
function getIdentityChanges({ user, vouched: { username, email, name } }: AccountClaim): Partial<VouchedIdentity> {
  return {
    ...(username === user.username ? {} : { username }),
    ...(email === user.email ? {} : { email }),
    ...(name === user.name ? {} : { name }),
  }
}
